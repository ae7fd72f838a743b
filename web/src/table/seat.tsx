import { useRef, useState } from "preact/hooks";
import { squareUnder } from "../board/board";
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
  const colour = colourOf(state, id);
  const sideName = t.side(family, colour);
  // Two at one device are told apart by their sides.
  const name = state.you === "both" ? sideName : seatName(t, seat, you);
  const rights = rightsLeft(state, colour);
  const points = state.view.match?.score[id];
  return (
    <section class={`seat ${place}`} aria-label={`${sideName}: ${name}`}>
      <Picture
        family={family}
        set={set}
        piece={badgeOf(family, colour)}
        size={30}
        flipped={model.geo.value.flipped}
      />
      <span class="who">
        {name}
        {you && seat?.name ? <small class="mut"> ({t.you})</small> : null}
        {seat?.kind === "human" && !seat.here && <small class="mut"> {t.away}</small>}
      </span>
      {points !== undefined && <b class="num score">{t.pointsOf(points)}</b>}
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
  const mine = model.actingSide() === side && model.playable.value;
  return (
    <span class="hand" role="group" aria-label={t.hand(t.side("shogi", side))}>
      {[...HAND_ORDER]
        .filter((kind) => hand.get(kind))
        .map((kind) => (
          <Held key={kind} model={model} kind={kind} count={hand.get(kind)!} set={set} mine={mine} />
        ))}
    </span>
  );
}

const DRAG_FROM = 6;

function Held({
  model,
  kind,
  count,
  set,
  mine,
}: {
  model: TableModel;
  kind: string;
  count: number;
  set: PieceSet;
  mine: boolean;
}) {
  const from = `${kind}*`;
  const pick = model.pick.value;
  const press = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  const carried = useRef<HTMLSpanElement>(null);
  const [dragging, setDragging] = useState(false);
  const picture = <Picture family="shogi" set={set} piece={{ side: 0, members: kind }} size={30} />;
  const follow = (event: PointerEvent) => {
    if (carried.current) carried.current.style.translate = `${event.clientX}px ${event.clientY}px`;
  };
  return (
    <button
      type="button"
      data-hand={kind}
      class={`held${mine && pick.step === "from" && pick.from === from ? " on" : ""}`}
      disabled={!mine || !model.canGrab(from)}
      aria-label={`${texts().kind("shogi", kind)} ×${count}`}
      onClick={() => {
        if (!press.current?.moved) model.tap(from);
        press.current = null;
      }}
      onPointerDown={(event) => {
        press.current = { x: event.clientX, y: event.clientY, moved: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const now = press.current;
        if (!now || event.buttons === 0) return;
        if (!now.moved && Math.hypot(event.clientX - now.x, event.clientY - now.y) >= DRAG_FROM) {
          now.moved = true;
          model.grab(from);
          setDragging(true);
        }
        follow(event);
      }}
      onPointerUp={(event) => {
        setDragging(false);
        if (press.current?.moved) model.drop(squareUnder(model.geo.value, event.clientX, event.clientY));
      }}
      onPointerCancel={() => setDragging(false)}
    >
      {picture}
      {count > 1 && <b class="num">{count}</b>}
      {dragging && (
        <span class="carried" ref={carried}>
          {picture}
        </span>
      )}
    </button>
  );
}
