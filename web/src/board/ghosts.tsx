import type { Side } from "./placement";

/** A stone or piece that is only proposed: a candidate's letter or a committed ply's number. */
export interface GhostMark {
  label: string;
  side: Side;
  /** May be picked now. */
  lit?: boolean;
  picked?: boolean;
  /** Cannot be played now: drawn small, so that it hides nothing. */
  off?: boolean;
}

/** Draws what is proposed for one point. A point that both sides want is split down the middle. */
export function GhostStone({ marks, occupied }: { marks: readonly GhostMark[]; occupied: boolean }) {
  const off = marks.every((m) => m.off) || occupied;
  if (off)
    return (
      <g class="ghost-off">
        {marks.map((mark, i) => (
          <g key={mark.label} transform={`translate(${10 - i * 15} -10)`}>
            <circle r="7.5" />
            <text y="3.6" class={mark.off ? "void" : undefined}>
              {mark.label}
            </text>
          </g>
        ))}
      </g>
    );
  const first = marks.find((m) => m.side === 0);
  const second = marks.find((m) => m.side === 1);
  if (first && second)
    return (
      <g class="ghost-stone">
        <path class="half s0" d="M0-18.6A18.6 18.6 0 0 0 0 18.6Z" />
        <path class="half s1" d="M0-18.6A18.6 18.6 0 0 1 0 18.6Z" />
        <circle class="edge" r="18.6" />
        <text class="s0" x="-8.6" y="4.5" font-size="13">
          {first.label}
        </text>
        <text class="s1" x="8.6" y="4.5" font-size="13">
          {second.label}
        </text>
      </g>
    );
  const mark = marks[0]!;
  return (
    <g class={`ghost-stone one s${mark.side}${mark.lit ? " lit" : ""}${mark.picked ? " picked" : ""}`}>
      <circle class="edge" r="18.6" />
      <text class={`s${mark.side}`} y="6.6" font-size="18.6">
        {marks.map((m) => m.label).join(" ")}
      </text>
    </g>
  );
}
