import type { Pick } from "../board/pick";
import * as picking from "../board/pick";
import { DarkFace, Picture, Piece } from "../board/pieces";
import type { Occupant } from "../board/placement";
import { type Dict, texts } from "../i18n";
import { seatName } from "../names";
import type { TableState } from "../net/protocol";
import { cover, pieceSet } from "../settings";
import { Countdown } from "./clock";
import { colourOf, type TableModel } from "./model";
import { useReasons } from "./whynot";

/** A two-faced piece is taken up: both faces large, what turning costs and tells, or why it may not turn now. */
export function FlipDock({ model, pick }: { model: TableModel; pick: Extract<Pick, { step: "from" }> }) {
  const t = texts();
  const desk = model.desk.value;
  const flip = picking.flips(desk, pick.from)[0];
  const piece = desk.pieces.get(pick.from)!;
  const face = flip?.to ?? piece.dark!;
  const [reason] = useReasons(model, flip ? [] : [`${pick.from}=${face}`]);
  const set = pieceSet();
  // On a shared screen nobody looks over the shoulder.
  if (model.masks)
    return (
      <div class="row flip">
        <p class="grow">{t.covered}</p>
        <PeekButton model={model} />
      </div>
    );
  return (
    <div class="row flip">
      <Picture family="xiangqi" set={set} piece={{ side: desk.side, members: piece.members }} size={50} />
      <span aria-hidden="true">→</span>
      <Picture family="xiangqi" set={set} piece={{ side: desk.side, members: face }} size={50} />
      <p class="grow" aria-live="polite">
        <b>{t.flipTo(t.kind("xiangqi", face))}</b>
        <br />
        <span class="sm mut">{flip ? (flip.cost === undefined ? "" : t.flipCost(flip.cost)) : reason}</span>
      </p>
      <button type="button" class="btn pri big" disabled={!flip} onClick={() => flip && model.choose(flip)}>
        {t.flipDo}
      </button>
    </div>
  );
}

/** Covered faces show for as long as this is held. */
function PeekButton({ model }: { model: TableModel }) {
  const open = () => (model.peek.value = true);
  const close = () => (model.peek.value = false);
  return (
    <button
      type="button"
      class={`btn peek${model.peek.value ? " on" : ""}`}
      onPointerDown={(e) => {
        e.currentTarget.setPointerCapture(e.pointerId);
        open();
      }}
      onPointerUp={close}
      onPointerCancel={close}
      onContextMenu={(e) => e.preventDefault()}
      onKeyDown={(e) => (e.key === " " || e.key === "Enter") && open()}
      onKeyUp={close}
      onBlur={close}
    >
      {texts().holdToLook}
    </button>
  );
}

/** What qixi offers besides plies: a look at what the enemy may hide, and a cover for one's own. */
export function QixiTools({ model, state }: { model: TableModel; state: TableState }) {
  const t = texts();
  const covering = cover.value === "on";
  return (
    <>
      {state.view.possible && (
        <button type="button" class="btn" onClick={() => (model.eye.value = true)}>
          ◉ {t.showPossible}
        </button>
      )}
      {state.you !== null && covering && <PeekButton model={model} />}
      {state.you !== null && (
        <button
          type="button"
          class="btn"
          aria-pressed={covering}
          onClick={() => (cover.value = covering ? "off" : "on")}
        >
          {covering ? t.showOwn : t.coverOwn}
        </button>
      )}
    </>
  );
}

/** What one piece may hide, and why no more. */
function inference(t: Dict, at: string, piece: Occupant, possible: readonly string[] | undefined): string {
  const kind = (letter: string) => t.kind("xiangqi", letter);
  if (piece.dark && piece.dark !== "?") return t.hidesTold(at, kind(piece.dark));
  if (!possible?.length) return "";
  if (possible.length > 1) return t.hidesOpen(at, possible.map(kind));
  // Two physical pieces of each pair: what it cannot be is because both of that pair are elsewhere.
  const other = [..."RNC"].find((letter) => letter !== piece.members && letter !== possible[0])!;
  return t.hidesSure(at, kind(possible[0]!), kind(piece.members), kind(other));
}

