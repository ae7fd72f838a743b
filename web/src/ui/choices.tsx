import type { Signal } from "@preact/signals";
import { texts } from "../i18n";
import { type Lang, lang, pieces, theme, wood } from "../settings";

/** A small choice of one among few, all in view. */
export function Choice<T extends string>({
  label,
  choice,
  words,
}: {
  label: string;
  choice: Signal<T>;
  words: Record<T, string>;
}) {
  return (
    <div class="choice" role="group" aria-label={label}>
      <span class="sm mut">{label}</span>
      {(Object.keys(words) as T[]).map((key) => (
        <button
          type="button"
          key={key}
          class={choice.value === key ? "on" : undefined}
          aria-pressed={choice.value === key}
          onClick={() => (choice.value = key)}
        >
          {words[key]}
        </button>
      ))}
    </div>
  );
}

const LANGUAGES: Record<Lang, string> = { "zh-Hans": "简体", "zh-Hant": "繁體", en: "English" };

/** The language where room is short. */
export function LanguageSelect() {
  return (
    <select
      class="btn"
      aria-label={texts().language}
      value={lang.value}
      onChange={(e) => {
        lang.value = e.currentTarget.value as Lang;
      }}
    >
      {Object.entries(LANGUAGES).map(([key, word]) => (
        <option key={key} value={key} lang={key}>
          {word}
        </option>
      ))}
    </select>
  );
}

export const LanguageChoice = () => <Choice label={texts().language} choice={lang} words={LANGUAGES} />;
export const PieceChoice = () => (
  <Choice label={texts().piecesLabel} choice={pieces} words={texts().pieceSets} />
);
export const ThemeChoice = () => <Choice label={texts().themeLabel} choice={theme} words={texts().themes} />;
export const WoodChoice = () => <Choice label={texts().woodLabel} choice={wood} words={texts().woods} />;
