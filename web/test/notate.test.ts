import { expect, test } from "vitest";
import type { Family } from "../src/board/geometry";
import { readDiagram } from "../src/board/placement";
import { plyOf } from "../src/board/text";
import type { Lang } from "../src/settings";
import { nameOf, nameRun } from "../src/table/notate";

const XIANGQI = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
const TANDEM = "3k5/9/4C4/9/4C4/9/9/9/9/4K4 w - - 0 1";

function name(family: Family, fen: string, text: string, lang: Lang, stacks = false) {
  return nameOf(family, readDiagram(family, fen).pieces, plyOf(family, text), text, lang, stacks);
}

// The same plies as `xinqi notation` names them.
test.each([
  [XIANGQI, "h2e2", "炮二平五", "炮二平五", "C2.5"],
  [XIANGQI, "h9g7", "马8进7", "馬8進7", "H8+7"],
  [XIANGQI, "h0g2", "马二进三", "馬二進三", "H2+3"],
  [XIANGQI, "i9i8", "车9进1", "車9進1", "R9+1"],
  [XIANGQI, "g0e2", "相三进五", "相三進五", "E3+5"],
  [TANDEM, "e7f7", "前炮平四", "前炮平四", "+C.4"],
  [TANDEM, "e5e6", "后炮进一", "後炮進一", "-C+1"],
])("%s %s", (fen, text, hans, hant, wxf) => {
  expect(name("xiangqi", fen, text, "zh-Hans")).toBe(hans);
  expect(name("xiangqi", fen, text, "zh-Hant")).toBe(hant);
  expect(name("xiangqi", fen, text, "en")).toBe(wxf);
});

test("shogi as in KIF, chess long, and what the drawing does not tell as it was sent", () => {
  const shogi = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
  expect(name("shogi", shogi, "7g7f", "zh-Hans")).toBe("７六歩(77)");
  expect(name("shogi", shogi, "B*5e", "zh-Hant")).toBe("５五角打");
  expect(name("shogi", shogi, "8h2b+", "zh-Hans")).toBe("２二角成(88)");
  expect(name("shogi", shogi, "7g7f", "en")).toBe("7g7f");
  const chess = "rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1";
  expect(name("chess", chess, "f3e5", "en")).toBe("Nf3xe5");
  expect(name("chess", chess, "e2e4", "en")).toBe("e2-e4");
  expect(name("xiangqi", XIANGQI, "h2h0", "zh-Hans", true)).toBe("h2h0");
  expect(name("xiangqi", XIANGQI, "e5e6", "zh-Hans")).toBe("e5e6");
});

test("a run is named on the drawing as the plies before leave it", () => {
  const run = ["h2e2", "e2e6", "h9g7"].map((text, i) => ({
    text,
    ply: plyOf("xiangqi", text),
    side: i === 2 ? (1 as const) : (0 as const),
  }));
  const pieces = readDiagram("xiangqi", XIANGQI).pieces;
  expect(nameRun("xiangqi", pieces, run, "en")).toEqual(["C2.5", "C5+4", "H8+7"]);
});
