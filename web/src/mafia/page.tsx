import "./mafia.css";
import { useEffect, useRef, useState } from "preact/hooks";
import { chessIcon } from "../board/icons";
import { texts } from "../i18n";
import type { LogEntry, TableState } from "../net/protocol";
import type { TableSocket } from "../net/socket";
import { readRules } from "../rulestext";
import { card, lang } from "../settings";
import { play } from "../sound";
import { Logo } from "../ui/logo";
import { Countdown } from "./countdown";
import { byTarget, knownCamp, leaders, type MafiaView, missed, readOrder, viewOf } from "./model";
import { Reveal } from "./reveal";
import { duration, Lobby, nameOf, RoomPanel } from "./room";
import { News, SayBox, Thread } from "./talk";
import { type MafiaTexts, mafiaTexts } from "./texts";

/** What every part of the page draws from. */
export interface Room {
  state: TableState;
  view: MafiaView;
  log: readonly LogEntry[];
  m: MafiaTexts;
  over: boolean;
  send(action: string): void;
}

const TABS = {
  night: ["now", "talk", "ballots", "sheet", "room"],
  day: ["now", "seats", "ballots", "sheet", "room"],
  over: ["now", "talk", "ballots", "sheet", "room"],
} as const;

/** A table of chess mafia: the seats, one question, the thread, the ballots; in the end everything. */
export function MafiaTable({ socket, state }: { socket: TableSocket; state: TableState }) {
  const t = texts();
  const m = mafiaTexts[lang.value];
  const view = viewOf(state);
  const [tab, setTab] = useState("now");
  const send = (action: string) => {
    socket.refused.value = null;
    socket.send(action);
  };
  const over = Boolean(view?.result);
  const time = over ? "over" : (view?.phase ?? "lobby");
  const phase = view ? `${view.phase} ${view.day}` : "";
  // With each phase the page comes back to what is asked now.
  useEffect(() => setTab("now"), [phase, over]);
  const before = useRef(phase);
  useEffect(() => {
    if (before.current && phase !== before.current) play(view?.phase === "day" ? "dawn" : "dusk");
    before.current = phase;
  }, [phase]);
  const room: Room = { state, view, log: socket.log.value, m, over, send };
  const title = !view
    ? m.lobby
    : over
      ? outcome(room)
      : view.phase === "night"
        ? m.night(view.day)
        : m.day(view.day);
  useEffect(() => {
    document.title = `${title} · ${t.game.mafia![0]}`;
  }, [title]);
  if (!view)
    return (
      <main class="mafia lobby tab-now">
        <Bar socket={socket} state={state} title={title} note="" />
        <Lobby state={state} send={send} />
        <section class="talk" aria-label={m.thread}>
          <Thread room={room} />
          <Refused socket={socket} />
          <SayBox room={room} />
        </section>
      </main>
    );
  const tabs = TABS[time as keyof typeof TABS];
  const shown = (tabs as readonly string[]).includes(tab) ? tab : "now";
  return (
    <main class={`mafia ${time} tab-${shown}`}>
      <Bar socket={socket} state={state} title={title} note={note(room)} />
      {over ? (
        <Reveal room={room} />
      ) : (
        <>
          <section class="mine" aria-label={m.card}>
            <RoleCard room={room} />
          </section>
          <section class="places" aria-label={m.tabs[view.phase]}>
            {state.room?.paused != null && <p class="note amber">{m.pausedNote}</p>}
            <OpenSeat room={room} />
            <Question room={room} />
            <Seats room={room} />
            {view.phase === "day" ? <Leads room={room} /> : <News room={room} />}
          </section>
        </>
      )}
      <section class="talk" aria-label={m.thread}>
        <Thread room={room} />
      </section>
      <section class="act" aria-label={m.vote}>
        <Refused socket={socket} />
        {!over && <Dock room={room} />}
        <SayBox room={room} />
      </section>
      <section class="side" aria-label={m.tabs.sheet} tabIndex={0}>
        <Ballots room={room} />
        <Dead room={room} />
        <Sheet room={room} />
        <RoomPanel room={room} />
      </section>
      <nav class="tabs phone" aria-label={t.tabs.more}>
        {tabs.map((name) => (
          <button
            type="button"
            key={name}
            class={shown === name ? "on" : undefined}
            aria-pressed={shown === name}
            onClick={() => setTab(name)}
          >
            {name === "now" ? m.tabs[time as keyof typeof TABS] : m.tabs[name]}
          </button>
        ))}
      </nav>
    </main>
  );
}

