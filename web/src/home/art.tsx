import { Arrows } from "../board/arrows";
import { GhostStone } from "../board/ghosts";
import { icons } from "../board/icons";
import { Badges, Band, Piece } from "../board/pieces";
import type { Occupant, Side } from "../board/placement";
import { pieceSet } from "../settings";

/** One drawing for each game, made of its own pieces. */
export function Art({ id }: { id: string }) {
  if (id === "mafia") return <Night />;
  return (
    <svg class="art" viewBox="0 0 120 84" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <rect class="wood" width="120" height="84" />
      {id === "chess" ? (
        <path class="darks" d="M0 0h40v42H0zM80 0h40v42H80zM40 42h40v42H40z" />
      ) : (
        <path class="lines" d="M0 22H120M0 62H120M20 0V84M60 0V84M100 0V84" />
      )}
      <Scene id={id} />
    </svg>
  );
}

function Put({
  x,
  y,
  size = 1,
  side = 0,
  members,
  token,
  dark,
}: Partial<Occupant> & { x: number; y: number; size?: number; side?: Side; members: string }) {
  const piece: Occupant = { side, members, ...(token ? { token } : {}), ...(dark ? { dark } : {}) };
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`}>
      <Piece family="xiangqi" set={pieceSet()} piece={piece} />
      {token && <Band />}
      <Badges piece={piece} set={pieceSet()} />
    </g>
  );
}

const spot = (text: string) => {
  const [x, y] = text.split(",").map(Number);
  return { x: x!, y: y! };
};

function Scene({ id }: { id: string }) {
  const stone = (x: number, y: number, side: Side) => (
    <g transform={`translate(${x} ${y}) scale(.92)`}>
      <Piece family="go" set="hans" piece={{ side, members: "S" }} />
    </g>
  );
  switch (id) {
    case "zuyi":
      return (
        <>
          <Put x={20} y={62} members="RNC" />
          <Put x={100} y={22} members="RNCA" side={1} />
          <Put x={60} y={42} members="NC" size={1.25} />
        </>
      );
    case "wangqi":
      return (
        <>
          <Put x={100} y={22} members="N" side={1} />
          <Put x={60} y={42} members="R" token size={1.25} />
        </>
      );
    case "qixi":
      return (
        <>
          <Put x={20} y={22} members="R" side={1} />
          <Put x={100} y={62} members="N" side={1} />
          <Put x={60} y={42} members="C" dark="N" size={1.25} />
        </>
      );
    case "premove":
      return (
        <>
          <Put x={20} y={62} members="R" />
          <Put x={100} y={62} members="C" side={1} />
          <Arrows
            arrows={[
              { from: "34,58", to: "66,20", label: "3", side: 0 },
              { from: "92,50", to: "78,14", label: "4", side: 1 },
            ]}
            at={spot}
            scale={1}
            size={{ x: 120, y: 84 }}
          />
        </>
      );
    case "pool":
    case "pool-opponent":
      return (
        <>
          {stone(20, 22, 0)}
          <g transform="translate(60 42) scale(1.08)">
            <GhostStone marks={[{ label: "B", side: 1, lit: true }]} occupied={false} />
          </g>
          <g transform="translate(100 62) scale(.9)">
            <GhostStone marks={[{ label: "A", side: 1, picked: id === "pool-opponent" }]} occupied={false} />
          </g>
        </>
      );
    case "xiangqi":
      return (
        <>
          <Put x={60} y={62} members="K" />
          <Put x={60} y={22} members="K" side={1} />
          <Put x={20} y={42} members="C" />
          <Put x={100} y={42} members="P" side={1} />
        </>
      );
    case "chess":
      return (
        <>
          {(["K", "N", "Q"] as const).map((kind, i) => (
            <g key={kind} transform={`translate(${20 + 40 * i} ${i === 1 ? 60 : 24})`}>
              <Piece family="chess" set="intl" piece={{ side: i === 1 ? 1 : 0, members: kind }} />
            </g>
          ))}
        </>
      );
    case "shogi":
      return (
        <>
          {(["R", "K", "P"] as const).map((kind, i) => (
            <g key={kind} transform={`translate(${20 + 40 * i} ${i === 1 ? 42 : 56})`}>
              <Piece family="shogi" set={pieceSet()} piece={{ side: i === 2 ? 1 : 0, members: kind }} />
            </g>
          ))}
        </>
      );
    default:
      return (
        <>
          {stone(20, 22, 0)}
          {stone(60, 22, 1)}
          {stone(60, 62, 0)}
          {stone(100, 62, id === "gomoku" ? 0 : 1)}
          {id === "gomoku" && stone(20, 62, 1)}
        </>
      );
  }
}

function Night() {
  return (
    <svg class="art" viewBox="0 0 120 84" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <rect width="120" height="84" fill="#2c2a55" />
      <circle cx="96" cy="20" r="11" fill="#fbeccd" />
      <circle cx="101" cy="17" r="10" fill="#2c2a55" />
      {["K", "Q", "N"].map((kind, i) => (
        <path
          key={kind}
          transform={`translate(${14 + 24 * i} ${30 + (i === 1 ? 6 : 0)}) scale(1.35)`}
          fill={i === 1 ? "#fdf3dd" : "#15142c"}
          stroke="#fdf3dd"
          stroke-width=".5"
          fill-rule="evenodd"
          d={icons[kind]}
        />
      ))}
    </svg>
  );
}
