import type { Arrow } from "./arrows";
import { Board, type Scene } from "./board";
import { type Family, geometry } from "./geometry";
import type { PieceSet } from "./pieces";
import { readDiagram } from "./placement";

/** A small still board. */
export function MiniBoard({
  family,
  fen,
  set,
  label,
  flipped = false,
  arrows,
}: {
  family: Family;
  fen: string;
  set: PieceSet;
  label: string;
  flipped?: boolean;
  arrows?: readonly Arrow[];
}) {
  const diagram = readDiagram(family, fen);
  const scene: Scene = { pieces: diagram.pieces, ...(arrows ? { arrows } : {}) };
  return (
    <div class="mini" role="img" aria-label={label}>
      <Board
        geo={geometry(family, diagram.cols, diagram.rows, flipped)}
        set={set}
        scene={scene}
        label={label}
        describe={() => ""}
        still
      />
    </div>
  );
}

/** The family that a rule set is drawn in, by the rule set's id (a mechanism: by its base's). */
export function familyOf(id: string): Family {
  return id === "chess" || id === "shogi" || id === "go" || id === "gomoku" ? id : "xiangqi";
}
