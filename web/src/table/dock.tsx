import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Pick } from "../board/pick";
import * as picking from "../board/pick";
import { Coin, Picture } from "../board/pieces";
import { texts } from "../i18n";
import { seatName } from "../names";
import type { Offer, Result, SeatId, TableState } from "../net/protocol";
import { go } from "../router";
import { askToken, pieceSet } from "../settings";
import { Countdown } from "./clock";
import { colourOf, sideOf, type TableModel } from "./model";
import { PlanDock, PoolPick } from "./plandock";
import { Asked, DemandBar, Demands, EyeDock, FlipDock, LayoutDock, QixiTools } from "./qixidock";
import { useReasons } from "./whynot";

/** The one place where anything is asked; its height never changes. */
export function Dock({ model, state }: { model: TableModel; state: TableState }) {
  return (
    <section class="dock" aria-label={texts().tabs.board}>
      <Notice model={model} />
      <DockBody model={model} state={state} />
    </section>
  );
}

/** What the server refused last, until the next touch. */
function Notice({ model }: { model: TableModel }) {
  const t = texts();
  const refused = model.socket.refused.value;
  if (!refused) return null;
  return (
    <p class="note red" role="alert">
      {t.error[refused.error.code] ?? t.errorElse}{" "}
      <button type="button" class="btn tiny" onClick={() => (model.socket.refused.value = null)}>
        {t.close}
      </button>
    </p>
  );
}

function DockBody({ model, state }: { model: TableModel; state: TableState }) {
  const t = texts();
  const pick = model.pick.value;
  if (!model.live.value) return <LookingBack model={model} />;
  if (state.view.result) return <Ended model={model} state={state} result={state.view.result} />;
  if (model.curtained()) return null;
  const open = state.seats.find((s) => s.kind === "open");
  if (open) return <Seating model={model} state={state} open={open.seat as SeatId} />;
  if (model.rolling)
    return (
      <button type="button" class="note jade wide" onClick={() => model.hurry()}>
        {t.rolling}
      </button>
    );
  const incoming = state.offers.find((o) => state.you !== o.by && state.you !== null && state.you !== "both");
  if (incoming) return <Incoming model={model} state={state} offer={incoming} />;
  const layouts = model.layouts();
  if (layouts.length) return <LayoutDock model={model} state={state} layouts={layouts} />;
  if (state.view.layout)
    return (
      <p class="say">
        {t.layoutWait} <Countdown state={state} receivedAt={model.socket.receivedAt} />
      </p>
    );
  if (state.view.match?.pending) return <DemandBar model={model} state={state} />;
  if (pick.step === "back") return <BackQuestion model={model} pick={pick} />;
  if (pick.step === "token") return <TokenQuestion model={model} />;
  if (pick.step === "promote") return <PromoteQuestion model={model} pick={pick} />;
  if (pick.step === "from" && pick.go.length > 1 && !pick.from.endsWith("*"))
    return <MembersQuestion model={model} pick={pick} />;
  if (pick.step === "from" && model.desk.value.pieces.get(pick.from)?.dark)
    return <FlipDock model={model} pick={pick} />;
  if (model.eye.value && state.view.possible) return <EyeDock model={model} state={state} />;
  if (model.plan.active) return <PlanDock model={model} state={state} />;
  if (state.view.owes?.kind === "pick" && model.playable.value)
    return <PoolPick model={model} state={state} />;
  return <AtRest model={model} state={state} />;
}

