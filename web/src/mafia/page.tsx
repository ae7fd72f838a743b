import "./mafia.css";
import { useEffect, useState } from "preact/hooks";
import { chessIcon } from "../board/icons";
import { texts } from "../i18n";
import { seatName } from "../names";
import type { TableState } from "../net/protocol";
import type { TableSocket } from "../net/socket";
import { readRules } from "../rulestext";
import { lang } from "../settings";
import { Countdown } from "../table/clock";
import { LanguageChoice, ThemeChoice } from "../ui/choices";
import { Logo } from "../ui/logo";
import { byTarget, knownCamp, leaders, type MafiaView, readOrder, viewOf } from "./model";
import { Reveal } from "./reveal";
import { ClaimMaker, Thread } from "./talk";
import { type MafiaTexts, mafiaTexts } from "./texts";

const TABS = ["now", "talk", "ballots", "sheet"] as const;
type Tab = (typeof TABS)[number];

export interface Room {
  state: TableState;
  view: MafiaView;
  m: MafiaTexts;
  send(action: string): void;
}

/** A table of chess mafia: the seats, one question, the thread, the ballots; in the end everything. */
export function MafiaTable({ socket, state }: { socket: TableSocket; state: TableState }) {
  const t = texts();
  const m = mafiaTexts[lang.value];
  const view = viewOf(state);
  const [tab, setTab] = useState<Tab>("now");
  const room: Room = { state, view, m, send: (action) => void socket.send(action) };
  const title = view.phase === "night" ? m.night(view.day) : m.day(view.day);
  const over = view.result !== null;
  const open = state.seats.filter((s) => s.kind === "open").length;
  useEffect(() => {
    document.title = `${title} · ${t.game.mafia![0]}`;
  }, [title]);
  return (
    <main class={`mafia ${view.phase} tab-${tab}`}>
      <header class="bar">
        <Logo />
        <h1>{over ? outcome(room) : title}</h1>
        <span class="sp" />
        {!socket.online.value && (
          <span class="offline" role="status">
            {t.offline}
          </span>
        )}
        {!over && <Countdown state={state} receivedAt={socket.receivedAt} />}
      </header>
      <section class="now" aria-label={m.tabs.now}>
        {over ? (
          <Reveal room={room} />
        ) : (
          <>
            <RoleCard room={room} />
            {open > 0 && <Waiting room={room} open={open} />}
            <Question room={room} />
            <Seats room={room} />
          </>
        )}
      </section>
      {!over && <Dock room={room} socket={socket} />}
      <section class="talk" aria-label={m.thread}>
        <Thread room={room} />
        {view.me?.powers.includes("say") && <ClaimMaker room={room} />}
      </section>
      <section class="ballots" aria-label={m.ballots}>
        <Ballots room={room} />
      </section>
      <section class="sheet" aria-label={m.sheet}>
        <Sheet room={room} />
      </section>
      <nav class="tabs phone" aria-label={t.tabs.more}>
        {TABS.map((name) => (
          <button
            type="button"
            key={name}
            class={tab === name ? "on" : undefined}
            aria-pressed={tab === name}
            onClick={() => setTab(name)}
          >
            {m.tabs[name]}
          </button>
        ))}
      </nav>
    </main>
  );
}

