import { describe, expect, it } from "vitest";
import { geometry } from "../src/board/geometry";
import { afterPly, readDiagram, sideToMove } from "../src/board/placement";
import { plyOf, squaresOf } from "../src/board/text";

const XIANGQI = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

describe("geometry", () => {
  it.each([
    ["xiangqi", 9, 10, "a9", "i0"],
    ["chess", 8, 8, "a8", "h1"],
    ["shogi", 9, 9, "9a", "1i"],
    ["go", 19, 19, "A19", "T1"],
    ["go", 25, 25, "A25", "Z1"],
    ["gomoku", 15, 15, "a15", "o1"],
  ] as const)("%s names its corners", (family, cols, rows, topLeft, bottomRight) => {
    const geo = geometry(family, cols, rows);
    expect(geo.squares[0]).toBe(topLeft);
    expect(geo.squares.at(-1)).toBe(bottomRight);
    expect(new Set(geo.squares).size).toBe(cols * rows);
    const turned = geometry(family, cols, rows, true);
    expect(turned.squares[0]).toBe(bottomRight);
  });

  it("finds each square where it is drawn", () => {
    for (const flipped of [false, true]) {
      const geo = geometry("xiangqi", 9, 10, flipped);
      for (const square of geo.squares) {
        const { x, y } = geo.at(square);
        expect(geo.hit(x, y)).toBe(square);
      }
    }
    const geo = geometry("xiangqi", 9, 10);
    expect(geo.hit(-1, 5)).toBeNull();
    expect(geo.step("a0", 0, 1)).toBeNull();
    expect(geo.step("a0", 1, -1)).toBe("b1");
  });
});

describe("reading positions", () => {
  it("reads stacks, tokens and faces of the xiangqi family", () => {
    const { pieces, cols, rows } = readDiagram(
      "xiangqi",
      "4[rna]4/9/9/9/9/9/9/{RN}2+n1{c?}3/9/4+K4 w -,- - 0 1",
    );
    expect([cols, rows]).toEqual([9, 10]);
    expect(pieces.get("e9")).toEqual({ side: 1, members: "RNA" });
    expect(pieces.get("a2")).toEqual({ side: 0, members: "R", dark: "N" });
    expect(pieces.get("d2")).toEqual({ side: 1, members: "N", token: true });
    expect(pieces.get("f2")).toEqual({ side: 1, members: "C", dark: "?" });
    expect(pieces.get("e0")?.token).toBe(true);
    expect(pieces.size).toBe(5);
  });

  it("reads the other families", () => {
    expect(readDiagram("xiangqi", XIANGQI).pieces.size).toBe(32);
    const shogi = readDiagram("shogi", "9/7+B1/9/9/9/9/9/9/4K4 b R2P3s 1");
    expect(shogi.pieces.get("2b")).toEqual({ side: 0, members: "B", promoted: true });
    expect([...shogi.hands[0]]).toEqual([
      ["R", 1],
      ["P", 2],
    ]);
    expect([...shogi.hands[1]]).toEqual([["S", 3]]);
    const go = readDiagram("go", `19/${"19/".repeat(16)}3B11W3/19 b 0 0,0`);
    expect(go.pieces.get("D2")).toEqual({ side: 0, members: "S" });
    expect(go.pieces.get("Q2")).toEqual({ side: 1, members: "S" });
  });

  it.each([
    ["xiangqi", "9 w", 0],
    ["chess", "8 b", 1],
    ["shogi", "9 b", 0],
    ["go", "9 b", 0],
    ["gomoku", "9 w", 1],
  ] as const)("%s %s: side %i is to move", (family, fen, side) => {
    expect(sideToMove(family, fen)).toBe(side);
  });
});

describe("drawing a ply ahead", () => {
  const at = (fen: string) => readDiagram("xiangqi", fen).pieces;
  it.each([
    ["a plain move", "1C7/9 w", { path: ["b1", "c0"] }, { c0: "C" }],
    ["part of a stack", "1[RNC]7/9 w", { path: ["b1", "c0"], go: "RN" }, { b1: "C", c0: "RN" }],
    ["a combination", "1C7/1N7 w", { path: ["b1", "b0"], tag: "combine", go: "C" }, { b0: "NC" }],
    [
      "an exchange",
      "1C7/1[NP]7 w",
      { path: ["b1", "b0"], tag: "exchange", go: "C", back: "N" },
      { b0: "CP", b1: "N" },
    ],
    ["a swap", "1C7/1n7 w", { path: ["b1", "b0"], tag: "swap" }, { b0: "C", b1: "N" }],
  ] as const)("%s", (_, fen, ply, want) => {
    const found = Object.fromEntries([...afterPly(at(fen), ply, 0)].map(([k, v]) => [k, v.members]));
    expect(found).toEqual(want);
  });

  it("moves the token, turns faces, drops and promotes", () => {
    const token = afterPly(at("+C8/R8 w"), { path: ["a0", "b0"], token: true }, 0);
    expect([token.get("a1")?.token, token.get("b0")?.token]).toEqual([false, true]);
    const flip = afterPly(at("{RN}8/9 w"), { path: ["a1"], tag: "flip", to: "N" }, 0);
    expect(flip.get("a1")).toMatchObject({ members: "N", dark: "R" });
    expect(afterPly(new Map(), { path: ["P*", "5e"], tag: "drop" }, 1).get("5e")).toEqual({
      side: 1,
      members: "P",
    });
    expect(afterPly(new Map(), { path: ["D4"], tag: "place" }, 1).get("D4")).toEqual({
      side: 1,
      members: "S",
    });
    const chess = readDiagram("chess", "8/1P6/8/8/8/8/8/8 w").pieces;
    expect(afterPly(chess, { path: ["b7", "b8"], promote: "q" }, 0).get("b8")?.members).toBe("Q");
  });
});

describe("texts of plies", () => {
  it.each([
    ["xiangqi", "e4f6:NC/R", ["e4", "f6"]],
    ["xiangqi", "b0=R", ["b0"]],
    ["chess", "e7e8q", ["e7", "e8"]],
    ["shogi", "P*5e", ["5e"]],
    ["shogi", "8h2b+", ["8h", "2b"]],
    ["go", "d4", ["D4"]],
    ["go", "pass", []],
    ["gomoku", "h8", ["h8"]],
  ] as const)("%s %s", (family, text, squares) => {
    expect(squaresOf(family, text)).toEqual(squares);
  });

  it("tells parts, tokens, drops and flips", () => {
    expect(plyOf("xiangqi", "e4f6:NC/R")).toEqual({
      path: ["e4", "f6"],
      tag: "exchange",
      go: "NC",
      back: "R",
    });
    expect(plyOf("xiangqi", "h2e2+").token).toBe(true);
    expect(plyOf("shogi", "8h2b+").promote).toBe("+");
    expect(plyOf("shogi", "P*5e").path).toEqual(["P*", "5e"]);
    expect(plyOf("xiangqi", "b0=R")).toEqual({ path: ["b0"], tag: "flip", to: "R" });
  });
});
