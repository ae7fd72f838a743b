import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TableState } from "../src/net/protocol";
import { TableSocket, type WebSocketLike, type Wire } from "../src/net/socket";

class Line implements WebSocketLike {
  onopen: WebSocketLike["onopen"] = null;
  onmessage: WebSocketLike["onmessage"] = null;
  onclose: WebSocketLike["onclose"] = null;
  readyState = 0;
  sent: { id: string; do: string }[] = [];
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  open() {
    this.readyState = 1;
    this.onopen?.(new Event("open"));
  }
  fall() {
    this.readyState = 3;
    this.onclose?.(new Event("close") as CloseEvent);
  }
  tell(frame: object) {
    this.onmessage?.({ data: JSON.stringify(frame) } as MessageEvent);
  }
}

const state = (seq: number, log_from: number, texts: string[]) =>
  ({ seq, log_from, log: texts.map((text, i) => ({ n: log_from + i, text })) }) as unknown as TableState;

describe("the line to a table", () => {
  let lines: Line[];
  let kept: Map<string, string>;
  let wire: Wire;
  const last = () => lines.at(-1)!;
  beforeEach(() => {
    vi.useFakeTimers();
    lines = [];
    kept = new Map();
    let n = 0;
    wire = {
      open: () => {
        lines.push(new Line());
        return last();
      },
      store: {
        getItem: (k) => kept.get(k) ?? null,
        setItem: (k, v) => void kept.set(k, v),
        removeItem: (k) => void kept.delete(k),
      },
      newId: () => `c${++n}`,
    };
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("sends a command again under its own id until it is acknowledged", () => {
    const socket = new TableSocket("t", "ws:", wire);
    socket.send("h2e2");
    expect(last().sent).toEqual([]);
    last().open();
    expect(last().sent).toEqual([{ id: "c1", do: "h2e2" }]);
    last().fall();
    expect(socket.online.value).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect(lines).toHaveLength(2);
    last().open();
    expect(last().sent).toEqual([{ id: "c1", do: "h2e2" }]);
    last().tell({ ack: "c1" });
    last().fall();
    vi.advanceTimersByTime(10_000);
    last().open();
    expect(last().sent).toEqual([]);
    expect(kept.size).toBe(0);
  });

  it("keeps what is unacknowledged over a reload", () => {
    new TableSocket("t", "ws:", wire).send("h2e2");
    const again = new TableSocket("t", "ws:", wire);
    last().open();
    expect(last().sent).toEqual([{ id: "c1", do: "h2e2" }]);
    expect(again.pending.value).toHaveLength(1);
    const other = new TableSocket("u", "ws:", wire);
    expect(other.pending.value).toHaveLength(0);
  });

  it("gives up a line that swallows commands", () => {
    const socket = new TableSocket("t", "ws:", wire);
    last().open();
    socket.send("h2e2");
    vi.advanceTimersByTime(20_000);
    expect(lines.length).toBeGreaterThan(1);
    expect(socket.pending.value).toHaveLength(1);
  });

  it("rebuilds the log from where the server says, takebacks included", () => {
    const socket = new TableSocket("t", "ws:", wire);
    last().open();
    last().tell({ state: state(3, 0, ["a", "b", "c"]) });
    last().tell({ state: state(4, 3, ["d"]) });
    expect(socket.log.value.map((e) => e.text)).toEqual(["a", "b", "c", "d"]);
    last().tell({ state: state(5, 2, []) });
    expect(socket.log.value.map((e) => e.text)).toEqual(["a", "b"]);
    expect(socket.online.value).toBe(true);
  });

  it("tells a refusal with its command, and forgets the command", () => {
    const socket = new TableSocket("t", "ws:", wire);
    last().open();
    socket.send("h2h9");
    last().tell({ nack: "c1", error: { code: "illegal", message: "" } });
    expect(socket.refused.value).toMatchObject({ command: { do: "h2h9" }, error: { code: "illegal" } });
    expect(socket.pending.value).toEqual([]);
  });

  it("stays closed once closed", () => {
    const socket = new TableSocket("t", "ws:", wire);
    last().open();
    socket.close();
    last().fall();
    vi.advanceTimersByTime(60_000);
    socket.reconnect();
    expect(lines).toHaveLength(1);
  });
});