function Bar({
  socket,
  state,
  title,
  note,
}: {
  socket: TableSocket;
  state: TableState;
  title: string;
  note: string;
}) {
  const t = texts();
  return (
    <header class="bar">
      <Logo />
      <h1>{title}</h1>
      <span class="sm mut">{note}</span>
      <span class="sp" />
      {!socket.online.value && (
        <span class="offline" role="status">
          {t.offline}
        </span>
      )}
      {!state.view?.result && <Countdown state={state} receivedAt={socket.receivedAt} />}
    </header>
  );
}

/** What stands beside the title: the votes cast, or how it ended. */
function note({ view, m, over }: Room): string {
  if (over) return endingWords(view, m);
  return view.phase === "day" ? m.voted(Object.keys(view.votes).length, view.living.length) : "";
}

function outcome({ view, m }: Room): string {
  const t = texts();
  const result = view.result!;
  if ("win" in result) return m.over(m.camp[result.win === "white" ? "W" : "B"]!);
  if ("draw" in result) return m.drawn;
  return t.result.void(t.reason[result.void] ?? result.void);
}

/** How it ended, in a sentence. */
export function endingWords(view: MafiaView, m: MafiaTexts): string {
  const result = view.result!;
  if ("void" in result) return "";
  const reason = "win" in result ? result.reason : result.draw;
  const loser = "win" in result ? m.camp[result.win === "white" ? "B" : "W"]! : "";
  return m.ending[reason]?.(loser, view.day) ?? "";
}

export function RoleIcon({ kind, size = 24 }: { kind: string; size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <path fill="currentColor" fill-rule="evenodd" d={chessIcon(kind)} />
    </svg>
  );
}

export function CampBadge({ camp, m }: { camp: "W" | "B"; m: MafiaTexts }) {
  return (
    <i class={`camp ${camp}`}>
      <span aria-hidden="true">{m.campSign[camp]}</span>
      <span class="hidden">{m.camp[camp]}</span>
    </i>
  );
}

/** What the server did not take, in words. */
function Refused({ socket }: { socket: TableSocket }) {
  const t = texts();
  const refused = socket.refused.value;
  return refused ? (
    <p class="note red" role="alert">
      {t.error[refused.error.code] ?? t.errorElse}
    </p>
  ) : null;
}

/** A seat that has become free may be taken by whoever has the link. */
function OpenSeat({ room: { state, m, send } }: { room: Room }) {
  const open = state.seats.some((s) => s.kind === "open");
  if (!open || state.you !== null || state.room?.listening != null) return null;
  return (
    <button type="button" class="btn pri big wide" onClick={() => send("join any")}>
      {m.join}
    </button>
  );
}

/** My card, face up or down; what only a King does lives behind it and asks once more. */
function RoleCard({ room }: { room: Room }) {
  const { view, m } = room;
  const me = view.me;
  if (!me) return <p class="card">{m.watching}</p>;
  if (card.value === "down")
    return (
      <div class="role down">
        <p class="grow">{m.hidden}</p>
        <button type="button" class="btn" onClick={() => (card.value = "up")}>
          {m.show}
        </button>
      </div>
    );
  return (
    <div class="role">
      <span class={`big ${me.camp}`}>
        <RoleIcon kind={me.role} size={36} />
      </span>
      <div class="grow">
        <p class="part">
          <b>{m.part(m.camp[me.camp]!, m.role[me.role]!)}</b> · {m.seatNo(me.seat)}
        </p>
        <p class="sm">{me.alive ? m.power[me.role] : m.deadYou}</p>
        {me.one_shot && <p class="sm strong">{m.oneShot}</p>}
        {me.promotes && <p class="sm strong">{m.promotes(m.role[me.promotes]!)}</p>}
        {me.castle === "ordered" && <p class="sm strong">{m.castleOrdered}</p>}
        {me.told.map((d) => (
          <p class="sm" key={d.seat}>
            {m.told(d.seat, m.role[d.role]!)}
          </p>
        ))}
        {me.castle === "available" && <Castle room={room} />}
      </div>
      <button type="button" class="btn" onClick={() => (card.value = "down")}>
        {m.hide}
      </button>
    </div>
  );
}

