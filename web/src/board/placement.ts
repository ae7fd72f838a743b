import { type Family, squareName } from "./geometry";

/** 0 is the first seat, 1 the second. */
export type Side = 0 | 1;

/** What stands on one square. */
export interface Occupant {
  side: Side;
  /** Kinds in upper case: one letter, several for a stack, `S` for a stone. */
  members: string;
  /** Shogi: shows its promoted face. */
  promoted?: boolean;
  /** Wangqi: carries the token. */
  token?: boolean;
  /** Qixi: the dark face, `?` where the viewer does not know it. */
  dark?: string;
}

export type Placement = ReadonlyMap<string, Occupant>;

/** A position text taken apart for drawing. */
export interface Diagram {
  cols: number;
  rows: number;
  pieces: Placement;
  /** Shogi: pieces in hand of each seat, kind to number. */
  hands: [Map<string, number>, Map<string, number>];
  /** Fields after the placement. */
  fields: string[];
}

/** Reads the placement of a position text. It serves drawing only: what cannot be drawn is left out. */
export function readDiagram(family: Family, fen: string): Diagram {
  const [board = "", ...fields] = fen.split(" ");
  const lines = board.split("/").map((line) => readLine(family, line));
  const rows = lines.length;
  const cols = Math.max(...lines.map((line) => line.length));
  const pieces = new Map<string, Occupant>();
  lines.forEach((line, row) => {
    line.forEach((occupant, col) => {
      if (occupant) pieces.set(squareName(family, cols, rows, col, row), occupant);
    });
  });
  return { cols, rows, pieces, hands: family === "shogi" ? readHands(fields[1] ?? "-") : noHands(), fields };
}

const noHands = (): Diagram["hands"] => [new Map(), new Map()];

function readLine(family: Family, line: string): (Occupant | null)[] {
  const out: (Occupant | null)[] = [];
  const token = /(\d+)|(\+?)(?:\[([A-Za-z]+)\]|\{([A-Za-z])([A-Za-z?])\}|([A-Za-z]))/g;
  for (const [, empty, plus, stack, up, dark, single] of line.matchAll(token)) {
    if (empty) {
      out.push(...Array.from({ length: Number(empty) }, () => null));
      continue;
    }
    const members = stack ?? up ?? single ?? "";
    if (family === "go" || family === "gomoku") {
      out.push({ side: members.toUpperCase() === "B" ? 0 : 1, members: "S" });
      continue;
    }
    const occupant: Occupant = {
      side: members === members.toUpperCase() ? 0 : 1,
      members: members.toUpperCase(),
    };
    if (plus && family === "shogi") occupant.promoted = true;
    else if (plus) occupant.token = true;
    if (dark) occupant.dark = dark.toUpperCase();
    out.push(occupant);
  }
  return out;
}

function readHands(text: string): Diagram["hands"] {
  const hands = noHands();
  for (const [, count, kind] of text.matchAll(/(\d*)([A-Za-z])/g)) {
    const side = kind === kind!.toUpperCase() ? 0 : 1;
    hands[side].set(kind!.toUpperCase(), count ? Number(count) : 1);
  }
  return hands;
}

/** The side whose turn a position text names, or null where it names none. */
export function sideToMove(family: Family, fen: string): Side | null {
  const field = fen.split(" ")[1];
  if (field !== "w" && field !== "b") return null;
  // White begins in the xiangqi family and chess, Black in shogi, Go and gomoku.
  const first = family === "xiangqi" || family === "chess" ? "w" : "b";
  return field === first ? 0 : 1;
}

/** A ply as far as drawing needs it. */
export interface Ply {
  path: readonly string[];
  tag?: string;
  go?: string;
  back?: string;
  token?: boolean;
  promote?: string;
  to?: string;
}

/** Takes each letter of `part` out of `all` once. */
export function without(all: string, part: string): string {
  let rest = all;
  for (const kind of part) rest = rest.replace(kind, "");
  return rest;
}

const ORDER = "KRNCBAP";
const inOrder = (members: string) =>
  [...members].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)).join("");

/**
 * The placement as it will look once the ply is played: what is shown until the server's own position arrives, and
 * what a preview shows. It knows how to draw, not what is legal.
 */
export function afterPly(pieces: Placement, ply: Ply, side: Side): Placement {
  const next = new Map(pieces);
  const [from, to] = ply.path;
  if (from === undefined) return next;
  if (to === undefined) {
    const there = next.get(from);
    if (ply.tag === "flip" && there)
      next.set(from, { ...there, members: ply.to ?? there.dark ?? "R", dark: there.members });
    else if (!there || ply.tag === "place") next.set(from, { side, members: "S" });
    return next;
  }
  if (from.endsWith("*")) {
    next.set(to, { side, members: from.slice(0, -1) });
    return next;
  }
  const mover = next.get(from);
  if (!mover) return next;
  const target = next.get(to);
  const go = ply.go ?? mover.members;
  const back = ply.back ?? "";
  const stays = without(mover.members, go);
  next.delete(from);
  if (ply.tag === "swap" && target) next.set(from, target);
  const left = inOrder(stays + back);
  if (left) next.set(from, { side: mover.side, members: left });
  let arrived = go;
  if (target && (ply.tag === "combine" || ply.tag === "exchange"))
    arrived = inOrder(without(target.members, back) + go);
  const piece: Occupant = { ...mover, members: arrived };
  if (ply.promote === "+") piece.promoted = true;
  else if (ply.promote) piece.members = ply.promote.toUpperCase();
  next.set(to, piece);
  if (ply.token) {
    for (const [square, occupant] of next)
      if (occupant.token && occupant.side === side) next.set(square, { ...occupant, token: false });
    next.set(to, { ...piece, token: true });
  }
  return next;
}
