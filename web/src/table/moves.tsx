import { useEffect, useRef } from "preact/hooks";
import { readDiagram } from "../board/placement";
import { type Dict, texts } from "../i18n";
import type { LogEntry } from "../net/protocol";
import { type Lang, lang } from "../settings";
import { colourOf, type TableModel } from "./model";
import { nameOf, nameRun } from "./notate";

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
  return entry.text ?? "";
}

/** What is no ply, in words. */
function actionWord(t: Dict, text: string | null): string | undefined {
  // The one thing that is secret is a layout.
  if (text === null || text.startsWith("layout")) return t.layoutEntry(text?.slice(7) ?? "");
  if (text.startsWith("dead ")) return `${t.deadEntry} ${text.slice(5)}`;
  const words: Record<string, string> = {
    resign: t.resign,
    abort: t.abort,
    accept: t.accept,
    refuse: t.refuse,
    pass: t.pass,
    declare: t.declareWin,
    propose: t.allAlive,
    agree: t.agreeDead,
    resume: t.resumePlay,
    "demand surrender": t.demandSurrender,
    "demand draw": t.demandDraw,
    "draw accept": t.reason.agreement!,
  };
  return words[text];
}

/** An entry of the log as the list shows it and a screen reader says it. */
export function entryName(model: TableModel, index: number): string {
  const entry = model.log.value[index];
  if (!entry) return "";
  const failed = entry.events?.find((event) => event.kind === "stand-in");
  if (failed) return texts().standIn(String(failed.engine), String(failed.why), Number(failed.level));
  const known = notation(entry);
  if (!entry.text || !/\s/.test(entry.text) || !model.rules.value.base)
    return actionWord(texts(), entry.text) ?? known;
  // A submission or declaration: the server names its first ply, the others are named from the drawing.
  const family = model.family.value;
  const stacks = model.kind() === "stacks";
  const before = model.log.value[index - 1]?.fen ?? model.state.value?.start ?? entry.fen;
  const pieces = readDiagram(family, before).pieces;
  const side = colourOf(model.state.value, entry.seat);
  const run = entry.text.split(/[\s|]+/).map((text) => ({ text, side, ply: model.plan.read(text) }));
  const [first, ...rest] = nameRun(family, pieces, run, lang.value, stacks);
  const named = known === entry.text ? first : known.split(/\s/)[0];
  if (!entry.text.includes("|")) return [named, ...rest].join(" ");
  const then = readDiagram(family, entry.fen).pieces;
  const others = run.slice(1).map(({ ply, text }) => nameOf(family, then, ply, text, lang.value, stacks));
  return `${named} | ${others.join(" ")}`;
}

/** Whether an entry is one ply and nothing else. */
const isPly = (entry: LogEntry) =>
  entry.text !== null && !/\s/.test(entry.text) && (entry.events ?? []).some((event) => event.kind === "ply");

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
  const single = !model.rules.value.base;
  return (
    <ol class="plies num" ref={list}>
      {log.map((entry, i) => {
        const name = entryName(model, i);
        const paired = single && entry.ply !== undefined && isPly(entry);
        const second = paired && entry.ply! % 2 === 0;
        const number = paired ? Math.ceil(entry.ply! / 2) : single ? "" : entry.ply;
        return (
          <li key={entry.n} class={paired ? (second ? "second" : "first") : "alone"}>
            <span class="no">{number}</span>
            <button
              type="button"
              class={i === shown ? "cur" : undefined}
              aria-current={i === shown ? "step" : undefined}
              aria-label={`${t.ply(entry.ply ?? i + 1)}: ${name}`}
              onClick={() => model.go(i)}
            >
              {name}
            </button>
          </li>
        );
      })}
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
