import { effect, type Signal, signal } from "@preact/signals";
import type { PieceSet } from "./board/pieces";

export type Lang = "zh-Hans" | "zh-Hant" | "en";
export type Theme = "auto" | "light" | "dark";
export type Wood = "maple" | "walnut" | "slate";

const store = (() => {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
})();

/** A choice that this browser remembers. */
function remembered<T extends string>(key: string, allowed: readonly T[], start: T): Signal<T> {
  const found = store?.getItem(`xinqi.${key}`) as T | null | undefined;
  const choice = signal<T>(found && allowed.includes(found) ? found : start);
  let first = true;
  effect(() => {
    const value = choice.value;
    if (!first) store?.setItem(`xinqi.${key}`, value);
    first = false;
  });
  return choice;
}

function browserLang(): Lang {
  for (const tag of globalThis.navigator?.languages ?? []) {
    const low = tag.toLowerCase();
    if (/^zh-(hant|tw|hk|mo)/.test(low)) return "zh-Hant";
    if (low.startsWith("zh")) return "zh-Hans";
    if (low.startsWith("en")) return "en";
  }
  return "en";
}

export const lang = remembered<Lang>("lang", ["zh-Hans", "zh-Hant", "en"], browserLang());
/** Whether one's card at a table of hidden roles lies face up. */
export const card = remembered<"up" | "down">("card", ["up", "down"], "up");
export const theme = remembered<Theme>("theme", ["auto", "light", "dark"], "auto");
export const wood = remembered<Wood>("wood", ["maple", "walnut", "slate"], "maple");
/** `auto` follows the language: who reads no Hanzi gets pictures. */
export const pieces = remembered<PieceSet | "auto">("pieces", ["auto", "hans", "hant", "intl"], "auto");
export const sound = remembered<"on" | "off">("sound", ["on", "off"], "on");
export const coords = remembered<"on" | "off">("coords", ["on", "off"], "off");
export const stones = remembered<"flat" | "shell">("stones", ["flat", "shell"], "flat");
/** Qixi on a shared screen: own dark faces are covered until held. */
export const cover = remembered<"on" | "off">("cover", ["on", "off"], "off");
/** Between committed plies that play themselves. */
export const pace = remembered<"quick" | "steady" | "slow">("pace", ["quick", "steady", "slow"], "steady");
/** Wangqi: `after` offers the coin after the ply, `before` keeps a switch in the dock. */
export const askToken = remembered<"after" | "before">("token", ["after", "before"], "after");

/** The piece set in use. */
export function pieceSet(): PieceSet {
  if (pieces.value !== "auto") return pieces.value;
  return lang.value === "en" ? "intl" : lang.value === "zh-Hant" ? "hant" : "hans";
}

/** Keeps the document in the chosen language and theme. */
export function applySettings(root: HTMLElement) {
  effect(() => {
    root.lang = lang.value;
    root.dataset.theme = theme.value;
    root.dataset.wood = wood.value;
    root.dataset.stones = stones.value;
  });
}