/** Castling cannot be withdrawn: it asks once more. */
function Castle({ room: { m, send } }: { room: Room }) {
  const [asking, setAsking] = useState(false);
  if (!asking)
    return (
      <button type="button" class="btn tiny" onClick={() => setAsking(true)}>
        {m.castle}…
      </button>
    );
  return (
    <div class="row wrap">
      <span class="sm strong">{m.castleAsk}</span>
      <button
        type="button"
        class="btn warn"
        onClick={() => {
          send("castle");
          setAsking(false);
        }}
      >
        {m.sure}
      </button>
      <button type="button" class="btn" onClick={() => setAsking(false)}>
        {m.cancel}
      </button>
    </div>
  );
}

const PROMOTE = { Q: "QUEEN", R: "ROOK", N: "KNIGHT", B: "BISHOP" };

/** The King is asked by day, where it cannot be overlooked, and once more before it is sent. */
function Promote({ room: { view, m, send } }: { room: Room }) {
  const [chosen, setChosen] = useState<keyof typeof PROMOTE | null>(null);
  if (!view.me?.due) return null;
  return (
    <div class="note night promote">
      <b>{m.promoteAsk}</b>
      <div class="row wrap">
        {(Object.keys(PROMOTE) as (keyof typeof PROMOTE)[]).map((role) => (
          <button
            type="button"
            class={`btn${chosen === role ? " on" : ""}`}
            aria-pressed={chosen === role}
            key={role}
            onClick={() => setChosen(role)}
          >
            <RoleIcon kind={role} size={18} />
            {m.role[role]}
          </button>
        ))}
        {chosen && (
          <button
            type="button"
            class="btn warn"
            onClick={() => {
              send(`promote ${PROMOTE[chosen]}`);
              setChosen(null);
            }}
          >
            {m.sure}
          </button>
        )}
      </div>
    </div>
  );
}

/** The deeds that are aimed at a seat. */
const aimed = (view: MafiaView) =>
  (view.me?.powers ?? []).filter((p) => ["kill", "jail", "save", "trade", "curse", "guard"].includes(p));

/** A Knight has two deeds: the one that a tap on a seat sends is chosen first. */
let knightDeed = "trade";

function deedNow(view: MafiaView): string | undefined {
  const deeds = aimed(view);
  return deeds.length > 1 && deeds.includes(knightDeed) ? knightDeed : deeds[0];
}

