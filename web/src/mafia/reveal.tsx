import { useState } from "preact/hooks";
import { texts } from "../i18n";
import { readRules } from "../rulestext";
import { type Landing, type MafiaView, type Night, readOrder } from "./model";
import { BallotTable, endingWords, RoleIcon, type Room } from "./page";
import { nameOf } from "./room";

type Phase = { key: string; at: number; night?: Night; day?: MafiaView["days"][number] };

/** Nights and counts in the order in which they came. */
function phases(view: MafiaView): Phase[] {
  const nightFirst = readRules(view.rules).options.start !== "day";
  const nights = (view.nights ?? []).map((night) => ({
    key: `n${night.n}`,
    at: night.n * 4 + (nightFirst ? 0 : 2),
    night,
  }));
  const days = view.days.map((day, i) => ({
    key: `d${day.day}-${i}`,
    at: day.day * 4 + (nightFirst ? 2 : 0) + (day.runoff ? 0 : 1),
    day,
  }));
  return [...nights, ...days].sort((a, b) => a.at - b.at);
}

/** The whole game, open to all: every card, each night in the order in which it was reckoned, each count. */
export function Reveal({ room }: { room: Room }) {
  const { view, m, state, send } = room;
  const t = texts();
  const all = phases(view);
  const [key, setKey] = useState<string | null>(null);
  const chosen = all.find((p) => p.key === key) ?? all[all.length - 1];
  const host = state.room?.host;
  return (
    <>
      <section class="who" aria-label={m.whoWasWho}>
        <h2 class="desk">{m.whoWasWho}</h2>
        <p class="phone sm">{endingWords(view, m)}</p>
        <div class="cards" role="list">
          {(view.seats ?? []).map((s) => (
            <span
              key={s.seat}
              role="listitem"
              class={`seat-card ${s.camp}${s.alive ? "" : " dead"}`}
              title={nameOf(m, state.seats[s.seat - 1], state.you === s.seat)}
            >
              <RoleIcon kind={s.role} size={20} />
              <b class="num">{s.seat}</b>
              <span class="hidden">
                {m.part(m.camp[s.camp]!, m.role[s.role]!)}
                {s.alive ? "" : `, ${m.dead}`}
              </span>
            </span>
          ))}
        </div>
      </section>
      <section class="reveal" aria-label={m.tabs.over} tabIndex={0}>
        <div class="choice nights" role="group" aria-label={m.tabs.over}>
          {all.map((p) => (
            <button
              type="button"
              key={p.key}
              class={`${p.night ? "n" : "d"}${p === chosen ? " on" : ""}`}
              aria-pressed={p === chosen}
              onClick={() => setKey(p.key)}
            >
              {p.night ? m.night(p.night.n) : m.day(p.day!.day)}
            </button>
          ))}
        </div>
        {chosen?.night && <NightCard room={room} night={chosen.night} />}
        {chosen?.day && <DayCard room={room} day={chosen.day} />}
        <div class="row wrap">
          {state.rematch ? (
            <a class="btn pri grow" href={`/t/${state.rematch}`}>
              {m.againGo}
            </a>
          ) : host?.you ? (
            <button type="button" class="btn pri grow" onClick={() => send("rematch")}>
              {m.again}
            </button>
          ) : (
            <p class="sm mut grow">{m.againWait}</p>
          )}
          <a class="btn grow" href="/">
            {t.home}
          </a>
        </div>
      </section>
    </>
  );
}

/** A seat as it was that night, on its card. */
function Card({ n, night }: { n: number; night: Night }) {
  const then = night.seats[n - 1];
  return (
    <span class={`mini-card ${then?.camp ?? "W"}`}>
      {then && <RoleIcon kind={then.role} size={15} />} {n}
    </span>
  );
}

/** The step of the reckoning that an order belongs to, as the rules number them. */
function stepOf(landing: Landing): number {
  const deed = readOrder(landing.order)?.deed ?? "pass";
  if (deed === "guard") return landing.effect === "jails" ? 1 : 2;
  return { jail: 1, kill: 3, hold: 3, trade: 3, curse: 4, save: 5 }[deed] ?? 6;
}

