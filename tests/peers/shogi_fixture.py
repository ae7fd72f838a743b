"""Writes crates/games/tests/fixtures/shogi.jsonl with cshogi: random games with what a second program says of their
positions. Run from the repository's root: python tests/peers/shogi_fixture.py"""

import json
import random

import cshogi
from cshogi import KIF

OUT = "crates/games/tests/fixtures/shogi.jsonl"
STARTS = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    # Kings in the enemy camp, promoted pieces about.
    "2+P+P+PK3/3+R+S+L3/9/4p4/9/4P4/6+l2/3+n+p4/2k+b+p3+r b BG3S3N2L9Pg 1",
    # Two-piece handicap: gote begins.
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
    # Pawns in hand and kings boxed in: uchifuzume comes up.
    "6snk/5+Pgp1/8P/9/9/9/p8/1PG+p5/KNS6 b 5P5p 1",
]


def kif(move, last):
    """As records spell it: cshogi shortens the names of promoted minor pieces to one character."""
    text = KIF.move_to_kif(move, last)
    for short, name in {"杏": "成香", "圭": "成桂", "全": "成銀"}.items():
        text = text.replace(short, name)
    return text


def play(sfen, rng, plies_wanted):
    board = cshogi.Board(sfen)
    plies, positions, last = [], [], None
    for n in range(plies_wanted):
        moves = sorted(board.legal_moves, key=cshogi.move_to_usi)
        if not moves:
            break
        drops = [m for m in moves if cshogi.move_is_drop(m)]
        # Of the many drops only few are tried, or the boards would fill up and nothing else happen.
        others = [m for m in moves if not cshogi.move_is_drop(m)]
        move = rng.choice(drops) if drops and (not others or rng.random() < 0.25) else rng.choice(others)
        if rng.random() < 0.05:
            positions.append(
                {
                    "ply": n,
                    "fen": board.sfen(),
                    "check": board.is_check(),
                    "legal": " ".join(cshogi.move_to_usi(m) for m in moves),
                    "kif": {
                        cshogi.move_to_usi(m): kif(m, last)
                        for m in rng.sample(moves, min(6, len(moves)))
                    },
                }
            )
        plies.append(cshogi.move_to_usi(move))
        board.push(move)
        last = move
    return {
        "start": sfen,
        "plies": " ".join(plies),
        "fen": board.sfen(),
        "over": not list(board.legal_moves),
        "positions": positions,
    }


def main():
    rng = random.Random(30)
    with open(OUT, "w") as out:
        for n in range(20):
            out.write(json.dumps(play(STARTS[n % len(STARTS)], rng, 150), ensure_ascii=False) + "\n")


main()
