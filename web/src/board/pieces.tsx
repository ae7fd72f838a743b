import type { Family } from "./geometry";
import { hansCell, hansDisc, hantCell, hantDisc, shogiDisc } from "./glyphs";
import { chessIcon, icons } from "./icons";
import type { Occupant, Side } from "./placement";

/** How pieces are drawn: simplified or traditional Hanzi, or silhouettes that need no reading. */
export type PieceSet = "hans" | "hant" | "intl";

const HANS = ["K帅A仕B相N马R车C炮P兵", "K将A士B象N马R车C炮P卒"].map(pairs);
const HANT = ["K帥A仕B相N傌R俥C炮P兵", "K將A士B象N馬R車C砲P卒"].map(pairs);
const SHOGI = pairs("K玉R飛B角G金S銀N桂L香P歩");
const SHOGI_PROMOTED = pairs("R龍B馬S全N圭L杏Pと");

function pairs(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/(.)(.)/gu)].map(([, kind, char]) => [kind, char]));
}

/** The Hanzi of a xiangqi piece, for texts beside the board. */
export function hanzi(kind: string, side: Side, set: PieceSet): string {
  return (set === "hant" ? HANT : HANS)[side]![kind] ?? kind;
}

/** Rounds for the drawing: a tenth of a unit is below what the eye sees. */
export const n1 = (value: number) => Math.round(value * 10) / 10;

interface GlyphProps {
  kind: string;
  side: Side;
  set: PieceSet;
  x: number;
  y: number;
  /** Size of the em square. */
  em: number;
  /** Vertical stretch, for narrow cells. */
  tall?: number;
  /** The even-stroked cut for small sizes. */
  cell?: boolean;
}

function Glyph({ kind, side, set, x, y, em, tall = 1, cell = false }: GlyphProps) {
  if (set === "intl") {
    const q = (em * 0.92) / 24;
    return (
      <path
        class="ink"
        fill-rule="evenodd"
        transform={`translate(${n1(x - 12 * q)} ${n1(y - 12 * q)}) scale(${q.toFixed(3)})`}
        d={icons[kind]}
      />
    );
  }
  const char = hanzi(kind, side, set);
  const cut = cell
    ? ((set === "hant" ? hantCell[char] : undefined) ?? hansCell[char])
    : ((set === "hant" ? hantDisc[char] : undefined) ?? hansDisc[char]);
  const q = em / 400;
  return (
    <path
      class="ink"
      transform={`translate(${n1(x)} ${n1(y)}) scale(${q.toFixed(4)} ${(q * tall).toFixed(4)})`}
      d={cut}
    />
  );
}

interface PieceProps {
  family: Family;
  set: PieceSet;
  piece: Occupant;
  /** Members that will stay behind, by place: faded in their own cells. */
  fade?: readonly boolean[];
  /** Seen from the other side of the table: shogi's pieces point the other way. */
  flipped?: boolean;
}

/** One piece, stack or stone, centred on 0,0 of a square of 40 units. */
export function Piece({ family, set, piece, fade, flipped = false }: PieceProps) {
  switch (family) {
    case "chess":
      return <ChessPiece piece={piece} />;
    case "shogi":
      return <Koma piece={piece} set={set} flipped={flipped} />;
    case "go":
    case "gomoku":
      return <Stone side={piece.side} />;
    default:
      return piece.members.length > 1 ? (
        <Tile piece={piece} set={set} fade={fade} />
      ) : (
        <Disc piece={piece} set={set} />
      );
  }
}

const sideClass = (side: Side) => `pc s${side}`;

function Disc({ piece, set }: { piece: Occupant; set: PieceSet }) {
  return (
    <g class={sideClass(piece.side)}>
      <circle class="sh" cy="1.6" r="18.5" />
      <circle class="rim" r="18.5" />
      <circle class="face" cy="-.5" r="16.9" />
      <circle class="ring" cy="-.5" r="14.9" />
      <Glyph kind={piece.members} side={piece.side} set={set} x={0} y={-0.5} em={22.5} />
    </g>
  );
}

