import type { ComponentChildren } from "preact";
import { memo } from "preact/compat";
import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { type Arrow, Arrows } from "./arrows";
import type { Geometry } from "./geometry";
import { type GhostMark, GhostStone } from "./ghosts";
import { Ground, MARGIN } from "./grounds";
import { Check, Cross, Cursor, LastFrom, LastTo, Selected, Target, type TargetKind, Turn } from "./marks";
import { Badges, Band, Coin, cellAt, n1, Piece, type PieceSet, Ticks } from "./pieces";
import type { Occupant, Placement, Side } from "./placement";
import { type Tracked, track } from "./track";

/** Everything that is to be seen on a board. */
export interface Scene {
  pieces: Placement;
  /** Where the last ply left and arrived; one square for a flip or a stone. */
  last?: readonly string[];
  check?: string | undefined;
  selected?: readonly string[];
  targets?: ReadonlyMap<string, TargetKind>;
  /** Members of a selected stack that will stay behind. */
  fade?: { at: string; members: readonly boolean[] } | undefined;
  /** Pieces that are only played ahead. */
  ghosts?: ReadonlySet<string>;
  /** Where pieces that are played ahead came from. */
  hollows?: readonly { at: string; side: Side }[];
  arrows?: readonly Arrow[];
  /** Candidates and committed stones. */
  stones?: ReadonlyMap<string, readonly GhostMark[]>;
  possible?: Readonly<Record<string, readonly string[]>> | undefined;
  ticks?: readonly { at: string; count: number; of: number }[];
  /** A coin hangs above this square: the token may be taken. */
  coin?: string | undefined;
  /** The piece here may be turned over. */
  turn?: string | undefined;
  cross?: string | undefined;
  /** Go: whose point each is, and stones proposed as dead. */
  area?: ReadonlyMap<string, Side>;
  dead?: ReadonlySet<string>;
  /** Go: the point that may not be retaken now. */
  ko?: string;
}

export interface Tap {
  /** The member of a stack that was touched. */
  cell: number;
  shift: boolean;
  mouse: boolean;
}

interface BoardProps {
  geo: Geometry;
  set: PieceSet;
  scene: Scene;
  label: string;
  /** What a screen reader says of a square. */
  describe(square: string): string;
  coords?: boolean;
  /** A picture only: no squares for keyboard and screen reader. */
  still?: boolean;
  onTap?(square: string, tap: Tap): void;
  /** Enter on a square; a tap where it is not given. */
  onEnter?(square: string): void;
  canGrab?(square: string): boolean;
  onGrab?(square: string): void;
  /** What is carried by a drag from the square (part of a stack). */
  carried?(square: string): Occupant | undefined;
  onDrop?(square: string | null): void;
  /** Keys beside arrows and Enter; true when the key meant something. */
  onKey?(key: string, square: string): boolean;
  children?: ComponentChildren;
}

const DRAG_FROM = 6;

