import { effect, signal } from "@preact/signals";
import { type Lang, lang } from "../settings";
import type { Dict } from "./en";

export type { Dict };

const loaders: Record<Lang, () => Promise<Dict>> = {
  "zh-Hans": async () => (await import("./zh-hans")).zhHans,
  "zh-Hant": async () => (await import("./zh-hant")).zhHant,
  en: async () => (await import("./en")).en,
};

const dict = signal<Dict | null>(null);

/** All texts in the chosen language. Reading it in a component makes that component follow the language. */
export const texts = (): Dict => dict.value!;

/** Loads the dictionary of the chosen language, now and whenever it changes. */
export function loadTexts(): Promise<void> {
  return new Promise((ready) => {
    effect(() => {
      const wanted = lang.value;
      void loaders[wanted]().then((loaded) => {
        if (lang.peek() === wanted) dict.value = loaded;
        ready();
      });
    });
  });
}
