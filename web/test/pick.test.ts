import { describe, expect, it } from "vitest";
import * as picking from "../src/board/pick";
import { type Desk, type Hint, idle, type Pick } from "../src/board/pick";
import { readDiagram } from "../src/board/placement";

const hint = (text: string, path: string[], tag: string, more: Partial<Hint> = {}): Hint => ({
  do: text,
  path,
  tag,
  ...more,
});

const ZUYI: Desk = {
  pieces: readDiagram("xiangqi", "9/9/9/9/9/4[RNCP]1[RP]2/9/9/9/9 w").pieces,
  side: 0,
  kind: "stacks",
  hints: [
    hint("e4e7", ["e4", "e7"], "move", { go: "RNCP", back: "" }),
    hint("e4e7:NC", ["e4", "e7"], "move", { go: "NC", back: "" }),
    hint("e4g4:NC", ["e4", "g4"], "combine", { go: "NC", back: "" }),
    hint("e4g4:NC/R", ["e4", "g4"], "exchange", { go: "NC", back: "R" }),
    hint("e4g4:NC/RP", ["e4", "g4"], "exchange", { go: "NC", back: "RP" }),
    hint("e4g4/RP", ["e4", "g4"], "exchange", { go: "RNCP", back: "RP" }),
  ],
};

/** Taps the squares in turn; a ply that is played ends it. */
function tap(desk: Desk, ...squares: string[]): { pick: Pick; played?: string } {
  let pick: Pick = idle;
  for (const square of squares) {
    const step = picking.touch(desk, pick, square);
    if (!step) continue;
    if ("play" in step) return { pick, played: step.play.do };
    pick = step.pick;
  }
  return { pick };
}

describe("stacks", () => {
  it("plays a whole stack in two taps", () => {
    expect(tap(ZUYI, "e4", "e7").played).toBe("e4e7");
  });

  it("plays at once when only one answer is legal", () => {
    expect(tap(ZUYI, "e4", "g4").played).toBe("e4g4/RP");
  });

  it("shows the targets of the members that go", () => {
    let pick = tap(ZUYI, "e4").pick;
    expect([...picking.targets(ZUYI, pick)]).toEqual([
      ["e7", "dot"],
      ["g4", "exchange"],
    ]);
    pick = picking.toggleMember(ZUYI, picking.toggleMember(ZUYI, pick, 0), 3);
    expect([...picking.targets(ZUYI, pick)]).toEqual([
      ["e7", "dot"],
      ["g4", "join"],
    ]);
    expect(picking.toggleMember(ZUYI, pick, 1, true)).toMatchObject({ go: [false, true, false, false] });
  });

  it("takes all again when the last member is switched off", () => {
    const pick = tap(ZUYI, "e4").pick;
    const one = picking.toggleMember(ZUYI, pick, 2, true);
    expect(picking.toggleMember(ZUYI, one, 2)).toMatchObject({ go: [true, true, true, true] });
  });

  it("asks who comes back, and names what each answer is", () => {
    const from = picking.toggleMember(ZUYI, picking.toggleMember(ZUYI, tap(ZUYI, "e4").pick, 0), 3);
    const step = picking.touch(ZUYI, from, "g4");
    expect(step).toMatchObject({ pick: { step: "back", back: [false, false] } });
    let pick = (step as { pick: Extract<Pick, { step: "back" }> }).pick;
    expect(picking.backChoice(ZUYI, pick)?.do).toBe("e4g4:NC");
    expect(picking.preview(ZUYI, pick).get("g4")?.members).toBe("RNCP");
    pick = picking.toggleBack(ZUYI, pick, 0) as typeof pick;
    expect(picking.backChoice(ZUYI, pick)?.do).toBe("e4g4:NC/R");
    expect(picking.preview(ZUYI, pick).get("e4")?.members).toBe("RRP");
    // The pawn cannot come back alone: the rook comes along.
    const none = picking.toggleBack(ZUYI, pick, 0) as typeof pick;
    expect(picking.backChoice(ZUYI, picking.toggleBack(ZUYI, none, 1) as typeof pick)?.do).toBe("e4g4:NC/RP");
    expect(picking.stepBack(pick)).toMatchObject({ step: "from", from: "e4" });
  });

  it("steps back when something else is touched", () => {
    expect(tap(ZUYI, "e4", "a0").pick).toEqual(idle);
    expect(tap(ZUYI, "e4", "e4").pick).toEqual(idle);
    expect(tap(ZUYI, "a0").pick).toEqual(idle);
  });
});

