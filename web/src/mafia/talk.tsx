import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "../i18n";
import { type BallotStep, type Claim, type Line, thread } from "./model";
import { CampBadge, type Room } from "./page";
import { duration } from "./room";
import type { MafiaTexts } from "./texts";

export function claimText(m: MafiaTexts, claim: Claim): string {
  switch (claim.code) {
    case "am":
      return m.claims.am(m.camp[claim.camp ?? "W"]!, claim.role ? m.role[claim.role]! : null);
    case "did":
      return m.claims.did(claim.night ?? 0, m.deed[claim.deed ?? "pass"]!.toLowerCase(), claim.on ?? null);
    case "suspect":
      return m.claims.suspect(claim.on ?? 0, m.because[claim.because ?? "vote"]!);
    default:
      return m.claims.trust(claim.on ?? 0);
  }
}

function stepText(m: MafiaTexts, { seat, from, to }: BallotStep): string {
  const word = (target: number | "none") => (target === "none" ? m.none : String(target));
  if (to === undefined) return m.takesBack(seat);
  return from === undefined ? m.votes(seat, word(to)) : m.moves(seat, word(from), word(to));
}

/** Something that was said, by whom; text is text. */
function Message({ room, line }: { room: Room; line: Extract<Line, { kind: "claim" | "spoke" }> }) {
  const { m, state } = room;
  const own = line.seat !== null && state.you === line.seat;
  const dead = line.kind === "spoke" && line.dead;
  return (
    <li class={`msg${own ? " own" : ""}${dead ? " ghost" : ""}`}>
      <b class="num">{line.seat ?? (line.kind === "spoke" ? "◦" : "")}</b>
      <span>
        {line.kind === "spoke" ? (
          <>
            {line.name && <span class="sm mut by">{line.name}</span>}
            {dead && <span class="sm mut by">{m.deadTalk}</span>}
            {line.text}
          </>
        ) : (
          claimText(m, line.claim)
        )}
      </span>
    </li>
  );
}

function lineText({ m }: Room, line: Line) {
  const t = texts();
  switch (line.kind) {
    case "phase": {
      const name = line.phase === "night" ? m.night(line.n) : m.day(line.n);
      return <b>{line.tied ? `${name} · ${m.runoff(line.tied.join(", "))}` : name}</b>;
    }
    case "died":
      return (
        <>
          <b>{m.died(line.seat, m.camp[line.camp]!)}</b> <CampBadge camp={line.camp} m={m} />
        </>
      );
    case "king":
      return <b>{m.newKing(line.seat, m.camp[line.camp]!)}</b>;
    case "quiet":
      return m.dawnQuiet;
    case "count":
      return <b>{line.executed === null ? m.nobody : m.executed(line.executed, line.died)}</b>;
    case "ballots":
      return line.steps.map((step) => stepText(m, step)).join(" · ");
    case "joined":
      return m.joined(line.seat);
    case "ordered":
      if (line.order === "extend") return m.orderedExtend(duration(m, line.seconds));
      if (line.order === "admit") return m.orderedAdmit(line.name || t.guest);
      return m.ordered[line.order]?.(line.seat) ?? line.order;
    default:
      return null;
  }
}

/** Words, ballots, deaths, counts and the host's orders in the order in which they came; the end stays in view. */
export function Thread({ room }: { room: Room }) {
  const { view, m, log } = room;
  const ref = useRef<HTMLOListElement>(null);
  const atEnd = useRef(true);
  const lines = view ? thread(log, view) : lobbyLines(room);
  useEffect(() => {
    const list = ref.current;
    if (list && atEnd.current) list.scrollTop = list.scrollHeight;
  });
  return (
    <ol
      class="thread"
      ref={ref}
      tabIndex={0}
      aria-label={m.thread}
      onScroll={({ currentTarget: list }) => {
        atEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
      }}
    >
      {lines.map((line, i) =>
        line.kind === "claim" || line.kind === "spoke" ? (
          <Message key={i} room={room} line={line} />
        ) : (
          <li key={i} class={`sys ${line.kind}`}>
            {lineText(room, line)}
          </li>
        ),
      )}
    </ol>
  );
}

/** Before the cards are dealt there is only talk. */
function lobbyLines({ log }: Room): Line[] {
  const events = log.flatMap((entry) => entry.events ?? []);
  return events.filter((e) => e.kind === "spoke") as unknown as Line[];
}

/** By night: what has become public so far, the latest last. */
export function News({ room }: { room: Room }) {
  const { view, m } = room;
  const public_ = view.days
    .filter((d) => !d.runoff)
    .map((d) => ({ n: d.day, phase: "day" as const, day: d }));
  const night = view.deaths.filter((d) => d.phase === "night");
  const lines = [
    ...public_.map((d) => ({
      at: d.n * 2 + 1,
      text: `${m.day(d.n)}: ${d.day.executed === null ? m.nobody : m.executed(d.day.executed, d.day.died)}`,
    })),
    ...night.map((d) => ({ at: d.n! * 2, text: `${m.night(d.n!)}: ${m.died(d.seat, m.camp[d.camp]!)}` })),
  ].sort((a, b) => a.at - b.at);
  if (lines.length === 0) return null;
  return (
    <ul class="note news">
      {lines.slice(-4).map((line) => (
        <li key={line.text}>{line.text}</li>
      ))}
    </ul>
  );
}