/** Where the members of a stack stand in its tile: centres in quarters of the face, size and stretch of the glyph. */
const CELLS: Record<number, { at: [number, number][]; em: number; tall: number }> = {
  2: {
    at: [
      [-1, 0],
      [1, 0],
    ],
    em: 18,
    tall: 1.32,
  },
  3: {
    at: [
      [0, -1],
      [-1, 1],
      [1, 1],
    ],
    em: 17,
    tall: 1,
  },
  4: {
    at: [
      [-1, -1],
      [1, -1],
      [-1, 1],
      [1, 1],
    ],
    em: 16.6,
    tall: 1,
  },
};

const WIDE = 37.5;
const STOREY = 1.5;

/** The member of a stack of `count` that lies at the point, relative to the centre of its square. */
export function cellAt(count: number, x: number, y: number): number {
  if (count === 2) return x < 0 ? 0 : 1;
  if (count === 3) return y < 0 ? 0 : x < 0 ? 1 : 2;
  return (y < 0 ? 0 : 2) + (x < 0 ? 0 : 1);
}

/** A stack: a square tile with a cell for each member and a sliver of edge for each storey below the first. */
function Tile({
  piece,
  set,
  fade,
}: {
  piece: Occupant;
  set: PieceSet;
  fade: readonly boolean[] | undefined;
}) {
  const count = piece.members.length;
  const cells = CELLS[count] ?? CELLS[4]!;
  const face = 38 - STOREY * (count - 1);
  const top = -19;
  const middle = top + face / 2;
  const storeys = Array.from({ length: count }, (_, i) => count - 1 - i);
  const half = WIDE / 2 - 3;
  return (
    <g class={`${sideClass(piece.side)} tile`}>
      <rect class="sh" x={-WIDE / 2} y={top + 2} width={WIDE} height="38" rx="8.5" />
      {storeys.map((i) => (
        <rect
          key={i}
          class={i ? "edge" : "face"}
          x={-WIDE / 2 + 0.6}
          y={n1(top + STOREY * i)}
          width={WIDE - 1.2}
          height={n1(face)}
          rx="8.5"
        />
      ))}
      {count !== 2 && <path class="groove" d={`M${-half} ${n1(middle)}H${half}`} />}
      <path class="groove" d={`M0 ${n1(count === 3 ? middle : top + 3)}V${n1(top + face - 3)}`} />
      {cells.at.map(([right, down], i) => (
        <g key={i} class={fade?.[i] ? "stay" : undefined}>
          <Glyph
            kind={piece.members[i] ?? "P"}
            side={piece.side}
            set={set}
            x={right * WIDE * 0.241}
            y={middle + down * face * 0.235}
            em={cells.em}
            tall={set === "intl" ? 1 : cells.tall}
            cell
          />
        </g>
      ))}
    </g>
  );
}

export function Stone({ side }: { side: Side }) {
  return (
    <g class={`stone s${side}`}>
      <circle class="sh" cy="1.2" r="18.6" />
      <circle class="b" r="18.6" />
      <ellipse class="shine" cx="-6.5" cy="-8.5" rx="7" ry="4.5" transform="rotate(-38 -6.5 -8.5)" />
    </g>
  );
}

function ChessPiece({ piece }: { piece: Occupant }) {
  const path = chessIcon(piece.members);
  return (
    <g class={`chessman s${piece.side}`}>
      <path class="sh" fill-rule="evenodd" transform="translate(-16.8 -15.2) scale(1.4)" d={path} />
      <path class="body" fill-rule="evenodd" transform="translate(-16.8 -16.8) scale(1.4)" d={path} />
    </g>
  );
}

function Koma({ piece, set, flipped }: { piece: Occupant; set: PieceSet; flipped: boolean }) {
  const away = (piece.side === 1) !== flipped;
  const char = (piece.promoted ? SHOGI_PROMOTED : SHOGI)[piece.members] ?? "歩";
  return (
    <g class={`koma s${piece.side}${piece.promoted ? " up" : ""}`}>
      <g transform={away ? "rotate(180)" : undefined}>
        <path class="sh" transform="translate(0 1.6)" d="M0-20.5 12.6-14.2 16.6 19H-16.6L-12.6-14.2z" />
        <path class="body" d="M0-20.5 12.6-14.2 16.6 19H-16.6L-12.6-14.2z" />
        {set === "intl" ? (
          <path
            class="ink"
            fill-rule="evenodd"
            transform="translate(-11.4 -9.6) scale(.95)"
            d={icons[piece.members === "B" ? "X" : piece.members]}
          />
        ) : (
          <path
            class="ink"
            transform="translate(0 2) scale(.0575 .062)"
            d={shogiDisc[piece.side === 0 && char === "玉" ? "王" : char]}
          />
        )}
      </g>
    </g>
  );
}

