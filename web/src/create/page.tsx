import "../home/home.css";
import "./create.css";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Dict, texts } from "../i18n";
import { gameName } from "../names";
import { ApiError, api } from "../net/api";
import { useEngines } from "../net/engines";
import type { NewTable, Opponent, OptionSpec, RuleSet } from "../net/protocol";
import { go } from "../router";
import { readRules, writeRules } from "../rulestext";
import { Logo } from "../ui/logo";

/** Everything that makes a table, as sentences whose underlined words can be changed. */
export function CreatePage({ rules: wanted }: { rules: string }) {
  const t = texts();
  const start = readRules(wanted);
  const [sets, setSets] = useState<RuleSet[]>([]);
  const [mechanism, setMechanism] = useState(start.base ? start.id : "");
  const [base, setBase] = useState(start.base ? start.base.id : start.id);
  const [options, setOptions] = useState<Record<string, string>>(
    start.base ? start.base.options : start.options,
  );
  const [over, setOver] = useState<Record<string, string>>(start.base ? start.options : {});
  const [seat, setSeat] = useState<NewTable["seat"]>("random");
  const [opponent, setOpponent] = useState("link");
  const [clock, setClock] = useState("600+5");
  const [fen, setFen] = useState("");
  const [ownPace, setOwnPace] = useState(false);
  const many = base === "mafia";
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    document.title = `${t.newTable} · ${t.appName}`;
    const refuse = (e: unknown) => setError((e instanceof ApiError && t.error[e.error.code]) || t.errorElse);
    api.rules().then((known) => {
      // An address may ask for anything; what is not known here is xiangqi.
      const id = start.base ? start.base.id : start.id;
      if (!known.some((s) => s.id === id && !s.mechanism)) setBase("xiangqi");
      const may = known.find((s) => s.id === id)?.base;
      if (!may || !known.some((s) => s.id === start.id && s.mechanism)) setMechanism("");
      setSets(known);
    }, refuse);
  }, []);
  const find = (id: string) => sets.find((s) => s.id === id);
  const baseSet = find(base);
  const overSet = mechanism ? find(mechanism) : undefined;
  const changed = (set: RuleSet | undefined, values: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(values).filter(([key, value]) =>
        set?.options.some((o) => o.key === key && o.default !== value),
      ),
    );
  const inner = writeRules(base, changed(baseSet, options));
  const text = mechanism ? writeRules(mechanism, changed(overSet, over), inner) : inner;
  const engines = useEngines(text);
  const engine = engines.find((name) => opponent === `${ENGINE}${name}`);
  // An engine that does not play by the rules as they are now is no choice any more.
  useEffect(() => {
    if (opponent.startsWith(ENGINE) && !engine) setOpponent("bot-3");
  }, [opponent, engine]);
  const submit = async () => {
    const [kind, level] = opponent.split("-");
    const against: Opponent = engine
      ? { kind: "engine", name: engine }
      : kind === "bot"
        ? { kind, level: Number(level) }
        : { kind: kind as "link" | "hotseat" };
    try {
      const table = {
        rules: text,
        clock: many ? "none" : clock,
        seat,
        opponent: against,
        ...(fen.trim() ? { fen: fen.trim() } : {}),
      };
      go(`/t/${(await api.create(table)).table}`);
    } catch (e) {
      setError(e instanceof ApiError ? `${t.error[e.error.code] ?? ""} ${e.error.message}` : t.errorElse);
    }
  };
  const { seats, opponents: usual } = many ? t.manySeats : t.create;
  const opponents: typeof usual & Record<string, string> = {
    ...usual,
    ...Object.fromEntries(engines.map((name) => [`${ENGINE}${name}`, name])),
  };
  const shown = (id: string) => (spec: OptionSpec) =>
    id !== "mafia" || ownPace || (spec.key !== "night" && spec.key !== "day");
  const plain = sets.filter((s) => !s.mechanism);
  const mechanisms = sets.filter((s) => s.mechanism);
  return (
    <main class="home create">
      <header class="hd">
        <Logo />
        <h1>{t.newTable}</h1>
      </header>
      <div class="card sentences">
        <section>
          <p>
            <Filled
              parts={t.create.play}
              slots={{
                rules: (
                  <Word
                    label={t.pickGame}
                    value={base}
                    words={Object.fromEntries(plain.map((s) => [s.id, gameName(t, s.id)]))}
                    onChange={(id) => {
                      setBase(id);
                      setOptions({});
                      setSeat("random");
                      setOpponent("link");
                      if (id === "mafia") setMechanism("");
                    }}
                  />
                ),
              }}
            />{" "}
            {base !== "mafia" && mechanisms.length > 0 && (
              <Filled
                parts={t.create.mechanism}
                slots={{
                  mechanism: (
                    <Word
                      label={t.create.mechanism[0]!}
                      value={mechanism}
                      words={{
                        "": t.create.plain,
                        ...Object.fromEntries(mechanisms.map((s) => [s.id, gameName(t, s.id)])),
                      }}
                      onChange={setMechanism}
                    />
                  ),
                }}
              />
            )}
          </p>
        </section>
        {[
          { set: overSet, values: over, change: setOver },
          { set: baseSet, values: options, change: setOptions },
        ].map(
          ({ set, values, change }) =>
            set &&
            set.options.length > 0 && (
              <section key={set.id}>
                <h2 class="small">{gameName(t, set.id)}</h2>
                <p>
                  {set.id === "mafia" && (
                    <Pace t={t} values={values} own={ownPace} setOwn={setOwnPace} change={change} />
                  )}
                  {inOrder(set, { ...defaults(set), ...values })
                    .filter(shown(set.id))
                    .map((spec) => (
                      <OptionSentence
                        key={spec.key}
                        t={t}
                        id={set.id}
                        spec={spec}
                        value={values[spec.key] ?? spec.default}
                        onChange={(value) => change({ ...values, [spec.key]: value })}
                      />
                    ))}
                </p>
              </section>
            ),
        )}
        <section>
          <p>
            <Filled
              parts={many ? t.manySeats.seat : t.create.seat}
              slots={{
                seat: (
                  <Word
                    label={seats.random}
                    value={seat}
                    words={seats}
                    onChange={(v) => setSeat(v as NewTable["seat"])}
                  />
                ),
                opponent: (
                  <Word label={opponents.link} value={opponent} words={opponents} onChange={setOpponent} />
                ),
                clock: (
                  <Word
                    label={t.create.clocks.none}
                    value={clock}
                    words={t.create.clocks}
                    onChange={setClock}
                  />
                ),
              }}
            />
          </p>
          <details>
            <summary>{t.create.custom}</summary>
            <input
              class="field wide"
              aria-label={t.create.custom}
              value={fen}
              onInput={(e) => setFen(e.currentTarget.value)}
              placeholder="FEN"
              spellcheck={false}
            />
          </details>
        </section>
        <p class="row wrap">
          <code>{text}</code>
          <span class="sm mut">{t.create.defaults}</span>
        </p>
        {error && (
          <p class="note red" role="alert">
            {error}
          </p>
        )}
        <div class="row">
          <a class="btn" href={`/rules/${mechanism || base}`}>
            {t.readRules}
          </a>
          <button type="button" class="btn pri big grow" onClick={submit}>
            {opponent === "link" ? t.openTable : t.create.start}
          </button>
        </div>
      </div>
    </main>
  );
}