/** Free words to whom they may reach now, and claims; or why there is silence. */
export function SayBox({ room }: { room: Room }) {
  const { view, m, state, send, over } = room;
  const [text, setText] = useState("");
  const [claiming, setClaiming] = useState(false);
  const voice = state.room?.voice;
  const me = view?.me;
  const canClaim = Boolean(me?.powers.includes("say")) && !over;
  if (!voice) {
    const why = state.seats[(me?.seat ?? 0) - 1]?.muted
      ? m.mutedYou
      : view?.phase === "night" && me
        ? m.nightSilent
        : "";
    return (
      <div class="say">
        {why && <p class="sm mut">{why}</p>}
        {canClaim && <ClaimMaker room={room} />}
      </div>
    );
  }
  const label = voice === "dead" ? m.sayDead : m.sayAll;
  return (
    <form
      class="say"
      onSubmit={(e) => {
        e.preventDefault();
        if (!text.trim()) return;
        send(`chat ${text.trim()}`);
        setText("");
      }}
    >
      {claiming && canClaim && <ClaimMaker room={room} />}
      <div class="row">
        {canClaim && (
          <button
            type="button"
            class={`btn${claiming ? " on" : ""}`}
            aria-pressed={claiming}
            onClick={() => setClaiming(!claiming)}
          >
            {m.claim}
          </button>
        )}
        <input
          class="field grow"
          aria-label={label}
          placeholder={label}
          value={text}
          maxLength={500}
          autoComplete="off"
          onInput={(e) => setText(e.currentTarget.value)}
        />
        <button type="submit" class="btn pri" aria-label={m.send}>
          ↑
        </button>
      </div>
    </form>
  );
}

const DEEDS = ["kill", "jail", "save", "trade", "curse", "guard", "hold", "pass"];
const ROLES = ["K", "Q", "R", "N", "B", "P"];
const REASONS = ["vote", "claim", "death", "night"];

/** A sentence of the claim language, put together from words. */
export function ClaimMaker({ room }: { room: Room }) {
  const { view, m } = room;
  const [kind, setKind] = useState<Claim["code"]>("suspect");
  const [seat, setSeat] = useState(view.me?.seat === 1 ? 2 : 1);
  const [camp, setCamp] = useState<"W" | "B">("W");
  const [role, setRole] = useState("");
  const [deed, setDeed] = useState("jail");
  const [because, setBecause] = useState("vote");
  const nights = view.day;
  const [night, setNight] = useState(nights);
  const select = (
    label: string,
    value: string,
    words: [string, string][],
    change: (value: string) => void,
  ) => (
    <select class="btn" aria-label={label} value={value} onChange={(e) => change(e.currentTarget.value)}>
      {words.map(([key, word]) => (
        <option key={key} value={key}>
          {word}
        </option>
      ))}
    </select>
  );
  const seats = () =>
    select(
      m.vote,
      String(seat),
      Array.from({ length: 16 }, (_, i) => [String(i + 1), String(i + 1)]),
      (v) => setSeat(Number(v)),
    );
  const aimless = deed === "hold" || deed === "pass";
  const text = {
    am: `say am ${camp}${role ? ` ${role}` : ""}`,
    did: `say did ${night} ${deed}${aimless ? "" : ` ${seat}`}`,
    suspect: `say suspect ${seat} ${because}`,
    trust: `say trust ${seat}`,
  }[kind];
  return (
    <div class="row wrap maker">
      {select(m.claimTitle, kind, Object.entries(m.sayKind) as [string, string][], (v) =>
        setKind(v as Claim["code"]),
      )}
      {kind === "am" && select(m.camp.W!, camp, Object.entries(m.camp), (v) => setCamp(v as "W" | "B"))}
      {kind === "am" &&
        select(m.roles, role, [["", "—"], ...ROLES.map((r) => [r, m.role[r]!] as [string, string])], setRole)}
      {kind === "did" &&
        select(
          m.night(night),
          String(night),
          Array.from({ length: nights }, (_, i) => [String(i + 1), m.night(i + 1)]),
          (v) => setNight(Number(v)),
        )}
      {kind === "did" &&
        select(
          m.tabs.night,
          deed,
          DEEDS.map((d) => [d, m.deed[d]!]),
          setDeed,
        )}
      {kind !== "am" && !(kind === "did" && aimless) && seats()}
      {kind === "suspect" &&
        select(
          m.sayKind.suspect!,
          because,
          REASONS.map((r) => [r, m.because[r]!]),
          setBecause,
        )}
      <button type="button" class="btn pri" onClick={() => room.send(text)}>
        {m.say}
      </button>
    </div>
  );
}
