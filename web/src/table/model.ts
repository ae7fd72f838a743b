import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Scene } from "../board/board";
import { type Family, type Geometry, geometry } from "../board/geometry";
import * as picking from "../board/pick";
import { type Desk, type Hint, idle, type Pick, type Step } from "../board/pick";
import {
  afterPly,
  type Diagram,
  type Occupant,
  type Placement,
  type Ply,
  readDiagram,
  type Side,
  sideToMove,
} from "../board/placement";
import { squaresOf } from "../board/text";
import type { LogEntry, SeatId, TableState } from "../net/protocol";
import type { TableSocket } from "../net/socket";
import { type RuleText, readRules } from "../rulestext";
import { askToken, cover, pace } from "../settings";
import { play as playSound, type SoundName } from "../sound";
import { drawCommitted, listCommitted, standingAt } from "./committed";
import { Plan } from "./plan";

export const sideOf = (seat: SeatId | number): Side => (seat === "second" ? 1 : 0);
export const seatOf = (side: Side): SeatId => (side === 0 ? "first" : "second");

/** The colour that a seat plays: in a match colours alternate. */
export function colourOf(state: TableState | null, seat: SeatId | number): Side {
  const red = state?.view.match?.red;
  return red === undefined ? sideOf(seat) : seat === red ? 0 : 1;
}

/** Whether two states ask the same of the viewer: only then what is half entered still stands. */
const sameQuestion = (a: TableState | null, b: TableState) =>
  a !== null && JSON.stringify([a.view, a.hints]) === JSON.stringify([b.view, b.hints]);

/** What is on display: the present, or a ply of the past. */
interface Shown {
  fen: string;
  last: string | null;
  check: boolean;
}

/** The table page's mind: the server's state, what is looked at, and how far the viewer's own ply has come. */
export class TableModel {
  /** The log entry looked at; null is the present. */
  readonly at = signal<number | null>(null);
  readonly pick = signal<Pick>(idle);
  readonly flipped = signal<boolean | null>(null);
  /** Wangqi, "ask before": whether the next ply takes the token. */
  readonly tokenSwitch = signal(false);
  /** The viewer has asked for another game. */
  readonly again = signal(false);
  /** Qixi: all enemy possibilities are shown. */
  readonly eye = signal(false);
  /** Qixi: the piece that the viewer asks about. */
  readonly asked = signal<string | null>(null);
  /** Own dark faces, covered on a shared screen, are held open. */
  readonly peek = signal(false);
  /** Qixi: the layout that is marked, before it is sent. */
  readonly layout = signal<number | null>(null);
  /** The seat for whom the curtain of a shared device is up. */
  private readonly lifted = signal<SeatId | null>(null);
  /** What the viewer just played, shown until the server's own state comes. */
  private readonly ahead = signal<{ pieces: Placement; path: readonly string[]; id: string } | null>(null);
  /** A run of committed plies that is being played out one by one. */
  private readonly reel = signal<{ pieces: Placement; last: readonly string[] } | null>(null);
  private logLength = 0;
  private reelTimer: ReturnType<typeof setTimeout> | undefined;
  readonly plan: Plan;

  readonly state: ReadonlySignal<TableState | null>;
  readonly log: Signal<readonly LogEntry[]>;
  readonly rules: ReadonlySignal<RuleText>;
  /** The rule set under the mechanism, or the rule set itself. */
  readonly base: ReadonlySignal<RuleText>;
  readonly family: ReadonlySignal<Family>;
  readonly live = computed(() => this.at.value === null);
  readonly shown: ReadonlySignal<Shown>;
  readonly diagram: ReadonlySignal<Diagram>;
  readonly geo: ReadonlySignal<Geometry>;
  /** The seat that the viewer acts for now, if any. */
  readonly seat: ReadonlySignal<SeatId | null>;
  readonly desk: ReadonlySignal<Desk>;
  readonly scene: ReadonlySignal<Scene>;
  /** Whether a touch on the board can mean a ply now. */
  readonly playable: ReadonlySignal<boolean>;

