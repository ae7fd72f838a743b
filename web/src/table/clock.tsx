import { useEffect, useReducer } from "preact/hooks";
import { texts } from "../i18n";
import type { SeatId, TableState } from "../net/protocol";
import { play } from "../sound";

/** What is left of the present stretch of a seat's clock (main time or a period), and how many periods. */
export interface Left {
  ms: number;
  periods: number;
  /** Main time, behind which there are periods. */
  main: boolean;
}

/** Counts a seat's clock down from the server's last word. */
export function remaining(state: TableState, seat: SeatId, sinceReceived: number): Left {
  const clock = state.clock!;
  const periods = clock.periods?.[seat] ?? 0;
  const running = clock.running === seat;
  const ms = Math.max(0, clock[seat] - (running ? sinceReceived : 0));
  const length = Number(/x(\d+)$/.exec(clock.text)?.[1] ?? 0) * 1000;
  if (!periods || !length || !running || !state.deadline) return { ms, periods, main: false };
  // Until the flag falls there is what is left of main time, and all periods: one runs into the next.
  const whole = Math.max(0, state.deadline - state.now - sinceReceived);
  if (whole > periods * length) return { ms: whole - periods * length, periods, main: true };
  const now = Math.max(1, Math.ceil(whole / length));
  return { ms: whole - (now - 1) * length, periods: now, main: false };
}

/** `1:02:03`, `8:41`, `0:07.3`; days where days are what counts. */
export function clockFace(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  const days = Math.floor(seconds / 86400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days) return `${days}d ${two(hours)}:${two(minutes)}`;
  if (hours) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  if (ms < 10_000) return `0:0${seconds}.${Math.floor(ms / 100) % 10}`;
  return `${minutes}:${two(seconds % 60)}`;
}

const LOW = 10_000;

interface ClockProps {
  state: TableState;
  seat: SeatId;
  who: string;
  receivedAt: number;
  mine: boolean;
  online: boolean;
}

/** A clock that never lies: it shows the server's time and only counts on between its words. */
export function Clock({ state, seat, who, receivedAt, mine, online }: ClockProps) {
  const [, tick] = useReducer((n: number) => n + 1, 0);
  const clock = state.clock!;
  const running = clock.running === seat && state.view.result === null && online;
  const { ms: left, periods, main } = remaining(state, seat, running ? performance.now() - receivedAt : 0);
  const low = running && left < LOW && !main;
  useEffect(() => {
    if (!running) return;
    // Wakes when the face changes: each tenth at the end, else each second.
    const timer = setTimeout(() => tick(0), left < LOW + 100 ? 100 : (left % 1000) + 5);
    return () => clearTimeout(timer);
  });
  const second = Math.floor(left / 1000);
  useEffect(() => {
    if (low && mine) play("low");
  }, [low, mine, second]);
  const face = clockFace(left);
  return (
    <span
      class={`clock num${running ? " on" : ""}${low ? " low" : ""}`}
      role="timer"
      aria-label={texts().clockLeft(who, face)}
      style={low ? { "--drained": `${100 - left / 100}%` } : undefined}
    >
      {face}
      {periods ? <small> ×{periods}</small> : null}
    </span>
  );
}

/** What is left until something beside the clocks closes. */
export function Countdown({ state, receivedAt }: { state: TableState; receivedAt: number }) {
  const [, tick] = useReducer((n: number) => n + 1, 0);
  const deadline = state.deadline;
  useEffect(() => {
    if (!deadline) return;
    const timer = setInterval(() => tick(0), 500);
    return () => clearInterval(timer);
  }, [deadline]);
  if (!deadline) return null;
  const left = Math.max(0, deadline - state.now - (performance.now() - receivedAt));
  return <span class={`num countdown${left < LOW ? " low" : ""}`}>{texts().timeLeft(clockFace(left))}</span>;
}