describe("token", () => {
  const desk: Desk = {
    pieces: readDiagram("xiangqi", "9/9/9/9/9/9/9/9/9/4+K3R w").pieces,
    side: 0,
    kind: "pieces",
    hints: [
      hint("i0h0", ["i0", "h0"], "move", { token: false }),
      hint("i0h0+", ["i0", "h0"], "move", { token: true }),
      hint("i0i9", ["i0", "i9"], "capture", { token: false }),
      hint("e0e1", ["e0", "e1"], "move", { token: false }),
    ],
  };

  it("asks only where the token can be taken", () => {
    expect(tap(desk, "i0", "i9").played).toBe("i0i9");
    expect(tap(desk, "e0", "e1").played).toBe("e0e1");
    expect(tap(desk, "i0", "h0").pick).toEqual({ step: "token", from: "i0", to: "h0" });
  });

  it("takes it by a tap on the coin, leaves it by a tap on the piece", () => {
    expect(tap(desk, "i0", "h0", "coin").played).toBe("i0h0+");
    expect(tap(desk, "i0", "h0", "h0").played).toBe("i0h0");
    expect(tap(desk, "i0", "h0", "a5").pick).toEqual(idle);
  });

  it("is two taps again with the switch beforehand", () => {
    expect(tap({ ...desk, token: true }, "i0", "h0").played).toBe("i0h0+");
    expect(tap({ ...desk, token: false }, "i0", "h0").played).toBe("i0h0");
    expect(tap({ ...desk, token: true }, "i0", "i9").played).toBe("i0i9");
  });
});

describe("other plies", () => {
  it("asks what a pawn becomes", () => {
    const desk: Desk = {
      pieces: readDiagram("chess", "8/1P6/8/8/8/8/8/8 w").pieces,
      side: 0,
      kind: "pieces",
      hints: ["q", "n"].map((p) => hint(`b7b8${p}`, ["b7", "b8"], "move", { promote: p })),
    };
    const { pick } = tap(desk, "b7", "b8");
    expect(pick.step).toBe("promote");
    expect(picking.choices(desk, pick).map((h) => h.do)).toEqual(["b7b8q", "b7b8n"]);
  });

  it("puts stones down, drops from the hand, turns a piece over", () => {
    const base = { pieces: new Map(), side: 0, kind: "stones" } as const;
    expect(tap({ ...base, hints: [hint("D4", ["D4"], "place")] }, "D4").played).toBe("D4");
    const shogi: Desk = { ...base, kind: "pieces", hints: [hint("P*5e", ["P*", "5e"], "drop")] };
    expect(tap(shogi, "P*", "5e").played).toBe("P*5e");
    const qixi: Desk = {
      ...base,
      kind: "pieces",
      pieces: readDiagram("xiangqi", "9/9/9/9/9/9/9/9/9/{RN}8 w").pieces,
      hints: [hint("a0=N", ["a0"], "flip", { to: "N" })],
    };
    expect(tap(qixi, "a0", "turn").played).toBe("a0=N");
  });

  it("enters any conceivable ply in a plan", () => {
    const desk: Desk = {
      pieces: readDiagram("xiangqi", "9/9/9/9/9/9/9/9/9/RN7 w").pieces,
      side: 0,
      kind: "pieces",
      hints: [],
      free: (ply) => ply.path.join(""),
    };
    expect(tap(desk, "a0", "b0").played).toBe("a0b0");
    expect(tap(desk, "a0", "c5").played).toBe("a0c5");
    expect(tap({ ...desk, pieces: new Map(), kind: "stones" }, "D4").played).toBe("D4");
    expect(tap({ ...desk, free: undefined as never }, "a0").pick).toEqual(idle);
  });
});
