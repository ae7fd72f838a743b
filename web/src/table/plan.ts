import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Scene } from "../board/board";
import type { Desk, Hint } from "../board/pick";
import { afterPly, type Placement, type Ply, readDiagram, type Side } from "../board/placement";
import { plyOf } from "../board/text";
import { api } from "../net/api";
import type { BoardView, TableState } from "../net/protocol";
import { lang } from "../settings";
import { type Committed, drawCommitted, LETTERS, listCommitted, nameCommitted } from "./committed";
import { colourOf, type TableModel } from "./model";
import { nameOf } from "./notate";

/** One ply to be entered: of a submission (its number) or of a declaration (now, or a letter). */
export interface Slot {
  label: string;
  ply: (Ply & { do: string }) | null;
  /** Whether it is legal on the preview, where the other side passes; null while not known. */
  legal: boolean | null;
}

/** What a slot is entered on: the present with the own plies before it played ahead. */
interface Stage {
  pieces: Placement;
  /** The position as text, where it is one that can be. */
  fen: string | null;
  hints: readonly Hint[];
  settled: boolean;
}

/**
 * A submission or declaration in the making. Plies are entered on a preview on which the other side passes; what is
 * legal there the server says, and anything conceivable may be entered all the same but for the first.
 */
export class Plan {
  readonly slots = signal<readonly Slot[]>([]);
  readonly current = signal(0);
  /** A ply of the strip that is pointed at: its arrow is shown alone. */
  readonly alone = signal<string | null>(null);
  private readonly stages = signal<readonly Stage[]>([]);
  private round = 0;
  readonly desk: ReadonlySignal<Desk | null>;

  constructor(private readonly model: TableModel) {
    this.desk = computed(() => {
      const stage = this.stages.value[this.current.value];
      if (!stage || !this.slots.value.length) return null;
      const first = this.current.value === 0;
      return {
        hints: stage.hints,
        pieces: stage.pieces,
        side: this.model.actingSide(),
        kind: this.model.kind(),
        ...(first ? {} : { free: (ply: Ply) => this.write(ply) }),
      };
    });
  }

  /** Shows the arrow of one ply alone; null shows all. */
  point(label: string | null) {
    this.alone.value = label;
  }

  /** Whether more than one ply is to be entered before anything is sent. */
  get active(): boolean {
    return this.slots.value.length > 1;
  }

  get complete(): boolean {
    return this.active && this.slots.value.every((s) => s.ply);
  }

  private get pooled(): boolean {
    return this.model.rules.value.id.startsWith("pool");
  }

  /** Reads a committed ply's text for drawing. */
  read(text: string): Ply {
    return plyOf(this.model.family.value, text);
  }

  private write(ply: Ply): string {
    const [from, to] = ply.path;
    if (to === undefined) return from!;
    return `${from}${to}${ply.go ? `:${ply.go}` : ""}`;
  }

  /** A new question begins a new plan. */
  begin(state: TableState) {
    this.round++;
    const labels = this.owed(state);
    const first: Stage = {
      pieces: readDiagram(this.model.family.value, state.view.fen).pieces,
      fen: state.view.fen,
      hints: state.hints,
      settled: true,
    };
    batch(() => {
      this.slots.value = labels.length > 1 ? labels.map((label) => ({ label, ply: null, legal: null })) : [];
      this.stages.value = labels.length > 1 ? [first] : [];
      this.current.value = 0;
      this.alone.value = null;
    });
  }

  private owed(state: TableState): string[] {
    const owes = state.view.owes;
    const seat = this.model.seat.value;
    if (!owes || state.view.result || !seat || owes.seat !== seat || !state.hints.length) return [];
    if (owes.kind === "declare") {
      const count = Number(this.model.rules.value.options.pool ?? 5);
      return [String((state.view.ply ?? 0) + 1), ...LETTERS.slice(0, count)];
    }
    if (owes.from === undefined || owes.to === undefined) return [];
    const labels: string[] = [];
    for (let ply = owes.from; ply <= owes.to; ply += 2) labels.push(String(ply));
    return labels;
  }

