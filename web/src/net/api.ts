import type { Hint } from "../board/pick";
import type { BoardView, NewTable, RuleSet, SeatId, ServerError, TableSummary } from "./protocol";

/** A refusal of the server, by its code. */
export class ApiError extends Error {
  constructor(readonly error: ServerError) {
    super(error.message);
  }
}

async function call<T>(path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(
      `/api/${path}`,
      body === undefined
        ? {}
        : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    );
  } catch {
    throw new ApiError({ code: "offline", message: "the server cannot be reached" });
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok || answer === null)
    throw new ApiError(
      answer?.error ?? { code: "server", message: `the server answered ${response.status}` },
    );
  return answer as T;
}

export const api = {
  me: () => call<{ name: string }>("me"),
  rename: (name: string) => call<{ name: string }>("me", { name }),
  rules: () => call<RuleSet[]>("rules"),
  /** The rules' canonical text, and the operator's engines that play by them. */
  checkRules: (rules: string) => call<{ rules: string; engines: string[] }>("rules/check", { rules }),
  position: (rules: string, fen?: string, plies?: readonly string[]) =>
    call<{ view: BoardView; hints: Hint[] }>("position", { rules, fen, plies }),
  tables: () => call<TableSummary[]>("tables"),
  create: (table: NewTable) => call<{ table: string }>("tables", table),
  /** Whether the own seat could do this now, and why not. */
  judge: (table: string, action: string, seat?: SeatId) =>
    call<{ refused: ServerError | null }>(`tables/${table}/judge`, { do: action, seat }),
  record: (table: string) => call<unknown>(`tables/${table}/record`),
};
