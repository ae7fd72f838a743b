"""Drives `xinqi engine` with clients that others wrote, and plays other people's engines with `xinqi match`."""
import os
import shutil
import subprocess
import sys
import tempfile

import chess
import chess.engine
import cshogi
import cshogi.usi

XINQI = os.path.abspath(os.environ.get("XINQI_BIN", "target/release/xinqi"))
os.environ["PATH"] += os.pathsep + "/usr/games"


def python_chess():
    """UCI: a game, several lines, a mate, an endless search that is stopped, chess960, options."""
    with chess.engine.SimpleEngine.popen_uci([XINQI, "engine", "chess"]) as engine:
        assert engine.id["name"].startswith("Xinqi"), engine.id
        assert {"Hash", "Threads", "MultiPV", "Level"} <= set(engine.options), list(engine.options)
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 24:
            result = engine.play(board, chess.engine.Limit(nodes=2000))
            assert result.move in board.legal_moves, (board.fen(), result)
            board.push(result.move)
        lines = engine.analyse(chess.Board(), chess.engine.Limit(depth=3), multipv=3)
        assert len({line["pv"][0] for line in lines}) == 3, lines
        assert all(line["depth"] == 3 and "score" in line and "nodes" in line for line in lines), lines
        only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
        result = engine.play(chess.Board(), chess.engine.Limit(depth=2), root_moves=only)
        assert result.move in only, result
        board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
        found = engine.analyse(board, chess.engine.Limit(depth=3))
        assert found["score"].white() == chess.engine.Mate(1), found
        clock = chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01)
        assert engine.play(chess.Board(), clock, ponder=True).move
        assert engine.play(chess.Board(), clock).move
        with engine.analysis(chess.Board()) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 4:
                    break
        engine.configure({"Level": 2})
        board = chess.Board.from_chess960_pos(11)
        for _ in range(12):
            board.push(engine.play(board, chess.engine.Limit(nodes=500)).move)
    print("python-chess: a game, three lines, a mate, root moves, pondering, chess960")


def cshogi_usi():
    """USI: a game by byo-yomi, judged by cshogi's own rules."""
    with tempfile.TemporaryDirectory() as folder:
        # It starts a program without arguments.
        program = os.path.join(folder, "engine")
        with open(program, "w") as script:
            script.write(f'#!/bin/sh\nexec "{XINQI}" engine shogi\n')
        os.chmod(program, 0o755)
        engine = cshogi.usi.Engine(program)
    assert engine.name.startswith("Xinqi"), engine.name
    engine.setoption("USI_Hash", 16)
    engine.isready()
    engine.usinewgame()
    board = cshogi.Board()
    moves = []
    while len(moves) < 20 and not board.is_game_over():
        engine.position(moves)
        listener = cshogi.usi.InfoListener()
        move, _ = engine.go(byoyomi=50, listener=listener.listen())
        assert board.move_from_usi(move) in list(board.legal_moves), (board.sfen(), move)
        assert listener.info and isinstance(listener.score, int), move
        board.push_usi(move)
        moves.append(move)
    engine.quit()
    print(f"cshogi: {len(moves)} plies by USI")


def gtp(rules, size):
    """GTP: framing, ids, and every answer of the engine legal for the engine itself on a second board."""
    talkers = [Gtp(rules), Gtp(rules)]
    for talker in talkers:
        talker.ask(f"boardsize {size}")
        talker.ask("clear_board")
        talker.ask("level 1")
    plies = 0
    for ply in range(16):
        color = "bw"[ply % 2]
        try:
            vertex = talkers[ply % 2].ask(f"genmove {color}")
        except ValueError as error:
            assert "over" in str(error), error
            break
        talkers[1 - ply % 2].ask(f"play {color} {vertex}")
        plies += 1
    assert talkers[0].ask("showboard") == talkers[1].ask("showboard")
    for talker in talkers:
        talker.ask("quit")
        assert talker.process.wait(10) == 0
    print(f"gtp: {plies} plies of {rules}")


class Gtp:
    def __init__(self, rules):
        command = [XINQI, "engine", rules, "--protocol", "gtp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.id = 0

    def ask(self, command):
        self.id += 1
        self.process.stdin.write(f"{self.id} {command}\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) not in ("\n", ""):
            lines.append(line.rstrip("\n"))
        status, _, answer = "\n".join(lines).partition(" ")
        if status == f"?{self.id}":
            raise ValueError(answer)
        assert status == f"={self.id}", lines
        return answer


def match(rules, other, *more):
    """A short match; the other engine judges our plies, and we judge its."""
    command = [XINQI, "match", rules, "--a", "engine", "--b", other, "--games", "2", "--seed", "1", *more]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "refused" not in done.stderr and "ended by itself" not in done.stderr, done.stderr
    print(f"{rules} against {other}: {done.stdout.strip()}")


def main():
    python_chess()
    cshogi_usi()
    gtp("go(size=9)", 9)
    gtp("gomoku", 15)
    if shutil.which("fairy-stockfish"):
        movetime = ("--movetime", "20")
        match("xiangqi", "uci:fairy-stockfish?UCI_Variant=xiangqi", *movetime)
        match("xiangqi", "ucci:fairy-stockfish", *movetime)
        match("shogi", "usi:fairy-stockfish", *movetime)
        match("chess", "uci:fairy-stockfish", *movetime)
        match("xiangqi", "uci:fairy-stockfish?UCI_Variant=xiangqi", "--tc", "1+0.02")
    else:
        print("fairy-stockfish is not installed", file=sys.stderr)
    if shutil.which("gnugo"):
        match("go(size=9)", "gtp:gnugo --mode gtp --chinese-rules --level 1", "--nodes", "200")
        match("go(size=9, handicap=2)", "gtp:gnugo --mode gtp --chinese-rules --level 1", "--nodes", "200")
    else:
        print("gnugo is not installed", file=sys.stderr)


if __name__ == "__main__":
    main()
