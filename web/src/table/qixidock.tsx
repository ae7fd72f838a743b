import type { Pick } from "../board/pick";
import * as picking from "../board/pick";
import { Picture } from "../board/pieces";
import { texts } from "../i18n";
import { seatName } from "../names";
import type { TableState } from "../net/protocol";
import { pieceSet } from "../settings";
import type { TableModel } from "./model";

/** A two-faced piece is taken up: both faces large, what turning costs and tells. */
export function FlipDock({ model, pick }: { model: TableModel; pick: Extract<Pick, { step: "from" }> }) {
  const t = texts();
  const desk = model.desk.value;
  const flip = picking.flips(desk, pick.from)[0]!;
  const piece = desk.pieces.get(pick.from);
  const face = flip.to ?? piece?.dark ?? "R";
  const set = pieceSet();
  return (
    <div class="row flip">
      <Picture
        family="xiangqi"
        set={set}
        piece={{ side: desk.side, members: piece?.members ?? "R" }}
        size={56}
      />
      <span aria-hidden="true">→</span>
      <Picture family="xiangqi" set={set} piece={{ side: desk.side, members: face }} size={56} />
      <p class="grow">
        <b>{t.flipTo(t.kind("xiangqi", face))}</b>
        <br />
        <span class="sm mut">{flip.cost === undefined ? "" : t.flipCost(flip.cost)}</span>
      </p>
      <button type="button" class="btn pri big" onClick={() => model.choose(flip)}>
        {t.flipDo}
      </button>
    </div>
  );
}

/** A demand waits for its answer. */
export function DemandBar({ model, state }: { model: TableModel; state: TableState }) {
  const t = texts();
  const pending = state.view.match!.pending!;
  const who = seatName(
    t,
    state.seats.find((s) => s.seat === pending.seat),
    false,
  );
  if (pending.seat === state.you || state.you === null)
    return (
      <p class="say">
        {t.demanded[pending.what](who)} {t.demandWaits}
      </p>
    );
  return (
    <>
      <p class="say">
        <b>{t.demanded[pending.what](who)}</b>
      </p>
      <div class="row">
        <button type="button" class="btn grow" onClick={() => model.send("accept")}>
          {t.accept}
        </button>
        <button type="button" class="btn pri grow" onClick={() => model.send("refuse")}>
          {t.refuse}
        </button>
      </div>
    </>
  );
}
