import { useState } from "preact/hooks";
import { type Claim, thread } from "./model";
import { CampBadge, type Room } from "./page";
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

/** Claims, deaths and counts in the order in which they came. */
export function Thread({ room }: { room: Room }) {
  const { view, m } = room;
  const lines = thread(view);
  return (
    <ol class="thread" tabIndex={0} aria-label={m.thread}>
      {lines.map((line, i) => {
        switch (line.kind) {
          case "phase":
            return (
              <li key={i} class="sys">
                {line.phase === "night" ? m.night(line.n) : m.day(line.n)}
              </li>
            );
          case "died":
            return (
              <li key={i} class="sys">
                <b>{m.died(line.seat, m.camp[line.camp]!)}</b> <CampBadge camp={line.camp} m={m} />
              </li>
            );
          case "count":
            return (
              <li key={i} class="sys">
                <b>{line.day.executed === null ? m.nobody : m.executed(line.day.executed, line.day.died)}</b>
              </li>
            );
          default:
            return (
              <li key={i} class={`msg${view.me?.seat === line.seat ? " own" : ""}`}>
                <b class="num">{line.seat}</b>
                <span>{claimText(m, line.claim)}</span>
              </li>
            );
        }
      })}
    </ol>
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
          m.tabs.now,
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
