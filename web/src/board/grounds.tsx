import type { Geometry } from "./geometry";
import { hansDisc, hantDisc } from "./glyphs";
import { n1 } from "./pieces";

/** The bare board of a family. */
export function Ground({
  geo,
  river,
  coords,
}: {
  geo: Geometry;
  river: "hans" | "hant" | "none";
  coords: boolean;
}) {
  return (
    <>
      <rect class="wood" x={-MARGIN} width={geo.width + MARGIN} height={geo.height + MARGIN} />
      <path class="grain" d={grain(geo)} />
      {geo.family === "xiangqi" && <XiangqiLines geo={geo} river={river} />}
      {geo.family === "chess" && <ChessSquares geo={geo} />}
      {geo.family === "shogi" && <ShogiLines geo={geo} />}
      {(geo.family === "go" || geo.family === "gomoku") && <GoLines geo={geo} />}
      {coords && <Coordinates geo={geo} />}
    </>
  );
}

const grain = (geo: Geometry) =>
  Array.from({ length: 9 }, (_, i) => {
    const y = geo.height / 400;
    const [a, b, c, d] = [18 + i * 44, 8 + i * 46, 34 + i * 42, 14 + i * 45].map((v) => n1(v * y));
    return `M0 ${a}C90 ${b} 210 ${c} 360 ${d}`;
  }).join("");

const TICKS = [
  [1, 2],
  [7, 2],
  [0, 3],
  [2, 3],
  [4, 3],
  [6, 3],
  [8, 3],
];

function XiangqiLines({ geo, river }: { geo: Geometry; river: "hans" | "hant" | "none" }) {
  const x = (file: number) => 20 + 40 * file;
  let lines = "";
  for (let row = 0; row < 10; row++) lines += `M20 ${x(row)}H340`;
  for (let file = 0; file < 9; file++)
    lines += file % 8 ? `M${x(file)} 20V180M${x(file)} 220V380` : `M${x(file)} 20V380`;
  lines += "M140 20 220 100M220 20 140 100M140 300 220 380M220 300 140 380";
  let ticks = "";
  for (const [file, row] of TICKS)
    for (const y of [x(row!), 400 - x(row!)])
      for (const a of [-1, 1])
        for (const b of [-1, 1]) {
          const cx = x(file!);
          if (cx + a * 20 > 0 && cx + a * 20 < 360) ticks += `M${cx + a * 3} ${y + b * 9}v${-b * 6}h${a * 6}`;
        }
  const words = river === "hant" ? ["楚", "河", "漢", "界"] : ["楚", "河", "汉", "界"];
  return (
    <>
      <rect class="frame" x="15.5" y="15.5" width={geo.width - 31} height={geo.height - 31} />
      <path class="lines" d={lines + ticks} />
      {river !== "none" &&
        words.map((char, i) => (
          <path
            key={char}
            class="river"
            transform={`translate(${[87, 113, 247, 273][i]} 200) scale(.0375)`}
            d={(river === "hant" ? hantDisc[char] : undefined) ?? hansDisc[char]}
          />
        ))}
    </>
  );
}

function ChessSquares({ geo }: { geo: Geometry }) {
  let dark = "";
  for (let row = 0; row < geo.rows; row++)
    for (let col = 0; col < geo.cols; col++)
      if ((row + col) % 2) dark += `M${n1(col * geo.dx)} ${n1(row * geo.dy)}h${geo.dx}v${geo.dy}h-${geo.dx}z`;
  return <path class="darks" d={dark} />;
}

function ShogiLines({ geo }: { geo: Geometry }) {
  let lines = "";
  for (let i = 0; i <= geo.rows; i++) lines += `M0 ${n1(i * geo.dy)}H${geo.width}`;
  for (let i = 0; i <= geo.cols; i++) lines += `M${n1(i * geo.dx)} 0V${n1(geo.height)}`;
  return (
    <>
      <path class="lines" d={lines} />
      {[3, 6].flatMap((col) =>
        [3, 6].map((row) => (
          <circle key={`${col}${row}`} class="star" cx={n1(col * geo.dx)} cy={n1(row * geo.dy)} r="2.6" />
        )),
      )}
    </>
  );
}

/** The usual star points: corners from size 7, the middle on odd boards, sides from 15 (Go: 19). */
export function stars(size: number, go: boolean): [number, number][] {
  if (size < 7) return [];
  const edge = size < 13 ? 2 : 3;
  const far = size - 1 - edge;
  const middle = size % 2 ? (size - 1) / 2 : -1;
  const points: [number, number][] = [
    [edge, edge],
    [far, edge],
    [edge, far],
    [far, far],
  ];
  if (middle >= 0) points.push([middle, middle]);
  if (middle >= 0 && go && size >= 15)
    points.push([edge, middle], [far, middle], [middle, edge], [middle, far]);
  return points;
}

function GoLines({ geo }: { geo: Geometry }) {
  const at = (i: number) => n1((i + 0.5) * geo.dx);
  const last = at(geo.cols - 1);
  let lines = "";
  for (let i = 0; i < geo.cols; i++) lines += `M${at(0)} ${at(i)}H${last}M${at(i)} ${at(0)}V${last}`;
  return (
    <>
      <path class="lines" d={lines} />
      {stars(geo.cols, geo.family === "go").map(([col, row]) => (
        <circle
          key={`${col},${row}`}
          class="star"
          cx={at(col)}
          cy={at(row)}
          r={n1(Math.min(2.6, geo.dx * 0.12))}
        />
      ))}
    </>
  );
}

/** How much wider the board is drawn for its coordinates, at the left and below. */
export const MARGIN = 11;

/** File and rank names in the margin. */
function Coordinates({ geo }: { geo: Geometry }) {
  const names: { x: number; y: number; text: string }[] = [];
  const split = (square: string) => /^([A-Za-z]+|\d+)(.*)$/.exec(square)!;
  for (let col = 0; col < geo.cols; col++) {
    const square = geo.squares[(geo.rows - 1) * geo.cols + col]!;
    names.push({ x: (col + 0.5) * geo.dx, y: geo.height + 6.5, text: split(square)[1]! });
  }
  for (let row = 0; row < geo.rows; row++) {
    const square = geo.squares[row * geo.cols]!;
    names.push({ x: -5, y: (row + 0.5) * geo.dy + 3, text: split(square)[2]! });
  }
  return (
    <g class="coords">
      {names.map(({ x, y, text }) => (
        <text key={`${x} ${y}`} x={n1(x)} y={n1(y)}>
          {text}
        </text>
      ))}
    </g>
  );
}