/** Begins the choice of an engine by its name. */
const ENGINE = "engine ";

const defaults = (set: RuleSet) => Object.fromEntries(set.options.map((o) => [o.key, o.default]));

/** What is read first stands first; what is nowhere here follows as the server lists it. */
const READING = [
  "size komi handicap rule rules chess960 start",
  "ahead pool auto spent",
  "rights rook_cost rook_flips from to layouts captured negotiation games demands points",
  "chase grind no_progress",
]
  .join(" ")
  .split(" ");
/** Options that mean nothing while another is off. */
const ONLY_WITH: Record<string, string> = {
  games: "negotiation",
  demands: "negotiation",
  points: "negotiation",
  start: "chess960",
};

function inOrder(set: RuleSet, values: Record<string, string>): OptionSpec[] {
  const place = ({ key }: OptionSpec) => (READING.includes(key) ? READING.indexOf(key) : READING.length);
  const shown = ({ key }: OptionSpec) => values[ONLY_WITH[key] ?? ""] !== "false";
  return set.options.filter(shown).sort((a, b) => place(a) - place(b));
}

/** Every choice of faces that a qixi option can name. */
const FACES = ["RNC", "NC", "RC", "RN", "R", "N", "C"];

/** How long phases last: live or slow, or in seconds of one's own. */
function Pace({
  t,
  values,
  own,
  setOwn,
  change,
}: {
  t: Dict;
  values: Record<string, string>;
  own: boolean;
  setOwn(own: boolean): void;
  change(values: Record<string, string>): void;
}) {
  const now = `${values.night ?? 60}/${values.day ?? 180}`;
  const known = now in t.manySeats.paces && !own;
  return (
    <span class="option">
      <Filled
        parts={t.manySeats.pace}
        slots={{
          pace: (
            <Word
              label={t.manySeats.pace[0]!.trim()}
              value={known ? now : "own"}
              words={t.manySeats.paces}
              onChange={(pace) => {
                const [night, day] = pace.split("/");
                setOwn(pace === "own");
                if (night && day) change({ ...values, night, day });
              }}
            />
          ),
        }}
      />{" "}
    </span>
  );
}

