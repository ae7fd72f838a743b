import { describe, expect, it } from "vitest";
import { type Placement, readDiagram } from "../src/board/placement";
import { track } from "../src/board/track";

const read = (fen: string): Placement => readDiagram("xiangqi", fen).pieces;
const begin = (fen: string) => track([], read(fen));
const idAt = (list: ReturnType<typeof track>, at: string) => list.find((t) => t.at === at && !t.gone)?.id;

describe("identities that glide", () => {
  it("follows a move and lets a captured piece fade where it stood", () => {
    const before = begin("1C7/1n7 w");
    const after = track(before, read("9/1C7 w"), ["b1", "b0"]);
    expect(idAt(after, "b0")).toBe(idAt(before, "b1"));
    expect(after.find((t) => t.gone)).toMatchObject({ at: "b0", piece: { side: 1 } });
  });

  it("keeps the tile that a piece joins, and sends the piece there", () => {
    const before = begin("1C7/1N7 w");
    const after = track(before, read("9/1[NC]7 w"), ["b1", "b0"]);
    expect(idAt(after, "b0")).toBe(idAt(before, "b0"));
    expect(after.find((t) => t.gone)).toMatchObject({ at: "b0", id: idAt(before, "b1") });
  });

  it("crosses the two of a swap, and keeps the order of elements", () => {
    const before = begin("1C7/1n7 w");
    const after = track(before, read("1n7/1C7 w"), ["b1", "b0"]);
    expect(idAt(after, "b0")).toBe(idAt(before, "b1"));
    expect(idAt(after, "b1")).toBe(idAt(before, "b0"));
    expect(after.map((t) => t.id)).toEqual(before.map((t) => t.id));
  });

  it("takes nothing for granted: any position may follow any other", () => {
    const before = begin("1C7/1n7 w");
    const after = track(before, read("3R5/9 w"), ["b1", "b0"]);
    expect(after.filter((t) => !t.gone).map((t) => t.at)).toEqual(["d1"]);
    expect(after.filter((t) => t.gone)).toHaveLength(2);
  });
});
