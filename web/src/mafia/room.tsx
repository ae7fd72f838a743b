import { useState } from "preact/hooks";
import { texts } from "../i18n";
import type { SeatState, TableState } from "../net/protocol";
import { lang } from "../settings";
import { LanguageChoice, ThemeChoice } from "../ui/choices";
import { missed } from "./model";
import type { Room } from "./page";
import { type MafiaTexts, mafiaTexts } from "./texts";

/** The levels that bots are offered at: one of each kind. */
export const BOT_LEVELS = { quiet: 3, sharp: 7 } as const;

/** A length of time in the largest whole unit. */
export function duration(m: MafiaTexts, seconds: number): string {
  if (seconds % 86_400 === 0) return m.daysLong(seconds / 86_400);
  if (seconds % 3600 === 0) return m.hours(seconds / 3600);
  return seconds % 60 === 0 && seconds >= 120 ? m.minutes(seconds / 60) : m.seconds(seconds);
}

/** Who sits there, in few letters: sixteen of them stand side by side. */
export function nameOf(m: MafiaTexts, seat: SeatState | undefined, you: boolean): string {
  if (!seat || seat.kind === "open") return m.open;
  if (seat.kind === "bot") return m.bot;
  return seat.name || (you ? texts().you : texts().guest);
}

function CopyLink({ table }: { table: string }) {
  const [copied, setCopied] = useState(false);
  const link = `${globalThis.location.origin}/t/${table}`;
  return (
    <div class="row">
      <code class="grow">{link}</code>
      <button
        type="button"
        class="btn"
        onClick={() => void navigator.clipboard?.writeText(link).then(() => setCopied(true))}
      >
        {copied ? mafiaTexts[lang.value].copied : texts().copyLink}
      </button>
    </div>
  );
}

/** Two kinds of bots, as a choice. */
function BotKind({ m, kind, change }: { m: MafiaTexts; kind: string; change(kind: string): void }) {
  return (
    <select class="btn" aria-label={m.replace} value={kind} onChange={(e) => change(e.currentTarget.value)}>
      {Object.entries(m.botKind).map(([key, word]) => (
        <option key={key} value={key}>
          {word}
        </option>
      ))}
    </select>
  );
}

/** Before the cards are dealt: who is here, the link, and the host's way to begin. */
export function Lobby({ state, send }: { state: TableState; send(action: string): void }) {
  const m = mafiaTexts[lang.value];
  const [kind, setKind] = useState("sharp");
  const taken = state.seats.filter((s) => s.kind !== "open").length;
  const host = state.room!.host;
  return (
    <section class="places lobby" aria-label={m.lobby}>
      <p>
        <b aria-live="polite">{m.lobbyTaken(taken)}</b> {m.lobbyDeal}
      </p>
      <div class="seats">
        {state.seats.map((seat, i) => (
          <div
            key={seat.seat}
            class={`s${seat.kind === "open" ? " open" : ""}${state.you === i + 1 ? " you" : ""}`}
          >
            <b class="num">{i + 1}</b>
            <span class="name">{nameOf(m, seat, state.you === i + 1)}</span>
            {host.seat === i + 1 && <span class="marks sm">{m.host}</span>}
          </div>
        ))}
      </div>
      {state.you === null && (
        <button type="button" class="btn pri big wide" onClick={() => send("join any")}>
          {m.join}
        </button>
      )}
      <p class="mut">{host.you ? m.lobbyHost : m.lobbyGuest}</p>
      <CopyLink table={state.table} />
      {host.you && taken < 16 && (
        <div class="row wrap">
          <BotKind m={m} kind={kind} change={setKind} />
          <button
            type="button"
            class="btn pri grow"
            onClick={() => send(`fill ${BOT_LEVELS[kind as keyof typeof BOT_LEVELS]}`)}
          >
            {m.fill}
          </button>
        </div>
      )}
    </section>
  );
}

/** The house: who is here, and what its host can do. */
export function RoomPanel({ room }: { room: Room }) {
  const { state, m, send } = room;
  const t = texts();
  const house = state.room;
  const seat = house?.host.seat;
  const who = seat ? `${seat} · ${nameOf(m, state.seats[seat - 1], false)}` : house?.host.name || t.guest;
  return (
    <div class="card room">
      <h2>{m.tabs.room}</h2>
      {house && <p>{house.host.you ? m.hostYou : m.hostIs(who)}</p>}
      {house && !house.host.you && <TakeOver room={room} />}
      {house?.host.you && !room.over && <HostTools room={room} />}
      {house && state.you === null && !house.host.you && !room.over && <Listen room={room} />}
      {state.seats.some((s) => s.kind === "open") && !room.over && <CopyLink table={state.table} />}
      {house?.asking.map((ask) => (
        <p class="row wrap" key={ask.n}>
          <span class="grow">{m.asks(ask.name || t.guest)}</span>
          <button type="button" class="btn" onClick={() => send(`admit ${ask.n}`)}>
            {m.admit}
          </button>
        </p>
      ))}
      <LanguageChoice />
      <ThemeChoice />
    </div>
  );
}

