"""Compares chess and shogi, ply by ply over random games, with python-chess and cshogi, and hands our PGN and KIF to
their readers. Run by `make peers`; XINQI_BIN is the program."""

import io
import json
import os
import random
import subprocess
import tempfile

import chess
import chess.pgn
import cshogi
import shogi.KIF

XINQI = os.environ.get("XINQI_BIN", "target/release/xinqi")
SEATS = ["first", "second"]


class Referee:
    """A table without a server."""

    def __init__(self, rules, fen=None):
        command = [XINQI, "referee", rules] + (["--fen", fen] if fen else [])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **line):
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert answer["ok"], (line, answer)
        return answer

    def view(self):
        return self.ask(view="truth")["view"]

    def close(self):
        record = self.ask(record=True)["record"]
        self.process.stdin.close()
        self.process.wait()
        return record


def converted(record, ending):
    """The record as our program writes it in another format."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "game.json"), os.path.join(folder, "game" + ending)
        with open(source, "w") as out:
            json.dump(record, out)
        subprocess.run([XINQI, "convert", source, target], check=True)
        with open(target, encoding="utf-8") as text:
            return text.read()


def chess_game(rng, chess960):
    number = rng.randrange(960) if chess960 else 518
    board = chess.Board.from_chess960_pos(number) if chess960 else chess.Board()
    rules = f"chess(chess960=true, start={number})" if chess960 else "chess"
    referee = Referee(rules)
    plies = 0
    while plies < 200:
        seat = SEATS[board.turn == chess.BLACK]
        view = referee.view()
        assert view["fen"] == board.fen(), (view["fen"], board.fen())
        over = (
            not any(board.legal_moves)
            or board.is_repetition(3)
            or board.halfmove_clock >= 100
            or board.is_insufficient_material()
        )
        assert (view["result"] is not None) == over, (view, board.fen())
        if over:
            break
        legal = sorted(board.uci(move) for move in board.legal_moves)
        assert referee.ask(legal=seat)["legal"] == legal, board.fen()
        ply = rng.choice(legal)
        referee.ask(seat=seat, do=ply)
        board.push_uci(ply)
        plies += 1
    record = referee.close()
    game = chess.pgn.read_game(io.StringIO(converted(record, ".pgn")))
    assert not game.errors, game.errors
    assert [board.uci(m) for m in game.mainline_moves()] == [board.uci(m) for m in board.move_stack]
    return plies


def shogi_game(rng):
    board = cshogi.Board()
    referee = Referee("shogi")
    played = []
    while len(played) < 200:
        seat = SEATS[board.turn]
        view = referee.view()
        assert view["fen"] == board.sfen(), (view["fen"], board.sfen())
        legal = sorted(cshogi.move_to_usi(move) for move in board.legal_moves)
        if not legal or view["result"]:
            # cshogi's verdicts on repetition are not relied on; without a legal ply the game must be over.
            assert legal or view["result"], board.sfen()
            break
        assert referee.ask(legal=seat)["legal"] == legal, board.sfen()
        drops = [ply for ply in legal if "*" in ply]
        others = [ply for ply in legal if "*" not in ply]
        ply = rng.choice(drops) if drops and (not others or rng.random() < 0.25) else rng.choice(others)
        referee.ask(seat=seat, do=ply)
        board.push_usi(ply)
        played.append(ply)
    record = referee.close()
    read = shogi.KIF.Parser.parse_str(converted(record, ".kif"))[0]
    assert read["moves"] == played, (read["moves"], played)
    return len(played)


def main():
    rng = random.Random(40)
    games = int(os.environ.get("XINQI_PEER_GAMES", "60"))
    for name, game in [
        ("chess, python-chess", lambda: chess_game(rng, False)),
        ("chess960, python-chess", lambda: chess_game(rng, True)),
        ("shogi, cshogi and python-shogi", lambda: shogi_game(rng)),
    ]:
        positions = sum(game() for _ in range(games))
        print(f"{name}: {games} games, {positions} positions agree")


main()
