import type { Family } from "../board/geometry";
import type { Hint } from "../board/pick";

/** What the server sends; docs/protocol.md is its contract. */
export type SeatId = "first" | "second";

export interface SeatState {
  seat: SeatId | number;
  name: string;
  kind: "open" | "human" | "bot";
  /** Of our own engine; one of the operator's has a name instead. */
  level?: number;
  here: boolean;
  /** At tables of many seats: the host has muted whoever sits there. */
  muted?: boolean | null;
}

/** What a table of many seats has besides its game. */
export interface RoomState {
  /** Whether all seats have been taken and the cards are dealt. */
  begun: boolean;
  /** What was left of the phase when the host paused the game. */
  paused: number | null;
  host: {
    seat: number | null;
    name: string;
    you: boolean;
    /** When a seat may take over from a host who is away. */
    lapses: number | null;
  };
  /** Whom my words would reach. */
  voice: "open" | "dead" | null;
  /** Whether I asked to hear the dead, and was let in. */
  listening: boolean | null;
  /** For the host: who asks to hear the dead. */
  asking: { n: number; name: string }[];
}

export interface ClockState {
  text: string;
  first: number;
  second: number;
  running: SeatId | null;
  /** Byo-yomi periods left. */
  periods?: Record<SeatId, number>;
}

export type Result = { win: SeatId | string; reason: string } | { draw: string } | { void: string };

export interface Owes {
  seat: SeatId;
  from?: number;
  to?: number;
  kind?: "declare" | "pick" | "free";
  for?: SeatId;
}

export interface Match {
  game: number;
  games: number;
  score: Record<SeatId, number>;
  demanded: Record<SeatId, number>;
  pending?: { seat: SeatId; what: "surrender" | "draw" } | null;
  red: SeatId;
}

export interface BoardView {
  rules: string;
  ply?: number;
  to_act: (SeatId | number)[];
  result: Result | null;
  fen: string;
  check: boolean;
  last: string | null;
  queues?: Record<SeatId, [number, string][]>;
  failed?: { ply: number; seat: SeatId; text: string } | null;
  owes?: Owes | null;
  pools?: Record<SeatId, string[]>;
  picks?: string[];
  rights?: Record<"red" | "black", { spent: number; left: number }>;
  /** Qixi: the viewer's own layout while the other's is awaited. */
  layout?: string;
  possible?: Record<string, string[]>;
  match?: Match | null;
  /** Go: where superko forbids taking back; dead stones and territory once play has ended. */
  ko?: string | null;
  dead?: { seat: SeatId; points: string[] } | null;
  territory?: Record<SeatId, string[]> | null;
  score?: Record<SeatId, number> | null;
}

export interface GameEvent {
  kind: string;
  [field: string]: unknown;
}

export interface LogEntry {
  n: number;
  seat: SeatId | number;
  /** Null where it is secret. */
  text: string | null;
  ply?: number;
  fen: string;
  check?: boolean;
  notation?: Record<string, string>;
  events?: GameEvent[];
}

export interface Offer {
  kind: "draw" | "undo" | "rematch";
  by: SeatId;
}

export interface TableState {
  table: string;
  now: number;
  rules: string;
  family: Family | "mafia";
  seats: SeatState[];
  you: SeatId | "both" | number | null;
  clock: ClockState | null;
  /** When what is awaited beside the clocks (layouts, a phase) closes, in ms since the epoch. */
  deadline?: number | null;
  offers: Offer[];
  rematch: string | null;
  /** At tables of many seats. */
  room?: RoomState | null;
  /** The position that the game began from, as the viewer may see it. */
  start: string | null;
  view: BoardView;
  hints: Hint[];
  log_from: number;
  log: LogEntry[];
}

export interface ServerError {
  code: string;
  message: string;
}

export interface OptionSpec {
  key: string;
  default: string;
  kind: "bool" | "int" | "odd" | "choice" | "text";
  min?: number;
  max?: number;
  words?: string[];
}

export interface RuleSet {
  id: string;
  zh: string;
  en: string;
  mechanism: boolean;
  /** Whether a mechanism can take it. */
  base: boolean;
  options: OptionSpec[];
}

export interface TableSummary {
  table: string;
  rules: string;
  family: Family | "mafia";
  you: SeatId | "both" | number | null;
  to_act: (SeatId | number)[];
  result: Result | null;
  opponent: { kind: "human"; name: string } | { kind: "bot"; level?: number; name?: string } | null;
  ply: number | null;
  fen: string | null;
}

export type Opponent =
  | { kind: "link" }
  | { kind: "bot"; level: number }
  /** An engine that the server's operator has set up. */
  | { kind: "engine"; name: string }
  | { kind: "hotseat" };

export interface NewTable {
  rules: string;
  fen?: string;
  clock: string;
  seat: SeatId | "random" | "none";
  opponent: Opponent;
}
