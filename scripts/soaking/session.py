"""A random session with an engine: valid commands of every kind, and invalid ones."""

from __future__ import annotations

import contextlib
import random
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence

from common.exit_status import Failure
from tournament.engine import Engine, EngineSpec

from .latency import Latencies
from .options import parse_options

TIMEOUT_S = 300.0
"""Maximum time of an answer, in seconds, also on a loaded machine."""
MAX_LOGGED_LINES = 40
"""Number of the last sent lines that a failure report contains."""
INVALID_LINES = (
    "go depth three",
    "position startpos moves z9",
    "position fen ///",
    "position fen 3 3 3 X2/3/3 q",
    "setoption name Hash value 0",
    "setoption name Hsah value 16",
    "setoption",
    "query",
    "perft perft perft",
    "position scramble -1",
    "debug maybe",
    "\u2028\ufeff\x07\x1b[2J",
)


class ProtocolViolation(Failure):
    """The engine violated the protocol. The text says how."""


class Session:
    """An engine process, an echo process beside it, and the latencies of both."""

    def __init__(self, command: Sequence[str], seed: int, fixed_options: Sequence[tuple[str, str]] = ()) -> None:
        """Starts the engine.

        Args:
            command: the engine's command.
            seed: seed of all random choices.
            fixed_options: options that are set at the start and never changed.

        Raises:
            ValueError: the engine cannot be started, does not answer, or rejects an option.
        """
        self.generator = random.Random(seed)
        self.engine = Engine(EngineSpec(tuple(command), "engine", options=tuple(fixed_options)), None, TIMEOUT_S)
        self.sent: deque[str] = deque(maxlen=MAX_LOGGED_LINES)
        """The last sent lines."""
        self.action_counts: Counter[str] = Counter()
        self.echo = Latencies("echo process")
        self.idle = Latencies("isready, idle")
        self.busy = Latencies("isready, searching")
        self.stop = Latencies("stop to bestmove")
        self._echo_process = EchoProcess()
        try:
            self.engine.start_checked()
        except ValueError:
            self._echo_process.close()
            raise
        names = {name.lower() for name, _ in fixed_options}
        # The options are listed again, because an option such as VariantPath may have added variants.
        self.engine.send("ugi")
        lines = self.engine.wait_for(lambda line: line == "ugiok", "ugiok")
        self.options = [option for option in parse_options(lines) if option.name.lower() not in names]
        self._variant = next((option for option in self.options if option.name == "UCI_Variant"), None)

    @property
    def variants(self) -> tuple[str, ...]:
        """All variants that the engine lists; `("",)` if it lists none."""
        return self._variant.values if self._variant else ("",)

    def run_actions(self, variant: str, actions: int) -> None:
        """Selects `variant`, and runs `actions` random actions."""
        self._select(variant)
        for _ in range(actions):
            action = self.generator.choices(self._ACTIONS, self._WEIGHTS)[0]
            self.action_counts[action.__name__.strip("_")] += 1
            action(self)

    def reset(self) -> None:
        """Resets all options, the variant and the game, so that the resources of rounds can be compared."""
        for option in self.options:
            if option.kind != "button" and option is not self._variant:
                self._send(option.setting(option.default))
        self._select(self.variants[0])
        self._send("setoption name Clear Hash")
        self._send("uginewgame")
        self._synchronize()

    def close(self) -> None:
        """Ends both processes."""
        self.engine.quit()
        self._echo_process.close()

    def _select(self, variant: str) -> None:
        if self._variant:
            self._send(self._variant.setting(variant))
        self._send("position startpos")
        self._synchronize()

    def _send(self, line: str) -> None:
        self.sent.append(line)
        self.engine.send(line)

    def _synchronize(self) -> list[str]:
        """Waits until the engine has handled all lines. Outside of searches it must not print `bestmove`."""
        lines = self.engine.synchronize()
        if any(line.startswith("bestmove") for line in lines):
            raise ProtocolViolation("unexpected bestmove")
        return lines

    def _legal_moves(self) -> list[str]:
        self.sent.append("go perft 1")
        moves = self.engine.legal_moves()
        # The perft may still run after its sum is printed. The engine answers `query` after its end, `isready` even before.
        self.engine.send("query gameover")
        self._wait_for("response")
        return moves

    # The random actions. The report counts them by name.

    def _play(self) -> None:
        """Plays random legal moves from the start position."""
        moves: list[str] = []
        for _ in range(self.generator.randrange(24)):
            self._send(" ".join(["position startpos", *(["moves", *moves] if moves else [])]))
            legal = self._legal_moves()
            if not legal:
                break
            moves.append(self.generator.choice(legal))
        for question in ("gameover", "p1turn", "result"):
            self._send(f"query {question}")
            self._wait_for("response")
        if any(line.startswith("response") for line in self._synchronize()):
            raise ProtocolViolation("unexpected response: expected one per query")

    def _scramble(self) -> None:
        """Sets a random position, in variants that have them."""
        self._send(f"position scramble {self.generator.randrange(30)} seed {self.generator.randrange(1000)}")
        self._synchronize()

    def _search(self) -> None:
        """Runs a limited search, and checks that its move is legal."""
        legal = self._legal_moves()
        limit = self.generator.choice(["movetime {}", "nodes {}00", "depth 2 nodes {}00", "p1time {}0 p2time {}0 p1inc 1"])
        self._send(f"go {limit.format(*[self.generator.randint(1, 40)] * 2)}")
        self._check_move(self._wait_for("bestmove")[-1], legal)

    def _stop(self) -> None:
        """Starts an unlimited search, checks that the engine answers during it, and stops it."""
        legal = self._legal_moves()
        self._send(self.generator.choice(["go infinite", "go"]))
        time.sleep(self.generator.uniform(0.0, 0.03))
        if self.generator.random() < 0.5:
            self.echo.add(self._echo_process.measure())
            start = time.perf_counter()
            self.engine.send("isready")
            lines = self._wait_for("readyok")
            self.busy.add((time.perf_counter() - start) * 1000.0)
            if any(line.startswith("bestmove") for line in lines):
                return
        if (line := self._finished_search()) is not None:
            self._check_move(line, legal)
            return
        self.echo.add(self._echo_process.measure())
        start = time.perf_counter()
        self._send("stop")
        line = self._wait_for("bestmove")[-1]
        self.stop.add((time.perf_counter() - start) * 1000.0)
        self._check_move(line, legal)

    def _ponder(self) -> None:
        """Starts to ponder, and either continues as a normal search or stops."""
        legal = self._legal_moves()
        self._send(f"go ponder movetime {self.generator.randint(1, 20)}")
        self._send(self.generator.choice(["ponderhit", "stop"]))
        self._check_move(self._wait_for("bestmove")[-1], legal)

    def _send_invalid(self) -> None:
        """Sends invalid lines, and checks that they do not change the position."""
        before = self._fen()
        for _ in range(self.generator.randint(1, 5)):
            line = self.generator.choice(INVALID_LINES)
            if self.generator.random() < 0.5:
                line = "x" + "".join(chr(self.generator.randrange(32, 0x2FFF)) for _ in range(self.generator.randrange(200)))
            elif self.generator.random() < 0.02:
                line = "x" * ((1 << 20) + 5)
            self._send(line)
        self.engine.synchronize()
        if self._fen() != before:
            raise ProtocolViolation("an invalid line changed the position")

    def _set_option(self) -> None:
        """Sets a random option to a random value."""
        options = [option for option in self.options if option is not self._variant]
        if options:
            self._send(self.generator.choice(options).random_setting(self.generator))
        self._synchronize()

    def _inspect(self) -> None:
        """Sends a command that prints something, and measures the latency of the idle engine."""
        self._send(self.generator.choice(["d", "eval", "help", "uci", "ugi", "debug on", "debug off"]))
        self._synchronize()
        self.echo.add(self._echo_process.measure())
        start = time.perf_counter()
        self._synchronize()
        self.idle.add((time.perf_counter() - start) * 1000.0)

    def _new_game(self) -> None:
        """Starts a new game."""
        self._send(self.generator.choice(["uginewgame", "ucinewgame"]))
        self._synchronize()

    _ACTIONS: Sequence[Callable[[Session], None]] = (
        *(_play, _scramble, _search, _stop),
        *(_ponder, _send_invalid, _set_option, _inspect, _new_game),
    )
    _WEIGHTS = (3, 1, 3, 3, 1, 2, 4, 2, 1)

    def _fen(self) -> str:
        self.sent.append("d")
        return next((line for line in self.engine.output_of("d") if line.startswith("Fen: ")), "")

    def _finished_search(self) -> str | None:
        """Returns the `bestmove` line of a search that has already ended; `None` if there is none."""
        with contextlib.suppress(TimeoutError):
            while True:
                line, _ = self.engine.next_line(time.monotonic())
                if line.startswith("bestmove"):
                    return line
        return None

    def _check_move(self, line: str, legal: Sequence[str]) -> None:
        """Checks the move of a `bestmove` line. `(none)` is valid: a solved puzzle has legal moves, but no best move."""
        move = line.split()[1:2]
        if not move or (move[0] not in legal and move[0] != "(none)"):
            raise ProtocolViolation(f"expected one of {' '.join(legal[:50])}, found '{line}'")
        self._synchronize()

    def _wait_for(self, word: str) -> list[str]:
        """Reads lines up to the first line whose first word is `word`."""
        return self.engine.wait_for(lambda line: line.split(" ", 1)[0] == word, word)


class EchoProcess:
    """A process that returns each line. Measures the latency of pipes and scheduling on this machine under its current load."""

    def __init__(self) -> None:
        program = "import sys\nfor line in sys.stdin: sys.stdout.write(line); sys.stdout.flush()"
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-E", "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self.measure()

    def measure(self) -> float:
        """Returns the time from sending a line to reading it back, in milliseconds."""
        assert self._process.stdin and self._process.stdout
        start = time.perf_counter()
        self._process.stdin.write(b"echo\n")
        self._process.stdout.readline()
        return (time.perf_counter() - start) * 1000.0

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
