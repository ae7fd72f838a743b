import type { Point } from "./geometry";
import { n1 } from "./pieces";
import type { Side } from "./placement";

/** A ply that is committed to: where from, where to, its number, whose it is. */
export interface Arrow {
  from: string;
  to: string;
  label: string;
  side: Side;
  failed?: boolean;
}

interface Bent {
  path: string;
  head: string;
  badge: (t: number) => Point;
}

/**
 * An arrow that bows to the right of its travel, so that a ply and its answer on one line part. `scale` is the size
 * of a square in units of 40.
 */
export function bend(a: Point, b: Point, scale: number, bow?: number): Bent {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [nx, ny] = [-uy, ux];
  const near = length < 60 * scale;
  const bowed = bow ?? (near ? 10 : Math.min(11, length * 0.1));
  const start = (near ? 3 : 12) * scale;
  const end = (near ? 9 : 15) * scale;
  const aside = near ? Math.sign(bowed) * 5 * scale : 0;
  const p0 = { x: a.x + ux * start, y: a.y + uy * start };
  const p2 = { x: b.x - ux * end + nx * aside, y: b.y - uy * end + ny * aside };
  const p1 = {
    x: (p0.x + p2.x) / 2 + nx * 2 * bowed * scale + (near ? ux * 3 * scale : 0),
    y: (p0.y + p2.y) / 2 + ny * 2 * bowed * scale + (near ? uy * 3 * scale : 0),
  };
  const tip = Math.hypot(p2.x - p1.x, p2.y - p1.y) || 1;
  const [hx, hy] = [((p2.x - p1.x) / tip) * scale, ((p2.y - p1.y) / tip) * scale];
  const out = near ? Math.sign(bowed) * 6 * scale : 0;
  return {
    path: `M${n1(p0.x)} ${n1(p0.y)}Q${n1(p1.x)} ${n1(p1.y)} ${n1(p2.x)} ${n1(p2.y)}`,
    head: `M${n1(p2.x + hx * 9)} ${n1(p2.y + hy * 9)}L${n1(p2.x - hy * 7)} ${n1(p2.y + hx * 7)}L${n1(p2.x + hy * 7)} ${n1(p2.y - hx * 7)}Z`,
    badge: (t) => ({
      x: (1 - t) ** 2 * p0.x + 2 * (1 - t) * t * p1.x + t * t * p2.x + nx * out,
      y: (1 - t) ** 2 * p0.y + 2 * (1 - t) * t * p1.y + t * t * p2.y + ny * out,
    }),
  };
}

/**
 * Places the numbers: each slides along its arrow until it touches no earlier one and no edge, and where sliding does not help the
 * arrow bows the other way.
 */
export function layOut(arrows: readonly Arrow[], at: (square: string) => Point, scale: number, size: Point) {
  const taken: Point[] = [];
  const edge = 9 * scale;
  const free = (p: Point) =>
    p.x > edge &&
    p.y > edge &&
    p.x < size.x - edge &&
    p.y < size.y - edge &&
    taken.every((q) => Math.hypot(p.x - q.x, p.y - q.y) > 17 * scale);
  return arrows.map((arrow) => {
    const [a, b] = [at(arrow.from), at(arrow.to)];
    const ways = [
      bend(a, b, scale),
      bend(a, b, scale, -Math.max(7, Math.min(11, Math.hypot(b.x - a.x, b.y - a.y) * 0.1))),
    ];
    for (const bent of ways)
      for (const t of [0.5, 0.42, 0.58, 0.35, 0.65, 0.3, 0.7]) {
        const spot = bent.badge(t);
        if (free(spot)) {
          taken.push(spot);
          return { arrow, bent, spot };
        }
      }
    const spot = ways[0]!.badge(0.5);
    taken.push(spot);
    return { arrow, bent: ways[0]!, spot };
  });
}

export function Badge({
  spot,
  label,
  side,
  scale = 1,
  faded = false,
}: {
  spot: Point;
  label: string;
  side: Side;
  scale?: number;
  faded?: boolean;
}) {
  return (
    <g
      class={`badge s${side}${faded ? " faded" : ""}`}
      transform={`translate(${n1(spot.x)} ${n1(spot.y)}) scale(${n1(scale * 10) / 10})`}
    >
      {side === 0 ? <circle r="8" /> : <rect x="-8" y="-7.5" width="16" height="15" rx="3" />}
      <text y="3.7">{label}</text>
    </g>
  );
}

/** All arrows, sooner plies on top and stronger, and above them all numbers. */
export function Arrows({
  arrows,
  at,
  scale,
  size,
}: {
  arrows: readonly Arrow[];
  at: (square: string) => Point;
  scale: number;
  /** Width and height of the board. */
  size: Point;
}) {
  const laid = layOut(arrows, at, scale, size);
  const many = laid.length > 8;
  return (
    <g class="arrows">
      {laid
        .map(({ arrow, bent }, i) => (
          <g
            key={arrow.label + arrow.from + arrow.to}
            class={`arrow s${arrow.side}${arrow.failed ? " failed" : ""}`}
            style={{ opacity: many && i >= 4 ? 0.35 : Math.max(0.78, 1 - i * 0.05) }}
          >
            <path class="case" d={bent.path} />
            <path class="case" d={bent.head} />
            <path class="shaft" d={bent.path} />
            {arrow.side === 1 && <path class="core" d={bent.path} />}
            <path class="head" d={bent.head} />
          </g>
        ))
        .reverse()}
      {laid.map(({ arrow, spot }) => (
        <Badge
          key={arrow.label + arrow.from + arrow.to}
          spot={spot}
          label={arrow.label}
          side={arrow.side}
          scale={scale}
        />
      ))}
    </g>
  );
}
