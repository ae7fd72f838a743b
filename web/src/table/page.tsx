import "./table.css";
import type { ComponentType } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Board } from "../board/board";
import { type Dict, texts } from "../i18n";
import { clockName, gameName } from "../names";
import { ApiError, api } from "../net/api";
import type { SeatId, TableState } from "../net/protocol";
import { TableSocket } from "../net/socket";
import { coords, pieceSet } from "../settings";
import { Logo } from "../ui/logo";
import { Missing } from "../ui/missing";
import { describeSquare } from "./describe";
import { Dock } from "./dock";
import { colourOf, TableModel } from "./model";
import { entryName, Moves, Replay } from "./moves";
import { CommittedStrip } from "./plandock";
import { Curtain, LayoutChooser, MatchCard } from "./qixidock";
import { SeatStrip } from "./seat";
import { Extras, RulesCard, Settings } from "./side";

const TABS = ["board", "moves", "rules", "more"] as const;
type Tab = (typeof TABS)[number];

export function TablePage({ id }: { id: string }) {
  const socket = useMemo(() => {
    const scheme = globalThis.location.protocol === "https:" ? "wss" : "ws";
    return new TableSocket(id, `${scheme}://${globalThis.location.host}/api/tables/${id}/socket`);
  }, [id]);
  useEffect(() => {
    addEventListener("online", socket.reconnect);
    addEventListener("offline", socket.unplug);
    return () => {
      removeEventListener("online", socket.reconnect);
      removeEventListener("offline", socket.unplug);
      socket.close();
    };
  }, [socket]);
  // A line that cannot be had is either no line or no table: the server knows.
  const [missing, setMissing] = useState(false);
  const failed = socket.failures.value > 0;
  useEffect(() => {
    if (failed)
      api.record(id).catch((e) => setMissing(e instanceof ApiError && e.error.code === "not-found"));
  }, [id, failed]);
  const state = socket.state.value;
  if (missing) return <Missing words={texts().error["not-found"]!} />;
  if (!state)
    return (
      <main class="waiting" aria-busy="true">
        <p>{failed ? texts().offline : `${texts().loading}…`}</p>
      </main>
    );
  if (state.family === "mafia") return <Mafia socket={socket} state={state} />;
  return <BoardTable socket={socket} state={state} />;
}

function BoardTable({ socket, state }: { socket: TableSocket; state: TableState }) {
  const model = useMemo(() => new TableModel(socket), [socket]);
  useEffect(() => () => model.dispose(), [model]);
  return <Table model={model} state={state} />;
}

/** Mafia is another page altogether; its code comes when it is wanted. */
function Mafia(props: { socket: TableSocket; state: TableState }) {
  const [Page, setPage] = useState<ComponentType<typeof props> | null>(null);
  useEffect(() => {
    void import("../mafia/page").then((page) => setPage(() => page.MafiaTable));
  }, []);
  return Page ? <Page {...props} /> : <main class="waiting" aria-busy="true" />;
}