  constructor(readonly socket: TableSocket) {
    this.state = socket.state;
    this.log = socket.log;
    this.rules = computed(() => readRules(this.state.value?.rules ?? "xiangqi"));
    this.base = computed(() => this.rules.value.base ?? this.rules.value);
    this.family = computed(() => {
      const family = this.state.value?.family;
      return family === undefined || family === "mafia" ? "xiangqi" : family;
    });
    this.shown = computed(() => this.look());
    this.diagram = computed(() => readDiagram(this.family.value, this.shown.value.fen));
    this.geo = computed(() => {
      const { cols, rows } = this.diagram.value;
      return geometry(this.family.value, cols || 9, rows || 10, this.fromBehind());
    });
    this.seat = computed(() => {
      const state = this.state.value;
      if (!state) return null;
      if (state.you === "both") return (state.view.to_act[0] as SeatId | undefined) ?? "first";
      return state.you === "first" || state.you === "second" ? state.you : null;
    });
    this.plan = new Plan(this);
    this.playable = computed(
      () =>
        this.live.value &&
        !this.reel.value &&
        this.state.value?.view.result === null &&
        this.hints().length > 0,
    );
    this.desk = computed(() => this.plan.desk.value ?? this.plainDesk());
    this.scene = computed(() => this.compose());
    // A new state ends whatever was under way: the board is rebuilt from what the server says.
    let seen: TableState | null = null;
    this.state.subscribe((state) => {
      if (state && state !== seen) {
        const before = seen;
        seen = state;
        this.arrived(before, state);
      }
    });
    socket.refused.subscribe((refusal) => {
      if (refusal) this.ahead.value = null;
    });
  }

  private hints(): readonly Hint[] {
    return this.state.value?.hints ?? [];
  }

  private plainDesk(): Desk {
    const usesToken = this.hints().some((h) => h.token);
    return {
      hints: this.playable.value ? this.hints() : [],
      pieces: this.diagram.value.pieces,
      side: this.actingSide(),
      kind: this.kind(),
      token: usesToken && askToken.value === "before" ? this.tokenSwitch.value : undefined,
    };
  }

  /** Whose plies are picked: the ply's owner, who need not be the one who picks it. */
  actingSide(): Side {
    const state = this.state.value;
    const owes = state?.view.owes;
    return colourOf(state, owes?.for ?? owes?.seat ?? this.seat.value ?? "first");
  }

  kind(): Desk["kind"] {
    const family = this.family.value;
    if (family === "go" || family === "gomoku") return "stones";
    return this.base.value.id === "zuyi" ? "stacks" : "pieces";
  }

  private fromBehind(): boolean {
    const chosen = this.flipped.value;
    const state = this.state.value;
    const mine = state?.you === "first" || state?.you === "second" ? colourOf(state, state.you) : 0;
    const natural = mine === 1 && this.kind() !== "stones";
    return chosen === null ? natural : chosen !== natural;
  }

  private look(): Shown {
    const state = this.state.value;
    const at = this.at.value;
    if (!state) return { fen: "", last: null, check: false };
    if (at === null) return { fen: state.view.fen, last: state.view.last, check: state.view.check };
    const entry = this.log.value[at];
    if (!entry) return { fen: this.startFen(), last: null, check: false };
    return { fen: entry.fen, last: lastPlyOf(entry), check: entry.check ?? false };
  }

  /** The position before the first entry of the log. */
  private startFen(): string {
    return this.state.value?.start ?? this.state.value?.view.fen ?? "";
  }

  private compose(): Scene {
    const family = this.family.value;
    const shown = this.shown.value;
    const ahead = this.live.value ? this.ahead.value : null;
    if (ahead) return { pieces: ahead.pieces, last: ahead.path };
    const reel = this.live.value ? this.reel.value : null;
    if (reel) return { pieces: reel.pieces, last: reel.last };
    const view = this.state.value?.view;
    const pieces = this.masked(this.diagram.value.pieces);
    const last = squaresOf(family, shown.last);
    const checked = shown.check ? kingInCheck(pieces, this.diagram.value.fields[0], family) : undefined;
    const scene: Scene = { pieces, last, check: checked };
    if (this.live.value && this.eye.value) scene.possible = view?.possible;
    const ticks = grindTicks(this.base.value, this.diagram.value.fields);
    if (ticks.length) scene.ticks = ticks;
    if (!this.live.value) return this.asItStood(scene);
    if (view?.territory) scene.area = territory(view.territory);
    if (view?.dead) scene.dead = new Set(view.dead.points);
    if (view?.ko) scene.ko = view.ko;
    const planned = this.plan.decorate(scene);
    return this.withPick(planned);
  }