/** Nothing is being chosen: who is to move, and what can be done at any time. */
function AtRest({ model, state }: { model: TableModel; state: TableState }) {
  const t = texts();
  const mine = model.playable.value;
  const acting = state.view.to_act[0];
  const seat = state.seats.find((s) => s.seat === acting);
  const who = seat
    ? `${t.side(model.family.value, colourOf(state, seat.seat))}${state.you === "both" ? "" : ` (${seatName(t, seat, false)})`}`
    : "";
  const stones = model.kind() === "stones";
  // Who waits while the other side picks wants to know for whom.
  const owes = state.view.owes;
  const owner = owes?.kind === "pick" && owes.for !== owes.seat ? owes.for : undefined;
  const words: Record<string, string> = {
    pass: t.pass,
    declare: t.declareWin,
    propose: t.allAlive,
    agree: t.agreeDead,
    resume: t.resumePlay,
  };
  const specials = model.desk.value.hints.filter((h) => h.path.length === 0 && words[h.tag]);
  const counting = state.view.score;
  const marking = specials.some((h) => h.tag === "resume");
  const usesToken = model.desk.value.hints.some((h) => h.token) && askToken.value === "before";
  return (
    <>
      <Asked model={model} state={state} />
      <p class="say" aria-live="polite" hidden={model.asked.value !== null}>
        {mine ? (
          <>
            <b>{state.you === "both" ? t.turnOf(who) : t.full(t.yourTurn)}</b>{" "}
            <span class="mut">{marking ? t.markDead : stones ? t.yourTurnStone : t.yourTurnDo}</span>
          </>
        ) : (
          <span>
            {state.you === null ? `${t.watching} ` : ""}
            {owner ? t.theyChoose(who, t.side(model.family.value, colourOf(state, owner))) : t.theirTurn(who)}
          </span>
        )}
      </p>
      {counting && (
        <p class="num">{t.count(t.side("go", 0), counting.first, t.side("go", 1), counting.second)}</p>
      )}
      <GrindWarning model={model} />
      {usesToken && mine && (
        <label class="row token-switch">
          <input
            type="checkbox"
            checked={model.tokenSwitch.value}
            onChange={(e) => (model.tokenSwitch.value = e.currentTarget.checked)}
          />
          <CoinPicture /> {t.tokenOn}
        </label>
      )}
      {model.base.value.id === "qixi" && (
        <>
          <div class="row actions">
            <QixiTools model={model} state={state} />
          </div>
          <div class="row actions">
            <Demands model={model} />
          </div>
        </>
      )}
      <div class="row actions">
        {specials.map((hint) => (
          <button type="button" class="btn" key={hint.do} onClick={() => model.choose(hint)}>
            {words[hint.tag]}
          </button>
        ))}
        <TableActions model={model} state={state} />
      </div>
    </>
  );
}

const CoinPicture = () => (
  <svg viewBox="-12 -12 24 24" width="24" height="24" aria-hidden="true">
    <Coin r={11} />
  </svg>
);

/** Resign, draw, take back, abort: what a seat may do besides plies. */
function TableActions({ model, state }: { model: TableModel; state: TableState }) {
  const t = texts();
  const [sure, setSure] = useState(false);
  if (state.you === null) return null;
  const ply = state.view.ply ?? 0;
  const mine = (kind: Offer["kind"]) => state.offers.some((o) => o.kind === kind && o.by === state.you);
  // At one device an offer is an agreement: the other side sits in the same chair.
  const agree = (offer: string, accept: string, by: SeatId) => {
    model.socket.send(offer, by);
    model.socket.send(accept, by === "first" ? "second" : "first");
  };
  const played = model.log.value[model.log.value.length - 1]?.seat === "second" ? "second" : "first";
  if (sure)
    return (
      <>
        <span>{t.resignSure}</span>
        <button type="button" class="btn warn" onClick={() => model.send("resign")}>
          {t.yes}
        </button>
        <button type="button" class="btn" onClick={() => setSure(false)}>
          {t.no}
        </button>
      </>
    );
  return (
    <>
      {ply < 2 ? (
        <button type="button" class="btn" onClick={() => model.send("abort")}>
          {t.abort}
        </button>
      ) : (
        <button type="button" class="btn" onClick={() => setSure(true)}>
          {t.resign}
        </button>
      )}
      <button
        type="button"
        class="btn"
        disabled={mine("draw")}
        onClick={() =>
          state.you === "both" ? agree("draw offer", "draw accept", "first") : model.send("draw offer")
        }
      >
        {mine("draw") ? t.drawOffered : state.you === "both" ? t.agreeDraw : t.offerDraw}
      </button>
      <button
        type="button"
        class="btn"
        disabled={mine("undo") || model.log.value.length === 0}
        onClick={() =>
          state.you === "both" ? agree("undo ask", "undo accept", played) : model.send("undo ask")
        }
      >
        {mine("undo") ? t.undoAsked : t.askUndo}
      </button>
    </>
  );
}

