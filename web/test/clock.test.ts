import { expect, test } from "vitest";
import type { TableState } from "../src/net/protocol";
import { remaining } from "../src/table/clock";

const table = (text: string, left: number, deadline: number | null, periods?: number) =>
  ({
    now: 1_000_000,
    deadline: deadline === null ? null : 1_000_000 + deadline,
    clock: {
      text,
      first: left,
      second: 9_000,
      running: "first",
      ...(periods ? { periods: { first: periods, second: periods } } : {}),
    },
  }) as unknown as TableState;

test("main time runs into the periods, and each period into the next", () => {
  const state = table("10/3x30", 4_000, 94_000, 3);
  expect(remaining(state, "first", 1_000)).toEqual({ ms: 3_000, periods: 3, main: true });
  expect(remaining(state, "first", 5_000)).toEqual({ ms: 29_000, periods: 3, main: false });
  expect(remaining(state, "first", 35_000)).toEqual({ ms: 29_000, periods: 2, main: false });
  expect(remaining(state, "first", 93_000)).toEqual({ ms: 1_000, periods: 1, main: false });
  expect(remaining(state, "first", 99_000).ms).toBe(0);
  // The other clock stands.
  expect(remaining(state, "second", 5_000)).toEqual({ ms: 9_000, periods: 3, main: false });
});

test("without periods it is counted down and never below nothing", () => {
  const state = table("300+5", 4_000, 4_000);
  expect(remaining(state, "first", 1_500).ms).toBe(2_500);
  expect(remaining(state, "first", 9_000).ms).toBe(0);
});