/** A board that draws a scene and reports taps, drags and keys. */
export function Board(props: BoardProps) {
  const { geo, set, scene, coords = false } = props;
  const svg = useRef<SVGSVGElement>(null);
  const dragged = useRef<SVGGElement>(null);
  const [drag, setDrag] = useState<{ from: string; piece: Occupant } | null>(null);
  const [focus, setFocus] = useState<string | null>(null);
  const press = useRef<{ id: number; from: string; x: number; y: number; moved: boolean } | null>(null);
  const still = useRef(false);
  const tracked = useTracked(scene.pieces, scene.last, geo);

  const margin = coords ? MARGIN : 0;
  const toBoard = (event: PointerEvent) => {
    const box = svg.current!.getBoundingClientRect();
    const unit = (geo.width + margin) / box.width;
    return { x: (event.clientX - box.left) * unit - margin, y: (event.clientY - box.top) * unit };
  };
  const squareAt = (event: PointerEvent) => {
    const { x, y } = toBoard(event);
    const square = geo.hit(x, y);
    // The coin hangs half way up the square above: what is touched there belongs to it.
    if (scene.coin && square !== scene.coin) {
      const spot = coinSpot(geo, scene.coin);
      if (Math.hypot(x - spot.x, y - spot.y) < 18) return "coin";
    }
    if (scene.turn && square !== scene.turn) {
      const spot = turnSpot(geo, scene.turn);
      if (Math.hypot(x - spot.x, y - spot.y) < 15) return "turn";
    }
    return square;
  };
  const follow = (event: PointerEvent) => {
    const { x, y } = toBoard(event);
    const touch = event.pointerType === "touch";
    const scale = (geo.dx / 40) * (touch ? 1.45 : 1.08);
    dragged.current?.setAttribute(
      "transform",
      `translate(${n1(x)} ${n1(y - (touch ? geo.dy * 0.55 : 0))}) scale(${n1(scale * 100) / 100})`,
    );
  };
  const onPointerDown = (event: PointerEvent) => {
    if (!props.onTap || event.button !== 0 || press.current) return;
    const from = squareAt(event);
    if (from === null) return;
    press.current = { id: event.pointerId, from, x: event.clientX, y: event.clientY, moved: false };
    svg.current!.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    const now = press.current;
    if (!now || now.id !== event.pointerId) return;
    if (!now.moved) {
      if (Math.hypot(event.clientX - now.x, event.clientY - now.y) < DRAG_FROM || !props.canGrab?.(now.from))
        return;
      now.moved = true;
      props.onGrab?.(now.from);
      const piece = props.carried?.(now.from) ?? scene.pieces.get(now.from);
      if (piece) setDrag({ from: now.from, piece });
    }
    follow(event);
  };
  const onPointerUp = (event: PointerEvent) => {
    const now = press.current;
    if (!now || now.id !== event.pointerId) return;
    press.current = null;
    setDrag(null);
    const square = squareAt(event);
    if (now.moved) {
      still.current = true;
      props.onDrop?.(square);
      return;
    }
    if (square === null || square !== now.from) return;
    const { x, y } = toBoard(event);
    const count = scene.pieces.get(square)?.members.length ?? 1;
    const centre = geo.at(square);
    const cell = count > 1 ? cellAt(count, x - centre.x, y - centre.y) : 0;
    props.onTap?.(square, { cell, shift: event.shiftKey, mouse: event.pointerType === "mouse" });
  };
  const onPointerCancel = () => {
    if (press.current?.moved) props.onDrop?.(null);
    press.current = null;
    setDrag(null);
  };
  const moveFocus = (square: string) => {
    setFocus(square);
    const index = geo.squares.indexOf(square);
    svg.current?.parentElement?.querySelectorAll<HTMLElement>("[role=gridcell]")[index]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The element knows sooner than the state, which waits for the next drawing.
    const square = (event.target as HTMLElement).dataset.square ?? geo.squares[0]!;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      const next = geo.step(square, step[0]!, step[1]!);
      if (next) moveFocus(next);
    } else if (event.key === "Home" || event.key === "End") {
      const row = Math.floor(geo.squares.indexOf(square) / geo.cols);
      moveFocus(geo.squares[row * geo.cols + (event.key === "Home" ? 0 : geo.cols - 1)]!);
    } else if (event.key === "Enter" || event.key === " ") {
      if (props.onEnter) props.onEnter(square);
      else props.onTap?.(square, { cell: 0, shift: false, mouse: false });
    } else if (!props.onKey?.(event.key, square)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  useEffect(() => {
    still.current = false;
  });

  const spot = (square: string) => {
    const { x, y } = geo.at(square);
    return `translate(${n1(x)} ${n1(y)}) scale(${scaleOf(geo)})`;
  };
  const tiled = (square: string) => (scene.pieces.get(square)?.members.length ?? 0) > 1;
  const placed = (list: readonly string[] | undefined, draw: (square: string) => ComponentChildren) =>
    list?.map((square) => (
      <g key={square} transform={spot(square)}>
        {draw(square)}
      </g>
    ));
  const underTargets = [...(scene.targets ?? [])].filter(([at]) => !scene.pieces.has(at));
  const overTargets = [...(scene.targets ?? [])].filter(([at]) => scene.pieces.has(at));

  return (
    <div class={`board ${geo.family}${props.onTap ? " live" : ""}`}>
      <svg
        ref={svg}
        viewBox={`${-margin} 0 ${geo.width + margin} ${n1(geo.height + margin)}`}
        aria-hidden="true"
        class={still.current ? "still" : undefined}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={onPointerCancel}
      >
        <StillGround geo={geo} set={set} coords={coords} />
        {[...(scene.area ?? [])].map(([at, side]) => (
          <rect key={at} class={`area s${side}`} transform={spot(at)} x="-7" y="-7" width="14" height="14" />
        ))}
        {scene.ko && <rect class="ko" transform={spot(scene.ko)} x="-8" y="-8" width="16" height="16" />}
        {scene.last?.length === 2 && (
          <g transform={spot(scene.last[0]!)}>
            <LastFrom />
          </g>
        )}
        {scene.check && (
          <g transform={spot(scene.check)}>
            <Check />
          </g>
        )}
        {placed(scene.selected, (at) => (
          <Selected square={tiled(at)} />
        ))}
        {scene.hollows?.map(({ at, side }) => (
          <circle key={at} class={`hollow s${side}`} transform={spot(at)} r="17" />
        ))}
        <g class="pieces">
          {tracked.map((t) => (
            <g
              key={t.id}
              class={`at${t.gone ? " gone" : ""}${drag?.from === t.at && !t.gone ? " lifted" : ""}${scene.ghosts?.has(t.at) ? " ghost" : ""}${scene.dead?.has(t.at) ? " fallen" : ""}`}
              style={{ transform: place(geo, t.at) }}
            >
              <StillPiece
                family={geo.family}
                set={set}
                piece={t.piece}
                fade={scene.fade?.at === t.at ? scene.fade.members : undefined}
                flipped={geo.flipped}
              />
              {t.piece.token && <Band />}
            </g>
          ))}
        </g>
        <g class="badges">
          {tracked
            .filter((t) => !t.gone && (t.piece.token || t.piece.dark))
            .map((t) => (
              <g key={t.id} class="at" style={{ transform: place(geo, t.at) }}>
                <Badges piece={t.piece} set={set} possible={scene.possible?.[t.at]} />
              </g>
            ))}
        </g>
        {scene.ticks?.map(({ at, count, of }) => (
          <g key={at} transform={spot(at)}>
            <Ticks count={count} of={of} />
          </g>
        ))}
        {[...(scene.stones ?? [])].map(([at, marks]) => (
          <g key={at} transform={spot(at)}>
            <GhostStone marks={marks} occupied={scene.pieces.has(at)} />
          </g>
        ))}
        {scene.last && scene.last.length > 0 && (
          <g transform={spot(scene.last[scene.last.length - 1]!)}>
            {geo.family === "go" || geo.family === "gomoku" ? (
              <circle
                class={`last-stone s${scene.pieces.get(scene.last[scene.last.length - 1]!)?.side ?? 0}`}
                r="7.8"
              />
            ) : (
              <LastTo />
            )}
          </g>
        )}
        {placed(
          underTargets.map(([at]) => at),
          (at) => (
            <Target kind={scene.targets!.get(at)!} tile={false} />
          ),
        )}
        {placed(
          overTargets.map(([at]) => at),
          (at) => (
            <Target kind={scene.targets!.get(at)!} tile={tiled(at)} />
          ),
        )}
        {scene.arrows && scene.arrows.length > 0 && (
          <Arrows
            arrows={scene.arrows}
            at={geo.at}
            scale={scaleOf(geo)}
            size={{ x: geo.width, y: geo.height }}
          />
        )}
        {scene.cross && (
          <g transform={spot(scene.cross)}>
            <Cross />
          </g>
        )}
        {scene.turn && (
          <g class="offer" transform={at(turnSpot(geo, scene.turn))}>
            <Turn />
          </g>
        )}
        {scene.coin && <OfferedCoin geo={geo} square={scene.coin} />}
        {focus && (
          <g class="focus" transform={spot(focus)}>
            <Cursor />
          </g>
        )}
        <g ref={dragged} class="dragged">
          {drag && <Piece family={geo.family} set={set} piece={drag.piece} flipped={geo.flipped} />}
        </g>
      </svg>
      {!props.still && <Grid {...props} focus={focus} setFocus={setFocus} onKeyDown={onKeyDown} />}
      {props.children}
    </div>
  );
}

/** The square of the board on the page that lies under a point of the screen. */
export function squareUnder(geo: Geometry, clientX: number, clientY: number): string | null {
  const svg = document.elementFromPoint(clientX, clientY)?.closest<SVGSVGElement>(".board.live > svg");
  const matrix = svg?.getScreenCTM()?.inverse();
  if (!matrix) return null;
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix);
  return geo.hit(x, y);
}