function NightCard({ room, night }: { room: Room; night: Night }) {
  const { m, view } = room;
  const acted = night.landings.filter((l) => readOrder(l.order)?.deed !== "pass");
  const steps = [...acted].sort((a, b) => stepOf(a) - stepOf(b));
  const kingOf = (camp: "W" | "B") => night.seats.findIndex((s) => s.camp === camp && s.role === "K") + 1;
  const before = view.nights?.find((n) => n.n === night.n - 1)?.resolved.tally ?? {};
  const scored = Object.entries(night.resolved.tally).filter(([seat, n]) => n > (before[seat] ?? 0));
  return (
    <>
      <h2>{m.reckoned(night.n)}</h2>
      <ol class="landings">
        {steps.map((landing, i) => {
          const order = readOrder(landing.order)!;
          return (
            <li key={i} data-step={stepOf(landing)}>
              <Card n={landing.seat} night={night} /> {m.does[order.deed]}{" "}
              {order.on !== null && <Card n={order.on} night={night} />}
              <p class="sm mut">{explain(room, night, landing)}</p>
            </li>
          );
        })}
        {night.resolved.dead.map((n) => {
          const { camp, role } = night.seats[n - 1]!;
          return (
            <li key={`dead ${n}`} data-step={6} class="death">
              <Card n={n} night={night} /> {m.dies(n)}
              <p class="sm mut">{m.told1(n, m.camp[camp]!, kingOf(camp), m.role[role]!)}</p>
            </li>
          );
        })}
        {scored.map(([seat, n]) => (
          <li key={`tally ${seat}`} data-step={6}>
            <Card n={Number(seat)} night={night} />
            <p class="sm mut">
              {m.itsTally(n)} {night.resolved.promotes.includes(Number(seat)) ? m.willPromote : ""}
            </p>
          </li>
        ))}
      </ol>
      {steps.length === 0 && <p class="mut">{m.onlyPass}</p>}
    </>
  );
}

/** What came of an order, and why: where it landed, who stood before whom. */
function explain({ m }: Room, night: Night, landing: Landing): string {
  const { deed, on } = readOrder(landing.order)!;
  const role = (n: number) => `${m.role[night.seats[n - 1]?.role ?? "P"]} ${n}`;
  const words: string[] = [];
  if (landing.effect === "jailed") return m.effect.jailed!;
  if (on !== null && landing.landed !== null && landing.landed !== on) {
    words.push(m.passes(m.passedOn[deed] ?? m.passedOn.kill!, role(landing.landed), role(on)));
    if (deed === "jail") words.push(m.freeStays(on));
  }
  if (deed === "guard" && landing.effect === "jails") words.push(m.guardJails(on!));
  // Where it landed says it all for a jail and a curse that a Pawn took.
  if (landing.effect !== "taken" && !(words.length && landing.effect === "jails"))
    words.push(m.effect[landing.effect] ?? landing.effect);
  if (landing.traded !== null) words.push(m.traded(landing.traded));
  const landed = landing.landed ?? on;
  if (deed === "curse" && landed !== null && night.resolved.cursed[landed])
    words.push(m.extraVotes(landed, night.resolved.cursed[landed]!));
  if (deed === "save" && on !== null && night.resolved.pardoned.includes(on)) words.push(m.pardons(on));
  return words.join(" ");
}

function DayCard({ room, day }: { room: Room; day: MafiaView["days"][number] }) {
  const { m, view } = room;
  const result = day.runoff
    ? m.tie.runoff!
    : day.executed === null
      ? m.nobody
      : m.executed(day.executed, day.died);
  const nights = (view.nights ?? []).filter((n) => n.resolved.pardoned.includes(day.executed ?? 0));
  const pardoned = nights.some((n) => n.n === day.day || n.n === day.day - 1);
  return (
    <>
      <h2>{m.dayCounted(day.day)}</h2>
      <BallotTable m={m} day={{ ...day, result }} />
      {day.executed !== null && !day.died && <p class="mut">{pardoned ? m.pardoned : m.kingSafe}</p>}
    </>
  );
}
