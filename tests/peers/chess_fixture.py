"""Writes crates/games/tests/fixtures/chess.jsonl with python-chess: random games with what a second program says of
their positions. Run from the repository's root: python tests/peers/chess_fixture.py"""

import json
import random

import chess

OUT = "crates/games/tests/fixtures/chess.jsonl"
# Starts that reach castling, promotions and dead material sooner than the usual array does.
STARTS = [
    (chess.STARTING_FEN, False),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", False),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", False),
    ("8/8/3k4/2p5/1P1P4/3K4/8/8 w - - 0 1", False),
    ("4k3/8/8/2n5/5B2/8/4P3/4K3 w - - 80 60", False),
    ("4k3/8/8/8/8/8/8/2B1K1N1 w - - 90 60", False),
]


def result(board):
    """The contract's order: no move, third occurrence, fifty moves, dead material."""
    side = ["first", "second"]
    if not any(board.legal_moves):
        if board.is_check():
            return {"win": side[board.turn], "reason": "checkmate"}
        return {"draw": "stalemate"}
    if board.is_repetition(3):
        return {"draw": "repetition"}
    if board.halfmove_clock >= 100:
        return {"draw": "no-progress"}
    if board.is_insufficient_material():
        return {"draw": "insufficient-material"}
    return None


def play(fen, chess960, rng, quiet):
    board = chess.Board(fen, chess960=chess960)
    plies, positions = [], []
    while (end := result(board)) is None and len(plies) < 300:
        moves = sorted(board.legal_moves, key=board.uci)
        # Some games prefer to shuffle one piece to and fro, or repetition would hardly come up.
        back = [m for m in moves if len(plies) > 1 and m.uci() == plies[-2][2:4] + plies[-2][:2]]
        move = back[0] if quiet and back and rng.random() < 0.9 else rng.choice(moves)
        if rng.random() < 0.06:
            positions.append(
                {
                    "ply": len(plies),
                    "fen": board.fen(),
                    "check": board.is_check(),
                    "legal": sorted(board.uci(m) for m in moves),
                    "san": {board.uci(m): board.san(m) for m in rng.sample(moves, min(8, len(moves)))},
                    "can_win": [not board.has_insufficient_material(c) for c in (True, False)],
                }
            )
        plies.append(board.uci(move))
        board.push(move)
    return {
        "chess960": chess960,
        "start": fen,
        "plies": " ".join(plies),
        "fen": board.fen(),
        "result": end,
        "positions": positions,
    }


def main():
    rng = random.Random(20)
    starts = STARTS * 3
    starts += [(chess.Board.from_chess960_pos(rng.randrange(960)).fen(), True) for _ in range(10)]
    with open(OUT, "w") as out:
        for n, (fen, chess960) in enumerate(starts):
            out.write(json.dumps(play(fen, chess960, rng, n % 3 == 2)) + "\n")


main()
