import "./home.css";
import { useEffect, useState } from "preact/hooks";
import { familyOf, MiniBoard } from "../board/mini";
import { texts } from "../i18n";
import { gameName } from "../names";
import { ApiError, api } from "../net/api";
import { useEngines } from "../net/engines";
import type { Opponent, TableSummary } from "../net/protocol";
import { go } from "../router";
import { readRules } from "../rulestext";
import { pieceSet } from "../settings";
import { LanguageSelect, PieceChoice, ThemeChoice } from "../ui/choices";
import { Dialog } from "../ui/dialog";
import { Art } from "./art";

/** In the order of the house: the new games first, the familiar ones after. */
const GAMES = [
  "zuyi",
  "wangqi",
  "qixi",
  "premove",
  "pool",
  "pool-opponent",
  "mafia",
  "xiangqi",
  "chess",
  "shogi",
  "go",
  "gomoku",
];

/** What a card plays when nothing else is chosen. */
export function defaultRules(id: string): string {
  switch (id) {
    case "premove":
      return "premove(xiangqi)";
    case "pool":
      return "pool(xiangqi)";
    case "pool-opponent":
      return "pool-opponent(gomoku)";
    case "go":
      return "go(size=9)";
    default:
      return id;
  }
}

export function HomePage() {
  const t = texts();
  const [known, setKnown] = useState<ReadonlySet<string> | null>(null);
  const [tables, setTables] = useState<TableSummary[]>([]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    document.title = `${t.appName} 新棋`;
    let here = true;
    const refuse = (e: unknown) => here && setError(e instanceof ApiError ? e.error.code : "server");
    api.rules().then((list) => here && setKnown(new Set(list.map((r) => r.id))), refuse);
    const load = () => api.tables().then((list) => here && setTables(list), refuse);
    void load();
    const timer = setInterval(load, 15_000);
    return () => {
      here = false;
      clearInterval(timer);
    };
  }, []);
  const games = GAMES.filter((id) => known?.has(id));
  return (
    <main class="home">
      <header class="hd">
        <h1 class="logo">新棋 Xinqi</h1>
        <span class="sp" />
        <LanguageSelect />
        <a class="btn" href="/new">
          {t.newTable}
        </a>
      </header>
      {error && (
        <p class="note red" role="alert">
          {t.error[error] ?? t.errorElse}
        </p>
      )}
      {tables.length > 0 && (
        <section aria-label={t.myGames}>
          <h2>{t.myGames}</h2>
          <ul class="mine" tabIndex={0}>
            {tables.slice(0, 12).map((table) => (
              <li key={table.table}>
                <MyGame table={table} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-label={t.pickGame}>
        <div class="row head">
          <h2>{t.pickGame}</h2>
          <span class="sp" />
          <span class="sm mut">{t.noAccount}</span>
        </div>
        <ul class="games">
          {games.map((id) => (
            <li key={id}>
              <button type="button" class="g" data-game={id} onClick={() => setChosen(id)}>
                <Art id={id} />
                <b>{t.game[id]![0]}</b>
                <small>{t.game[id]![1]}</small>
              </button>
            </li>
          ))}
        </ul>
      </section>
      <footer class="card foot">
        <PieceChoice />
        <ThemeChoice />
        <Name />
      </footer>
      {chosen && <GameDialog id={chosen} onClose={() => setChosen(null)} />}
    </main>
  );
}

function MyGame({ table }: { table: TableSummary }) {
  const t = texts();
  const rules = readRules(table.rules);
  const base = rules.base ?? rules;
  const due = !table.result && (table.you === "both" || table.to_act.some((seat) => seat === table.you));
  const who = table.opponent
    ? table.opponent.kind === "bot"
      ? (table.opponent.name ?? t.bot(table.opponent.level))
      : table.opponent.name || t.guest
    : t.openSeat;
  return (
    <a class="card" href={`/t/${table.table}`}>
      {table.fen && (
        <MiniBoard
          family={familyOf(base.id)}
          fen={table.fen}
          set={pieceSet()}
          label=""
          flipped={table.you === "second" && familyOf(base.id) !== "go"}
        />
      )}
      <span>
        <b>{gameName(t, rules)}</b>
        <br />
        <span class="mut sm">
          {table.you === "both" ? t.hotseat : t.against(who)}
          {table.ply === null ? "" : ` · ${t.ply(table.ply)}`}
        </span>
        <br />
        <span class={`sm ${due ? "due" : "mut"}`}>
          {table.result ? t.over_ : due ? `● ${t.yourTurn}` : `○ ${t.waitingFor(who)}`}
        </span>
      </span>
    </a>
  );
}

/** One tap on a game, one on how to play it. */
function GameDialog({ id, onClose }: { id: string; onClose(): void }) {
  const t = texts();
  const rules = defaultRules(id);
  // Sixteen seats: bots of two kinds, and nobody plays both sides.
  const many = id === "mafia";
  const levels = many ? [3, 7] : t.levels.map((_, i) => i + 1);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const engines = useEngines(rules);
  const open = async (opponent: Opponent, clock: string) => {
    setBusy(true);
    try {
      const alone = opponent.kind === "bot" || opponent.kind === "engine";
      const seat = alone && !many ? "first" : "random";
      go(`/t/${(await api.create({ rules, clock, seat, opponent })).table}`);
    } catch (e) {
      setBusy(false);
      setError(e instanceof ApiError ? e.error.code : "server");
    }
  };
  return (
    <Dialog label={t.game[id]![0]} onClose={onClose}>
      <Art id={id} />
      <p class="mut">{t.game[id]![1]}</p>
      {error && (
        <p class="note red" role="alert">
          {t.error[error] ?? t.errorElse}
        </p>
      )}
      <h3>{t.playBot}</h3>
      <div class="levels">
        {levels.map((level, i) => (
          <button
            type="button"
            key={level}
            class={`btn big${i === 0 ? " pri" : ""}`}
            disabled={busy}
            onClick={() => open({ kind: "bot", level }, "none")}
          >
            {(many ? t.manySeats.bots : t.levels)[i]}
          </button>
        ))}
      </div>
      {engines.map((name) => (
        <button
          type="button"
          key={name}
          class="btn big wide"
          disabled={busy}
          onClick={() => open({ kind: "engine", name }, "none")}
        >
          {name}
        </button>
      ))}
      <button
        type="button"
        class="btn big wide"
        disabled={busy}
        onClick={() => open({ kind: "link" }, many ? "none" : "600+5")}
      >
        {t.openTable}
      </button>
      {!many && (
        <div class="row">
          <button
            type="button"
            class="btn grow"
            disabled={busy}
            onClick={() => open({ kind: "hotseat" }, "none")}
          >
            {t.openHotseat}
          </button>
        </div>
      )}
      <div class="row">
        <a class="btn grow" href={`/rules/${id}`}>
          {t.readRules}
        </a>
        <a class="btn grow" href={`/new?rules=${encodeURIComponent(rules)}`}>
          {t.allOptions}
        </a>
      </div>
    </Dialog>
  );
}

function Name() {
  const t = texts();
  const [name, setName] = useState("");
  const [saved, setSaved] = useState(true);
  useEffect(() => {
    api.me().then(
      (me) => setName(me.name),
      () => undefined,
    );
  }, []);
  return (
    <form
      class="row"
      onSubmit={(e) => {
        e.preventDefault();
        api.rename(name).then(
          (me) => {
            setName(me.name);
            setSaved(true);
          },
          () => undefined,
        );
      }}
    >
      <label class="sm mut" for="name">
        {t.yourName}
      </label>
      <input
        id="name"
        class="field"
        maxLength={24}
        value={name}
        onInput={(e) => {
          setName(e.currentTarget.value);
          setSaved(false);
        }}
      />
      <button type="submit" class="btn" disabled={saved}>
        {t.save}
      </button>
    </form>
  );
}
