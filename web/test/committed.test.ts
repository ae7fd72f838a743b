import { describe, expect, it } from "vitest";
import type { LogEntry, SeatId } from "../src/net/protocol";
import { drawCommitted, listCommitted, standingAt } from "../src/table/committed";

const colour = (seat: SeatId) => (seat === "first" ? 0 : 1);
const entry = (n: number, seat: SeatId, events: LogEntry["events"]): LogEntry => ({
  n,
  seat,
  text: "",
  fen: "",
  events,
});
const ply = (n: number, seat: SeatId, text: string) => ({ kind: "ply", ply: n, seat, text });

const LOG: LogEntry[] = [
  entry(0, "first", [{ kind: "submitted", seat: "first", plies: ["h2e2", "h0g2"] }, ply(1, "first", "h2e2")]),
  entry(1, "second", [
    { kind: "submitted", seat: "second", plies: ["h9g7", "i9h9", "h9h5"] },
    ply(2, "second", "h9g7"),
    ply(3, "first", "h0g2"),
    ply(4, "second", "i9h9"),
  ]),
  entry(2, "first", [
    { kind: "submitted", seat: "first", plies: ["i0h0", "h0h4", "e2e6"] },
    ply(5, "first", "i0h0"),
    { kind: "failed", ply: 6, seat: "second", text: "h9h5" },
  ]),
];

describe("what stood committed", () => {
  it("is told by the events of the log", () => {
    expect(standingAt(LOG, 0).queues).toEqual({ first: [[3, "h0g2"]], second: [] });
    expect(standingAt(LOG, 1).queues).toEqual({ first: [], second: [[6, "h9h5"]] });
    expect(standingAt(LOG, 2).queues).toEqual({ first: [], second: [] });
    expect(standingAt(LOG, -1).queues).toEqual({ first: [], second: [] });
  });

  it("loses a candidate when it is played", () => {
    const log = [
      entry(0, "first", [{ kind: "pool", seat: "first", candidates: ["h9", "i9"] }, ply(1, "first", "h8")]),
      entry(1, "second", [ply(3, "first", "i9")]),
    ];
    expect(standingAt(log, 0).pools?.first).toEqual(["h9", "i9"]);
    expect(standingAt(log, 1).pools?.first).toEqual(["h9"]);
  });
});

describe("drawing commitments", () => {
  it("orders both queues by ply, and lights what can be picked", () => {
    const queued = listCommitted(
      "xiangqi",
      { queues: { first: [[9, "h6g6"]], second: [[8, "g6g5"]] } },
      colour,
    );
    expect(queued.map((m) => [m.label, m.side])).toEqual([
      ["8", 1],
      ["9", 0],
    ]);
    const pooled = listCommitted(
      "gomoku",
      {
        pools: { first: ["a1"], second: ["j10", "g9"] },
        picks: ["g9"],
        owes: { seat: "first", kind: "pick", for: "second" },
      },
      colour,
    );
    expect(pooled.filter((m) => m.lit).map((m) => m.text)).toEqual(["g9"]);
    expect(pooled.filter((m) => m.off).map((m) => m.text)).toEqual(["j10"]);
  });

  it("uses arrows for journeys, stones for points, and joins what both want", () => {
    const standing = { queues: { first: [[9, "D7"]], second: [[10, "D7"]] } } as never;
    const { arrows, stones } = drawCommitted(listCommitted("go", standing, colour));
    expect(arrows).toEqual([]);
    expect(stones?.get("D7")?.map((m) => m.label)).toEqual(["9", "10"]);
    const moves = { queues: { first: [[9, "h2e2"]], second: [] } } as never;
    expect(drawCommitted(listCommitted("xiangqi", moves, colour)).arrows).toEqual([
      { from: "h2", to: "e2", label: "9", side: 0 },
    ]);
  });
});