  /** The past, with what was committed to then. */
  private asItStood(scene: Scene): Scene {
    const state = this.state.value;
    if (!state?.view.queues && !state?.view.pools) return scene;
    const standing = standingAt(this.log.value, this.at.value ?? 0);
    const marks = listCommitted(this.family.value, standing, (seat) => colourOf(state, seat));
    return { ...scene, ...drawCommitted(marks) };
  }

  /** Whether own dark faces are under cover. */
  get masks(): boolean {
    return cover.value === "on" && !this.peek.value;
  }

  /** Own dark faces go under cover on a shared screen. */
  private masked(pieces: Placement): Placement {
    if (!this.masks) return pieces;
    return new Map([...pieces].map(([at, p]) => [at, p.dark && p.dark !== "?" ? { ...p, dark: "?" } : p]));
  }

  /** Adds what the present choice shows. */
  private withPick(scene: Scene): Scene {
    const pick = this.pick.value;
    const desk = this.desk.value;
    if (pick.step === "idle") return scene;
    if (pick.step === "from") {
      const selected = pick.from.endsWith("*") ? [] : [pick.from];
      const fade = pick.go.every(Boolean) ? undefined : { at: pick.from, members: pick.go.map((on) => !on) };
      const turn = picking.flips(desk, pick.from).length ? pick.from : undefined;
      return { ...scene, selected, targets: picking.targets(desk, pick), fade, turn };
    }
    const { last: _, ...rest } = scene;
    return {
      ...rest,
      pieces: picking.preview(desk, pick),
      selected: pick.step === "back" ? [pick.from, pick.to] : [],
      last: pick.step === "back" ? [] : [pick.from, pick.to],
      coin: pick.step === "token" ? pick.to : undefined,
    };
  }

  // ---------- what the viewer does ----------

  tap(square: string, cell = 0, shift = false, mouse = false) {
    this.asked.value = null;
    if (!this.playable.value) {
      if (!this.live.value) this.at.value = null;
      else this.ask(square);
      return;
    }
    const pick = this.pick.value;
    const desk = this.desk.value;
    if (mouse && pick.step === "from" && square === pick.from && pick.go.length > 1) {
      this.pick.value = picking.toggleMember(desk, pick, cell, shift);
      return;
    }
    if (mouse && pick.step === "back" && square === pick.to) {
      this.toggleBack(cell);
      return;
    }
    if (mouse && shift && pick.step === "idle" && (desk.pieces.get(square)?.members.length ?? 0) > 1) {
      const step = picking.touch(desk, pick, square);
      if (step && "pick" in step) this.pick.value = picking.toggleMember(desk, step.pick, cell, true);
      return;
    }
    const step = picking.touch(desk, pick, square);
    if (!step || ("pick" in step && step.pick.step === "idle" && square !== (pick as { from?: string }).from))
      this.ask(square);
    this.take(step);
  }

  /** A touch on a two-faced piece that cannot be moved asks what it hides. */
  private ask(square: string) {
    if (this.base.value.id === "qixi" && this.diagram.value.pieces.get(square)?.dark)
      this.asked.value = square;
  }

  /** Qixi: two-faced pieces that have left the board, with what the viewer knows of them. */
  captured(): Occupant[] {
    const family = this.family.value;
    let pieces = readDiagram(family, this.startFen()).pieces;
    let taken: Occupant[] = [];
    for (const entry of this.log.value.slice(0, (this.at.value ?? this.log.value.length) + 1)) {
      for (const event of entry.events ?? []) {
        if (event.kind === "game") taken = [];
        if (event.kind === "dark" && taken.length)
          taken[taken.length - 1] = { ...taken[taken.length - 1]!, dark: String(event.dark) };
        const ply = event.kind === "ply" ? this.plan.read(String(event.text)) : null;
        const victim = ply?.path[1] ? pieces.get(ply.path[1]) : undefined;
        if (victim?.dark) taken.push(victim);
        if (ply) pieces = afterPly(pieces, ply, pieces.get(ply.path[0] ?? "")?.side ?? 0);
      }
      pieces = readDiagram(family, entry.fen).pieces;
    }
    return taken;
  }

  grab(square: string) {
    const pick = this.pick.value;
    if (pick.step === "from" && pick.from === square) return;
    const step = picking.touch(this.desk.value, idle, square);
    if (step && "pick" in step) this.pick.value = step.pick;
  }

  canGrab = (square: string) => this.playable.value && picking.canStart(this.desk.value, square);