/** A sentence with words to choose at its `{slots}`. */
function Filled({ parts, slots }: { parts: readonly string[]; slots: Record<string, ComponentChildren> }) {
  return (
    <>
      {parts.map((part) => {
        const slot = /^\{(\w+)\}$/.exec(part);
        return slot ? <span key={part}>{slots[slot[1]!]}</span> : part;
      })}
    </>
  );
}

/** An underlined word that can be exchanged. */
function Word({
  label,
  value,
  words,
  onChange,
}: {
  label: string;
  value: string;
  words: Record<string, string>;
  onChange(value: string): void;
}) {
  return (
    <select class="word" aria-label={label} value={value} onChange={(e) => onChange(e.currentTarget.value)}>
      {Object.entries(words).map(([key, word]) => (
        <option key={key} value={key}>
          {word}
        </option>
      ))}
    </select>
  );
}

function OptionSentence({
  t,
  id,
  spec,
  value,
  onChange,
}: {
  t: Dict;
  id: string;
  spec: OptionSpec;
  value: string;
  onChange(value: string): void;
}) {
  const sentence = t.option[`${id}.${spec.key}`] ?? t.option[spec.key] ?? [`${spec.key}: `, "{}", "."];
  const word = (key: string) => t.optionWord[`${spec.key}.${key}`] ?? t.optionWord[key] ?? key;
  const label = sentence.join("").replace("{}", "…");
  let control: ComponentChildren;
  if (spec.kind === "bool")
    control = (
      <Word
        label={label}
        value={value}
        words={{ true: word("true"), false: word("false") }}
        onChange={onChange}
      />
    );
  else if (spec.kind === "choice")
    control = (
      <Word
        label={label}
        value={value}
        words={Object.fromEntries((spec.words ?? []).map((w) => [w, word(w)]))}
        onChange={onChange}
      />
    );
  else if (FACES.includes(spec.default))
    control = (
      <Word
        label={label}
        value={value}
        words={Object.fromEntries(
          FACES.map((faces) => [faces, t.list([...faces].map((kind) => t.kind("xiangqi", kind)))]),
        )}
        onChange={onChange}
      />
    );
  else if (spec.key === "points") control = <Points t={t} value={value} onChange={onChange} />;
  else if (spec.kind === "int" || spec.kind === "odd")
    control = (
      <input
        class="word num"
        type="number"
        aria-label={label}
        min={spec.min}
        max={spec.max}
        step={spec.kind === "odd" ? 2 : 1}
        value={value}
        onChange={(e) => onChange(e.currentTarget.value)}
      />
    );
  else
    control = (
      <input
        class="word"
        aria-label={label}
        value={value}
        size={Math.max(4, value.length)}
        onChange={(e) => onChange(e.currentTarget.value)}
      />
    );
  return (
    <span class="option">
      {sentence[0]}
      {control}
      {spec.key === "points" ? "" : sentence[2]}{" "}
    </span>
  );
}

/** The points of a match by how a game ended: a row each, demander and other. */
function Points({ t, value, onChange }: { t: Dict; value: string; onChange(value: string): void }) {
  const rows = value.split("-");
  const set = (row: number, place: number, digit: string) => {
    const next = rows.map((pair, i) =>
      i === row ? [...pair].map((old, k) => (k === place ? digit || "0" : old)).join("") : pair,
    );
    if (/^\d?$/.test(digit)) onChange(next.join("-"));
  };
  return (
    <table class="points num">
      <tbody>
        {rows.map((pair, row) => (
          <tr key={t.pointRows[row]}>
            <td>{t.pointRows[row]}</td>
            {[0, 1].map((place) => (
              <td key={place}>
                <input
                  class="word num"
                  inputMode="numeric"
                  maxLength={1}
                  size={1}
                  aria-label={`${t.pointRows[row]} ${place + 1}`}
                  value={pair[place] ?? "0"}
                  onInput={(e) => set(row, place, e.currentTarget.value)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
