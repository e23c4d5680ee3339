"""A session that does at random whatever a user may do, and some things that nobody should."""

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
from .options import read_options

PATIENCE = 300.0
"""Seconds after which an answer is missing, however loaded the machine."""
KEPT_LINES = 40
GARBAGE = (
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


class Wrong(Failure):
    """The engine broke a promise. The text says which."""


class Session:
    """One engine process, and everything that is measured while it works."""

    def __init__(self, command: Sequence[str], seed: int, kept: Sequence[tuple[str, str]] = ()) -> None:
        """Starts the engine. The options `kept` are set at the start, and stay as they are."""
        self.dice = random.Random(seed)
        self.engine = Engine(EngineSpec(tuple(command), "engine", options=tuple(kept)), None, PATIENCE)
        self.said: deque[str] = deque(maxlen=KEPT_LINES)
        """The last lines that were sent, for whoever looks for what went wrong."""
        self.done: Counter[str] = Counter()
        self.echo = Latencies("echo beside it")
        self.idle = Latencies("isready, idle")
        self.busy = Latencies("isready, searching")
        self.stop = Latencies("stop to bestmove")
        self._echoer = Echo()
        self.engine.start()
        if self.engine.complaints:
            complaint = self.engine.complaints[0]
            self.close()
            raise ValueError(f"{' '.join(command)}: {complaint}")
        names = {name.lower() for name, _ in kept}
        # An option may have brought variants along.
        self.engine.send("ugi")
        listed = self.engine.wait_for(lambda line: line == "ugiok", "ugiok")
        self.options = [option for option in read_options(listed) if option.name.lower() not in names]
        self._variant = next((option for option in self.options if option.name == "UCI_Variant"), None)

    @property
    def variants(self) -> tuple[str, ...]:
        """All that the engine lists; one without a name if it lists none."""
        return self._variant.values if self._variant else ("",)

    def visit(self, variant: str, actions: int) -> None:
        """Does so many things in a variant."""
        self._choose(variant)
        for _ in range(actions):
            action = self.dice.choices(self._ACTIONS, self._WEIGHTS)[0]
            self.done[action.__name__.strip("_")] += 1
            action(self)

    def reset(self) -> None:
        """Every option as it was at the start, a new game, the first variant: a state that can be compared."""
        for option in self.options:
            if option.kind != "button" and option is not self._variant:
                self._say(option.set_to(option.default))
        self._choose(self.variants[0])
        self._say("setoption name Clear Hash")
        self._say("uginewgame")
        self._settle()

    def close(self) -> None:
        """Ends both processes."""
        self.engine.quit()
        self._echoer.close()

    def _choose(self, variant: str) -> None:
        if self._variant:
            self._say(self._variant.set_to(variant))
        self._say("position startpos")
        self._settle()

    def _say(self, line: str) -> None:
        self.said.append(line)
        self.engine.send(line)

    def _settle(self) -> list[str]:
        """Waits until all was obeyed; there must be no `bestmove` that nobody asked for."""
        lines = self.engine.synchronize()
        if any(line.startswith("bestmove") for line in lines):
            raise Wrong("a bestmove that nobody asked for")
        return lines

    def _legal(self) -> list[str]:
        self.said.append("go perft 1")
        moves = self.engine.legal_moves()
        # The sum is printed before the engine is at rest, and an `isready` right behind it would overtake other lines.
        self.engine.send("query gameover")
        self._hear("response")
        return moves

    # What may happen.

    def _walk(self) -> None:
        """Random legal play from the start."""
        moves: list[str] = []
        for _ in range(self.dice.randrange(24)):
            self._say(" ".join(["position startpos", *(["moves", *moves] if moves else [])]))
            legal = self._legal()
            if not legal:
                break
            moves.append(self.dice.choice(legal))
        for question in ("gameover", "p1turn", "result"):
            self._say(f"query {question}")
        answers = self._settle()
        if sum(line.startswith("response ") for line in answers) != 3:
            raise Wrong(f"three questions are answered by {answers}")

    def _scramble(self) -> None:
        """Another position, where the variant has random ones."""
        self._say(f"position scramble {self.dice.randrange(30)} seed {self.dice.randrange(1000)}")
        self._settle()

    def _search(self) -> None:
        """A bounded search: its one `bestmove` is legal."""
        legal = self._legal()
        bound = self.dice.choice(["movetime {}", "nodes {}00", "depth 2 nodes {}00", "p1time {}0 p2time {}0 p1inc 1"])
        self._say(f"go {bound.format(*[self.dice.randint(1, 40)] * 2)}")
        self._check(self._hear("bestmove")[-1], legal)

    def _interrupt(self) -> None:
        """An endless search: heard and stopped at once."""
        legal = self._legal()
        self._say(self.dice.choice(["go infinite", "go"]))
        time.sleep(self.dice.uniform(0.0, 0.03))
        if self.dice.random() < 0.5:
            self.echo.add(self._echoer.time())
            start = time.perf_counter()
            self.engine.send("isready")
            heard = self._hear("readyok")
            self.busy.add((time.perf_counter() - start) * 1000.0)
            if any(line.startswith("bestmove") for line in heard):
                return
        if (move := self._early()) is not None:
            self._check(move, legal)
            return
        self.echo.add(self._echoer.time())
        start = time.perf_counter()
        self._say("stop")
        move = self._hear("bestmove")[-1]
        self.stop.add((time.perf_counter() - start) * 1000.0)
        self._check(move, legal)

    def _ponder(self) -> None:
        """A search on the opponent's time."""
        legal = self._legal()
        self._say(f"go ponder movetime {self.dice.randint(1, 20)}")
        self._say(self.dice.choice(["ponderhit", "stop"]))
        self._check(self._hear("bestmove")[-1], legal)

    def _garble(self) -> None:
        """Lines that make no sense: whatever they are answered, the position stays."""
        before = self._fen()
        for _ in range(self.dice.randint(1, 5)):
            line = self.dice.choice(GARBAGE)
            if self.dice.random() < 0.5:
                line = "x" + "".join(chr(self.dice.randrange(32, 0x2FFF)) for _ in range(self.dice.randrange(200)))
            elif self.dice.random() < 0.02:
                line = "x" * ((1 << 20) + 5)
            self._say(line)
        self.engine.synchronize()
        if self._fen() != before:
            raise Wrong("a line that makes no sense changed the position")

    def _change(self) -> None:
        """An option."""
        options = [option for option in self.options if option is not self._variant]
        if options:
            self._say(self.dice.choice(options).draw(self.dice))
        self._settle()

    def _look(self) -> None:
        """What people ask for."""
        self._say(self.dice.choice(["d", "eval", "help", "uci", "ugi", "debug on", "debug off"]))
        self._settle()
        self.echo.add(self._echoer.time())
        start = time.perf_counter()
        self._settle()
        self.idle.add((time.perf_counter() - start) * 1000.0)

    def _renew(self) -> None:
        """A new game."""
        self._say(self.dice.choice(["uginewgame", "ucinewgame"]))
        self._settle()

    _ACTIONS: Sequence[Callable[[Session], None]] = (
        *(_walk, _scramble, _search, _interrupt),
        *(_ponder, _garble, _change, _look, _renew),
    )
    _WEIGHTS = (3, 1, 3, 3, 1, 2, 4, 2, 1)

    def _fen(self) -> str:
        self._say("d")
        return next((line for line in self._settle() if line.startswith("Fen: ")), "")

    def _early(self) -> str | None:
        """The move of a search that has ended by itself."""
        with contextlib.suppress(TimeoutError):
            while True:
                line, _ = self.engine.next_line(time.monotonic())
                if line.startswith("bestmove"):
                    return line
        return None

    def _check(self, line: str, legal: Sequence[str]) -> None:
        """A move that is named is legal; a solved puzzle has moves, and none to make."""
        move = line.split()[1:2]
        if not move or (move[0] not in legal and move[0] != "(none)"):
            raise Wrong(f"'{line}' is none of {' '.join(legal[:50])}")
        self._settle()

    def _hear(self, word: str) -> list[str]:
        return self.engine.wait_for(lambda line: line.split(" ", 1)[0] == word, word)


class Echo:
    """A process that does nothing but answer: what this machine, as loaded as it is now, makes of a line and an answer."""

    def __init__(self) -> None:
        program = "import sys\nfor line in sys.stdin: sys.stdout.write(line); sys.stdout.flush()"
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-E", "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self.time()

    def time(self) -> float:
        """Milliseconds until a line came back."""
        assert self._process.stdin and self._process.stdout
        start = time.perf_counter()
        self._process.stdin.write(b"echo\n")
        self._process.stdout.readline()
        return (time.perf_counter() - start) * 1000.0

    def close(self) -> None:
        """Ends it."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