export function Table({ model, state }: { model: TableModel; state: TableState }) {
  const t = texts();
  const [tab, setTab] = useState<Tab>("board");
  const game = gameName(t, model.rules.value);
  const near = model.geo.value.flipped ? 1 : 0;
  const mine = state.you === "second" && model.kind() === "stones" && !model.geo.value.flipped ? 1 : near;
  useKeys(model);
  useLinkedPly(model);
  const title = `${model.playable.value ? "● " : ""}${game} · ${t.appName}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main class={`table tab-${tab}${model.plan.active && model.plan.current.value > 0 ? " preview" : ""}`}>
      <header class="top">
        <Logo />
        <h1>{game}</h1>
        <span class="sm mut">{clockName(t, state.clock?.text)}</span>
        <span class="sp" />
        <Offline socket={model.socket} />
      </header>
      <SeatStrip model={model} state={state} side={mine === 1 ? 0 : 1} place="opp" />
      <div
        class="stage"
        onWheel={(e) => wheel(model, e)}
        onTouchStart={(e) => {
          swipeFrom = e.touches[0]?.clientX ?? 0;
        }}
        onTouchEnd={(e) => swipe(model, e)}
      >
        {model.curtained() ? (
          <Curtain model={model} who={t.side(model.family.value, model.actingSide())} />
        ) : model.layouts().length > 0 ? (
          <LayoutChooser model={model} layouts={model.layouts()} />
        ) : (
          <BoardStage model={model} t={t} game={game} />
        )}
      </div>
      <SeatStrip model={model} state={state} side={mine === 1 ? 1 : 0} place="me" />
      <section class="list" aria-label={t.movesTitle} tabIndex={-1}>
        <div class="scroll" tabIndex={0}>
          <Moves model={model} />
        </div>
        <Replay model={model} />
      </section>
      <div class={`ask ${model.family.value}`}>
        <CommittedStrip model={model} state={state} />
        <Dock model={model} state={state} />
      </div>
      <div class="sidebar">
        <aside class="left" aria-label={t.tabs.rules}>
          <RulesCard model={model} />
          <MatchCard model={model} state={state} />
        </aside>
        <section class="more" aria-label={t.tabs.more}>
          <Settings model={model} />
          <Extras model={model} state={state} />
        </section>
      </div>
      <nav class="tabs phone" aria-label={t.tabs.more}>
        {TABS.map((name) => (
          <button
            type="button"
            key={name}
            class={tab === name ? "on" : undefined}
            aria-pressed={tab === name}
            onClick={() => setTab(name)}
          >
            {t.tabs[name]}
          </button>
        ))}
      </nav>
      <Announcer model={model} />
    </main>
  );
}

function BoardStage({ model, t, game }: { model: TableModel; t: Dict; game: string }) {
  const planning = model.plan.active && model.plan.current.value > 0;
  return (
    <Board
      geo={model.geo.value}
      set={pieceSet()}
      scene={model.scene.value}
      label={t.boardLabel(game)}
      describe={(square) => describeSquare(t, model.family.value, model.scene.value, square)}
      coords={coords.value === "on"}
      onTap={(square, tap) => {
        model.socket.refused.value = null;
        if (model.rolling) model.hurry();
        else model.tap(square, tap.cell, tap.shift, tap.mouse);
      }}
      onEnter={(square) => {
        const step = model.pick.value.step;
        if (step === "back" || step === "token") model.confirm();
        else model.tap(square);
      }}
      canGrab={model.canGrab}
      onGrab={(square) => model.grab(square)}
      carried={model.carried}
      onDrop={(square) => model.drop(square)}
      onKey={(key) => model.key(key)}
    >
      {planning && (
        <span class="preview-label">
          {t.preview(t.side(model.family.value, model.actingSide() === 0 ? 1 : 0))}
        </span>
      )}
    </Board>
  );
}

/** A line without connection says so, and says that nothing is lost. */
function Offline({ socket }: { socket: TableSocket }) {
  const t = texts();
  const waiting = socket.pending.value.length;
  // The first moments of a visit are no outage.
  const state = socket.state.value;
  if (socket.online.value || (!state && !waiting)) return null;
  return (
    <span class="offline" role="status">
      {t.offline} {waiting > 0 && t.resend(waiting)}
    </span>
  );
}

/** Tells a screen reader each ply as it is played, those that play themselves included. */
function Announcer({ model }: { model: TableModel }) {
  const t = texts();
  const family = model.family.value;
  const last = model.log.value.length - 1;
  const entry = model.log.value[last];
  const side = (seat: SeatId | number) => t.side(family, colourOf(model.state.value, seat));
  const followed = (entry?.events ?? [])
    .filter((event) => event.kind === "ply")
    .slice(1)
    .map((event) => t.played(side(event.seat as SeatId), String(event.text)));
  return (
    <p class="hidden" aria-live="polite">
      {entry ? [t.played(side(entry.seat), entryName(model, last)), ...followed].join(". ") : ""}
    </p>
  );
}

/** Keys that work wherever the focus is. */
function useKeys(model: TableModel) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
        return;
      const onBoard = target.closest("[role=grid]");
      if (event.key === "[" || (event.key === "ArrowLeft" && !onBoard)) model.step(-1);
      else if (event.key === "]" || (event.key === "ArrowRight" && !onBoard)) model.step(1);
      else if (event.key === "Home" && !onBoard) model.go(-1);
      else if (event.key === "End" && !onBoard) model.go(null);
      else if (event.key === "Enter" && target.tagName !== "BUTTON" && target.tagName !== "A")
        model.confirm();
      else if (!model.key(event.key)) return;
      event.preventDefault();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [model]);
}

/** A link to a ply (`#12`) opens there. */
function useLinkedPly(model: TableModel) {
  useEffect(() => {
    const follow = () => {
      const wanted = Number(globalThis.location.hash.slice(1));
      if (Number.isInteger(wanted) && wanted > 0) model.go(wanted - 1);
    };
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [model]);
}

let swipeFrom = 0;

/** While the past is looked at, a swipe turns its pages. */
function swipe(model: TableModel, event: TouchEvent) {
  const by = (event.changedTouches[0]?.clientX ?? swipeFrom) - swipeFrom;
  if (model.live.value || Math.abs(by) < 40) return;
  event.preventDefault();
  model.step(by < 0 ? 1 : -1);
}

let turned = 0;

function wheel(model: TableModel, event: WheelEvent) {
  turned += event.deltaY;
  if (Math.abs(turned) < 60) return;
  model.step(Math.sign(turned));
  turned = 0;
}