const at = ({ x, y }: { x: number; y: number }) => `translate(${n1(x)} ${n1(y)})`;

/** Drawings are made for squares of 40 units. */
export const scaleOf = (geo: Geometry) => Math.round((geo.dx / 40) * 1000) / 1000;

const place = (geo: Geometry, square: string) => {
  const { x, y } = geo.at(square);
  return `translate(${n1(x)}px, ${n1(y)}px) scale(${scaleOf(geo)})`;
};

const coinSpot = (geo: Geometry, square: string) => {
  const { x, y } = geo.at(square);
  return y < 50 ? { x, y: y + 36 } : { x, y: y - 36 };
};

const turnSpot = (geo: Geometry, square: string) => {
  const { x, y } = geo.at(square);
  return { x: x > geo.width - 50 ? x - 27 : x + 27, y: y < 40 ? y + 26 : y - 26 };
};

function OfferedCoin({ geo, square }: { geo: Geometry; square: string }) {
  const spot = coinSpot(geo, square);
  const down = spot.y < geo.at(square).y;
  return (
    <g class="offer" transform={at(spot)}>
      <path class="tail" d={down ? "M-6 11H6L0 19z" : "M-6-11H6L0-19z"} />
      <circle class="pad" r="16" />
      <Coin r={11} />
    </g>
  );
}

