import type { Dict } from "./i18n";
import type { SeatState } from "./net/protocol";
import { type RuleText, readRules } from "./rulestext";

/** What a rule set is called: a mechanism with the game it wraps. */
export function gameName(t: Dict, rules: RuleText | string): string {
  const { id, base, options } = typeof rules === "string" ? readRules(rules) : rules;
  const name = t.game[id]?.[0] ?? id;
  if (base) return t.over(name, gameName(t, base));
  return options.size && (id === "go" || id === "gomoku") ? `${name} ${options.size}×${options.size}` : name;
}

/** Who sits in a seat. */
export function seatName(t: Dict, seat: SeatState | undefined, you: boolean): string {
  if (!seat || seat.kind === "open") return t.seatOpen;
  if (seat.kind === "bot") return seat.name || t.bot(seat.level);
  return seat.name || (you ? t.you : t.guest);
}

/** A clock's text in words. */
export function clockName(t: Dict, text: string | undefined): string {
  const words = t.clockText;
  if (!text || text === "none") return words.none;
  const length = (seconds: number) =>
    seconds % 60 === 0 ? words.minutes(seconds / 60) : words.seconds(seconds);
  const plus = /^(\d+)\+(\d+)$/.exec(text);
  if (plus) return words.plus(length(Number(plus[1])), words.seconds(Number(plus[2])));
  const byo = /^(\d+)\/(\d+)x(\d+)$/.exec(text);
  if (byo) return words.byo(length(Number(byo[1])), Number(byo[2]), words.seconds(Number(byo[3])));
  const each = /^ply:(\d+)$/.exec(text);
  if (each) return words.ply(words.seconds(Number(each[1])));
  const days = /^days:(\d+)$/.exec(text);
  return days ? words.days(Number(days[1])) : text;
}
