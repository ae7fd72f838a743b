import { n1 } from "./pieces";

/** What a touchable square would mean. */
export type TargetKind = "dot" | "capture" | "join" | "exchange" | "swap";

/** Marks are drawn round 0,0 of a square of 40 units. */
const brackets = (r: number, arm: number) =>
  [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ]
    .map(([a, b]) => `M${n1(a! * r)} ${n1(b! * (r - arm))}V${n1(b! * r)}H${n1(a! * (r - arm))}`)
    .join("");

export function Selected({ square }: { square: boolean }) {
  return square ? (
    <>
      <rect class="m-halo" x="-19.8" y="-20" width="39.6" height="40" rx="10" />
      <rect class="m-sel" x="-19.8" y="-20" width="39.6" height="40" rx="10" />
    </>
  ) : (
    <>
      <circle class="m-halo" r="19.6" />
      <circle class="m-sel" r="19.6" />
    </>
  );
}

const CROSSED = "M-3.2-1.6h6.5m-2-2 2 2M3.2 1.6h-6.5m2 2-2-2";

function Sign({ x, y, path }: { x: number; y: number; path: string }) {
  return (
    <g class="m-sign" transform={`translate(${x} ${y})`}>
      <circle r="6.6" />
      <path d={path} />
    </g>
  );
}

/** A point that may be touched; `tile` says that a stack stands there. */
export function Target({ kind, tile }: { kind: TargetKind; tile: boolean }) {
  switch (kind) {
    case "dot":
      return <circle class="m-dot" r="5.4" />;
    case "capture":
      return tile ? (
        <>
          <rect class="m-case" x="-19.6" y="-20" width="39.2" height="40" rx="10" />
          <rect class="m-cap" x="-19.6" y="-20" width="39.2" height="40" rx="10" />
        </>
      ) : (
        <>
          <circle class="m-case" r="19.2" />
          <circle class="m-cap" r="19.2" />
        </>
      );
    case "swap":
      return (
        <>
          <circle class="m-case" r="21.4" />
          <circle class="m-cap" r="21.4" />
          <Sign x={-14.5} y={-14.5} path={CROSSED} />
        </>
      );
    default:
      return (
        <>
          <rect class="m-case" x="-19.4" y="-19.4" width="38.8" height="38.8" rx="10" />
          <rect class="m-join" x="-19.4" y="-19.4" width="38.8" height="38.8" rx="10" />
          <Sign x={14.5} y={-14.5} path={kind === "join" ? "M-3.5 0h7M0-3.5v7" : CROSSED} />
        </>
      );
  }
}

export const LastFrom = () => <path class="m-last" d={brackets(11, 5)} />;
export const LastTo = () => <path class="m-last" d={brackets(18.7, 7)} />;
export const Cursor = () => <path class="m-cursor" d={brackets(21.5, 12)} />;

const BURST = (() => {
  let d = "";
  for (let i = 0; i < 16; i++) {
    const [a, b, c] = [i / 8, i / 8 + 1 / 16, i / 8 + 1 / 8].map((v) => v * Math.PI) as [
      number,
      number,
      number,
    ];
    d += `${i ? "L" : "M"}${n1(19 * Math.cos(a))} ${n1(19 * Math.sin(a))}L${n1(24 * Math.cos(b))} ${n1(24 * Math.sin(b))}L${n1(19 * Math.cos(c))} ${n1(19 * Math.sin(c))}`;
  }
  return `${d}Z`;
})();

/** A red burst under a king in check. */
export const Check = () => <path class="m-check" d={BURST} />;

/** A committed ply that could not be played. */
export const Cross = () => (
  <g class="m-cross">
    <circle r="10" />
    <path d="M-4-4 4 4M4-4-4 4" />
  </g>
);

/** Two arrows in a circle: turn this piece over. */
export const Turn = ({ x = 0, y = 0 }: { x?: number; y?: number }) => (
  <g class="m-turn" transform={`translate(${x} ${y})`}>
    <circle r="13" />
    <path d="M-6 1.5a6 6 0 0 0 11 2M6-1.5a6 6 0 0 0-11-2" />
    <path class="tip" d="M7-6v5h-5zM-7 6v-5h5z" />
  </g>
);
