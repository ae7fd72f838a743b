import { useEffect, useReducer } from "preact/hooks";
import { texts } from "../i18n";
import type { TableState } from "../net/protocol";
import { lang } from "../settings";
import { play } from "../sound";
import { clockFace } from "../table/clock";
import { mafiaTexts } from "./texts";

/** Below this the countdown changes its look and says so, once; below the second it ticks. */
const SOON = 30_000;
const LAST = 10_000;

/** What is left of the phase; it warns before the phase closes. */
export function Countdown({ state, receivedAt }: { state: TableState; receivedAt: number }) {
  const m = mafiaTexts[lang.value];
  const [, tick] = useReducer((n: number) => n + 1, 0);
  const deadline = state.deadline;
  const left = deadline ? Math.max(0, deadline - state.now - (performance.now() - receivedAt)) : 0;
  useEffect(() => {
    if (!deadline) return;
    const timer = setTimeout(() => tick(0), left < LAST ? 100 : (left % 1000) + 5);
    return () => clearTimeout(timer);
  });
  const second = Math.floor(left / 1000);
  const last = Boolean(deadline) && left < LAST && left > 0;
  useEffect(() => {
    if (last && state.you !== null) play("low");
  }, [last, second]);
  if (state.room?.paused != null) return <span class="num countdown">{m.paused}</span>;
  if (!deadline) return null;
  const soon = left < SOON;
  return (
    <span class={`num countdown${soon ? " low" : ""}`} role="timer">
      <span aria-hidden="true">{clockFace(left)}</span>
      <span class="hidden" aria-live={soon ? "polite" : "off"}>
        {soon
          ? m.soon(m.seconds(left < LAST ? 10 : 30))
          : texts().timeLeft(clockFace(left - (left % 60_000)))}
      </span>
    </span>
  );
}
