import { signal } from "@preact/signals";
import type { LogEntry, SeatId, ServerError, TableState } from "./protocol";

/** A command that the server has not acknowledged yet. */
export interface Command {
  id: string;
  do: string;
  seat?: SeatId;
}

/** What the socket needs of the browser; tests bring their own. */
export interface Wire {
  open(url: string): WebSocketLike;
  store: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  newId(): string;
}

export interface WebSocketLike {
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  readyState: number;
  send(text: string): void;
  close(): void;
}

const browser: Wire = {
  open: (url) => new WebSocket(url),
  store: sessionStorageOrNothing(),
  newId: () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`,
};

function sessionStorageOrNothing(): Wire["store"] {
  try {
    return globalThis.sessionStorage ?? { getItem: () => null, setItem() {}, removeItem() {} };
  } catch {
    return { getItem: () => null, setItem() {}, removeItem() {} };
  }
}

const OPEN = 1;
const ACK_WITHIN = 6000;
/** The server gives a sign of life every 15 s. */
const SILENCE = 45_000;

/**
 * The line to one table. Every command keeps its id until it is acknowledged, over reconnects and reloads, and the
 * server applies an id once: nothing is lost or done twice. The state is always the server's own.
 */
export class TableSocket {
  readonly state = signal<TableState | null>(null);
  readonly log = signal<readonly LogEntry[]>([]);
  readonly online = signal(false);
  /** Commands on their way, oldest first. */
  readonly pending = signal<readonly Command[]>([]);
  readonly refused = signal<{ command: Command | undefined; error: ServerError } | null>(null);
  /** Attempts that came to nothing before the first state. */
  readonly failures = signal(0);
  /** When the present state came, on the page's own clock. */
  receivedAt = 0;

  private socket: WebSocketLike | null = null;
  private closed = false;
  private attempt = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private watch: ReturnType<typeof setTimeout> | undefined;
  private quiet: ReturnType<typeof setTimeout> | undefined;
  private readonly key: string;

  constructor(
    table: string,
    private readonly url: string,
    private readonly wire: Wire = browser,
  ) {
    this.key = `xinqi.pending.${table}`;
    try {
      this.pending.value = JSON.parse(wire.store.getItem(this.key) ?? "[]") as Command[];
    } catch {
      // What cannot be read was never ours.
    }
    this.connect();
  }

  /** Sends an action of the game or the table. */
  send(action: string, seat?: SeatId): string {
    const command: Command = { id: this.wire.newId(), do: action, ...(seat ? { seat } : {}) };
    this.keep([...this.pending.value, command]);
    this.transmit(command);
    return command.id;
  }

  /** Tries again now, without waiting for the next attempt. */
  reconnect = () => {
    if (this.closed || this.socket?.readyState === OPEN) return;
    this.attempt = 0;
    clearTimeout(this.retry);
    this.connect();
  };

  /** The browser says that the network is gone: nothing more will come over this line. */
  unplug = () => this.drop();

  close() {
    this.closed = true;
    clearTimeout(this.retry);
    clearTimeout(this.watch);
    clearTimeout(this.quiet);
    this.socket?.close();
  }

  private keep(commands: readonly Command[]) {
    this.pending.value = commands;
    if (commands.length) this.wire.store.setItem(this.key, JSON.stringify(commands));
    else this.wire.store.removeItem(this.key);
  }

  private transmit(command: Command) {
    if (this.socket?.readyState !== OPEN) return;
    this.socket.send(JSON.stringify(command));
    this.expectAck();
  }

  /** A line that swallows commands is a dead line. */
  private expectAck() {
    clearTimeout(this.watch);
    if (this.pending.value.length) this.watch = setTimeout(() => this.drop(), ACK_WITHIN);
  }

  private drop() {
    const socket = this.socket;
    if (!socket) return;
    socket.onclose = null;
    socket.close();
    this.lost();
  }

  private connect() {
    if (this.socket) {
      this.socket.onclose = null;
      this.socket.onmessage = null;
      this.socket.close();
    }
    const socket = this.wire.open(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.attempt = 0;
      for (const command of this.pending.value) this.transmit(command);
    };
    socket.onmessage = (event) => {
      clearTimeout(this.quiet);
      this.quiet = setTimeout(() => this.drop(), SILENCE);
      this.read(String(event.data));
    };
    socket.onclose = () => this.lost();
  }

  private lost() {
    this.socket = null;
    this.online.value = false;
    if (!this.state.value) this.failures.value++;
    clearTimeout(this.watch);
    clearTimeout(this.quiet);
    if (this.closed) return;
    const wait = Math.min(5000, 250 * 2 ** this.attempt++) * (0.75 + Math.random() / 2);
    this.retry = setTimeout(() => this.connect(), wait);
  }

  private read(text: string) {
    const frame = JSON.parse(text) as {
      state?: TableState;
      ack?: string;
      nack?: string;
      error?: ServerError;
    };
    if (frame.state) {
      const state = frame.state;
      // The log comes from where this line left it; the rest is whole, and whatever stood here before is forgotten.
      this.log.value = [...this.log.value.slice(0, state.log_from), ...state.log];
      this.receivedAt = performance.now();
      this.state.value = state;
      this.online.value = true;
    }
    const id = frame.ack ?? frame.nack;
    if (id !== undefined) {
      const command = this.pending.value.find((c) => c.id === id);
      this.keep(this.pending.value.filter((c) => c.id !== id));
      this.expectAck();
      if (frame.nack && frame.error) this.refused.value = { command, error: frame.error };
    } else if (frame.error) {
      this.refused.value = { command: undefined, error: frame.error };
    }
  }
}
