import { describe, expect, it } from "vitest";
import { byTarget, knownCamp, leaders, type MafiaView, missed, readOrder, thread } from "../src/mafia/model";
import { mafiaTexts } from "../src/mafia/texts";
import type { GameEvent, LogEntry } from "../src/net/protocol";

const view = (more: Partial<MafiaView>): MafiaView => ({
  rules: "mafia",
  to_act: [],
  result: null,
  phase: "day",
  day: 2,
  me: null,
  living: [],
  kings: { W: 3, B: 1 },
  deaths: [],
  votes: {},
  tied: null,
  days: [],
  claims: [],
  ...more,
});

let n = 0;
const entry = (...events: GameEvent[]): LogEntry => ({ n: n++, seat: 1, text: "", fen: "", events });

describe("mafia", () => {
  it("counts ballots, abstentions apart", () => {
    const votes = { "1": 9, "4": 9, "5": 3, "2": null };
    expect(byTarget(votes).get(9)).toEqual([1, 4]);
    expect(byTarget(votes).get("none")).toEqual([2]);
    expect(leaders(votes)).toEqual([9]);
    expect(leaders({ "1": 9, "2": 3 })).toEqual([9, 3]);
    expect(leaders({ "2": null })).toEqual([]);
  });

  it("takes orders apart", () => {
    expect(readOrder("jail 7")).toEqual({ deed: "jail", on: 7 });
    expect(readOrder("pass")).toEqual({ deed: "pass", on: null });
    expect(readOrder(null)).toBeNull();
  });

  it("knows the camps that all know, and no other", () => {
    const dead = view({ deaths: [{ seat: 5, camp: "B", phase: "night", n: 1 }] });
    expect([1, 3, 5, 7].map((n) => knownCamp(dead, n))).toEqual(["B", "W", "B", null]);
  });

  it("counts the ballots that a seat let pass", () => {
    const day = (n: number, ballots: Record<string, number | null>) => ({
      day: n,
      ballots,
      extra: {},
      executed: null,
      died: false,
      runoff: false,
    });
    const silent = view({ days: [day(1, { "1": 2, "3": null }), day(2, { "3": 1 }), day(3, { "3": 4 })] });
    expect([1, 2, 3].map((n) => missed(silent, n))).toEqual([2, 3, 0]);
    expect(missed(view({}), 1)).toBe(0);
  });

  it("tells a game in order, the dead of a night in the morning, ballots as they move", () => {
    const vote = (seat: number, target: number | null) => entry({ kind: "vote", seat, vote: target });
    const told = thread(
      [
        entry({ kind: "order", seat: 1, order: "kill 5" }),
        entry(
          { kind: "died", seat: 5, camp: "B" },
          { kind: "role", seat: 5, role: "P" },
          { kind: "phase", phase: "day", n: 1 },
        ),
        entry({ kind: "spoke", seat: 2, name: "", text: "<i>", dead: false }),
        entry({ kind: "said", seat: 2, day: 1, claim: { code: "trust", on: 4 } }),
        vote(2, 9),
        vote(2, 9),
        vote(3, null),
        vote(2, 4),
        entry({ kind: "unvote", seat: 3 }),
        entry({ kind: "hosted", order: "pause" }),
        entry(
          { kind: "votes", ballots: {} },
          { kind: "executed", seat: 9, died: true },
          { kind: "died", seat: 9, camp: "W" },
          { kind: "phase", phase: "night", n: 2 },
        ),
        entry({ kind: "phase", phase: "day", n: 2 }),
      ],
      view({}),
    );
    expect(told.map((line) => line.kind)).toEqual([
      "phase",
      "phase",
      "died",
      "spoke",
      "claim",
      "ballots",
      "ordered",
      "count",
      "died",
      "phase",
      "phase",
      "quiet",
    ]);
    expect(told[0]).toMatchObject({ phase: "night", n: 1 });
    expect(told[5]).toMatchObject({
      steps: [
        { seat: 2, from: undefined, to: 9 },
        { seat: 3, from: undefined, to: "none" },
        { seat: 2, from: 9, to: 4 },
        { seat: 3, from: "none" },
      ],
    });
  });

  it("has every text in every language", () => {
    const keys = (value: object): string[] =>
      Object.entries(value).flatMap(([k, v]) =>
        typeof v === "object" ? keys(v).map((i) => `${k}.${i}`) : [k],
      );
    for (const dict of Object.values(mafiaTexts))
      expect(keys(dict).sort()).toEqual(keys(mafiaTexts.en).sort());
  });
});
