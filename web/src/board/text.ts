import type { Family } from "./geometry";
import type { Ply } from "./placement";

const SQUARE: Record<Family, RegExp> = {
  xiangqi: /[a-i]\d/g,
  chess: /[a-h][1-8]/g,
  shogi: /[1-9][a-i]/g,
  go: /[A-HJ-Z]\d+/gi,
  gomoku: /[a-z]\d+/g,
};

/**
 * The squares that a ply's text names, to mark the last ply and draw committed ones. Which plies there are and what
 * they do is never read from texts.
 */
export function squaresOf(family: Family, text: string | null | undefined): string[] {
  if (!text || text === "pass") return [];
  const found = text.match(SQUARE[family]) ?? [];
  const squares = family === "go" ? found.map((s) => s.toUpperCase()) : found;
  return squares.slice(0, 2);
}

/** A ply of a log or a queue, as far as its text tells how to draw it. */
export function plyOf(family: Family, text: string): Ply {
  const squares = squaresOf(family, text);
  const drop = /^([A-Z])\*/.exec(text);
  if (family === "shogi" && drop) return { path: [`${drop[1]}*`, ...squares], tag: "drop" };
  const ply: Ply = { path: squares, tag: family === "go" || family === "gomoku" ? "place" : "move" };
  const go = /:([A-Z]+)/.exec(text);
  const back = /\/([A-Z]+)/.exec(text);
  const flip = /=([A-Z])$/.exec(text);
  if (go) ply.go = go[1]!;
  if (back) Object.assign(ply, { back: back[1]!, tag: "exchange" });
  if (flip) Object.assign(ply, { to: flip[1]!, tag: "flip" });
  if (text.endsWith("+")) Object.assign(ply, family === "shogi" ? { promote: "+" } : { token: true });
  return ply;
}
