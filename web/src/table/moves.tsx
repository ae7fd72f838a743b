import { useEffect, useRef } from "preact/hooks";
import { texts } from "../i18n";
import type { LogEntry } from "../net/protocol";
import { type Lang, lang } from "../settings";
import { sideOf, type TableModel } from "./model";

const ORDER: Record<Lang, string[]> = {
  "zh-Hans": ["chinese", "kif", "san"],
  "zh-Hant": ["chinese-trad", "chinese", "kif", "san"],
  en: ["wxf", "san"],
};

/** A ply in the notation that readers of the chosen language know. */
export function notation(entry: Pick<LogEntry, "text" | "notation">, language: Lang = lang.value): string {
  for (const name of ORDER[language]) {
    const text = entry.notation?.[name];
    if (text) return text;
  }
  return entry.text;
}

/** The list of plies (submissions, for mechanisms); each shows its position. */
export function Moves({ model }: { model: TableModel }) {
  const t = texts();
  const log = model.log.value;
  const shown = model.at.value ?? log.length - 1;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>(".cur");
    const box = list.current?.parentElement;
    if (current && box) box.scrollTop = current.offsetTop - box.clientHeight / 2;
  }, [shown, log.length]);
  if (!log.length) return <p class="mut pad">{t.noMoves}</p>;
  const paired = log.every((e) => e.ply !== undefined && !/\s/.test(e.text));
  const offset = paired && log[0]!.ply! % 2 === 0 ? 1 : 0;
  return (
    <ol class={`plies num${paired ? "" : " wide"}`} ref={list}>
      {log.map((entry, i) => (
        <li
          key={entry.n}
          class={paired && (i + offset) % 2 === 0 ? "first" : paired ? "second" : `s${sideOf(entry.seat)}`}
          style={i === 0 && offset ? { gridColumn: 3 } : undefined}
        >
          <span class="no">
            {entry.ply === undefined ? i + 1 : paired ? Math.ceil(entry.ply / 2) : entry.ply}
          </span>
          <button
            type="button"
            class={i === shown ? "cur" : undefined}
            aria-current={i === shown ? "step" : undefined}
            onClick={() => model.go(i)}
          >
            {notation(entry)}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Steps through the game. */
export function Replay({ model }: { model: TableModel }) {
  const t = texts();
  const log = model.log.value;
  const shown = model.at.value ?? log.length - 1;
  const button = (label: string, sign: string, to: number | null, off: boolean) => (
    <button type="button" class="btn icon" aria-label={label} disabled={off} onClick={() => model.go(to)}>
      {sign}
    </button>
  );
  return (
    <div class="row replay">
      {button(t.first, "«", -1, shown < 0)}
      {button(t.previous, "‹", shown - 1, shown < 0)}
      {button(t.next, "›", shown + 1, shown >= log.length - 1)}
      {button(t.latest, "»", null, model.live.value)}
    </div>
  );
}