/** Wangqi: a run that is about to lose is said in words. */
function GrindWarning({ model }: { model: TableModel }) {
  const t = texts();
  const runs = model.scene.value.ticks?.filter((run) => run.count >= run.of - 1) ?? [];
  const run = runs[0];
  if (!run) return null;
  const piece = model.diagram.value.pieces.get(run.at);
  const name = piece ? `${t.side("xiangqi", piece.side)} ${t.kind("xiangqi", piece.members)}` : run.at;
  return (
    <p class="note red">
      <b>{t.grind(name, run.count, run.of)}</b> {t.grindLast}
    </p>
  );
}

function Seating({ model, state, open }: { model: TableModel; state: TableState; open: SeatId }) {
  const t = texts();
  const [copied, setCopied] = useState(false);
  if (state.you === null)
    return (
      <button type="button" class="btn pri big wide" onClick={() => model.send(`join ${open}`)}>
        {t.sitDown}
      </button>
    );
  const link = `${globalThis.location.origin}/t/${state.table}`;
  return (
    <>
      <p class="say">{t.invite}</p>
      <div class="row">
        <input
          class="link"
          readOnly
          value={link}
          aria-label={t.copyLink}
          onFocus={(e) => e.currentTarget.select()}
        />
        <button
          type="button"
          class="btn pri"
          onClick={() => {
            void navigator.clipboard?.writeText(link);
            setCopied(true);
          }}
        >
          {copied ? t.copied : t.copyLink}
        </button>
      </div>
      <div class="row actions">
        <button type="button" class="btn" onClick={() => model.send("abort")}>
          {t.abort}
        </button>
      </div>
    </>
  );
}

function Incoming({ model, state, offer }: { model: TableModel; state: TableState; offer: Offer }) {
  const t = texts();
  const who = seatName(
    t,
    state.seats.find((s) => s.seat === offer.by),
    false,
  );
  const words = { draw: t.theyOfferDraw, undo: t.theyAskUndo, rematch: t.theyOfferRematch }[offer.kind];
  const accept = offer.kind === "rematch" ? "rematch" : `${offer.kind} accept`;
  return (
    <>
      <p class="say">
        <b>{words(who)}</b>
      </p>
      <div class="row">
        {offer.kind !== "rematch" && (
          <button type="button" class="btn grow" onClick={() => model.send(`${offer.kind} decline`)}>
            {t.decline}
          </button>
        )}
        <button type="button" class="btn pri grow" onClick={() => model.send(accept)}>
          {t.accept}
        </button>
      </div>
    </>
  );
}

/** The result in words. */
export function resultText(model: TableModel, result: Result): string {
  const t = texts();
  const reason = (r: string) => t.reason[r] ?? r;
  if ("win" in result)
    return t.result.win(t.side(model.family.value, sideOf(result.win as SeatId)), reason(result.reason));
  if ("draw" in result) return t.result.draw(reason(result.draw));
  return t.result.void(reason(result.void));
}