/** The token: a gold band round the piece. The coin that goes with it is a badge, painted above all pieces. */
export function Band() {
  return (
    <g>
      <circle class="band" r="18.2" />
      <circle class="bandline" r="19.9" />
    </g>
  );
}

/** A cash coin with a square hole. */
export function Coin({ x = 0, y = 0, r = 7.8 }: { x?: number; y?: number; r?: number }) {
  return (
    <g class="coin" transform={`translate(${n1(x)} ${n1(y)})`}>
      <circle class="c0" r={r} />
      <circle class="c1" r={n1(r * 0.78)} />
      <rect class="c0" x={n1(-r * 0.3)} y={n1(-r * 0.3)} width={n1(r * 0.6)} height={n1(r * 0.6)} rx=".6" />
    </g>
  );
}

/** The run of the grinding rule: ticks on the lower rim. */
export function Ticks({ count, of }: { count: number; of: number }) {
  return (
    <g class={`ticks${count >= of - 1 ? " hot" : ""}`}>
      {Array.from({ length: of }, (_, i) => {
        const angle = Math.PI * (0.93 - (0.86 * i) / (of - 1));
        return (
          <circle
            key={i}
            class={i < count ? "on" : undefined}
            cx={n1(Math.cos(angle) * 18.6)}
            cy={n1(Math.sin(angle) * 18.6)}
            r={i < count ? 3.1 : 2.3}
          />
        );
      })}
    </g>
  );
}

/** A known dark face: a small night disc at five o'clock. */
export function DarkFace({ kind, side, set }: { kind: string; side: Side; set: PieceSet }) {
  return (
    <g class="dark">
      <circle cx="11.2" cy="11.2" r="8.6" />
      <Glyph kind={kind} side={side} set={set} x={11.2} y={11.2} em={12.6} cell />
    </g>
  );
}

/** What an enemy's dark face may still be: a white pill. */
export function Maybe({ kinds, side, set }: { kinds: readonly string[]; side: Side; set: PieceSet }) {
  const width = kinds.length * 12.4 + 5;
  return (
    <g class="maybe">
      <rect x={n1(-width / 2)} y="5" width={n1(width)} height="15.2" rx="7.6" />
      {kinds.map((kind, i) => (
        <Glyph
          key={kind}
          kind={kind}
          side={side}
          set={set}
          x={(i - (kinds.length - 1) / 2) * 12.4}
          y={12.6}
          em={12}
          cell
        />
      ))}
    </g>
  );
}

/** The badges of a piece: what must be painted above all pieces, lest a neighbour hide it. */
export function Badges({
  piece,
  set,
  possible,
}: {
  piece: Occupant;
  set: PieceSet;
  possible?: readonly string[] | undefined;
}) {
  return (
    <>
      {piece.token && <Coin x={12.8} y={-12.8} />}
      {piece.dark && piece.dark !== "?" && <DarkFace kind={piece.dark} side={piece.side} set={set} />}
      {piece.dark === "?" && possible && <Maybe kinds={possible} side={piece.side} set={set} />}
      {piece.dark === "?" && !possible && <circle class="ear" cx="12.8" cy="12.8" r="4.4" />}
    </>
  );
}

/** A piece alone, as a picture beside text. */
export function Picture({
  family,
  set,
  piece,
  size,
  flipped,
}: {
  family: Family;
  set: PieceSet;
  piece: Occupant;
  size: number;
  flipped?: boolean;
}) {
  return (
    <svg class="pic" viewBox="-21 -21 42 42" width={size} height={size} aria-hidden="true">
      <Piece family={family} set={set} piece={piece} flipped={flipped ?? false} />
      {piece.token && <Band />}
      <Badges piece={piece} set={set} />
    </svg>
  );
}