  /** Takes a chosen ply into its slot; false when there is nothing to plan and it is simply played. */
  accept(ply: Ply & { do: string }): boolean {
    if (!this.active) return false;
    const index = this.current.value;
    const stage = this.stages.value[index];
    if (!stage) return true;
    const slots = [...this.slots.value];
    const legal = stage.hints.some((h) => h.do === ply.do);
    slots[index] = { ...slots[index]!, ply, legal: legal ? true : stage.settled ? false : null };
    const next = slots.findIndex((s, i) => i > index && !s.ply);
    batch(() => {
      this.slots.value = slots;
      this.current.value =
        next >= 0 ? next : slots.findIndex((s) => !s.ply) >= 0 ? slots.findIndex((s) => !s.ply) : index;
      this.rebuild(index);
    });
    return true;
  }

  /** What could not be played, until both have answered it. */
  get failure(): BoardView["failed"] {
    const view = this.model.state.value?.view;
    return view?.failed && view.failed.ply >= (view.ply ?? 0) ? view.failed : null;
  }

  /** Goes back to a slot: the preview shows the position just before it; later slots stay. */
  edit(index: number) {
    batch(() => {
      this.model.pick.value = { step: "idle" };
      this.current.value = index;
    });
  }

  /** Empties the last slot that was filled. */
  undo() {
    const slots = [...this.slots.value];
    const index = slots.findLastIndex((s) => s.ply);
    if (index < 0) return;
    slots[index] = { ...slots[index]!, ply: null, legal: null };
    batch(() => {
      this.model.pick.value = { step: "idle" };
      this.slots.value = slots;
      this.current.value = index;
      this.rebuild(index);
    });
  }

  send() {
    if (!this.complete) return;
    const [first, ...rest] = this.slots.value.map((s) => s.ply!.do);
    this.model.send(this.pooled ? `${first} | ${rest.join(" ")}` : [first, ...rest].join(" "));
  }

  /** Builds the stages after `index` anew, at once by drawing alone and then by the server's word. */
  private rebuild(index: number) {
    const round = ++this.round;
    const side = this.model.actingSide();
    const stages = this.stages.value.slice(0, index + 1);
    const slots = this.slots.value;
    const reach = this.pooled ? 1 : slots.length - 1;
    for (let i = stages.length; i <= reach; i++) {
      const before = stages[i - 1]!;
      const ply = slots[i - 1]!.ply;
      const pieces = ply ? afterPly(before.pieces, ply, side) : before.pieces;
      stages.push({ pieces, fen: null, hints: [], settled: false });
    }
    // Candidates are alternatives: each is entered on the position after the ply that is played now.
    if (this.pooled) for (let i = stages.length; i < slots.length; i++) stages.push(stages[1]!);
    this.stages.value = stages;
    void this.settle(round, index);
  }

  private async settle(round: number, from: number) {
    const base = this.model.base.value.text;
    const reach = this.pooled ? 1 : this.slots.value.length - 1;
    for (let i = from; i < reach; i++) {
      const stage = this.stages.value[i];
      const slot = this.slots.value[i];
      if (!stage || !slot) return;
      const next = await this.passTo(base, stage, slot);
      if (round !== this.round) return;
      batch(() => {
        const stages = [...this.stages.value];
        stages[i + 1] = next;
        if (this.pooled) for (let k = 2; k < stages.length; k++) stages[k] = next;
        this.stages.value = stages;
        this.judge(i + 1);
      });
    }
  }

  /** The next stage: the ply is played if it is legal, then the other side passes. */
  private async passTo(base: string, stage: Stage, slot: Slot): Promise<Stage> {
    const side = this.model.actingSide();
    const drawn = slot.ply ? afterPly(stage.pieces, slot.ply, side) : stage.pieces;
    const lost: Stage = { pieces: drawn, fen: null, hints: [], settled: true };
    if (stage.fen === null) return lost;
    try {
      let fen = stage.fen;
      if (slot.ply) {
        if (!slot.legal) return lost;
        fen = passed((await api.position(base, fen, [slot.ply.do])).view.fen);
      }
      const pieces = readDiagram(this.model.family.value, fen).pieces;
      const hints = await api.position(base, fen).then(
        (answer) => answer.hints,
        () => [],
      );
      return { pieces, fen, hints, settled: true };
    } catch {
      return lost;
    }
  }

