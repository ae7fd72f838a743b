"""Compares xiangqi with Fairy-Stockfish's rules as pyffish 0.0.90 gives them (ranks 1-10 there): boards, legal plies,
check and ends over random games; verdicts on constructed cycles. Differences must be of the kinds that docs/chase.md
explains. Run from the repository's root: python tests/peers/xiangqi_pyffish.py [GAMES CYCLES]; XINQI_BIN names the
binary. With --write CYCLES it writes crates/games/tests/fixtures/xiangqi_cycles.jsonl instead."""

import collections
import json
import os
import random
import re
import subprocess
import sys

import pyffish

XINQI = os.environ.get("XINQI_BIN", "target/release/xinqi")
FIXTURE = "crates/games/tests/fixtures/xiangqi_cycles.jsonl"
RULES = "xiangqi(no_progress=0)"
SEATS = {"w": "first", "b": "second"}
OTHER = {"first": "second", "second": "first"}
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
POINTS = [(f, r) for r in range(10) for f in range(9)]


def to_one(ply):
    return re.sub(r"\d", lambda m: str(int(m[0]) + 1), ply)


def from_one(ply):
    return re.sub(r"\d+", lambda m: str(int(m[0]) - 1), ply)


def referee(fen, lines):
    """The answers of one table."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    run = subprocess.run([XINQI, "referee", RULES, "--fen", fen], input=text, capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"{fen}: {run.stderr}")
    return [json.loads(line) for line in run.stdout.splitlines()]


# A board of our own, as a dict from (file, rank) to letter: pyffish sets a position up in 2 ms, too slow for searching.


def read(fen):
    board = {}
    for i, row in enumerate(fen.split()[0].split("/")):
        file = 0
        for c in row:
            if c.isdigit():
                file += int(c)
            else:
                board[file, 9 - i] = c
                file += 1
    return board


def write(board, side):
    rows = ("".join(board.get((f, r), "1") for f in range(9)) for r in range(9, -1, -1))
    rows = (re.sub("1+", lambda m: str(len(m[0])), row) for row in rows)
    return "/".join(rows) + f" {side} - - 0 1"


def name(point):
    return "abcdefghi"[point[0]] + str(point[1])


def point(text):
    return "abcdefghi".index(text[0]), int(text[1])


def between(board, a, b):
    """How many pieces stand between two points of a line; None when there is no line."""
    if (a[0] == b[0]) == (a[1] == b[1]):
        return None
    lo, hi = min(a, b), max(a, b)
    return sum(lo < p < hi and (p[0] == a[0] == b[0] or p[1] == a[1] == b[1]) for p in board)


def standing(piece):
    red = piece.isupper()
    flip = (lambda p: p) if red else (lambda p: (8 - p[0], 9 - p[1]))
    kinds = {
        "K": [(f, r) for f in (3, 4, 5) for r in (0, 1, 2)],
        "A": [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)],
        "B": [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)],
        "P": [(f, r) for f in range(9) for r in range(5, 10)] + [(f, r) for f in (0, 2, 4, 6, 8) for r in (3, 4)],
    }
    return [flip(p) for p in kinds.get(piece.upper(), POINTS)]


def reaches(board, a, b):
    """Whether the piece on a goes to b, where what stands there is taken for an enemy."""
    piece = board[a]
    df, dr = b[0] - a[0], b[1] - a[1]
    shape = sorted((abs(df), abs(dr)))
    match piece.upper():
        case "R":
            return between(board, a, b) == 0
        case "C":
            return between(board, a, b) == (1 if b in board else 0)
        case "N" if shape == [1, 2]:
            return (a[0] + int(df / 2), a[1] + int(dr / 2)) not in board
        case "B" if shape == [2, 2]:
            return (a[0] + df // 2, a[1] + dr // 2) not in board and b in standing(piece)
        case "A" if shape == [1, 1]:
            return b in standing(piece)
        case "K" if shape == [0, 1]:
            return b in standing(piece)
        case "P" if shape == [0, 1]:
            forward = 1 if piece.isupper() else -1
            return dr == forward or dr == 0 and (a[1] > 4) == piece.isupper()
    return False


def preys(board, a):
    return [b for b in board if board[b].isupper() != board[a].isupper() and reaches(board, a, b)]


def moved(board, ply):
    after = dict(board)
    after[point(ply[2:4])] = after.pop(point(ply[:2]))
    return after


def verdict(fen, plies):
    """Fairy-Stockfish's verdict on a line: a seat, "draw", None where it goes on; ValueError when illegal."""
    try:
        end, value = pyffish.is_optional_game_end("xiangqi", fen, [to_one(p) for p in plies])
    except (ValueError, SystemError) as error:
        raise ValueError(plies) from error
    if not end:
        return None
    mover = SEATS["wb"[(fen.split()[1] == "w") == (len(plies) % 2 == 1)]]
    return "draw" if value == 0 else mover if value > 0 else OTHER[mover]


