import { useEffect, useState } from "preact/hooks";
import { Board, type Scene } from "../board/board";
import { type Family, geometry } from "../board/geometry";
import { familyOf } from "../board/mini";
import * as picking from "../board/pick";
import { type Desk, type Hint, idle, type Pick } from "../board/pick";
import { Picture } from "../board/pieces";
import { readDiagram, sideToMove } from "../board/placement";
import { squaresOf } from "../board/text";
import { texts } from "../i18n";
import { api } from "../net/api";
import type { BoardView } from "../net/protocol";
import { readRules } from "../rulestext";
import { pieceSet } from "../settings";
import { describeSquare } from "../table/describe";
import { inline } from "./markdown";

/** What a ```diagram fence says; see README.md beside the rules. */
export interface DiagramText {
  rules: string;
  fen?: string;
  hints?: string;
  caption?: string;
}

export function readDiagramText(text: string): DiagramText {
  const found: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const pair = /^\s*(\w+)\s*:\s*(.*?)\s*$/.exec(line);
    if (pair) found[pair[1]!] = pair[2]!;
  }
  return { rules: found.rules ?? "xiangqi", ...found };
}

/** A position from the real rules, to be touched: what may be played is asked of the server. */
export function Diagram({ source }: { source: DiagramText }) {
  const t = texts();
  const [plies, setPlies] = useState<readonly string[]>([]);
  const [answer, setAnswer] = useState<{ view: BoardView; hints: Hint[] } | null>(null);
  const [pick, setPick] = useState<Pick>(idle);
  const rules = readRules(source.rules);
  const base = rules.base ?? rules;
  const family: Family = familyOf(base.id);
  useEffect(() => {
    let wanted = true;
    api.position(source.rules, source.fen, plies).then(
      (position) => wanted && setAnswer(position),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [source.rules, source.fen, plies]);
  const fen = answer?.view.fen ?? source.fen ?? "";
  const diagram = readDiagram(family, fen);
  const side = sideToMove(family, fen) ?? 0;
  const desk: Desk = {
    hints: answer?.hints ?? [],
    pieces: diagram.pieces,
    side,
    kind: family === "go" || family === "gomoku" ? "stones" : base.id === "zuyi" ? "stacks" : "pieces",
  };
  useEffect(() => {
    const wish = source.hints;
    if (!answer || plies.length || !wish) return;
    const [from, members] = wish.split(":");
    const step = picking.touch(desk, idle, from!.trim());
    if (!step || !("pick" in step)) return;
    if (members && step.pick.step === "from") {
      const all = picking.membersAt(desk, step.pick.from);
      setPick({ ...step.pick, go: [...all].map((kind) => members.includes(kind)) });
    } else setPick(step.pick);
  }, [answer, plies.length]);
  if (!diagram.cols || !fen) return <figure class="fig" />;
  const play = (step: picking.Step | null) => {
    if (!step) return;
    if ("pick" in step) setPick(step.pick);
    else {
      setPick(idle);
      setPlies([...plies, step.play.do]);
    }
  };
  const geo = geometry(family, diagram.cols, diagram.rows);
  const scene = sceneOf(family, desk, pick, answer?.view);
  const choices = pick.step === "idle" || pick.step === "from" ? [] : picking.choices(desk, pick);
  const set = pieceSet();
  return (
    <figure class="fig">
      <Board
        geo={geo}
        set={set}
        scene={scene}
        label={source.caption ?? t.boardLabel(base.id)}
        describe={(square) => describeSquare(t, family, scene, square)}
        onTap={(square, tap) => {
          if (tap.mouse && pick.step === "from" && square === pick.from && pick.go.length > 1)
            setPick(picking.toggleMember(desk, pick, tap.cell, tap.shift));
          else play(picking.touch(desk, pick, square));
        }}
        onKey={(key) => {
          if (/^[1-4]$/.test(key)) setPick(picking.toggleMember(desk, pick, Number(key) - 1));
          else if (key === "Escape") setPick(picking.stepBack(pick));
          else return false;
          return true;
        }}
      />
      {family === "shogi" && (
        <p class="hands">
          {[...diagram.hands[side]].map(([kind, count]) => (
            <button
              type="button"
              class="btn tiny"
              key={kind}
              onClick={() => play(picking.touch(desk, idle, `${kind}*`))}
            >
              <Picture family="shogi" set={set} piece={{ side: 0, members: kind }} size={24} /> ×{count}
            </button>
          ))}
        </p>
      )}
      {choices.length > 0 && (
        <p class="answers">
          {choices.map((hint) => (
            <button type="button" class="btn tiny" key={hint.do} onClick={() => play({ play: hint })}>
              {hint.do}
            </button>
          ))}
        </p>
      )}
      <figcaption>
        {source.caption && inline(source.caption)}{" "}
        {plies.length === 0 && answer && answer.hints.length > 0 && <span class="try">{t.tryIt}</span>}
        {plies.length > 0 && (
          <button
            type="button"
            class="btn tiny"
            onClick={() => {
              setPick(idle);
              setPlies([]);
            }}
          >
            {t.resetDiagram}
          </button>
        )}
      </figcaption>
    </figure>
  );
}

function sceneOf(family: Family, desk: Desk, pick: Pick, view: BoardView | undefined): Scene {
  const last = squaresOf(family, view?.last);
  const scene: Scene = { pieces: picking.preview(desk, pick), last, possible: view?.possible };
  if (pick.step === "from") {
    scene.selected = pick.from.endsWith("*") ? [] : [pick.from];
    scene.targets = picking.targets(desk, pick);
    if (!pick.go.every(Boolean)) scene.fade = { at: pick.from, members: pick.go.map((on) => !on) };
    if (picking.flips(desk, pick.from).length) scene.turn = pick.from;
  } else if (pick.step === "token") scene.coin = pick.to;
  return scene;
}