  /** Later slots stay when an earlier one changes, and are judged anew. */
  private judge(index: number) {
    const slots = [...this.slots.value];
    const last = this.pooled ? slots.length - 1 : index;
    for (let i = index; i <= last; i++) {
      const slot = slots[i];
      const stage = this.stages.value[i];
      if (slot?.ply && stage) slots[i] = { ...slot, legal: stage.hints.some((h) => h.do === slot.ply!.do) };
    }
    this.slots.value = slots;
  }

  // ---------- what the board shows of it ----------

  /** Adds the preview, both queues and both pools. */
  decorate(scene: Scene): Scene {
    const view = this.model.state.value?.view;
    if (!view?.queues && !view?.pools) return scene;
    const stage = this.stages.value[this.current.value];
    const preview = this.active && stage && this.current.value > 0;
    const base = preview ? { ...scene, pieces: stage.pieces, last: [], check: undefined } : scene;
    const marks = this.committed().filter((m) => this.alone.value === null || m.label === this.alone.value);
    const { ghosts, hollows } = this.played(scene.pieces, preview ? stage.pieces : scene.pieces);
    const failure = preview ? null : this.failure;
    const [from, to] = failure ? this.read(failure.text).path : [];
    const drawn = drawCommitted(marks);
    if (failure && from && to && !from.endsWith("*"))
      drawn.arrows = [
        ...(drawn.arrows ?? []),
        {
          from,
          to,
          label: String(failure.ply),
          side: colourOf(this.model.state.value, failure.seat),
          failed: true,
        },
      ];
    return { ...base, ...drawn, ghosts, hollows, cross: to ?? from };
  }

  /** What differs on the preview: pieces played ahead and the points they left. */
  private played(now: Placement, preview: Placement) {
    const ghosts = new Set<string>();
    const hollows: { at: string; side: Side }[] = [];
    if (now !== preview) {
      for (const [at, piece] of preview) {
        const was = now.get(at);
        if (was?.side !== piece.side || was.members !== piece.members) ghosts.add(at);
      }
      for (const [at, piece] of now) if (!preview.has(at)) hollows.push({ at, side: piece.side });
    }
    return { ghosts, hollows };
  }

  /** Every ply that is committed to, declared or planned, the soonest first. */
  committed(): Committed[] {
    const state = this.model.state.value;
    if (!state) return [];
    const found = listCommitted(this.model.family.value, state.view, (seat) => colourOf(state, seat));
    const side = this.model.actingSide();
    this.slots.value.forEach(({ label, ply }, i) => {
      // What is played at once by a declaration is no candidate.
      if (ply && !(this.pooled && i === 0))
        found.push({
          label,
          side,
          ply,
          text: ply.do,
          name: ply.do,
          planned: true,
          order: Number(label) || i,
        });
    });
    found.sort((a, b) => a.order - b.order);
    const now = this.model.diagram.value.pieces;
    const ahead = this.pooled ? this.stages.value[1]?.pieces : undefined;
    return nameCommitted(this.model.family.value, now, found, ahead, this.model.kind() === "stacks");
  }

  /** The name of the ply that is played at once. */
  firstName(): string | undefined {
    const ply = this.slots.value[0]?.ply;
    const pieces = this.stages.value[0]?.pieces;
    if (!ply || !pieces) return undefined;
    return nameOf(this.model.family.value, pieces, ply, ply.do, lang.value, this.model.kind() === "stacks");
  }
}

/** The position with the turn handed back, as if the other side had passed. */
export function passed(fen: string): string {
  const fields = fen.split(" ");
  fields[1] = fields[1] === "w" ? "b" : "w";
  // A pawn that could be taken in passing no longer can.
  if (fields.length === 6 && /^[a-h][36]$/.test(fields[3] ?? "")) fields[3] = "-";
  return fields.join(" ");
}
