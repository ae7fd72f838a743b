import { useEffect, useState } from "preact/hooks";
import { type Dict, texts } from "../i18n";
import { api } from "../net/api";
import type { ServerError } from "../net/protocol";
import type { TableModel } from "./model";

const KINDS: Record<string, string> = {
  king: "K",
  advisor: "A",
  elephant: "B",
  horse: "N",
  rook: "R",
  cannon: "C",
  pawn: "P",
};

type Words = (t: Dict, found: readonly string[]) => string;

const kind = (t: Dict, name: string) => t.kind("xiangqi", KINDS[name] ?? "P");

/** What the server says to people at a terminal, by what it is about. */
const REASONS: [RegExp, Words][] = [
  [/(\w+) may not stand on (\w\d)/, (t, [who, at]) => t.whyNot.stand(kind(t, who!), at!)],
  [/more than (\d) members/, (t, [most]) => t.whyNot.crowd(most!)],
  [/stay as it is/, (t) => t.whyNot.same],
  [/king attacked/, (t) => t.whyNot.king],
  [/two (\w+)s are showing/, (t, [what]) => t.whyNot.two(kind(t, what!))],
  [/do not allow a flip to (\w+)/, (t, [what]) => t.whyNot.rights(kind(t, what!))],
  [/may not be turned into/, (t) => t.whyNot.agreed],
  [/answers no check/, (t) => t.whyNot.check],
];

/** A refusal in words. */
export function reasonOf(t: Dict, error: ServerError): string {
  for (const [pattern, words] of REASONS) {
    const found = pattern.exec(error.message);
    if (found) return words(t, found.slice(1));
  }
  return t.error[error.code] ?? t.errorElse;
}

/** Asks the server why each of `actions` may not be done now; empty until it has answered. */
export function useReasons(model: TableModel, actions: readonly string[]): readonly string[] {
  const t = texts();
  const [refused, setRefused] = useState<readonly (ServerError | null)[]>([]);
  const state = model.state.value!;
  const seat = state.you === "both" ? (model.seat.value ?? undefined) : undefined;
  const key = actions.join("|");
  useEffect(() => {
    let wanted = true;
    setRefused([]);
    if (key)
      Promise.all(actions.map((action) => api.judge(state.table, action, seat))).then(
        (answers) => wanted && setRefused(answers.map((answer) => answer.refused)),
        // Without an answer nothing is said.
        () => undefined,
      );
    return () => {
      wanted = false;
    };
  }, [state.table, seat, key]);
  return refused.map((error) => (error ? reasonOf(t, error) : ""));
}
