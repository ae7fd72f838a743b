import type { LogEntry, TableState } from "../net/protocol";
import { readRules } from "../rulestext";

export type Camp = "W" | "B";

export interface Claim {
  code: "am" | "did" | "suspect" | "trust";
  camp?: Camp;
  role?: string | null;
  night?: number;
  deed?: string;
  on?: number | null;
  because?: string;
}

export interface Landing {
  seat: number;
  order: string;
  landed: number | null;
  effect: string;
  traded: number | null;
}

/** What one viewer may know of a mafia table. */
export interface MafiaView {
  rules: string;
  to_act: number[];
  result: { win: string; reason: string } | { draw: string } | { void: string } | null;
  phase: "night" | "day";
  day: number;
  me: {
    seat: number;
    camp: Camp;
    role: string;
    alive: boolean;
    order: string | null;
    vote: number | "none" | null;
    powers: string[];
    one_shot: boolean;
    castle: "available" | "ordered" | "gone" | null;
    due: number;
    promotes: string | null;
    told: { seat: number; role: string }[];
    orders: { n: number; order: string }[];
  } | null;
  living: number[];
  kings: Record<Camp, number>;
  deaths: { seat: number; camp: Camp; phase: "night" | "day" | null; n: number | null }[];
  votes: Record<string, number | null>;
  tied: number[] | null;
  days: {
    day: number;
    ballots: Record<string, number | null>;
    extra: Record<string, number>;
    executed: number | null;
    died: boolean;
    runoff: boolean;
  }[];
  claims: { seat: number; day: number; claim: Claim }[];
  seats?: { seat: number; camp: Camp; role: string; alive: boolean; tally: number }[];
  nights?: Night[];
}

/** A night as it was reckoned, once all is open. */
export interface Night {
  n: number;
  seats: { camp: Camp; role: string; alive: boolean }[];
  landings: Landing[];
  resolved: {
    dead: number[];
    jailed: number[];
    tally: Record<string, number>;
    cursed: Record<string, number>;
    pardoned: number[];
    promotes: number[];
  };
}

export const viewOf = (state: TableState) => state.view as unknown as MafiaView;

/** `jail 7` taken apart. */
export function readOrder(text: string | null): { deed: string; on: number | null } | null {
  if (!text) return null;
  const [deed = "", on] = text.split(" ");
  return { deed, on: on === undefined ? null : Number(on) };
}

/** Who votes for each seat; `none` abstains. */
export function byTarget(ballots: Record<string, number | null>): Map<number | "none", number[]> {
  const found = new Map<number | "none", number[]>();
  for (const [voter, target] of Object.entries(ballots)) {
    const key = target ?? "none";
    found.set(key, [...(found.get(key) ?? []), Number(voter)]);
  }
  return found;
}

/** The seats with the most votes. */
export function leaders(ballots: Record<string, number | null>): number[] {
  const counts = [...byTarget(ballots)].filter(([target]) => target !== "none");
  const most = Math.max(0, ...counts.map(([, voters]) => voters.length));
  return most === 0 ? [] : counts.filter(([, v]) => v.length === most).map(([target]) => target as number);
}

/** One step of a ballot: cast, moved, taken back. */
export interface BallotStep {
  seat: number;
  from?: number | "none" | undefined;
  to?: number | "none";
}

/** One line of the thread. */
export type Line =
  | { kind: "phase"; phase: "night" | "day"; n: number; tied: number[] | null }
  | { kind: "claim"; seat: number; claim: Claim }
  | { kind: "spoke"; seat: number | null; name: string; text: string; dead: boolean }
  | { kind: "died"; seat: number; camp: Camp }
  | { kind: "king"; seat: number; camp: Camp }
  | { kind: "quiet" }
  | { kind: "count"; executed: number | null; died: boolean }
  | { kind: "ballots"; steps: BallotStep[] }
  | { kind: "ordered"; order: string; seat: number; seconds: number; name: string }
  | { kind: "joined"; seat: number };

