import type { Hint } from "../src/board/pick";
import type { BoardView, TableState } from "../src/net/protocol";
import type { TableModel } from "../src/table/model";

interface Case {
  state: TableState;
  act?(model: TableModel): void;
}

function table(
  rules: string,
  fen: string,
  more: Omit<Partial<TableState>, "view"> & { view?: Partial<BoardView> } = {},
): TableState {
  const { view, ...rest } = more;
  return {
    table: "abc",

    now: 0,
    rules,
    family: "xiangqi",
    seats: [
      { seat: "first", name: "Ning", kind: "human", here: true },
      { seat: "second", name: "Lin", kind: "human", here: true },
    ],
    you: "first",
    clock: { text: "600+5", first: 560_000, second: 521_000, running: "first" },
    offers: [],
    rematch: null,
    start: null,
    hints: [],
    log_from: 0,
    log: [],
    ...rest,
    view: { rules, fen, check: false, last: null, ply: 4, to_act: ["first"], result: null, ...view },
  };
}

const ZUYI = "2bak1b2/4[rna]4/4[cb]4/p1p1p1[rncp]1p/9/4[RNCP]1[RP]2/P1[NCP]5P/9/4A4/2BAK1B2 w - - 0 1";
const stackTargets = "d6 f6 c5 g5 g3 d2 f2 e5 e3 e2 d4 c4 b4 a4 f4".split(" ");
const stackHints: Hint[] = [
  ...stackTargets.flatMap((to) => [
    { do: `e4${to}:NC`, path: ["e4", to], tag: "move", go: "NC", back: "" },
    { do: `e4${to}`, path: ["e4", to], tag: "move", go: "RNCP", back: "" },
  ]),
  { do: "e4e7:NC", path: ["e4", "e7"], tag: "capture", go: "NC", back: "" },
  { do: "e4g4:NC", path: ["e4", "g4"], tag: "combine", go: "NC", back: "" },
  { do: "e4g4:NC/P", path: ["e4", "g4"], tag: "exchange", go: "NC", back: "P" },
  { do: "e4g4:NC/R", path: ["e4", "g4"], tag: "exchange", go: "NC", back: "R" },
  { do: "e4e1:NC", path: ["e4", "e1"], tag: "combine", go: "NC", back: "" },
  { do: "e4c3:NC/N", path: ["e4", "c3"], tag: "exchange", go: "NC", back: "N" },
];
const plies = ["h2e2", "h9g7", "h0g2", "i9h9"];
const chinese = ["炮二平五", "马8进7", "马二进三", "车9平8"];
const wxf = ["C2.5", "N8+7", "N2+3", "R9.8"];
const log = plies.map((text, n) => ({
  n,
  seat: n % 2 ? ("second" as const) : ("first" as const),
  text,
  ply: n + 1,
  fen: "rnbakabr1/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 1",
  notation: { chinese: chinese[n]!, wxf: wxf[n]! },
  events: [{ kind: "ply", ply: n + 1, text }],
}));
const WANGQI = "r1bakab1r/9/1c+n3nc1/p3p1p1p/2p6/4P4/P1P3P1P/1C2C1N2/9/RNBA+KAB1R w -,- - 0 1";
const PREMOVE = "rnbakabr1/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 1";

const LAYOUTS =
  "NC/RC/RN NC/RC/NR NC/CR/RN NC/CR/NR CN/RC/RN CN/RC/NR CN/CR/RN CN/CR/NR NN/CC/RR CC/RR/NN".split(" ");
const MATCH = {
  game: 2,
  games: 4,
  score: { first: 3, second: 0 },
  demanded: { first: 0, second: 0 },
  pending: null,
  red: "first" as const,
};

