import type { Dict } from "../i18n";
import { texts } from "../i18n";
import { seatName } from "../names";
import type { TableState } from "../net/protocol";
import { sideOf, type TableModel } from "./model";

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
  const filled = slots.some((s) => s.ply);
  return (
    <>
      <p class="say" aria-live="polite">
        <b>{declaring ? t.declareNow(slots.length - 1) : t.owe(labels)}</b>{" "}
        <span class="mut desk">{current === 0 ? t.enterFirst : t.enterAny}</span>
      </p>
      <div class="slots num">
        {slots.map((slot, i) => (
          <button
            type="button"
            key={slot.label}
            class={`slot${slot.ply ? "" : " due"}${i === current ? " cur" : ""}`}
            aria-current={i === current ? "step" : undefined}
            onClick={() => plan.edit(i)}
          >
            <b>{declaring && i === 0 ? t.now : slot.label}</b> {slot.ply?.do ?? ""}
            <small class={slot.legal === false ? "bad" : undefined}>
              {!slot.ply
                ? t.slot.empty
                : slot.legal
                  ? t.slot.legal
                  : slot.legal === false
                    ? t.slot.notNow
                    : t.slot.asking}
            </small>
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
            aria-label={t.playsCandidate(who, mark.label, mark.text)}
            onClick={() => model.send(`pick ${mark.text}`)}
          >
            <b>{mark.label}</b>
            {mark.text}
          </button>
        ))}
      </div>
    </>
  );
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
      {view.failed && (
        <span class="chip void">
          <i>{view.failed.ply}</i>
          {view.failed.text}
        </span>
      )}
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
          {mark.text}
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
