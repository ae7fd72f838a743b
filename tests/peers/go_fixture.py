"""Writes crates/games/tests/fixtures/go.jsonl with sgfmill: random games with the board and the area score that a
second program finds. Run from the repository's root: python tests/peers/go_fixture.py"""

import json
import random

from sgfmill import boards, common

OUT = "crates/games/tests/fixtures/go.jsonl"


def fen(board):
    """The ranks from the top, as the contract writes them."""
    ranks = []
    for row in reversed(range(board.side)):
        text, empty = "", 0
        for col in range(board.side):
            stone = board.get(row, col)
            if stone is None:
                empty += 1
            else:
                text += (str(empty) if empty else "") + stone.upper()
                empty = 0
        ranks.append(text + (str(empty) if empty else ""))
    return "/".join(ranks)


def game(size, length, rng):
    """Random plies, suicide and repeated boards left out (a whole-board history, as positional superko has it)."""
    board = boards.Board(size)
    seen, plies = {fen(board)}, []
    colour = "b"
    while len(plies) < length:
        points = [(r, c) for r in range(size) for c in range(size) if board.get(r, c) is None]
        rng.shuffle(points)
        for row, col in points:
            after = board.copy()
            after.play(row, col, colour)
            if after.get(row, col) is not None and fen(after) not in seen:
                plies.append(common.format_vertex((row, col)))
                board = after
                seen.add(fen(board))
                break
        else:
            plies.append("pass")
            if plies[-2:] == ["pass", "pass"]:
                break
        colour = common.opponent_of(colour)
    while plies[-2:] != ["pass", "pass"]:
        plies.append("pass")
    return {"size": size, "plies": " ".join(plies), "board": fen(board), "score": board.area_score()}


def main():
    rng = random.Random(20)
    with open(OUT, "w") as out:
        for size, length in [(5, 60)] * 8 + [(9, 120)] * 8 + [(9, 300)] * 2 + [(13, 200)] * 3 + [(19, 450)] * 2:
            out.write(json.dumps(game(size, length, rng)) + "\n")


main()
