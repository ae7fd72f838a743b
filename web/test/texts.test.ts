import { describe, expect, it } from "vitest";
import { en } from "../src/i18n/en";
import { zhHans } from "../src/i18n/zh-hans";
import { zhHant } from "../src/i18n/zh-hant";
import { clockName, gameName } from "../src/names";
import { readDiagramText } from "../src/rules/diagram";
import { inline, readMarkdown } from "../src/rules/markdown";
import { readRules, writeRules } from "../src/rulestext";
import { clockFace } from "../src/table/clock";
import { passed } from "../src/table/plan";

/** The keys of a dictionary, nested ones with dots; functions by their number of parameters. */
function shape(value: unknown, at = ""): string[] {
  if (typeof value === "function") return [`${at}()`];
  if (value === null || typeof value !== "object" || Array.isArray(value)) return [at];
  return Object.entries(value).flatMap(([key, inner]) => shape(inner, `${at}.${key}`));
}

describe("dictionaries", () => {
  it.each([
    ["zh-Hans", zhHans],
    ["zh-Hant", zhHant],
  ])("%s says all that English says", (_, dict) => {
    expect(shape(dict).sort()).toEqual(shape(en).sort());
  });

  it("traditional holds no simplified characters", () => {
    const words = JSON.stringify(zhHant, (_, v) => (typeof v === "function" ? String(v) : v));
    const simplified = /[们这谁说对吗车马帅红开时间继续认输军让选]/gu;
    expect(words.match(simplified) ?? []).toEqual([]);
  });

  it("names games and clocks", () => {
    expect(gameName(en, "premove(go(size=9), ahead=5)")).toBe("Premove go 9×9");
    expect(gameName(zhHans, "pool-opponent(gomoku)")).toBe("对手挑备选·五子棋");
    expect(clockName(en, "600/3x30")).toBe("10 min + 3 × 30 s");
    expect(clockName(zhHans, "300+5")).toBe("5 分 + 5 秒");
    expect(clockName(en, "days:3")).toBe("3 days a turn");
  });
});

describe("clock faces", () => {
  it.each([
    [0, "0:00.0"],
    [7_340, "0:07.3"],
    [10_000, "0:10"],
    [521_000, "8:41"],
    [3_723_000, "1:02:03"],
    [2 * 86_400_000 + 3_600_000, "2d 01:00"],
  ])("%i ms", (ms, face) => {
    expect(clockFace(ms)).toBe(face);
  });
});

describe("rule-set text", () => {
  it("is taken apart and put together", () => {
    const rules = readRules("premove(go(size=9, komi=5.5), ahead=5)");
    expect(rules).toMatchObject({
      id: "premove",
      options: { ahead: "5" },
      base: { id: "go", options: { size: "9", komi: "5.5" } },
    });
    expect(writeRules("premove", { ahead: "5" }, writeRules("go", { size: "9", komi: "5.5" }))).toBe(
      "premove(go(komi=5.5, size=9), ahead=5)",
    );
    expect(readRules("zuyi")).toMatchObject({ id: "zuyi", base: null, options: {} });
  });
});

describe("passing on a preview", () => {
  it.each([
    ["9/9 b - - 0 1", "9/9 w - - 0 1"],
    ["8/8 b KQkq e3 0 1", "8/8 w KQkq - 0 1"],
    ["9/9 w 0 0,0", "9/9 b 0 0,0"],
  ])("%s", (fen, want) => {
    expect(passed(fen)).toBe(want);
  });
});

describe("rules pages", () => {
  it("read the little Markdown they are written in", () => {
    const blocks = readMarkdown(
      "# 题\n\n一行\n二行 **粗**\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```diagram\nrules: zuyi\nfen: 9/9 w - - 0 1\nhints: e4:NC\n```\n",
    );
    expect(blocks.map((b) => b.kind)).toEqual(["heading", "paragraph", "list", "table", "fence"]);
    expect(blocks[1]).toMatchObject({ text: "一行二行 **粗**" });
    expect(blocks[3]).toMatchObject({ head: ["x", "y"], rows: [["1", "2"]] });
    expect(readDiagramText((blocks[4] as { text: string }).text)).toEqual({
      rules: "zuyi",
      fen: "9/9 w - - 0 1",
      hints: "e4:NC",
    });
  });

  it("let no link run a script", () => {
    const [, link] = inline("[x](javascript:alert(1))");
    expect(link).toBe("x");
  });
});
