import type { TableState } from "../net/protocol";

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
  nights?: { n: number; seats: { camp: Camp; role: string }[]; landings: Landing[] }[];
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

/** One line of the thread: a claim, a death, a count. */
export type Line =
  | { kind: "phase"; phase: "night" | "day"; n: number }
  | { kind: "claim"; seat: number; claim: Claim }
  | { kind: "died"; seat: number; camp: Camp }
  | { kind: "count"; day: MafiaView["days"][number] };

/** What was said and what happened, day by day, in order. */
export function thread(view: MafiaView): Line[] {
  const lines: Line[] = [];
  const last = view.day;
  const died = (phase: "night" | "day", n: number) => {
    for (const death of view.deaths)
      if (death.phase === phase && death.n === n)
        lines.push({ kind: "died", seat: death.seat, camp: death.camp });
  };
  for (let n = 1; n <= last; n++) {
    lines.push({ kind: "phase", phase: "night", n });
    died("night", n);
    if (n === last && view.phase === "night") break;
    lines.push({ kind: "phase", phase: "day", n });
    for (const said of view.claims) if (said.day === n) lines.push({ kind: "claim", ...said });
    for (const day of view.days) if (day.day === n) lines.push({ kind: "count", day });
    died("day", n);
  }
  return lines;
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
