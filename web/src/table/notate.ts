import type { Family } from "../board/geometry";
import { afterPly, type Occupant, type Placement, type Ply, type Side } from "../board/placement";
import type { Lang } from "../settings";

/*
 * Names for plies that are committed to or only candidates: the server knows no position that they will meet, so they
 * are named from the drawing, by the piece that stands where they begin. A ply that has been played is named by the
 * server alone.
 */

const HAN = " 一二三四五六七八九";
const WIDE = " １２３４５６７８９";
/** Kinds that are named by the file they come to even where they go forward. */
const SLANTED = "NBA";
const WXF: Record<string, string> = { N: "H", B: "E" };
const XIANGQI = ["K帅A仕B相N马R车C炮P兵", "K将A士B象N马R车C炮P卒"];
const XIANGQI_TRAD = ["K帥A仕B相N馬R車C炮P兵", "K將A士B象N馬R車C炮P卒"];
const SHOGI = "K玉R飛B角G金S銀N桂L香P歩";
const SHOGI_UP = "R龍B馬S成銀N成桂L成香Pと";
const WORDS: Record<Lang, [string, string, string, string, string, string]> = {
  "zh-Hans": ["平", "进", "退", "前", "后", "王"],
  "zh-Hant": ["平", "進", "退", "前", "後", "王"],
  en: [".", "+", "-", "+", "-", "+"],
};

const look = (table: string, kind: string) => new RegExp(`${kind}([^A-Z]+)`).exec(table)?.[1] ?? kind;

/** The name of a ply as readers of `language` write it, or its own text where the drawing does not tell. */
export function nameOf(
  family: Family,
  pieces: Placement,
  ply: Ply,
  text: string,
  language: Lang,
  stacks = false,
): string {
  const [from, to] = ply.path;
  if (from === undefined || to === undefined) return text;
  const piece = pieces.get(from);
  if (family === "shogi" && language !== "en") return shogi(piece, ply, from, to) ?? text;
  if (piece?.members.length !== 1) return text;
  if (family === "chess") return chess(piece, pieces.has(to), ply, from, to, text);
  if (family === "xiangqi" && !(stacks && pieces.get(to)?.side === piece.side))
    return xiangqi(pieces, piece, ply, from, to, language) ?? text;
  return text;
}

function xiangqi(
  pieces: Placement,
  piece: Occupant,
  ply: Ply,
  from: string,
  to: string,
  language: Lang,
): string | null {
  const red = piece.side === 0;
  const [level, on, back, front, rear, token] = WORDS[language];
  const file = (square: string) => (red ? 105 - square.charCodeAt(0) : square.charCodeAt(0) - 97) + 1;
  const ahead = (square: string) => (red ? 1 : -1) * Number(square[1]);
  const number = (n: number) => (red && language !== "en" ? HAN[n]! : String(n));
  const kind =
    language === "en"
      ? (WXF[piece.members] ?? piece.members)
      : look((language === "zh-Hant" ? XIANGQI_TRAD : XIANGQI)[piece.side]!, piece.members);
  const twins = [...pieces].filter(
    ([at, other]) =>
      at !== from && at[0] === from[0] && other.side === piece.side && other.members === piece.members,
  );
  if (twins.length > 1) return null;
  const twin = twins[0];
  const place = twin ? (ahead(from) > ahead(twin[0]) ? front : rear) : number(file(from));
  const forward = ahead(to) - ahead(from);
  const way = forward === 0 ? level : forward > 0 ? on : back;
  const goal = forward === 0 || SLANTED.includes(piece.members) ? file(to) : Math.abs(forward);
  const end = `${way}${number(goal)}${ply.token ? token : ""}`;
  return twin ? `${place}${kind}${end}` : `${kind}${place}${end}`;
}

/** Long, since a short form asks which others could go there. */
function chess(piece: Occupant, takes: boolean, ply: Ply, from: string, to: string, text: string): string {
  const promoted = ply.promote ?? /^..(?:..)([qrbn])$/.exec(text)?.[1];
  const kind = piece.members === "P" ? "" : piece.members;
  return `${kind}${from}${takes ? "x" : "-"}${to}${promoted ? `=${promoted.toUpperCase()}` : ""}`;
}

/** As in KIF, with the square that the piece comes from. */
function shogi(piece: Occupant | undefined, ply: Ply, from: string, to: string): string | null {
  const rank = (square: string) => square.charCodeAt(1) - 96;
  const goal = `${WIDE[Number(to[0])]}${HAN[rank(to)]}`;
  if (from.endsWith("*")) return `${goal}${look(SHOGI, from[0]!)}打`;
  if (!piece) return null;
  const kind = look(piece.promoted ? SHOGI_UP : SHOGI, piece.members);
  return `${goal}${kind}${ply.promote === "+" ? "成" : ""}(${from[0]}${rank(from)})`;
}

interface Named {
  ply: Ply;
  text: string;
  side: Side;
}

/** Names plies that follow one another, each on the drawing as those before it leave it. */
export function nameRun(
  family: Family,
  pieces: Placement,
  run: readonly Named[],
  language: Lang,
  stacks = false,
): string[] {
  let now = pieces;
  return run.map(({ ply, text, side }) => {
    const mine = ply.path.length < 2 || now.get(ply.path[0]!)?.side === side;
    const name = mine || ply.path[0]?.endsWith("*") ? nameOf(family, now, ply, text, language, stacks) : text;
    if (mine) now = afterPly(now, ply, side);
    return name;
  });
}