  drop(square: string | null) {
    const pick = this.pick.value;
    if (pick.step !== "from" || square === null || square === pick.from) return;
    const step = picking.touch(this.desk.value, pick, square);
    // Dropped where it may not go: it stays taken up, and nothing else is picked by accident.
    if (step && ("play" in step || step.pick.step !== "from")) this.take(step);
  }

  /** The part of a stack that a drag carries. */
  carried = (square: string): Occupant | undefined => {
    const pick = this.pick.value;
    const piece = this.desk.value.pieces.get(square);
    if (!piece || pick.step !== "from" || pick.from !== square) return piece;
    return { ...piece, members: picking.going(this.desk.value, pick) };
  };

  key(key: string): boolean {
    const pick = this.pick.value;
    const desk = this.desk.value;
    if (key === "Escape") {
      if (pick.step === "idle") return false;
      this.pick.value = picking.stepBack(pick);
      return true;
    }
    const layouts = this.layouts();
    if (layouts.length && /^\d$/.test(key)) {
      this.chooseLayout((Number(key) + 9) % 10);
      return true;
    }
    if (/^[1-4]$/.test(key) && pick.step === "from") {
      this.pick.value = picking.toggleMember(desk, pick, Number(key) - 1);
      return true;
    }
    if (/^[1-4]$/.test(key) && pick.step === "back") {
      this.toggleBack(Number(key) - 1);
      return true;
    }
    if (key.toLowerCase() === "t" && pick.step === "token") {
      this.take(picking.touch(desk, pick, "coin"));
      return true;
    }
    if (key.toLowerCase() === "o") {
      this.eye.value = !this.eye.value;
      return true;
    }
    return false;
  }

  /** Enter while a choice is open. */
  confirm() {
    const pick = this.pick.value;
    const layout = this.layouts()[this.layout.value ?? -1];
    if (layout) this.send(layout);
    else if (pick.step === "back") {
      const hint = picking.backChoice(this.desk.value, pick);
      if (hint) this.choose(hint);
    } else if (pick.step === "token") this.take(picking.touch(this.desk.value, pick, pick.to));
  }

  toggleMember(index: number) {
    this.pick.value = picking.toggleMember(this.desk.value, this.pick.value, index);
  }

  toggleBack(index: number) {
    const pick = this.pick.value;
    if (pick.step === "back") this.pick.value = picking.toggleBack(this.desk.value, pick, index);
  }

  take(step: Step | null) {
    if (!step) return;
    if ("pick" in step) this.pick.value = step.pick;
    else this.choose(step.play);
  }

  /** A ply is chosen: it is played, or becomes part of what is planned. */
  choose(ply: Ply & { do: string; tag?: string }) {
    this.pick.value = idle;
    if (this.plan.accept(ply)) return;
    const pieces = afterPly(this.diagram.value.pieces, ply, this.actingSide());
    const id = this.send(ply.do);
    this.ahead.value = { pieces, path: ply.path.filter((s) => !s.endsWith("*")), id };
    playSound(soundOf(ply));
  }

  /** Sends an action of the game or the table for the seat that the viewer acts for. */
  send(action: string): string {
    const state = this.state.value;
    return this.socket.send(action, state?.you === "both" ? (this.seat.value ?? "first") : undefined);
  }

  chooseLayout(index: number) {
    this.layout.value = index;
  }

  /** The layouts that may be chosen now. */
  layouts(): readonly string[] {
    return this.hints()
      .filter((h) => h.tag === "layout")
      .map((h) => h.do);
  }

  /** On a shared device the board is hidden until the one to act has taken it. */
  curtained(): boolean {
    const state = this.state.value;
    if (state?.you !== "both" || state.view.result || this.base.value.id !== "qixi") return false;
    return this.lifted.value !== this.seat.value;
  }

  liftCurtain() {
    this.lifted.value = this.seat.value;
  }

  // ---------- looking back ----------

  go(to: number | null) {
    const count = this.log.value.length;
    batch(() => {
      this.pick.value = idle;
      const earliest = this.state.value?.start ? -1 : 0;
      this.at.value = to === null || to >= count - 1 ? null : Math.max(earliest, to);
    });
  }

  step(by: number) {
    const now = this.at.value ?? this.log.value.length - 1;
    this.go(now + by);
  }

  // ---------- what the server tells ----------

