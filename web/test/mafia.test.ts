import { describe, expect, it } from "vitest";
import { byTarget, knownCamp, leaders, type MafiaView, readOrder, thread } from "../src/mafia/model";
import { mafiaTexts } from "../src/mafia/texts";

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

  it("tells a game in order", () => {
    const told = thread(
      view({
        deaths: [
          { seat: 5, camp: "B", phase: "night", n: 1 },
          { seat: 9, camp: "W", phase: "day", n: 1 },
        ],
        claims: [{ seat: 2, day: 1, claim: { code: "trust", on: 4 } }],
        days: [{ day: 1, ballots: {}, extra: {}, executed: 9, died: true, runoff: false }],
      }),
    );
    expect(told.map((line) => line.kind)).toEqual([
      "phase",
      "died",
      "phase",
      "claim",
      "count",
      "died",
      "phase",
      "phase",
    ]);
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