function Ended({ model, state, result }: { model: TableModel; state: TableState; result: Result }) {
  const t = texts();
  const mine =
    "win" in result && (state.you === "first" || state.you === "second") ? result.win === state.you : null;
  const offer = state.offers.find((o) => o.kind === "rematch");
  // Who asked for another game is taken to it.
  const next = state.rematch;
  const wanted = model.again.value;
  useEffect(() => {
    if (next && wanted) go(`/t/${next}`);
  }, [next, wanted]);
  return (
    <>
      <p class="say result" aria-live="assertive">
        <b>
          {mine === null ? "" : `${t.full(mine ? t.youWin : t.youLose)} `}
          {resultText(model, result)}
        </b>
      </p>
      {offer && (
        <p class="mut">
          {offer.by === state.you
            ? t.rematchOffered
            : t.theyOfferRematch(
                seatName(
                  t,
                  state.seats.find((s) => s.seat === offer.by),
                  false,
                ),
              )}
        </p>
      )}
      <div class="row actions">
        {state.rematch ? (
          <a class="btn pri grow" href={`/t/${state.rematch}`}>
            {t.toRematch}
          </a>
        ) : (
          state.you !== null && (
            <button
              type="button"
              class="btn pri grow"
              disabled={offer?.by === state.you}
              onClick={() => {
                model.again.value = true;
                model.send("rematch");
              }}
            >
              {t.rematch}
            </button>
          )
        )}
        <a class="btn grow" href="/">
          {t.home}
        </a>
      </div>
    </>
  );
}

function LookingBack({ model }: { model: TableModel }) {
  const t = texts();
  const at = model.at.value ?? 0;
  const entry = model.log.value[at];
  return (
    <>
      <p class="say">{entry ? t.lookingBack(entry.ply ?? at + 1) : t.lookingStart}</p>
      <button type="button" class="btn pri wide" onClick={() => model.go(null)}>
        {t.backToNow}
      </button>
    </>
  );
}

const OFFER_SIZE = 40;

function Member({
  on,
  label,
  onClick,
  off,
  children,
  index,
}: {
  on: boolean;
  label: string;
  onClick(): void;
  off?: boolean;
  children: ComponentChildren;
  index: number;
}) {
  return (
    <button
      type="button"
      class={`m${on ? " on" : ""}${off ? " no" : ""}`}
      aria-pressed={on}
      disabled={off}
      onClick={onClick}
    >
      {children}
      {label}
      <kbd class="desk">{index + 1}</kbd>
    </button>
  );
}

/** Which members of a stack go along. */
function MembersQuestion({ model, pick }: { model: TableModel; pick: Extract<Pick, { step: "from" }> }) {
  const t = texts();
  const desk = model.desk.value;
  const members = picking.membersAt(desk, pick.from);
  const family = model.family.value;
  const names = [...members].filter((_, i) => pick.go[i]).map((kind) => t.kind(family, kind));
  const targets = picking.targets(desk, pick);
  return (
    <>
      <div class="row say">
        <span class="hint" aria-live="polite">
          <b>{t.membersGo(t.list(names), names.length > 1)}</b> · {t.tapToChange}
        </span>
        <span class="sp" />
        <button
          type="button"
          class="btn tiny"
          disabled={pick.go.every(Boolean)}
          onClick={() => (model.pick.value = { ...pick, go: pick.go.map(() => true) })}
        >
          {t.all}
        </button>
      </div>
      <div class="pick">
        {[...members].map((kind, i) => (
          <Member
            key={i}
            index={i}
            on={pick.go[i]!}
            label={pick.go[i] ? t.goStay.go : t.goStay.stay}
            onClick={() => model.toggleMember(i)}
          >
            <Picture
              family={family}
              set={pieceSet()}
              piece={{ side: desk.side, members: kind }}
              size={OFFER_SIZE}
            />
          </Member>
        ))}
      </div>
      <p class="hint legend">
        ● {t.legend.dot}&nbsp; ◌ {t.legend.capture}&nbsp; ⊞ {t.legend.join}&nbsp; ⇄ {t.legend.exchange}
        <span class="hidden">{t.goes(t.list(names), targets.size)}</span>
      </p>
    </>
  );
}

