import type { TargetKind } from "./marks";
import { afterPly, type Placement, type Ply, type Side, without } from "./placement";

/** What the server says a seat may do: the board shows it and sends `do`, which it never reads. */
export interface Hint extends Ply {
  do: string;
  tag: string;
  pick?: boolean;
  cost?: number;
  /** What a demand demands. */
  what?: string;
}

/** How far the choice of a ply has come. */
export type Pick =
  | { step: "idle" }
  /** A piece (a square, or `P*` from the hand) is taken up; `go` tells which members of a stack go along. */
  | { step: "from"; from: string; go: boolean[] }
  /** Zuyi: both points are chosen; who of the target's members comes back? */
  | { step: "back"; from: string; to: string; go: boolean[]; back: boolean[] }
  /** Wangqi: is the token taken? */
  | { step: "token"; from: string; to: string }
  /** Chess and shogi: what does the piece become? */
  | { step: "promote"; from: string; to: string };

export const idle: Pick = { step: "idle" };

/** What the picker looks at. */
export interface Desk {
  hints: readonly Hint[];
  pieces: Placement;
  /** Whose plies are picked. */
  side: Side;
  /** Stones are put down; in a game of stacks own pieces share a point; else a piece takes what it comes to. */
  kind: "pieces" | "stacks" | "stones";
  /** Any conceivable ply may be entered, legal or not; `text` writes it. */
  free?: (ply: Ply) => string;
  /** Wangqi, "ask before": the coin's switch, so that every ply is two taps again. */
  token?: boolean | undefined;
}

/** A step of the choice, or the ply that was chosen. */
export type Step = { pick: Pick } | { play: Ply & { do: string; tag?: string } };

const only = (all: string, on: readonly boolean[]) => [...all].filter((_, i) => on[i]).join("");

/** The members of the piece a pick begins with. */
export function membersAt(desk: Desk, square: string): string {
  return square.endsWith("*") ? square.slice(0, -1) : (desk.pieces.get(square)?.members ?? "");
}

/** The members that go along, as letters. */
export function going(desk: Desk, pick: { from: string; go: readonly boolean[] }): string {
  return only(membersAt(desk, pick.from), pick.go);
}

const fits = (hint: Hint, go: string) => hint.go === undefined || hint.go === go;

function from(desk: Desk, square: string, go: string): Hint[] {
  return desk.hints.filter((h) => h.path.length === 2 && h.path[0] === square && fits(h, go));
}

/** Whether a ply can begin on the square. */
export function canStart(desk: Desk, square: string): boolean {
  if (desk.hints.some((h) => h.path[0] === square && (h.path.length === 2 || h.tag === "flip"))) return true;
  return desk.free !== undefined && desk.kind !== "stones" && desk.pieces.get(square)?.side === desk.side;
}

/** The flips of a piece. */
export function flips(desk: Desk, square: string): Hint[] {
  return desk.hints.filter((h) => h.tag === "flip" && h.path[0] === square);
}

function start(desk: Desk, square: string): Pick {
  return { step: "from", from: square, go: [...membersAt(desk, square)].map(() => true) };
}

/** Where the picked piece may go, and what that would be. */
export function targets(desk: Desk, pick: Pick): Map<string, TargetKind> {
  const found = new Map<string, TargetKind>();
  if (pick.step !== "from") return found;
  for (const hint of from(desk, pick.from, going(desk, pick))) {
    const to = hint.path[1]!;
    const before = found.get(to);
    if (hint.tag === "combine" || (hint.tag === "exchange" && before !== "join"))
      found.set(to, hint.tag === "combine" ? "join" : "exchange");
    else if (before === undefined)
      found.set(to, hint.tag === "swap" ? "swap" : desk.pieces.has(to) ? "capture" : "dot");
  }
  return found;
}

/** The hints between the two chosen points. */
export function choices(desk: Desk, pick: Pick): Hint[] {
  if (pick.step === "idle" || pick.step === "from") return [];
  const go = pick.step === "back" ? going(desk, pick) : membersAt(desk, pick.from);
  return from(desk, pick.from, go).filter((h) => h.path[1] === pick.to);
}

/** The hint that the present answer to "who comes back?" means. */
export function backChoice(desk: Desk, pick: Extract<Pick, { step: "back" }>): Hint | undefined {
  const back = only(membersAt(desk, pick.to), pick.back);
  return choices(desk, pick).find((h) => (h.back ?? "") === back);
}

/** Whether some legal answer fits when the member `index` is switched. */
export function backPossible(desk: Desk, pick: Extract<Pick, { step: "back" }>, index: number): boolean {
  const there = membersAt(desk, pick.to);
  const wanted = !pick.back[index];
  return choices(desk, pick).some((h) => (h.back ?? "").includes(there[index]!) === wanted);
}