const StillGround = memo(({ geo, set, coords }: { geo: Geometry; set: PieceSet; coords: boolean }) => (
  <Ground geo={geo} river={set === "intl" ? "none" : set} coords={coords} />
));

const StillPiece = memo(Piece);

/** The pieces with lasting identities; those that are gone leave once they have faded. */
function useTracked(
  pieces: Placement,
  last: readonly string[] | undefined,
  geo: Geometry,
): readonly Tracked[] {
  const list = useRef<{ pieces: Placement | null; geo: Geometry; tracked: Tracked[] }>({
    pieces: null,
    geo,
    tracked: [],
  });
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const now = list.current;
  if (now.geo.family !== geo.family || now.geo.cols !== geo.cols) now.tracked = [];
  if (now.pieces !== pieces) now.tracked = track(now.tracked, pieces, last);
  now.pieces = pieces;
  now.geo = geo;
  const fading = now.tracked.some((t) => t.gone);
  useEffect(() => {
    if (!fading) return;
    const timer = setTimeout(() => {
      list.current.tracked = list.current.tracked.filter((t) => !t.gone);
      redraw(0);
    }, 220);
    return () => clearTimeout(timer);
  }, [pieces, fading]);
  return now.tracked;
}

interface GridProps extends BoardProps {
  focus: string | null;
  setFocus(square: string | null): void;
  onKeyDown(event: KeyboardEvent): void;
}

/** The board as a screen reader and the keyboard know it: a grid of squares that say what stands on them. */
function Grid({ geo, label, describe, scene, focus, setFocus, onKeyDown, onTap }: GridProps) {
  const rows = useMemo(
    () =>
      Array.from({ length: geo.rows }, (_, row) => geo.squares.slice(row * geo.cols, (row + 1) * geo.cols)),
    [geo],
  );
  const stop = focus ?? geo.squares[Math.floor(geo.squares.length / 2)];
  return (
    <div role="grid" aria-label={label} class="cells" onKeyDown={onKeyDown}>
      {rows.map((row) => (
        <div role="row" key={row[0]}>
          {row.map((square) => (
            <div
              role="gridcell"
              key={square}
              data-square={square}
              tabIndex={onTap && square === stop ? 0 : -1}
              aria-label={describe(square)}
              aria-selected={scene.selected?.includes(square) ?? false}
              onFocus={() => setFocus(square)}
              onBlur={() => setFocus(null)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