  private arrived(before: TableState | null, state: TableState) {
    const entries = this.logLength;
    this.logLength = this.log.value.length;
    if (sameQuestion(before, state)) return;
    const mine = this.ahead.value !== null;
    batch(() => {
      this.ahead.value = null;
      this.pick.value = idle;
      this.asked.value = null;
      this.layout.value = null;
      this.plan.begin(state);
    });
    if (!before) return;
    const fresh = state.log.filter((_, i) => state.log_from + i >= entries);
    const plies = fresh.flatMap((e) =>
      (e.events ?? []).filter((v) => v.kind === "ply").map((v) => String(v.text)),
    );
    if (plies.length > 1 && this.live.value) this.roll(before, plies);
    if (state.view.result && !before.view.result) playSound("end");
    else if (state.view.failed && !before.view.failed) playSound("failure");
    else if (state.view.check && state.view.last !== before.view.last) playSound("check");
    else if (state.view.last !== before.view.last && !mine)
      playSound(fewer(this.family.value, before, state) ? "capture" : "ply");
  }

  /** Plays several plies one after another before the server's position stands. */
  private roll(before: TableState, plies: readonly string[]) {
    const family = this.family.value;
    const frames: { pieces: Placement; last: readonly string[] }[] = [];
    let pieces = readDiagram(family, before.view.fen).pieces;
    let turn: Side = sideToMove(family, before.view.fen) ?? 0;
    for (const text of plies.slice(0, -1)) {
      const squares = squaresOf(family, text);
      const side = squares.length === 2 ? (pieces.get(squares[0]!)?.side ?? 0) : turn;
      pieces = afterPly(pieces, this.plan.read(text), side);
      frames.push({ pieces, last: squares });
      turn = turn === 0 ? 1 : 0;
    }
    const next = () => {
      const frame = frames.shift();
      this.reel.value = frame ?? null;
      if (frame) {
        playSound("ply");
        this.reelTimer = setTimeout(next, PACES[pace.value]);
      }
    };
    clearTimeout(this.reelTimer);
    next();
  }

  /** A tap hurries the plies that play themselves. */
  hurry() {
    clearTimeout(this.reelTimer);
    this.reel.value = null;
  }

  get rolling(): boolean {
    return this.reel.value !== null;
  }

  dispose() {
    clearTimeout(this.reelTimer);
  }
}

/** Milliseconds between plies that play themselves. */
const PACES = { quick: 300, steady: 700, slow: 1500 };

function soundOf(ply: Ply): SoundName {
  if (ply.token) return "token";
  switch (ply.tag) {
    case "capture":
    case "combine":
    case "exchange":
    case "flip":
      return ply.tag;
    case "swap":
      return "exchange";
    default:
      return "ply";
  }
}

/** Whether pieces have left the board. */
function fewer(family: Family, before: TableState, state: TableState): boolean {
  const count = (fen: string) =>
    [...readDiagram(family, fen).pieces.values()].reduce((sum, piece) => sum + piece.members.length, 0);
  return count(state.view.fen) < count(before.view.fen);
}

/** The ply that an entry of the log ended with. */
export function lastPlyOf(entry: LogEntry): string | null {
  const plies = (entry.events ?? []).filter((e) => e.kind === "ply");
  const last = plies[plies.length - 1];
  return last ? String(last.text) : entry.text;
}

function territory(points: Record<SeatId, string[]>): Map<string, Side> {
  return new Map([
    ...points.first.map((at) => [at, 0] as const),
    ...points.second.map((at) => [at, 1] as const),
  ]);
}

function kingInCheck(pieces: Placement, turn: string | undefined, family: Family): string | undefined {
  const first = family === "shogi" ? "b" : "w";
  const side: Side = turn === first ? 0 : 1;
  for (const [at, piece] of pieces) if (piece.side === side && piece.members.includes("K")) return at;
  return undefined;
}

/** Wangqi's runs stand in the position's third field; they are shown from the third ply on. */
function grindTicks(base: RuleText, fields: readonly string[]): { at: string; count: number; of: number }[] {
  if (base.id !== "wangqi") return [];
  const of = Number(base.options.grind ?? 6);
  const ticks: { at: string; count: number; of: number }[] = [];
  for (const part of (fields[1] ?? "").split(",")) {
    const run = /^([a-i]\d):(\d+)$/.exec(part);
    if (run && Number(run[2]) >= 3 && of > 1) ticks.push({ at: run[1]!, count: Number(run[2]), of });
  }
  return ticks;
}