/** The answer to a touch on a two-faced piece. */
export function Asked({ model, state }: { model: TableModel; state: TableState }) {
  const at = model.asked.value;
  const piece = at ? model.diagram.value.pieces.get(at) : undefined;
  if (!at || !piece) return null;
  const seated = state.you === "first" || state.you === "second" ? colourOf(state, state.you) : null;
  if (piece.side === seated && model.masks) return null;
  return (
    <p class="note night" aria-live="polite">
      {inference(texts(), at, piece, state.view.possible?.[at])}
    </p>
  );
}

/** All that the enemy may hide, in words, and the two-faced pieces that are gone. */
export function EyeDock({ model, state }: { model: TableModel; state: TableState }) {
  const t = texts();
  const set = pieceSet();
  const pieces = model.diagram.value.pieces;
  const possible = state.view.possible ?? {};
  const taken = model.captured();
  const words = Object.entries(possible)
    .sort(([, a], [, b]) => a.length - b.length)
    .map(([at, kinds]) => {
      const piece = pieces.get(at);
      return piece ? inference(t, at, piece, kinds) : "";
    });
  return (
    <>
      <div class="row say">
        <b class="grow">{t.showPossible}</b>
        <button type="button" class="btn tiny on" onClick={() => (model.eye.value = false)}>
          ◉ {t.hidePossible}
        </button>
      </div>
      <ul class="sm inferences">
        {words.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {taken.length > 0 && (
        <p class="row wrap taken" role="group" aria-label={t.takenTitle}>
          <span class="sm mut">{t.takenTitle}</span>
          {taken.map((piece, i) => (
            <span key={i} role="img" aria-label={takenWords(t, piece)}>
              <Picture family="xiangqi" set={set} piece={piece} size={34} />
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function takenWords(t: Dict, piece: Occupant): string {
  const dark =
    piece.dark && piece.dark !== "?" ? t.square.dark(t.kind("xiangqi", piece.dark)) : t.square.unknown;
  return `${t.side("xiangqi", piece.side)} ${t.kind("xiangqi", piece.members)}, ${dark}`;
}

/** Points by how a game ended, demander (or winner) : other, in the order of the rules' table. */
export function pointTable(options: Readonly<Record<string, string>>): [number, number][] {
  const rows = (options.points ?? "20-11-21-11-30-12-03").split("-");
  return rows.map((row) => [Number(row[0]), Number(row[1])]);
}

/** A demand waits for its answer: each outcome in the points of the one who answers. */
export function DemandBar({ model, state }: { model: TableModel; state: TableState }) {
  const t = texts();
  const pending = state.view.match!.pending!;
  const who = seatName(
    t,
    state.seats.find((s) => s.seat === pending.seat),
    false,
  );
  const answers = model.desk.value.hints.some((h) => h.tag === "accept");
  if (!answers)
    return (
      <p class="say">
        {t.demanded[pending.what](who)} {t.demandWaits}
      </p>
    );
  const points = pointTable(model.base.value.options);
  const accepted = points[pending.what === "surrender" ? 2 : 3]!;
  const rows: [string, [number, number]][] = [
    [t.ifAccept, accepted],
    [t.ifRefuseWin, points[6]!],
    [t.ifRefuseDraw, points[5]!],
    [t.ifRefuseLose, points[4]!],
  ];
  return (
    <>
      <p class="say">
        <b>{t.demanded[pending.what](who)}</b> <span class="mut">{t.pointsYouThey(who)}</span>
      </p>
      <dl class="stakes num">
        {rows.map(([label, [theirs, mine]]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {mine} : {theirs}
            </dd>
          </div>
        ))}
      </dl>
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

/** What may be demanded now. */
export function Demands({ model }: { model: TableModel }) {
  const t = texts();
  return (
    <>
      {model.desk.value.hints
        .filter((h) => h.tag === "demand")
        .map((hint) => (
          <button type="button" class="btn" key={hint.do} onClick={() => model.send(hint.do)}>
            {hint.what === "draw" ? t.demandDraw : t.demandSurrender}
          </button>
        ))}
    </>
  );
}

/** Standing and points of a match, always in view beside the board. */
export function MatchCard({ model, state }: { model: TableModel; state: TableState }) {
  const t = texts();
  const match = state.view.match;
  if (!match) return null;
  return (
    <div class="card">
      <h2>{t.matchScore(match.game, match.games)}</h2>
      <p class="num standing">
        {(["first", "second"] as const).map((seat) => (
          <span key={seat}>
            {seatName(
              t,
              state.seats.find((s) => s.seat === seat),
              state.you === seat,
            )}{" "}
            <b>{match.score[seat]}</b>
          </span>
        ))}
      </p>
      <table class="outcomes num">
        <caption>{t.points}</caption>
        <tbody>
          {pointTable(model.base.value.options).map(([a, b], i) => (
            <tr key={t.pointRows[i]}>
              <td>{t.pointRows[i]}</td>
              <td>
                {a} : {b}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Where the six two-faced pieces stand, in a strip of two rows: rooks and horses behind, cannons before. */
const PLACES: [string, number, number, number][] = [
  ["C", 2, 64, 20],
  ["C", 2, 108, 20],
  ["R", 0, 22, 58],
  ["N", 1, 65, 58],
  ["N", 1, 108, 58],
  ["R", 0, 151, 58],
];

/** A layout: here the dark face is what is chosen, so it is the large one. */
function LayoutPicture({ text }: { text: string }) {
  const set = pieceSet();
  const groups = text.split("/");
  const seen = [0, 0, 0];
  return (
    <svg viewBox="0 0 172 78" aria-hidden="true">
      {PLACES.map(([up, group, x, y], i) => {
        const dark = groups[group]?.[seen[group]!++] ?? "R";
        return (
          <g key={i}>
            <g transform={`translate(${x + 3} ${y}) scale(2.05)`}>
              <g transform="translate(-11.2 -11.2)">
                <DarkFace kind={dark} side={0} set={set} />
              </g>
            </g>
            <g transform={`translate(${x - 13} ${y - 10}) scale(.5)`}>
              <Piece family="xiangqi" set={set} piece={{ side: 0, members: up }} />
            </g>
          </g>
        );
      })}
    </svg>
  );
}

/** The layouts to choose from, in place of the board. */
export function LayoutChooser({ model, layouts }: { model: TableModel; layouts: readonly string[] }) {
  const t = texts();
  const chosen = model.layout.value;
  return (
    <div class="layouts" role="radiogroup" aria-label={t.layoutTitle}>
      {layouts.map((text, i) => (
        <button
          type="button"
          key={text}
          role="radio"
          aria-checked={chosen === i}
          aria-label={`${i + 1}: ${layoutWords(t, text)}`}
          class={chosen === i ? "on" : undefined}
          onClick={() => model.chooseLayout(i)}
        >
          <small class="num">{i + 1}</small>
          <LayoutPicture text={text.replace(/^layout /, "")} />
        </button>
      ))}
    </div>
  );
}

function layoutWords(t: Dict, text: string): string {
  const [rooks = "", horses = "", cannons = ""] = text.replace(/^layout /, "").split("/");
  return [
    ["R", rooks],
    ["N", horses],
    ["C", cannons],
  ]
    .map(
      ([up, dark]) =>
        `${t.kind("xiangqi", up!)} ${[...dark!].map((kind) => t.kind("xiangqi", kind)).join(" ")}`,
    )
    .join(", ");
}

export function LayoutDock({
  model,
  state,
  layouts,
}: {
  model: TableModel;
  state: TableState;
  layouts: readonly string[];
}) {
  const t = texts();
  const chosen = model.layout.value;
  return (
    <>
      <p class="say">
        <b>{t.layoutTitle}</b> <Countdown state={state} receivedAt={model.socket.receivedAt} />
        <br />
        <span class="sm mut">{t.layoutHelp}</span>
      </p>
      <div class="row">
        <button
          type="button"
          class="btn"
          onClick={() => model.chooseLayout(Math.floor(Math.random() * layouts.length))}
        >
          {t.layoutRandom}
        </button>
        <button
          type="button"
          class="btn pri grow"
          disabled={chosen === null}
          onClick={() => chosen !== null && model.send(layouts[chosen]!)}
        >
          {t.layoutUse((chosen ?? 0) + 1)}
        </button>
      </div>
    </>
  );
}

/** Between the turns of two players at one device: the next one lifts it. */
export function Curtain({ model, who }: { model: TableModel; who: string }) {
  const t = texts();
  return (
    <div class="curtain" role="dialog" aria-label={t.curtain(who)}>
      <p>{t.curtain(who)}</p>
      <button type="button" class="btn pri big" onClick={() => model.liftCurtain()}>
        {t.curtainUp}
      </button>
    </div>
  );
}
