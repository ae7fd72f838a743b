import { useEffect, useRef } from "preact/hooks";
import { type Dict, texts } from "../i18n";
import { seatName } from "../names";
import type { BoardView, TableState } from "../net/protocol";
import { lang } from "../settings";
import { colourOf, sideOf, type TableModel } from "./model";
import { nameOf } from "./notate";
import type { Slot } from "./plan";

const sideName = (t: Dict, model: TableModel, seat: "first" | "second") =>
  t.side(model.family.value, sideOf(seat));

/** The slots of a submission or declaration, and the one button that sends it. */
export function PlanDock({ model, state }: { model: TableModel; state: TableState }) {
  const t = texts();
  const plan = model.plan;
  const slots = plan.slots.value;
  const current = plan.current.value;
  const declaring = state.view.owes?.kind === "declare";
  const labels = slots.map((s) => s.label);
  const names = new Map(plan.committed().map((mark) => [mark.label, mark.name]));
  const filled = slots.some((s) => s.ply);
  const label = (slot: Slot, i: number) => (declaring && i === 0 ? t.now : slot.label);
  const name = (slot: Slot, i: number) =>
    slot.ply ? ((i === 0 ? plan.firstName() : names.get(slot.label)) ?? slot.ply.do) : "";
  const status = (slot: Slot) =>
    !slot.ply
      ? t.slot.empty
      : slot.legal
        ? t.slot.legal
        : slot.legal === false
          ? t.slot.notNow
          : t.slot.asking;
  const bad = slots.findIndex((slot) => slot.ply && slot.legal === false);
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    row.current?.children[current]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  return (
    <>
      <p class="say" aria-live="polite">
        <b>{declaring ? t.declareNow(slots.length - 1) : t.owe(labels)}</b>{" "}
        {bad >= 0 ? (
          <span class="warned">{`${label(slots[bad]!, bad)}: ${t.slot.notNow}`}</span>
        ) : (
          <span class="mut desk">{current === 0 ? t.enterFirst : t.enterAny}</span>
        )}
      </p>
      <div class={`slots num${slots.length > 3 ? " many" : ""}`} ref={row}>
        {slots.map((slot, i) => (
          <button
            type="button"
            key={slot.label}
            class={`slot${slot.ply ? "" : " due"}${i === current ? " cur" : ""}${slot.legal === false ? " bad" : ""}`}
            aria-current={i === current ? "step" : undefined}
            aria-label={`${label(slot, i)}: ${name(slot, i)} ${status(slot)}`}
            onClick={() => plan.edit(i)}
          >
            <b>{label(slot, i)}</b> {name(slot, i)}
            <small>{status(slot)}</small>
          </button>
        ))}
      </div>
      <div class="row">
        <button
          type="button"
          class="btn"
          aria-label={t.undoSlot}
          disabled={!filled}
          onClick={() => plan.undo()}
        >
          ↶
        </button>
        <button type="button" class="btn pri grow" disabled={!plan.complete} onClick={() => plan.send()}>
          {declaring ? t.sendDeclaration : t.send(labels)}
        </button>
      </div>
    </>
  );
}

/** Choosing among the candidates that are legal now, maybe for the other side. */
export function PoolPick({ model, state }: { model: TableModel; state: TableState }) {
  const t = texts();
  const owes = state.view.owes!;
  const owner = owes.for ?? owes.seat;
  const who = sideName(t, model, owner);
  const candidates = model.plan.committed().filter((m) => seatOf(m.side) === owner);
  return (
    <>
      <p class="say">
        <b>{owner === state.you || owner === owes.seat ? t.youChoose : t.youChooseFor(who)}</b>
      </p>
      <div class="pick">
        {candidates.map((mark) => (
          <button
            type="button"
            key={mark.label}
            class={`m${mark.off ? " no" : ""}`}
            disabled={!mark.lit}
            aria-label={t.playsCandidate(who, mark.label, mark.name)}
            onClick={() => model.send(`pick ${mark.text}`)}
          >
            <b>{mark.label}</b>
            {mark.name}
          </button>
        ))}
      </div>
    </>
  );
}

/** Which committed ply could not be played, and what can be seen of why. */
function failure(model: TableModel, failed: NonNullable<BoardView["failed"]>): string {
  const t = texts();
  const family = model.family.value;
  const ply = model.plan.read(failed.text);
  const pieces = model.diagram.value.pieces;
  const side = colourOf(model.state.value, failed.seat);
  const [from, to] = [ply.path[0] ?? "", ply.path.at(-1) ?? ""];
  const stone = ply.path.length < 2 || from.endsWith("*");
  const why =
    !stone && pieces.get(from)?.side !== side
      ? t.why.gone(from)
      : stone && pieces.has(to)
        ? t.why.taken(to)
        : !stone && pieces.get(to)?.side === side
          ? t.why.own(to)
          : t.why.illegal;
  const name = nameOf(family, pieces, ply, failed.text, lang.value, model.kind() === "stacks");
  return t.failed(failed.ply, name, why);
}

const seatOf = (side: 0 | 1) => (side === 0 ? "first" : "second");

/** Everything committed, by ply number or letter; pointing at one shows it alone. */
export function CommittedStrip({ model, state }: { model: TableModel; state: TableState }) {
  const t = texts();
  const view = state.view;
  if (!view.queues && !view.pools) return null;
  // What is being planned stands in its slots.
  const marks = model.plan.committed().filter((mark) => !mark.planned);
  const owes = view.owes;
  const owing = owes && !model.plan.active ? state.seats.find((s) => s.seat === owes.seat) : undefined;
  const numbers: string[] = [];
  if (owes?.from !== undefined && owes.to !== undefined)
    for (let n = owes.from; n <= owes.to; n += 2) numbers.push(String(n));
  return (
    <div class="strip num" role="group" aria-label={t.committedTitle}>
      {model.plan.failure && <p class="why">{failure(model, model.plan.failure)}</p>}
      {marks.map((mark) => (
        <button
          type="button"
          key={mark.label + mark.side}
          class={`chip s${mark.side}${model.plan.alone.value === mark.label ? " now" : ""}${mark.off ? " off" : ""}`}
          onPointerEnter={(e) => e.pointerType === "mouse" && model.plan.point(mark.label)}
          onPointerLeave={(e) => e.pointerType === "mouse" && model.plan.point(null)}
          onClick={() => model.plan.point(model.plan.alone.value === mark.label ? null : mark.label)}
        >
          <i>{mark.label}</i>
          {mark.name}
        </button>
      ))}
      {owing && numbers.length > 0 && (
        <span class="chip open">
          {t.theyOwe(state.you === owes?.seat ? t.you : seatName(t, owing, false), numbers)}
        </span>
      )}
    </div>
  );
}
