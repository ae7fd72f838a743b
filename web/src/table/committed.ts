import type { Arrow } from "../board/arrows";
import type { Scene } from "../board/board";
import type { Family } from "../board/geometry";
import type { GhostMark } from "../board/ghosts";
import type { Placement, Ply, Side } from "../board/placement";
import { plyOf } from "../board/text";
import type { BoardView, LogEntry, SeatId } from "../net/protocol";
import { lang } from "../settings";
import { nameOf, nameRun } from "./notate";

/** A ply that is committed to, declared or planned, with what the board shows of it. */
export interface Committed extends GhostMark {
  ply: Ply;
  text: string;
  /** The ply in the notation that readers of the language know. */
  name: string;
  /** Its place among the others: the soonest first. */
  order: number;
  /** Only entered so far, not sent. */
  planned?: boolean;
}

/** What stands committed at some moment. */
export type Standing = Pick<BoardView, "queues" | "pools" | "owes" | "picks">;

export const LETTERS = "ABCDEFGHIJKLMNOPQRST";

const SEATS: readonly SeatId[] = ["first", "second"];

/** All that is committed to or declared, the soonest first. */
export function listCommitted(
  family: Family,
  standing: Standing,
  colour: (seat: SeatId) => Side,
): Committed[] {
  const found: Committed[] = [];
  const owner = standing.owes?.for ?? standing.owes?.seat;
  const legal = new Set(standing.picks ?? []);
  for (const seat of SEATS) {
    const mark = (label: string, text: string, order: number): Committed => ({
      label,
      side: colour(seat),
      ply: plyOf(family, text),
      text,
      name: text,
      order,
    });
    for (const [number, text] of standing.queues?.[seat] ?? [])
      found.push(mark(String(number), text, number));
    const due = seat === owner && standing.owes?.kind === "pick";
    (standing.pools?.[seat] ?? []).forEach((text, i) => {
      found.push({
        ...mark(LETTERS[i]!, text, i),
        lit: due && legal.has(text),
        off: due && !legal.has(text),
      });
    });
  }
  return found.sort((a, b) => a.order - b.order);
}

/**
 * Names what is committed to: plies of queues one after another, candidates each on `pieces`. `ahead` is the drawing
 * that candidates in the making are entered on.
 */
export function nameCommitted(
  family: Family,
  pieces: Placement,
  marks: readonly Committed[],
  ahead: Placement = pieces,
  stacks = false,
): Committed[] {
  const language = lang.value;
  const queued = marks.filter((m) => /^\d/.test(m.label));
  const names = nameRun(family, pieces, queued, language, stacks);
  return marks.map((mark) => {
    const i = queued.indexOf(mark);
    const board = mark.planned ? ahead : pieces;
    const name = i >= 0 ? names[i]! : nameOf(family, board, mark.ply, mark.text, language, stacks);
    return { ...mark, name };
  });
}

/** Draws commitments as arrows, and as ghost stones where a ply is a single point. */
export function drawCommitted(marks: readonly Committed[]): Pick<Scene, "arrows" | "stones"> {
  const arrows: Arrow[] = [];
  const stones = new Map<string, GhostMark[]>();
  for (const mark of marks) {
    const [from, to] = mark.ply.path;
    if (from === undefined) continue;
    if (to === undefined || from.endsWith("*")) {
      const at = to ?? from;
      stones.set(at, [...(stones.get(at) ?? []), mark]);
    } else arrows.push({ from, to, label: mark.label, side: mark.side });
  }
  return { arrows, stones };
}

/** What stood committed after an entry of the log: its events tell who submitted what, what was played, what failed. */
export function standingAt(log: readonly LogEntry[], index: number): Standing {
  const queues: Record<SeatId, [number, string][]> = { first: [], second: [] };
  const pools: Record<SeatId, string[]> = { first: [], second: [] };
  let played = log[0]?.seat === "second" ? 1 : 0;
  for (const entry of log.slice(0, index + 1))
    for (const event of entry.events ?? []) {
      const seat = event.seat as SeatId;
      switch (event.kind) {
        case "submitted":
          queues[seat] = (event.plies as string[]).map((text, i) => [played + 1 + 2 * i, text]);
          break;
        case "ply": {
          played = Number(event.ply);
          queues[seat] = queues[seat].filter(([number]) => number > played);
          const at = pools[seat].indexOf(String(event.text));
          if (at >= 0) pools[seat] = pools[seat].toSpliced(at, 1);
          break;
        }
        case "failed":
          queues.first = [];
          queues.second = [];
          break;
        case "pool":
          pools[seat] = [...(event.candidates as string[])];
          break;
      }
    }
  return { queues, pools };
}
