import type { Scene } from "../board/board";
import type { Family } from "../board/geometry";
import type { Dict } from "../i18n";

/** What a screen reader says of a square: its name, what stands there, what a touch would mean. */
export function describeSquare(t: Dict, family: Family, scene: Scene, square: string): string {
  const words = [square];
  const piece = scene.pieces.get(square);
  if (!piece) words.push(t.square.empty);
  else {
    const side = t.side(family, piece.side);
    if (piece.members === "S" && (family === "go" || family === "gomoku")) words.push(`${side} ${t.stone}`);
    else if (piece.members.length > 1)
      words.push(`${side} ${t.stack}: ${[...piece.members].map((kind) => t.kind(family, kind)).join(", ")}`);
    else words.push(`${side} ${t.kind(family, piece.members, piece.promoted)}`);
    if (piece.token) words.push(t.square.token);
    const maybe = scene.possible?.[square];
    if (piece.dark === "?")
      words.push(maybe ? t.square.maybe(maybe.map((k) => t.kind(family, k))) : t.square.unknown);
    else if (piece.dark) words.push(t.square.dark(t.kind(family, piece.dark)));
  }
  for (const mark of scene.stones?.get(square) ?? [])
    words.push(`${mark.label}: ${t.side(family, mark.side)}`);
  if (scene.selected?.includes(square)) words.push(t.square.selected);
  const target = scene.targets?.get(square);
  if (target) words.push(t.square.target[target]);
  return words.join(", ");
}