/** Whoever sits may become host once the host has been away for long. */
function TakeOver({ room: { state, m, send } }: { room: Room }) {
  const lapses = state.room!.host.lapses;
  if (lapses === null || state.you === null) return null;
  return (
    <p class="row wrap">
      <span class="grow">{m.hostAway}</span>
      <button type="button" class="btn" onClick={() => send("take-over")}>
        {m.takeOver}
      </button>
    </p>
  );
}

function Listen({ room: { state, m, send } }: { room: Room }) {
  const asked = state.room!.listening;
  if (asked !== null) return <p>{asked ? m.listening : m.listenAsked}</p>;
  return (
    <>
      <p class="sm mut">{m.listenNote}</p>
      <button type="button" class="btn" onClick={() => send("listen")}>
        {m.listen}
      </button>
    </>
  );
}

const LONGER = [60, 600, 86_400];

function HostTools({ room }: { room: Room }) {
  const { state, m, send, view } = room;
  const [n, setN] = useState(1);
  const [kind, setKind] = useState("sharp");
  const [asking, setAsking] = useState<[string, string] | null>(null);
  const level = BOT_LEVELS[kind as keyof typeof BOT_LEVELS];
  const seat = state.seats[n - 1]!;
  const human = seat.kind === "human";
  const mine = state.you === n;
  const deeds: [string, string, boolean][] = [
    [m.replace, `replace ${n} ${level}`, seat.kind !== "bot"],
    [m.free, `free ${n}`, seat.kind !== "open"],
    [m.remove, `remove ${n}`, human && !mine],
    [m.hand, `hand ${n}`, human && !mine],
  ];
  const open = state.seats.some((s) => s.kind === "open");
  const words = (i: number) => {
    const away = state.seats[i]!.kind === "human" && !state.seats[i]!.here;
    const silent = view.living.includes(i + 1) ? missed(view, i + 1) : 0;
    const marks = [away ? m.away : "", silent ? m.missed(silent) : ""].filter(Boolean).join(", ");
    return `${i + 1} · ${nameOf(m, state.seats[i], state.you === i + 1)}${marks ? ` (${marks})` : ""}`;
  };
  return (
    <div class="tools">
      <div class="row wrap">
        <button
          type="button"
          class="btn"
          onClick={() => send(state.room!.paused === null ? "pause" : "resume")}
        >
          {state.room!.paused === null ? m.pause : m.resume}
        </button>
        <span class="choice" role="group" aria-label={m.extendLabel}>
          {LONGER.map((seconds) => (
            <button
              type="button"
              key={seconds}
              aria-label={`${m.extendLabel}: ${duration(m, seconds)}`}
              onClick={() => send(`extend ${seconds}`)}
            >
              {m.extend(duration(m, seconds))}
            </button>
          ))}
        </span>
      </div>
      <div class="row wrap">
        <select
          class="btn grow"
          aria-label={m.forSeat}
          value={n}
          onChange={(e) => {
            setN(Number(e.currentTarget.value));
            setAsking(null);
          }}
        >
          {state.seats.map((s, i) => (
            <option key={s.seat} value={i + 1}>
              {words(i)}
            </option>
          ))}
        </select>
        <BotKind m={m} kind={kind} change={setKind} />
      </div>
      {asking ? (
        <div class="row wrap" role="alert">
          <b class="grow">{m.reallySeat(asking[0], n)}</b>
          <button
            type="button"
            class="btn warn"
            onClick={() => {
              send(asking[1]);
              setAsking(null);
            }}
          >
            {m.sure}
          </button>
          <button type="button" class="btn" onClick={() => setAsking(null)}>
            {m.cancel}
          </button>
        </div>
      ) : (
        <div class="row wrap">
          {deeds
            .filter(([, , can]) => can)
            .map(([word, order]) => (
              <button type="button" class="btn" key={word} onClick={() => setAsking([word, order])}>
                {word}
              </button>
            ))}
          {human && !mine && (
            <button type="button" class="btn" onClick={() => send(`${seat.muted ? "unmute" : "mute"} ${n}`)}>
              {seat.muted ? m.unmute : m.mute}
            </button>
          )}
          {open && (
            <button type="button" class="btn" onClick={() => send(`fill ${level}`)}>
              {m.fill}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