function Question({ room }: { room: Room }) {
  const { view, m } = room;
  const [, redraw] = useState(0);
  const deeds = aimed(view);
  const deed = deedNow(view);
  if (view.phase === "day")
    return view.tied && <p class="question strong">{m.runoff(view.tied.join(", "))}</p>;
  if (!view.me?.alive || card.value === "down") return null;
  return (
    <div class="row wrap question">
      <h2 class="grow">{deed ? m.ask[deed] : m.nothingAsked}</h2>
      {deeds.length > 1 && (
        <div class="choice" role="group" aria-label={m.tabs.night}>
          {deeds.map((name) => (
            <button
              type="button"
              key={name}
              class={name === deed ? "on" : undefined}
              aria-pressed={name === deed}
              onClick={() => {
                knightDeed = name;
                redraw((n) => n + 1);
              }}
            >
              {m.deed[name]}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** Sixteen seats, always where they were. */
function Seats({ room }: { room: Room }) {
  const { view, m, state, send } = room;
  const me = view.me;
  const order = readOrder(me?.order ?? null);
  const votes = byTarget(view.votes);
  const first = leaders(view.votes);
  const deed = deedNow(view);
  const day = view.phase === "day";
  const paused = state.room?.paused != null;
  // A card that lies face down is betrayed by nothing else on the page.
  const covered = !day && card.value === "down";
  const voting = day && me?.powers.includes("vote");
  // What may be named is the server's word: nobody who is dead, not a Bishop itself, in a second vote only the tied.
  const legal = new Set(
    state.hints.filter((h) => h.tag === (voting ? "vote" : deed)).map((h) => Number(h.path[0])),
  );
  const touch = (n: number) => {
    if (voting) send(me!.vote === n ? "unvote" : `vote ${n}`);
    else if (deed && !(order?.deed === deed && order.on === n)) send(`${deed} ${n}`);
  };
  return (
    <div class="seats">
      {Array.from({ length: 16 }, (_, i) => i + 1).map((n) => {
        const alive = view.living.includes(n);
        const camp = knownCamp(view, n);
        const king = view.kings.W === n || view.kings.B === n;
        const seat = state.seats[n - 1];
        const name = nameOf(m, seat, me?.seat === n);
        const marked = day ? me?.vote === n : !covered && order?.on === n;
        const voters = votes.get(n) ?? [];
        const silent = alive ? missed(view, n) : 0;
        const away = seat?.kind === "human" && !seat.here;
        const words = [
          `${n}: ${name}`,
          king ? m.king : "",
          camp ? m.camp[camp] : "",
          alive ? "" : m.dead,
          me?.seat === n ? m.you : "",
          away ? m.away : "",
          seat?.muted ? m.mutedMark : "",
          silent ? m.missed(silent) : "",
          voters.length ? `${voters.length} ← ${voters.join(", ")}` : "",
        ].filter(Boolean);
        const classes = [
          "s",
          alive ? "" : "dead",
          marked ? "on" : "",
          day && first.includes(n) ? "lead" : "",
          me?.seat === n ? "you" : "",
        ];
        return (
          <button
            type="button"
            key={n}
            class={classes.filter(Boolean).join(" ")}
            disabled={!legal.has(n) || paused || covered}
            aria-pressed={Boolean(marked)}
            onClick={() => touch(n)}
          >
            <span class="hidden">{words.join(", ")}</span>
            <b class="num" aria-hidden="true">
              {n}
            </b>
            <span class="name" aria-hidden="true">
              {name}
            </span>
            <span class="marks" aria-hidden="true">
              {marked && !day && order && <DeedIcon deed={order.deed} />}
              {king && <RoleIcon kind="K" size={15} />}
              {camp && <CampBadge camp={camp} m={m} />}
            </span>
            <span class="voters num" aria-hidden="true">
              {voters.length ? `← ${voters.join(" ")}` : ""}
            </span>
            <span class="strokes" aria-hidden="true">
              {voters.length > 5 ? voters.length : "▮".repeat(voters.length)}
            </span>
            <span class="silent" aria-hidden="true">
              {away ? "○" : ""}
              {silent ? ` −${silent}` : ""}
              {seat?.muted ? " ×" : ""}
            </span>
          </button>
        );
      })}
    </div>
  );
}

/** A small sign of what was ordered against a seat. */
function DeedIcon({ deed }: { deed: string }) {
  const paths: Record<string, string> = {
    jail: "M5 3h14v2H5zM5 19h14v2H5zM7 5h2v14H7zM11 5h2v14h-2zM15 5h2v14h-2z",
    kill: "M5 5l14 14M19 5L5 19",
    save: "M12 4v16M4 12h16",
    guard: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z",
    trade: "M4 9h14l-4-4M20 15H6l4 4",
    curse: "M4 12c4-7 12-7 16 0-4 7-12 7-16 0zM12 12h.01",
  };
  return (
    <svg class="deed" viewBox="0 0 24 24" width="15" height="15" aria-hidden="true">
      <path
        d={paths[deed] ?? ""}
        fill={deed === "jail" ? "currentColor" : "none"}
        stroke="currentColor"
        stroke-width={deed === "jail" ? 0 : 2.6}
      />
    </svg>
  );
}

/** Who leads, and from whom. */
function Leads({ room: { view, m } }: { room: Room }) {
  const rows = [...byTarget(view.votes)].sort((a, b) => b[1].length - a[1].length);
  if (rows.length === 0) return <p class="leads mut">{m.noVotes}</p>;
  const [first, ...others] = leaders(view.votes);
  const sole = others.length === 0 ? first : undefined;
  const rest = rows.filter(([target]) => target !== sole);
  return (
    <p class="leads num" aria-live="polite">
      {sole !== undefined && (
        <b>
          {m.leadsFrom(
            sole,
            byTarget(view.votes).get(sole)!.length,
            byTarget(view.votes).get(sole)!.join(" "),
          )}
        </b>
      )}
      {sole !== undefined && rest.length > 0 && " · "}
      {rest
        .map(([target, voters]) => m.has(target === "none" ? m.none : String(target), voters.length))
        .join(" · ")}
    </p>
  );
}

/** What stands as my answer, and the answers that name nobody. */
function Dock({ room }: { room: Room }) {
  const { view, m, state, send } = room;
  const me = view.me;
  if (!me?.alive) return null;
  const order = readOrder(me.order);
  const plain = me.powers.filter((p) => p === "hold" || p === "pass");
  const paused = state.room?.paused != null;
  if (view.phase === "day")
    return (
      <>
        {card.value === "up" && <Promote room={room} />}
        <div class="row ballot">
          <p class="grow" aria-live="polite">
            {me.vote === null ? (
              <span class="mut">{m.voteAsk}</span>
            ) : (
              <b>{m.yourVote(me.vote === "none" ? m.abstains : String(me.vote))}</b>
            )}
          </p>
          <button
            type="button"
            class={`btn${me.vote === "none" ? " on" : ""}`}
            aria-pressed={me.vote === "none"}
            disabled={paused}
            onClick={() => send(me.vote === "none" ? "unvote" : "vote none")}
          >
            {m.abstain}
          </button>
        </div>
      </>
    );
  if (card.value === "down") return <p class="sm mut">{m.covered}</p>;
  return (
    <>
      <p class="sm" aria-live="polite">
        <b>{order ? m.order(m.deed[order.deed]!, order.on) : m.noOrder}</b>{" "}
        <span class="mut">
          {order ? m.means[order.deed] : ""} {m.nobodySees}
        </span>
      </p>
      <div class="row">
        {plain.map((name) => (
          <button
            type="button"
            key={name}
            class={`btn grow${order?.deed === name ? " pri" : ""}`}
            aria-pressed={order?.deed === name}
            disabled={paused}
            onClick={() => order?.deed !== name && send(name)}
          >
            {m.deed[name]}
            {order?.deed === name ? " ✓" : ""}
          </button>
        ))}
      </div>
    </>
  );
}

/** Who voted for whom on every day before, the present one first. */
function Ballots({ room }: { room: Room }) {
  const { view, m, over } = room;
  const today =
    view.phase === "day" && !over ? [{ day: view.day, ballots: view.votes, extra: {}, result: "" }] : [];
  const before = view.days.map((d) => ({
    day: d.day,
    ballots: d.ballots,
    extra: d.extra,
    result: d.runoff ? m.tie.runoff! : d.executed === null ? m.nobody : m.executed(d.executed, d.died),
  }));
  return (
    <div class="card ballots">
      <h2>{m.ballots}</h2>
      {[...today, ...before.reverse()].map((day, i) => (
        <BallotTable key={`${day.day} ${i}`} m={m} day={day} />
      ))}
      {today.length + before.length === 0 && <p class="mut">{m.quiet}</p>}
    </div>
  );
}

export function BallotTable({
  m,
  day,
}: {
  m: MafiaTexts;
  day: { day: number; ballots: Record<string, number | null>; extra: Record<string, number>; result: string };
}) {
  const found = byTarget(day.ballots);
  const targets = new Set([...found.keys(), ...Object.keys(day.extra).map(Number)]);
  const rows = [...targets].map((target) => {
    const voters = found.get(target) ?? [];
    const more = target === "none" ? 0 : (day.extra[target] ?? 0);
    return { target, voters, more, sum: voters.length + more };
  });
  return (
    <table class="outcomes num">
      <caption>{[m.day(day.day), day.result].filter(Boolean).join(" · ")}</caption>
      <tbody>
        {rows
          .sort((a, b) => b.sum - a.sum)
          .map((row) => (
            <tr key={row.target}>
              <td>{row.target === "none" ? m.abstains : row.target}</td>
              <td>
                ← {row.voters.join(" ")}
                {row.more ? ` + ${m.curseExtra(row.more)}` : ""}
              </td>
              <td>{row.sum}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

/** The dead in order, with what all know of them. */
function Dead({ room: { view, m } }: { room: Room }) {
  if (view.deaths.length === 0) return null;
  return (
    <div class="card dead-list ballots">
      <h2>{m.theDead}</h2>
      <ul>
        {view.deaths.map((d) => (
          <li key={d.seat}>
            {d.seat} <CampBadge camp={d.camp} m={m} /> {d.phase && d.n ? m.fell[d.phase]!(d.n) : ""}
          </li>
        ))}
      </ul>
      <p class="sm mut">{m.campOnly}</p>
    </div>
  );
}

/** The rule sheet of this table. */
function Sheet({ room }: { room: Room }) {
  const { view, m } = room;
  const t = texts();
  const options = readRules(view.rules).options;
  const seconds = (key: string, usual: number) => duration(m, Number(options[key] ?? usual));
  return (
    <div class="card sheet">
      <h2>{m.sheet}</h2>
      <p>{m.tie[options.tie ?? "none"]}</p>
      <p>{m.lengths(seconds("night", 60), seconds("day", 180))}</p>
      <p>{m.begins[options.start ?? "night"]}</p>
      <p>{m.limit(Number(options.max_days ?? 30))}</p>
      <p>
        <a href="/rules/mafia" target="_blank" rel="noreferrer">
          {t.rulesOf(t.game.mafia![0])}
        </a>
      </p>
    </div>
  );
}
