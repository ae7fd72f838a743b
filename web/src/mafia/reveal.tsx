import { useState } from "preact/hooks";
import { texts } from "../i18n";
import { type Landing, readOrder } from "./model";
import { RoleIcon, type Room } from "./page";

/** The whole game, open to all: every card, and each night in the order in which it was reckoned. */
export function Reveal({ room }: { room: Room }) {
  const { view, m, state } = room;
  const t = texts();
  const nights = view.nights ?? [];
  const [chosen, setChosen] = useState(nights.length);
  const night = nights.find((n) => n.n === chosen) ?? nights[nights.length - 1];
  const card = (n: number) => {
    const then = night?.seats[n - 1] ?? view.seats?.find((s) => s.seat === n);
    return (
      <span class={`mini-card ${then?.camp ?? "W"}`}>
        {then && <RoleIcon kind={then.role} size={16} />} {n}
      </span>
    );
  };
  return (
    <>
      <div class="cards" role="list" aria-label={m.roles}>
        {(view.seats ?? []).map((s) => (
          <span key={s.seat} role="listitem" class={`seat-card ${s.camp}${s.alive ? "" : " dead"}`}>
            <RoleIcon kind={s.role} size={20} />
            <b class="num">{s.seat}</b>
            <span class="hidden">{m.part(m.camp[s.camp]!, m.role[s.role]!)}</span>
          </span>
        ))}
      </div>
      <div class="choice nights" role="group" aria-label={m.tabs.now}>
        {nights.map((n) => (
          <button
            type="button"
            key={n.n}
            class={n === night ? "on" : undefined}
            aria-pressed={n === night}
            onClick={() => setChosen(n.n)}
          >
            {m.night(n.n)}
          </button>
        ))}
      </div>
      {night && (
        <>
          <h2>{m.reckoned(night.n)}</h2>
          <ol class="landings">
            {night.landings.map((landing, i) => (
              <li key={i}>
                {card(landing.seat)} {m.deed[readOrder(landing.order)?.deed ?? "pass"]?.toLowerCase()}{" "}
                {readOrder(landing.order)?.on ? card(readOrder(landing.order)!.on!) : null}
                <p class="sm mut">{explain(room, landing)}</p>
              </li>
            ))}
          </ol>
        </>
      )}
      <div class="row">
        {state.you !== null && !state.rematch && (
          <button type="button" class="btn pri grow" onClick={() => room.send("rematch")}>
            {t.rematch}
          </button>
        )}
        <a class="btn grow" href="/">
          {t.home}
        </a>
      </div>
    </>
  );
}

function explain({ m }: Room, landing: Landing): string {
  const aimed = readOrder(landing.order)?.on;
  const elsewhere = landing.landed !== null && landing.landed !== aimed ? `${m.landed(landing.landed)} ` : "";
  return elsewhere + (m.effect[landing.effect] ?? landing.effect);
}