function outcome({ view, m }: Room): string {
  const t = texts();
  const result = view.result!;
  if ("win" in result) return m.over(m.camp[result.win === "white" ? "W" : "B"]!);
  if ("draw" in result) return t.result.draw(t.reason[result.draw] ?? result.draw);
  return t.result.void(t.reason[result.void] ?? result.void);
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

function Waiting({ room, open }: { room: Room; open: number }) {
  const t = texts();
  const { state, m } = room;
  if (state.you === null)
    return (
      <button type="button" class="btn pri big wide" onClick={() => room.send("join any")}>
        {m.join}
      </button>
    );
  const link = `${globalThis.location.origin}/t/${state.table}`;
  return (
    <div class="row">
      <p class="grow">{m.openSeats(open)}</p>
      <button type="button" class="btn pri" onClick={() => void navigator.clipboard?.writeText(link)}>
        {t.copyLink}
      </button>
    </div>
  );
}

/** My card, face up or down; what only a King does lives behind it and asks once more. */
function RoleCard({ room }: { room: Room }) {
  const { view, m } = room;
  const [hidden, setHidden] = useState(false);
  const [asking, setAsking] = useState(false);
  const me = view.me;
  if (!me) return <p class="card">{m.watching}</p>;
  if (hidden)
    return (
      <div class="role down">
        <p class="grow">{m.hidden}</p>
        <button type="button" class="btn" onClick={() => setHidden(false)}>
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
        {me.due > 0 && (
          <div class="row wrap">
            <span class="sm strong">{m.promoteAsk}</span>
            {(["Q", "R", "N", "B"] as const).map((role) => (
              <button
                type="button"
                class="btn"
                key={role}
                onClick={() => room.send(`promote ${PROMOTE[role]}`)}
              >
                {m.role[role]}
              </button>
            ))}
          </div>
        )}
        {me.castle === "available" &&
          (asking ? (
            <div class="row wrap">
              <span class="sm strong">{m.castleAsk}</span>
              <button
                type="button"
                class="btn warn"
                onClick={() => {
                  room.send("castle");
                  setAsking(false);
                }}
              >
                {m.sure}
              </button>
              <button type="button" class="btn" onClick={() => setAsking(false)}>
                {m.cancel}
              </button>
            </div>
          ) : (
            <button type="button" class="btn tiny" onClick={() => setAsking(true)}>
              {m.castle}…
            </button>
          ))}
      </div>
      <button type="button" class="btn" onClick={() => setHidden(true)}>
        {m.hide}
      </button>
    </div>
  );
}

const PROMOTE = { Q: "QUEEN", R: "ROOK", N: "KNIGHT", B: "BISHOP" };

/** The deeds that are aimed at a seat. */
const aimed = (view: MafiaView) =>
  (view.me?.powers ?? []).filter((p) => ["kill", "jail", "save", "trade", "curse", "guard"].includes(p));

/** A Knight has two deeds: the one that a tap on a seat sends is chosen first. */
let knightDeed = "trade";

function deedNow(view: MafiaView): string | undefined {
  const deeds = aimed(view);
  const standing = readOrder(view.me?.order ?? null)?.deed;
  if (deeds.length > 1) return deeds.includes(knightDeed) ? knightDeed : deeds[0];
  return deeds[0] ?? (standing && deeds.includes(standing) ? standing : undefined);
}

function Question({ room }: { room: Room }) {
  const { view, m } = room;
  const [, redraw] = useState(0);
  const deeds = aimed(view);
  const deed = deedNow(view);
  if (view.phase === "day")
    return (
      <p class="question">
        {view.tied && <b>{m.runoff(view.tied.join(", "))} </b>}
        <span class="mut">
          {view.me?.powers.includes("vote") ? m.voteAsk : ""}{" "}
          {m.voted(Object.keys(view.votes).length, view.living.length)}
        </span>
      </p>
    );
  if (!view.me?.alive) return null;
  return (
    <div class="row wrap question">
      <h2 class="grow">{deed ? m.ask[deed] : m.nothingAsked}</h2>
      {deeds.length > 1 && (
        <div class="choice" role="group" aria-label={m.tabs.now}>
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
  const { view, m, state } = room;
  const t = texts();
  const me = view.me;
  const order = readOrder(me?.order ?? null);
  const votes = byTarget(view.votes);
  const first = leaders(view.votes);
  const deed = deedNow(view);
  const voting = view.phase === "day" && me?.powers.includes("vote");
  const touch = (n: number) => {
    if (voting) room.send(me!.vote === n ? "unvote" : `vote ${n}`);
    else if (deed && !(order?.deed === deed && order.on === n)) room.send(`${deed} ${n}`);
  };
  return (
    <div class="seats">
      {Array.from({ length: 16 }, (_, i) => i + 1).map((n) => {
        const alive = view.living.includes(n);
        const camp = knownCamp(view, n);
        const king = view.kings.W === n || view.kings.B === n;
        const seat = state.seats[n - 1];
        const name = seatName(t, seat, me?.seat === n);
        const marked = view.phase === "night" ? order?.on === n : me?.vote === n;
        const count = votes.get(n)?.length ?? 0;
        const words = [
          `${n}: ${name}`,
          king ? m.king : "",
          camp ? m.camp[camp] : "",
          alive ? "" : m.dead,
          me?.seat === n ? m.you : "",
          count ? `${count} ← ${votes.get(n)!.join(", ")}` : "",
        ].filter(Boolean);
        return (
          <button
            type="button"
            key={n}
            class={`s${alive ? "" : " dead"}${marked ? " on" : ""}${first.includes(n) && view.phase === "day" ? " lead" : ""}${me?.seat === n ? " you" : ""}`}
            disabled={!alive || !(voting || deed)}
            aria-pressed={marked}
            aria-label={words.join(", ")}
            onClick={() => touch(n)}
          >
            <b class="num">{n}</b>
            <span class="name">{name}</span>
            <span class="marks">
              {king && <RoleIcon kind="K" size={16} />}
              {camp && <CampBadge camp={camp} m={m} />}
            </span>
            {count > 0 && <span class="strokes">{"▮".repeat(count)}</span>}
            {seat?.kind === "human" && !seat.here && <span class="away">○</span>}
          </button>
        );
      })}
    </div>
  );
}

/** What stands as my answer, and the answers that name nobody. */
function Dock({ room, socket }: { room: Room; socket: TableSocket }) {
  const { view, m } = room;
  const t = texts();
  const me = view.me;
  const refused = socket.refused.value;
  if (!me?.alive) return <div class="act" />;
  const order = readOrder(me.order);
  const plain = me.powers.filter((p) => p === "hold" || p === "pass");
  return (
    <div class="act">
      {refused && (
        <p class="note red" role="alert">
          {t.error[refused.error.code] ?? t.errorElse}
        </p>
      )}
      {view.phase === "night" ? (
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
                onClick={() => order?.deed !== name && room.send(name)}
              >
                {m.deed[name]}
                {order?.deed === name ? " ✓" : ""}
              </button>
            ))}
          </div>
        </>
      ) : (
        <div class="row">
          <p class="grow" aria-live="polite">
            <b>{me.vote === null ? "" : m.yourVote(me.vote === "none" ? m.abstains : String(me.vote))}</b>
          </p>
          <button
            type="button"
            class={`btn${me.vote === "none" ? " on" : ""}`}
            aria-pressed={me.vote === "none"}
            onClick={() => room.send(me.vote === "none" ? "unvote" : "vote none")}
          >
            {m.abstain}
          </button>
        </div>
      )}
    </div>
  );
}

/** Who votes for whom, today and on every day before. */
function Ballots({ room }: { room: Room }) {
  const { view, m } = room;
  const rows = (ballots: Record<string, number | null>, extra: Record<string, number> = {}) => {
    const targets = new Set([...byTarget(ballots).keys(), ...Object.keys(extra).map(Number)]);
    return [...targets].map((target) => {
      const voters = byTarget(ballots).get(target) ?? [];
      const more = target === "none" ? 0 : (extra[target] ?? 0);
      return { target, voters, more, sum: voters.length + more };
    });
  };
  const today =
    view.phase === "day" && !view.result
      ? [{ day: view.day, ballots: view.votes, extra: {}, result: "" }]
      : [];
  const before = view.days.map((d) => ({
    day: d.day,
    ballots: d.ballots,
    extra: d.extra,
    result: d.executed === null ? m.nobody : m.executed(d.executed, d.died),
  }));
  return (
    <div class="card">
      <h2>{m.ballots}</h2>
      {[...today, ...before.reverse()].map((day, i) => (
        <table key={`${day.day} ${i}`} class="outcomes num">
          <caption>
            {m.day(day.day)} {day.result}
          </caption>
          <tbody>
            {rows(day.ballots, day.extra)
              .sort((a, b) => b.sum - a.sum)
              .map((row) => (
                <tr key={row.target}>
                  <td>{row.target === "none" ? m.abstains : row.target}</td>
                  <td>
                    ← {row.voters.join(" ")}
                    {row.more ? ` +${row.more}` : ""}
                  </td>
                  <td>{row.sum}</td>
                </tr>
              ))}
          </tbody>
        </table>
      ))}
      {today.length + before.length === 0 && <p class="mut">{m.quiet}</p>}
    </div>
  );
}

/** The rule sheet of this table. */
function Sheet({ room }: { room: Room }) {
  const { view, m } = room;
  const t = texts();
  const options = readRules(view.rules).options;
  return (
    <div class="card">
      <h2>{m.sheet}</h2>
      <p>{m.tie[options.tie ?? "none"]}</p>
      <p>{m.lengths(options.night ?? "60", options.day ?? "180")}</p>
      <p>
        <code>{view.rules}</code>
      </p>
      <p>
        <a href="/rules/mafia" target="_blank" rel="noreferrer">
          {t.rulesOf(t.game.mafia![0])}
        </a>
      </p>
      <LanguageChoice />
      <ThemeChoice />
    </div>
  );
}
