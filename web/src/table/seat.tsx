import type { Family } from "../board/geometry";
import { Picture, type PieceSet } from "../board/pieces";
import type { Occupant, Side } from "../board/placement";
import { texts } from "../i18n";
import { seatName } from "../names";
import type { TableState } from "../net/protocol";
import { pieceSet } from "../settings";
import { Clock } from "./clock";
import { colourOf, seatOf, type TableModel } from "./model";

/** The piece that stands for a side. */
export function badgeOf(family: Family, side: Side): Occupant {
  return { side, members: family === "go" || family === "gomoku" ? "S" : "K" };
}

/** A player's strip: whose side, who, what is in hand, the time left. */
export function SeatStrip({
  model,
  state,
  side,
  place,
}: {
  model: TableModel;
  state: TableState;
  side: Side;
  place: "opp" | "me";
}) {
  const t = texts();
  const id = seatOf(side);
  const seat = state.seats.find((s) => s.seat === id);
  const you = state.you === id;
  const family = model.family.value;
  const set = pieceSet();
  const name = seatName(t, seat, you);
  const colour = colourOf(state, id);
  const sideName = t.side(family, colour);
  const rights = rightsLeft(state, colour);
  const points = state.view.match?.score[id];
  return (
    <section class={`seat ${place}`} aria-label={`${sideName}: ${name}`}>
      <Picture family={family} set={set} piece={badgeOf(family, colour)} size={30} />
      <span class="who">
        {name}
        {you && seat?.name ? <small class="mut"> ({t.you})</small> : null}
        {seat?.kind === "human" && !seat.here && <small class="mut"> {t.away}</small>}
      </span>
      {points !== undefined && <b class="num score">{points}</b>}
      {rights !== null && (
        <span class="rights" role="img" aria-label={t.rights(rights)}>
          {"●".repeat(rights)}
        </span>
      )}
      {family === "shogi" && <Hand model={model} side={side} set={set} />}
      {state.clock && (
        <Clock
          state={state}
          seat={id}
          who={name}
          receivedAt={model.socket.receivedAt}
          mine={you}
          online={model.socket.online.value}
        />
      )}
    </section>
  );
}

/** Qixi: rights that are left, where the view tells what is spent. */
function rightsLeft(state: TableState, colour: Side): number | null {
  return state.view.rights?.[colour === 0 ? "red" : "black"].left ?? null;
}

const HAND_ORDER = "RBGSNLP";

/** Shogi: pieces in hand, to be tapped or dragged onto the board. */
function Hand({ model, side, set }: { model: TableModel; side: Side; set: PieceSet }) {
  const t = texts();
  const hand = model.diagram.value.hands[side];
  const pick = model.pick.value;
  const mine = model.actingSide() === side && model.playable.value;
  return (
    <span class="hand" role="group" aria-label={t.hand(t.side("shogi", side))}>
      {[...HAND_ORDER]
        .filter((kind) => hand.get(kind))
        .map((kind) => {
          const from = `${kind}*`;
          const count = hand.get(kind)!;
          return (
            <button
              type="button"
              key={kind}
              data-hand={kind}
              class={`held${mine && pick.step === "from" && pick.from === from ? " on" : ""}`}
              disabled={!mine || !model.canGrab(from)}
              aria-label={`${t.kind("shogi", kind)} ×${count}`}
              onClick={() => model.tap(from)}
            >
              <Picture family="shogi" set={set} piece={{ side: 0, members: kind }} size={30} />
              {count > 1 && <b class="num">{count}</b>}
            </button>
          );
        })}
    </span>
  );
}