def compare_games(rng, games):
    """Random games: every position's board, legal plies and check; how the game ends."""
    positions = 0
    for _ in range(games):
        board, side, plies, lines, expected = read(START), "w", [], [], []
        while len(plies) < 150:
            theirs = [to_one(p) for p in plies]
            moves = sorted(from_one(m) for m in pyffish.legal_moves("xiangqi", START, theirs))
            check = pyffish.gives_check("xiangqi", START, theirs)
            end = verdict(START, plies)
            if not moves:
                end = OTHER[SEATS[side]]
            rows = pyffish.get_fen("xiangqi", START, theirs).split()[0]
            lines += [{"view": "truth"}, {"legal": SEATS[side]}]
            expected.append((rows, side, check, moves if end is None else [], end))
            positions += 1
            if end is not None:
                break
            # Captures thin the board out sooner than blind play does.
            takes = [m for m in moves if point(m[2:4]) in board]
            ply = rng.choice(takes if takes and rng.random() < 0.4 else moves)
            lines.append({"seat": SEATS[side], "do": ply})
            plies.append(ply)
            board, side = moved(board, ply), "wb"[side == "w"]
        answers = referee(START, lines)
        for i, theirs in enumerate(expected):
            view, moves = answers[3 * i]["view"], answers[3 * i + 1]["legal"]
            result = view["result"]
            end = result and (result.get("win") or "draw")
            ours = (*view["fen"].split()[:2], view["check"], moves, end)
            bare = result == {"draw": "insufficient-material"}
            if ours != theirs and not (bare and theirs[4] is None):
                raise SystemExit(f"after {' '.join(plies[:i])}\n ours {ours}\n theirs {theirs}")
    print(f"{games} random games, {positions} positions: boards, plies, checks and ends agree")


def scattered(rng):
    """A thin position, in which chases are likely."""
    board = {}
    for king, army in (("K", "RRNNCCABP"), ("k", "rrnnccabp")):
        for piece in [king] + rng.sample(army, rng.randint(1, 5)):
            board[rng.choice([p for p in standing(piece) if p not in board])] = piece
    return board


def cycle(rng, board, side):
    """Plies that lead back: out and back with a piece of each side, or twice out and back again. The side to move hunts."""
    out, now = [], board
    for i in range(2 * rng.choice([1, 1, 1, 2])):
        red = (side == "w") == (i % 2 == 0)
        own = [p for p in now if now[p].isupper() == red]
        steps = [(a, b) for a in own for b in POINTS if b not in now and reaches(now, a, b)]
        if i % 2 == 0:
            hot = [(a, b) for a, b in steps if preys(moved(now, name(a) + name(b)), b)]
        else:
            hunted = preys(now, point(out[-1][2:]))
            hot = [(a, b) for a, b in steps if a in hunted]
        if not steps:
            return None
        a, b = rng.choice(hot or steps)
        out.append(name(a) + name(b))
        now = moved(now, out[-1])
    back = [p[2:] + p[:2] for p in out]
    home = [ply for pair in zip(back[-2::-2], back[::-2]) for ply in pair]
    return out + home if has_no_smaller(board, out + home) else None


def has_no_smaller(board, plies):
    """Whether no position comes again before all plies are played, none of which captures."""
    seen = []
    for ply in plies:
        if point(ply[2:4]) in board:
            return False
        board = moved(board, ply)
        if board in seen:
            return False
        seen.append(board)
    return True


def draws_back(board, side, plies, seat):
    """Whether a rook or cannon of the seat slides along a line away from an enemy that stood on it."""
    for ply in plies:
        a, b = point(ply[:2]), point(ply[2:])
        if SEATS[side] == seat and board[a].upper() in "RC":
            enemies = [p for p in board if board[p].isupper() != board[a].isupper() and between(board, b, p) is not None]
            if any(between({**board, p: "x"}, a, p) is not None and abs(a[0] - p[0]) + abs(a[1] - p[1])
                   < abs(b[0] - p[0]) + abs(b[1] - p[1]) for p in enemies):
                return True
        board, side = moved(board, ply), "wb"[side == "w"]
    return False


def cannot_answer(board, side, plies, seat):
    """Whether what a ply of the seat attacks has an answer on the board that its side may not play."""
    for ply in plies:
        red = side == "w"
        board = moved(board, ply)
        side = "wb"[red]
        if SEATS["wb"[not red]] != seat:
            continue
        for attacker in [p for p in board if board[p].isupper() == red and board[p] not in "KPkp"]:
            for victim in preys(board, attacker):
                if board[victim] in "Kk":
                    continue
                answers = [p for p in board if board[p].isupper() != red and p != victim]
                taken = moved(board, name(attacker) + name(victim))
                retakes = [p for p in answers if reaches(taken, p, victim)]
                legal = [from_one(m) for m in pyffish.legal_moves("xiangqi", write(taken, side), [])]
                if any(name(p) + name(victim) not in legal for p in retakes):
                    return True
                legal = [from_one(m) for m in pyffish.legal_moves("xiangqi", write(board, side), [])]
                same = board[victim].upper() == board[attacker].upper() and reaches(board, victim, attacker)
                if same and name(victim) + name(attacker) not in legal:
                    return True
    return False