type Told = Record<string, unknown> & { kind: string };

/** The phase before another. */
function before(phase: "night" | "day", n: number, nightFirst: boolean) {
  return phase === "day"
    ? { phase: "night" as const, n: nightFirst ? n : n - 1 }
    : { phase: "day" as const, n: nightFirst ? n - 1 : n };
}

/** What was said and what happened, in the order in which it came; what only some were told is no part of it. */
export function thread(log: readonly LogEntry[], view: MafiaView): Line[] {
  const lines: Line[] = [];
  let ballots = new Map<number, number | "none">();
  const events = log.flatMap((entry) => (entry.events ?? []) as Told[]);
  const turn = events.find((e) => e.kind === "phase" && !e.tied) as
    | { phase: "night" | "day"; n: number }
    | undefined;
  const nightFirst = readRules(view.rules).options.start !== "day";
  const first = turn ? before(turn.phase, turn.n, nightFirst) : { phase: view.phase, n: view.day };
  lines.push({ kind: "phase", ...first, tied: null });
  const step = (ballot: BallotStep) => {
    const last = lines[lines.length - 1];
    if (last?.kind === "ballots") last.steps.push(ballot);
    else lines.push({ kind: "ballots", steps: [ballot] });
  };
  const tell = (event: Told) => {
    switch (event.kind) {
      case "phase":
        ballots = new Map();
        lines.push({
          kind: "phase",
          phase: event.phase as "night" | "day",
          n: event.n as number,
          tied: (event.tied as number[] | undefined) ?? null,
        });
        break;
      case "vote": {
        const seat = event.seat as number;
        const to = (event.vote as number | null) ?? "none";
        if (ballots.get(seat) !== to) step({ seat, from: ballots.get(seat), to });
        ballots.set(seat, to);
        break;
      }
      case "unvote":
        step({ seat: event.seat as number, from: ballots.get(event.seat as number) });
        ballots.delete(event.seat as number);
        break;
      case "said":
        lines.push({ kind: "claim", seat: event.seat as number, claim: event.claim as Claim });
        break;
      case "executed":
        lines.push({ kind: "count", executed: event.seat as number, died: event.died as boolean });
        break;
      case "nobody":
        lines.push({ kind: "count", executed: null, died: false });
        break;
      case "hosted":
        lines.push({ ...(event as unknown as Extract<Line, { kind: "ordered" }>), kind: "ordered" });
        break;
      case "spoke":
      case "died":
      case "king":
      case "joined":
        lines.push(event as unknown as Line);
    }
  };
  for (const entry of log) {
    const told = (entry.events ?? []) as Told[];
    const dawn = told.find((e) => e.kind === "phase" && e.phase === "day" && !e.tied);
    // The dead of a night are told in the morning.
    if (dawn) {
      const inNight = told.filter((e) => e.kind === "died" || e.kind === "king");
      tell(dawn);
      for (const event of inNight) tell(event);
      if (inNight.length === 0) lines.push({ kind: "quiet" });
    } else for (const event of told) tell(event);
  }
  return lines;
}

/** How many counts in a row, the last one included, went by without a ballot of the seat. */
export function missed(view: MafiaView, seat: number): number {
  const last = [...view.days].reverse().findIndex((day) => day.ballots[seat] !== undefined);
  return last < 0 ? view.days.length : last;
}

/** The camp that all know a seat to be of: the Kings' and the dead's, and everybody's once it is over. */
export function knownCamp(view: MafiaView, seat: number): Camp | null {
  const open = view.seats?.find((s) => s.seat === seat);
  if (open) return open.camp;
  const dead = view.deaths.find((d) => d.seat === seat);
  if (dead) return dead.camp;
  if (view.kings.W === seat) return "W";
  return view.kings.B === seat ? "B" : null;
}
