import type { Occupant, Placement } from "./placement";

/** A piece with an identity that lasts from position to position, so that it can glide. */
export interface Tracked {
  id: number;
  at: string;
  piece: Occupant;
  /** No longer there: fades away. */
  gone?: boolean;
}

let lastId = 0;

const alike = (a: Occupant, b: Occupant) => a.side === b.side && a.members === b.members;

/**
 * Matches the pieces of a new position to those of the old one: first what stayed, then what the last ply moved, then
 * equal pieces elsewhere, then what changed where it stands. A piece that joined a stack glides there and is gone.
 */
export function track(old: readonly Tracked[], next: Placement, last: readonly string[] = []): Tracked[] {
  const [from, to] = last;
  const rest = new Set(old.filter((t) => !t.gone));
  const missing = new Map(next);
  const kept = new Map<Tracked, string>();
  const match = (was: Tracked | undefined, at: string) => {
    if (!was || !missing.has(at)) return;
    rest.delete(was);
    missing.delete(at);
    kept.set(was, at);
  };
  const oldAt = (at: string) => [...rest].find((t) => t.at === at);
  for (const t of [...rest]) {
    const there = missing.get(t.at);
    if (there && alike(there, t.piece) && t.at !== to) match(t, t.at);
  }
  if (from !== undefined && to !== undefined) {
    const mover = oldAt(from);
    const there = missing.get(to);
    const joins = oldAt(to)?.piece.side === mover?.piece.side;
    if (mover && there && there.side === mover.piece.side && !missing.has(from) && !joins) match(mover, to);
  }
  for (const [at, piece] of [...missing]) {
    const same = [...rest].filter((t) => alike(t.piece, piece));
    match(same.find((t) => t.at === at) ?? same[0], at);
  }
  for (const [at, piece] of [...missing]) {
    const there = oldAt(at);
    if (there?.piece.side === piece.side) match(there, at);
  }
  // The order never changes: moving an element in the document would cut its transition short.
  const result: Tracked[] = [];
  for (const t of old) {
    const at = kept.get(t);
    if (at !== undefined) result.push({ id: t.id, at, piece: next.get(at)! });
    else if (rest.has(t)) {
      const joined = t.at === from && to !== undefined && next.get(to)?.side === t.piece.side;
      result.push({ id: t.id, at: joined ? to : t.at, piece: t.piece, gone: true });
    }
  }
  for (const [at, piece] of missing) result.push({ id: ++lastId, at, piece });
  return result;
}