export const cases: Record<string, Case> = {
  zuyi: { state: table("zuyi", ZUYI, { hints: stackHints, log, view: { last: "h4g4" } }) },
  "zuyi-pick": {
    state: table("zuyi", ZUYI, { hints: stackHints, log }),
    act: (m) => {
      m.tap("e4");
      m.toggleMember(0);
      m.toggleMember(3);
    },
  },
  "zuyi-choice": {
    state: table("zuyi", ZUYI, { hints: stackHints, log }),
    act: (m) => {
      m.tap("e4");
      m.toggleMember(0);
      m.toggleMember(3);
      m.tap("g4");
      m.toggleBack(1);
    },
  },
  "wangqi-token": {
    state: table("wangqi", WANGQI, {
      log,
      hints: [
        { do: "i0h0", path: ["i0", "h0"], tag: "move", token: false },
        { do: "i0h0+", path: ["i0", "h0"], tag: "move", token: true },
      ],
    }),
    act: (m) => {
      m.tap("i0");
      m.tap("h0");
    },
  },
  "wangqi-grind": {
    state: table("wangqi", "2bakab1r/4n4/4c4/p1p1p3p/6p2/4N1P2/P1P1P3P/4C4/4A4/2BAK1B+R1 w e4:5,i9:3 - 0 1", {
      log,
      hints: [{ do: "e4d6", path: ["e4", "d6"], tag: "move" }],
      view: { last: "i8i9", check: true },
    }),
  },
  "qixi-play": {
    state: table(
      "qixi",
      "2bakab1{r?}/9/1{c?}{n?}3{rn}{c?}1/p1p1p1p1p/9/2P6/P3P1P1P/1{CR}2{CN}1{NC}2/9/{RN}1BAKAB{RC}1 w 0.0,2.1 - 0 1",
      {
        log,
        hints: [
          { do: "e2=N", path: ["e2"], tag: "flip", to: "N", cost: 1 },
          { do: "e2d2", path: ["e2", "d2"], tag: "move" },
          { do: "e2e6", path: ["e2", "e6"], tag: "capture" },
        ],
        view: {
          possible: { i9: ["N"], b7: ["R", "N"], h7: ["R", "N"], c7: ["C"] },
          rights: { red: { spent: 0, left: 3 }, black: { spent: 2, left: 1 } },
        },
      },
    ),
    act: (m) => {
      m.eye.value = true;
      m.tap("e2");
    },
  },
  "qixi-eye": {
    state: table(
      "qixi",
      "2bakab1{r?}/9/1{c?}{n?}3{rn}{c?}1/p1p1p1p1p/9/2P6/P3P1P1P/1{CR}2{CN}1{NC}2/9/{RN}1BAKAB{RC}1 w 0.0,2.1 - 0 1",
      {
        log,
        hints: [
          { do: "e2=N", path: ["e2"], tag: "flip", to: "N", cost: 1 },
          { do: "e2d2", path: ["e2", "d2"], tag: "move" },
          { do: "e2e6", path: ["e2", "e6"], tag: "capture" },
        ],
        view: {
          possible: { i9: ["N"], b7: ["R", "N"], h7: ["R", "N"], c7: ["C"] },
          rights: { red: { spent: 0, left: 3 }, black: { spent: 2, left: 1 } },
        },
      },
    ),
    act: (m) => {
      m.eye.value = true;
    },
  },
  "qixi-layout": {
    state: table(
      "qixi(negotiation=true)",
      "{r?}{n?}bakab{n?}{r?}/9/1{c?}5{c?}1/p1p1p1p1p/9/9/P1P1P1P1P/1{C?}5{C?}1/9/{R?}{N?}BAKAB{N?}{R?} w 0.0,0.0 - 0 1",
      {
        deadline: 48_000,
        hints: LAYOUTS.map((text) => ({ do: `layout ${text}`, path: [], tag: "layout" })),
        view: { to_act: ["first", "second"], ply: 0, match: MATCH },
      },
    ),
    act: (m) => m.chooseLayout(4),
  },
  "qixi-demand": {
    state: table(
      "qixi(negotiation=true)",
      "2bakab1{r?}/9/1{c?}{n?}3{rn}{c?}1/p1p1p1p1p/9/2P6/P3P1P1P/1{CR}2{CN}1{NC}2/9/{RN}1BAKAB{RC}1 w 0.0,2.1 - 0 1",
      {
        log,
        hints: ["accept", "refuse"].map((text) => ({ do: text, path: [], tag: text })),
        view: { match: { ...MATCH, pending: { seat: "second", what: "surrender" } } },
      },
    ),
  },
  "premove-queues": {
    state: table(
      "premove(xiangqi, ahead=5)",
      "rnbakabr1/9/1c4nc1/p3p1pRp/2p6/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB2 b - - 0 1",
      {
        log,
        view: {
          last: "h0h6",
          ply: 7,
          to_act: ["second"],
          queues: {
            first: [
              [9, "h6g6"],
              [11, "e2e5"],
              [13, "b0c2"],
              [15, "a0b0"],
            ],
            second: [
              [8, "g6g5"],
              [10, "e6e5"],
            ],
          },
          owes: { seat: "second", from: 12, to: 14 },
        },
      },
    ),
  },
  "premove-plan": {
    state: table("premove(xiangqi)", PREMOVE, {
      log,
      hints: [
        { do: "i0h0", path: ["i0", "h0"], tag: "move" },
        { do: "b0c2", path: ["b0", "c2"], tag: "move" },
      ],
      view: {
        last: "i9h9",
        queues: { first: [], second: [[6, "c6c5"]] },
        owes: { seat: "first", from: 5, to: 9 },
      },
    }),
    act: (m) => {
      m.tap("i0");
      m.tap("h0");
      m.tap("h0");
      m.tap("h6");
      m.tap("h6");
      m.tap("e6");
    },
  },
  "premove-failed": {
    state: table("premove(xiangqi)", PREMOVE, {
      log,
      hints: [{ do: "i0h0", path: ["i0", "h0"], tag: "move" }],
      view: {
        queues: { first: [], second: [] },
        failed: { ply: 9, seat: "first", text: "e2e6" },
        owes: { seat: "first", from: 9, to: 11 },
      },
    }),
  },
  "premove-go": {
    state: table("premove(go(size=9))", "9/9/2W3B2/2W3W2/4B4/5B3/2W5B/9/9 w 0 0,0", {
      family: "go",
      view: {
        last: "F4",
        to_act: ["second"],
        queues: {
          first: [[9, "D7"]],
          second: [
            [8, "F7"],
            [10, "D7"],
            [12, "E3"],
          ],
        },
        owes: { seat: "second", from: 14, to: 14 },
      },
    }),
  },
  "pool-gomoku": {
    state: table("pool-opponent(gomoku)", "15/15/15/15/15/15/7WB6/7B7/15/15/15/15/15/15/15 w", {
      family: "gomoku",
      hints: [
        { do: "pick j10", path: ["j10"], tag: "place", pick: true },
        { do: "pick g9", path: ["g9"], tag: "place", pick: true },
        { do: "pick k7", path: ["k7"], tag: "place", pick: true },
      ],
      view: {
        last: "i9",
        pools: { first: ["g10", "k9", "h6", "j6"], second: ["j10", "g9", "k7", "f8", "i9"] },
        picks: ["j10", "g9", "k7"],
        owes: { seat: "first", kind: "pick", for: "second" },
      },
    }),
  },
  chess: {
    state: table("chess", "r1bqkbnr/pPpp1ppp/2n5/4p3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1", {
      family: "chess",
      hints: ["q", "r", "b", "n"].map((p) => ({
        do: `b7a8${p}`,
        path: ["b7", "a8"],
        tag: "capture",
        promote: p,
      })),
      view: { last: "b8c6" },
    }),
    act: (m) => {
      m.tap("b7");
      m.tap("a8");
    },
  },
  shogi: {
    state: table("shogi", "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b 2PBs3p 1", {
      family: "shogi",
      hints: [
        { do: "P*5e", path: ["P*", "5e"], tag: "drop" },
        { do: "2h3h", path: ["2h", "3h"], tag: "move" },
      ],
      view: { last: "8h2b+" },
    }),
    act: (m) => m.tap("P*"),
  },
  go: {
    state: table("go", `${"19/".repeat(18)}19 b 0 0,0`.replace("19/19", "3W11B3/19"), {
      family: "go",
      you: null,
      view: { last: "D19", to_act: ["first"] },
    }),
  },
};