/** Switches one of the target's members, and the others along with it where only that leaves a legal answer. */
export function toggleBack(desk: Desk, pick: Extract<Pick, { step: "back" }>, index: number): Pick {
  const there = membersAt(desk, pick.to);
  const back = pick.back.map((on, i) => (i === index ? !on : on));
  const wish = only(there, back);
  const legal = choices(desk, pick).map((h) => h.back ?? "");
  if (legal.includes(wish)) return { ...pick, back };
  const near = legal
    .filter((b) => b.includes(there[index]!) === back[index])
    .sort((a, b) => distance(a, wish) - distance(b, wish))[0];
  if (near === undefined) return pick;
  let rest = near;
  const next = [...there].map((kind, i) => {
    // The touched member first, so that of two alike it is the one that follows the tap.
    const on = rest.includes(kind) && (i === index ? back[index]! : true);
    if (on) rest = rest.replace(kind, "");
    return on;
  });
  return { ...pick, back: next };
}

const distance = (a: string, b: string) => without(a, b).length + without(b, a).length;

/** Leaves a member of the picked stack behind or takes it along; the last one cannot be left. */
export function toggleMember(desk: Desk, pick: Pick, index: number, alone = false): Pick {
  if (pick.step !== "from") return pick;
  const count = membersAt(desk, pick.from).length;
  if (index >= count || count < 2) return pick;
  const go = alone ? pick.go.map((_, i) => i === index) : pick.go.map((on, i) => (i === index ? !on : on));
  return { ...pick, go: go.some(Boolean) ? go : go.map(() => true) };
}

/** One step back. */
export function stepBack(pick: Pick): Pick {
  switch (pick.step) {
    case "back":
      return { step: "from", from: pick.from, go: pick.go };
    default:
      return idle;
  }
}

/** Goes to the target, or asks what the hints leave open. */
function arrive(desk: Desk, pick: Extract<Pick, { step: "from" }>, to: string): Step | null {
  const go = going(desk, pick);
  let found = from(desk, pick.from, go).filter((h) => h.path[1] === to);
  if (found.some((h) => h.token) && desk.token !== undefined) {
    const wanted = found.filter((h) => Boolean(h.token) === desk.token);
    found = wanted.length ? wanted : found;
  }
  if (found.length === 1) return { play: found[0]! };
  if (found.length > 1) {
    const first = found[0]!;
    if (found.some((h) => h.back !== undefined)) {
      const plain = found.find((h) => !h.back) ?? first;
      let rest = plain.back ?? "";
      const back = [...membersAt(desk, to)].map((kind) => {
        const on = rest.includes(kind);
        if (on) rest = rest.replace(kind, "");
        return on;
      });
      return { pick: { step: "back", from: pick.from, to, go: pick.go, back } };
    }
    if (found.some((h) => h.token)) return { pick: { step: "token", from: pick.from, to } };
    return { pick: { step: "promote", from: pick.from, to } };
  }
  if (!desk.free || to === pick.from) return null;
  const whole = pick.go.every(Boolean);
  const ply: Ply = { path: [pick.from, to], tag: "move", ...(whole ? {} : { go }) };
  if (desk.kind === "stacks" && desk.pieces.get(to)?.side === desk.side) ply.tag = "combine";
  return { play: { ...ply, do: desk.free(ply) } };
}

/** A tap on a square (or `coin`, `turn`), or null where it means nothing. */
export function touch(desk: Desk, pick: Pick, square: string): Step | null {
  switch (pick.step) {
    case "idle": {
      const stone = desk.hints.find((h) => h.path.length === 1 && h.path[0] === square && h.tag !== "flip");
      if (stone) return { play: stone };
      if (canStart(desk, square)) return { pick: start(desk, square) };
      if (desk.free && desk.kind === "stones") {
        const ply: Ply = { path: [square], tag: "place" };
        return { play: { ...ply, do: desk.free(ply) } };
      }
      return null;
    }
    case "from": {
      if (square === pick.from) return { pick: idle };
      if (square === "turn") {
        const flip = flips(desk, pick.from)[0];
        return flip ? { play: flip } : null;
      }
      return arrive(desk, pick, square) ?? { pick: canStart(desk, square) ? start(desk, square) : idle };
    }
    case "token": {
      const wanted = square === "coin" ? true : square === pick.to ? false : undefined;
      if (wanted === undefined) return { pick: idle };
      const found = choices(desk, pick).find((h) => Boolean(h.token) === wanted);
      return found ? { play: found } : null;
    }
    case "back":
      return { pick: stepBack(pick) };
    case "promote":
      return { pick: idle };
  }
}

/** What the board shows while a choice is open: the result so far. */
export function preview(desk: Desk, pick: Pick): Placement {
  switch (pick.step) {
    case "back": {
      const there = membersAt(desk, pick.to);
      const back = only(there, pick.back);
      const ply: Ply = {
        path: [pick.from, pick.to],
        tag: back ? "exchange" : "combine",
        go: going(desk, pick),
        back,
      };
      return afterPly(desk.pieces, ply, desk.side);
    }
    case "token":
    case "promote": {
      const first = choices(desk, pick)[0];
      return first ? afterPly(desk.pieces, { ...first, token: false, promote: "" }, desk.side) : desk.pieces;
    }
    default:
      return desk.pieces;
  }
}