def discovers(board, side, plies, seat):
    """Whether a ply of the seat sets up a check that a king, pawn or sliding piece could discover by capturing."""
    for ply in plies:
        board = moved(board, ply)
        red = side == "w"
        side = "wb"[red]
        if SEATS["wb"[not red]] == seat:
            (king,) = [p for p in board if board[p] == ("k" if red else "K")]
            for p in [p for p in board if board[p].isupper() == red]:
                bare = {q: c for q, c in board.items() if q != p}
                attackers = [q for q in bare if bare[q].isupper() == red and reaches(bare, q, king)]
                if attackers and preys(board, p):
                    return True
    return False


def looks_pinned(board, side, plies, seat):
    """Whether, after a ply of the seat, one piece of the other side stands on the kings' file with more between them."""
    for ply in plies:
        board = moved(board, ply)
        red = side == "w"
        side = "wb"[red]
        kings = [p for p in board if board[p] in "Kk"]
        if SEATS["wb"[not red]] == seat and kings[0][0] == kings[1][0] and between(board, *kings) > 1:
            on_file = [p for p in board if p[0] == kings[0][0] and p not in kings and board[p].isupper() != red]
            if len(on_file) == 1:
                return True
    return False


def why(fen, plies, ours, theirs):
    """The kind of a difference, as docs/chase.md has them."""
    board, side = read(fen), fen.split()[1]
    accused = OTHER[theirs] if theirs != "draw" else None
    if accused:
        if draws_back(board, side, plies, accused):
            return "draws-back"
        if looks_pinned(board, side, plies, accused):
            return "looks-pinned"
        return "discovers" if discovers(board, side, plies, accused) else None
    if cannot_answer(board, side, plies, OTHER[ours]):
        return "cannot-answer"
    return "draws-back" if draws_back(board, side, plies, ours) else None


def ours_on(fen, plies):
    side = fen.split()[1]
    seats = [SEATS[side], OTHER[SEATS[side]]]
    lines = [{"seat": seats[i % 2], "do": ply} for i, ply in enumerate(plies + plies)]
    result = referee(fen, lines + [{"view": "truth"}])[-1]["view"]["result"]
    return (result or {}).get("win") or ("draw" if result else None)


def compare(fen, plies):
    """A row of the fixture."""
    theirs, ours = verdict(fen, plies + plies), ours_on(fen, plies)
    row = {"fen": fen, "plies": " ".join(plies), "theirs": theirs}
    if ours != theirs:
        row |= {"ours": ours, "why": why(fen, plies, ours, theirs)}
        if row["why"] is None:
            raise SystemExit(f"unexplained: {row}")
    return row


def cycles(rng, count):
    """Cycles with both verdicts; of those that both call idle, one in thirty."""
    found = 0
    while found < count:
        board, side = scattered(rng), rng.choice("wb")
        plies = cycle(rng, board, side)
        fen = write(board, side)
        if plies is None or not set("RNCP") & set("".join(board.values()).upper()) or between(board, *[p for p in board if board[p] in "Kk"]) == 0:
            continue
        kings = {c: p for p, c in board.items() if c in "Kk"}
        waiting = kings["k" if side == "w" else "K"]
        if any(board[p].isupper() == (side == "w") and reaches(board, p, waiting) for p in board):
            continue
        try:
            if verdict(fen, plies) is not None or (theirs := verdict(fen, plies + plies)) is None:
                continue
        except ValueError:
            continue
        if theirs == "draw" and rng.random() > 0.2:
            continue
        row = compare(fen, plies)
        if theirs == "draw" and "why" not in row and rng.random() > 0.2:
            continue
        found += 1
        yield row


def main():
    rng = random.Random(20250101)
    if sys.argv[1:2] == ["--write"]:
        with open(FIXTURE, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(row) + "\n" for row in cycles(rng, int(sys.argv[2])))
        return
    games, count = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (100, 1000)
    with open(FIXTURE, encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            if compare(row["fen"], row["plies"].split()) != row:
                raise SystemExit(f"the fixture is out of date: {row}")
    compare_games(rng, games)
    tally = collections.Counter(row.get("why", "agree: " + ("win" if row["theirs"] != "draw" else "draw"))
                                for row in cycles(rng, count))
    print(f"{count} cycles:", ", ".join(f"{kind} {n}" for kind, n in tally.most_common()))


if __name__ == "__main__":
    main()