/** Nobody comes back: a combination; somebody: an exchange. */
function BackQuestion({ model, pick }: { model: TableModel; pick: Extract<Pick, { step: "back" }> }) {
  const t = texts();
  const desk = model.desk.value;
  const family = model.family.value;
  const set = pieceSet();
  const members = picking.membersAt(desk, pick.to);
  const result = picking.preview(desk, pick);
  const hint = picking.backChoice(desk, pick);
  const plain = picking.choices(desk, pick).find((h) => !h.back);
  const exchanging = pick.back.some(Boolean);
  const off = [...members].map((_, i) => !picking.backPossible(desk, pick, i));
  const reasons = useReasons(
    model,
    off.flatMap((dimmed, i) => {
      const back = [...members].filter((_, k) => (k === i ? !pick.back[k] : pick.back[k])).join("");
      const go = picking.going(desk, pick);
      return dimmed && !pick.back[i] ? [`${pick.from}${pick.to}:${go}${back ? `/${back}` : ""}`] : [];
    }),
  );
  const shown = (square: string) => {
    const piece = result.get(square);
    return piece ? <Picture family={family} set={set} piece={piece} size={44} /> : <span class="hole" />;
  };
  return (
    <div class="back">
      <div class="back-top">
        <div>
          <p class="sm mut">
            <b>{t.whoComesBack}</b> {t.tapToSwitch}
          </p>
          <div class="pick small">
            {[...members].map((kind, i) => {
              return (
                <Member
                  key={i}
                  index={i}
                  on={pick.back[i]!}
                  off={off[i]!}
                  label={off[i] && !pick.back[i] ? t.notLegal : pick.back[i] ? t.comesBack : t.stays}
                  onClick={() => model.toggleBack(i)}
                >
                  <Picture family={family} set={set} piece={{ side: desk.side, members: kind }} size={34} />
                </Member>
              );
            })}
          </div>
        </div>
        <div class="then">
          <p class="sm mut">{t.thenHold}</p>
          <div class="row">
            {shown(pick.from)}
            <span class="mut" aria-hidden="true">
              {exchanging ? "⇄" : "→"}
            </span>
            {shown(pick.to)}
          </div>
        </div>
      </div>
      <div class="row">
        {plain && exchanging && (
          <button type="button" class="btn" onClick={() => model.choose(plain)}>
            {t.combine}
          </button>
        )}
        <button
          type="button"
          class="btn pri grow"
          disabled={!hint}
          onClick={() => hint && model.choose(hint)}
        >
          {exchanging ? t.exchange : t.combine}
        </button>
      </div>
      {reasons.length > 0 && <p class="sm mut reasons">{[...new Set(reasons)].join(" ")}</p>}
    </div>
  );
}

function TokenQuestion({ model }: { model: TableModel }) {
  const t = texts();
  return (
    <>
      <p class="say">{t.tokenQuestion}</p>
      <div class="two">
        <button type="button" class="btn big" onClick={() => model.confirm()}>
          {t.justMove} ✓
        </button>
        <button type="button" class="btn pri big" onClick={() => model.tap("coin")}>
          <CoinPicture /> {t.moveTakeToken}
        </button>
      </div>
      <p class="sm mut">{t.tokenMeans}</p>
    </>
  );
}

function PromoteQuestion({ model, pick }: { model: TableModel; pick: Extract<Pick, { step: "promote" }> }) {
  const t = texts();
  const desk = model.desk.value;
  const family = model.family.value;
  const kind = picking.membersAt(desk, pick.from);
  return (
    <>
      <p class="say">
        <b>{t.promoteQuestion}</b>
      </p>
      <div class="pick">
        {picking.choices(desk, pick).map((hint) => {
          const up = hint.promote === "+";
          const members = hint.promote && !up ? hint.promote.toUpperCase() : kind;
          return (
            <button type="button" class="m" key={hint.do} onClick={() => model.choose(hint)}>
              <Picture
                family={family}
                set={pieceSet()}
                piece={{ side: family === "shogi" ? 0 : desk.side, members, promoted: up }}
                size={OFFER_SIZE}
              />
              {family === "shogi" ? (up ? t.promote : t.stayAs) : t.kind(family, members)}
            </button>
          );
        })}
      </div>
    </>
  );
}
