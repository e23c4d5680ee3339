"""Measures how often an engine keeps the value of solved positions in which some moves lose it.

A move keeps the value if the position after it has the same value: won, drawn or lost for the same side.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from common.arguments import quoted
from common.exit_status import Failure
from common.job import Host

from .clock import Limit
from .engine import Engine, EngineGroup, EngineSpec, variant_path_options
from .openings import Opening
from .process import Fault
from .sprt import CONFIDENCE

_PLAYERS = {"p1win": "p1", "p2win": "p2", "draw": None}
"""The winners by the verdicts in the answer to `state`."""

RANDOM_PLIES = 24
"""Each game starts with 0 to `RANDOM_PLIES - 1` random plies."""
MAX_PLIES = 150
"""Maximum length of a game, in plies."""
SAMPLE_SHARE = 0.15
"""Share of the positions after the random plies that are sampled."""
RANDOM_MOVE_SHARE = 0.1
"""Share of the moves after the random plies that are random, for all players."""
SOLVE_TIMEOUT_S = 1800.0
"""Maximum time to solve a game in memory, in seconds."""
HANG_TIMEOUT_S = 60.0
"""Maximum time for an answer, in seconds. A longer time is a hang. Reading tables takes seconds on a loaded machine."""
MIN_KNOWN_GAMES = 20
"""If the tables contain no position of this number of games, they must be the tables of another game."""
PLAYERS = {"random": None, "scout": "go depth 3", "auto": "go nodes 2000", "perfect": "go nodes 2000"}
"""The players of the games, with the command that starts the search of each; `None` for a random move."""
BANDS = ((0.0, "less than half"), (0.5, "half"), (0.75, "three quarters"), (0.9, "nine tenths"))
"""Groups of positions by the share of moves that lose the value: the minimum share of each group, and its name."""
VALUES = ("won", "drawn")
"""Values of a position for the side to move. A lost position has no value to keep."""


@dataclass(frozen=True)
class TestPosition:
    """A position in which some moves keep its value and others lose it."""

    position: str
    """The `position` command."""
    value: str
    """Value for the side to move: `won` or `drawn`."""
    mover: str
    """Side to move: `p1` or `p2`."""
    keeping: tuple[str, ...]
    """Moves that keep the value."""
    losing: int
    """Number of moves that lose the value."""

    @property
    def moves(self) -> int:
        """Number of legal moves."""
        return self.losing + len(self.keeping)

    @property
    def band(self) -> str:
        """Name of its group in `BANDS`."""
        return next(name for minimum, name in reversed(BANDS) if self.losing / self.moves >= minimum)


@dataclass(frozen=True)
class SolvedState:
    """The values of a position and of its moves."""

    winner: str | None
    """`p1`, `p2`, or `None` for a draw."""
    mover: str
    """Side to move: `p1` or `p2`."""
    moves: dict[str, str | None]
    """The winner after each move, `None` for a draw."""

    def test_position(self, position: str) -> TestPosition | None:
        """Returns the test position, or `None` if the value is a loss, or cannot be lost."""
        keeping = tuple(move for move, winner in self.moves.items() if winner == self.winner)
        losing = len(self.moves) - len(keeping)
        if self.winner not in (None, self.mover) or not losing or not keeping:
            return None
        return TestPosition(position, "won" if self.winner else "drawn", self.mover, keeping, losing)


@dataclass(frozen=True)
class GameSample:
    """The result of one task: the positions sampled from a game, and the engine's moves in the test positions."""

    sampled: int
    """Number of sampled positions."""
    known: int
    """Number of sampled positions that the tables contain."""
    answers: tuple[tuple[TestPosition, str], ...]
    """The test positions, each with the move of the tested engine."""


def parse_state(lines: Sequence[str]) -> SolvedState | None:
    """Returns the values in the answer to `state`, or `None` if the value of the position is not known.

    Raises:
        ValueError: the answer is not that of Puli.
    """
    text = next((line.removeprefix("state ") for line in lines if line.startswith("state ")), "")
    try:
        state = json.loads(text)
        if not state["solved"]:
            return None
        moves = {str(move["move"]): _PLAYERS[move["verdict"]] for move in state["solved"]["moves"]}
        return SolvedState(_PLAYERS[state["solved"]["verdict"]], state["turn"], moves)
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"expected the answer to 'state', found {quoted(text)}") from None


def parse_players(text: str) -> tuple[str, ...]:
    """Returns the names of players in a list separated by commas.

    Raises:
        ValueError: a name is not in `PLAYERS`.
    """
    names = tuple(text.split(","))
    for name in names:
        if name not in PLAYERS:
            raise ValueError(f"expected names of {', '.join(PLAYERS)}, found {quoted(name)}")
    return names


@dataclass(frozen=True)
class ValueKeepingJob:
    """The job of generating games, and asking the tested engine for a move in their test positions.

    One task is one game. The number of a task also states of which values test positions are still needed: it is `4 * game`,
    plus 1 if won positions and plus 2 if drawn positions are needed.
    """

    command: tuple[str, ...]
    tables: str
    """Folder of the tables; empty if the engine solves the game in memory."""
    variant: str
    options: tuple[tuple[str, str], ...]
    """Options of the tested engine."""
    limit: Limit
    """Limits of the tested engine."""
    seed: int
    players: tuple[str, ...] = ("scout",)
    """Players of the games. Each side of each game draws one at random."""
    min_losing_share: float = 0.0
    """Minimum share of moves that lose the value of a test position."""
    name: str = "game"
    cores: int = 1

    def programs(self) -> Sequence[tuple[str, ...]]:
        """The engine's command. The same program plays the games and reads the tables."""
        return [self.command]

    def settings(self, reference: int) -> list[str]:
        """Returns the header lines of a record. A run resumes only if they are equal."""
        options = " ".join(f"{name}={value}" for name, value in self.options)
        scale = [f"reference {reference}"] if reference else []
        return [
            "keep-value 3",
            f"engine {' '.join(self.command)}",
            f"tables {self.tables or 'in memory'}",
            f"variant {self.variant}",
            f"options {options or 'none'}",
            f"limit {self.limit}",
            f"seed {self.seed}",
            f"players {' '.join(self.players)}",
            f"losing {self.min_losing_share:g}",
            *scale,
        ]

    def open(self, host: Host) -> ValueKeepingRunner:
        """Returns a runner with its own engine processes."""
        return ValueKeepingRunner(self, host)


class ValueKeepingRunner(EngineGroup):
    """Runs tasks with four engines: the tested one, one with the tables, and the two that search for game moves."""

    def __init__(self, job: ValueKeepingJob, host: Host) -> None:
        """Stores the settings without starting the engines."""

        def engine(name: str, options: tuple[tuple[str, str], ...]) -> Engine:
            return Engine(EngineSpec(host.command(job.command), name, options=options), job.variant, HANG_TIMEOUT_S)

        boards = variant_path_options(job.options)
        self._job = job
        self._limit = job.limit.scaled(host.time_factor)
        # Without tables, `auto` would solve a small game in memory and play perfectly.
        tables, unsolved = ((("TablebasePath", job.tables),), ()) if job.tables else ((), (("SolveLimit", "0"),))
        self._tablebase = engine("tablebase", (*boards, *tables, ("Hash", "1")))
        self._scout = engine("scout", (*boards, ("Algorithm", "scout"), ("Hash", "1")))
        self._auto = engine("auto", (*boards, *unsolved, ("Hash", "1")))
        self._tested = engine("tested", (*unsolved, *job.options))
        super().__init__(self._tablebase, self._scout, self._auto, self._tested)

    def start(self) -> None:
        """Starts the engines, and solves the game if there are no tables."""
        must_solve = not self._job.tables and not self._tablebase.is_running
        super().start()
        if must_solve:
            self._tablebase.timeout, timeout = SOLVE_TIMEOUT_S, self._tablebase.timeout
            lines = self._tablebase.output_of("solve")
            self._tablebase.timeout = timeout
            if errors := [line for line in lines if line.startswith("info string error")]:
                raise ValueError(f"{self._job.variant}: {errors[0]}")

    def run(self, number: int) -> GameSample:
        """Plays the game of task `number`, and asks the tested engine for moves in the test positions of the needed values."""
        self.start()
        needed = [value for bit, value in enumerate(VALUES) if number >> bit & 1]
        # The number of sampled positions that the tables contain (`True`) and do not contain (`False`).
        known: Counter[bool] = Counter()
        try:
            generator = random.Random(f"{self._job.seed} {number >> 2}")
            positions = [
                position
                for position in self._sample_game(generator, known)
                if position.value in needed and position.losing >= self._job.min_losing_share * position.moves
            ]
            return GameSample(
                known.total(), known[True], tuple((position, self._move_in(position)) for position in positions)
            )
        except Fault as fault:
            # A `Fault` refers to its process, so it cannot be pickled and sent to another machine.
            raise Failure(str(fault)) from None

    def _move_in(self, position: TestPosition) -> str:
        """Returns the tested engine's move."""
        self._tested.new_game()
        self._tested.set_position(position.position)
        return self._tested.search(" ".join(["go", *self._limit.go_words()]), None, HANG_TIMEOUT_S).move

    def _sample_game(self, generator: random.Random, known: Counter[bool]) -> Iterator[TestPosition]:
        """Plays a game and yields its test positions. Counts in `known` whether the tables contain a sampled position."""
        for engine in (self._tablebase, self._scout, self._auto):
            engine.new_game()
        players = [generator.choice(self._job.players) for _ in range(2)]
        random_plies = generator.randrange(RANDOM_PLIES)
        moves: list[str] = []
        while len(moves) < MAX_PLIES:
            position = Opening().command(moves)
            # The list of moves does not show the end of the game: `go perft 1` lists moves even after a draw by repetition.
            if self._scout.query_status(position).is_over:
                return
            if len(moves) >= random_plies and generator.random() < SAMPLE_SHARE:
                try:
                    state = parse_state(self._tablebase.output_of(f"{position}\nstate"))
                except ValueError as error:
                    raise Fault(self._tablebase, str(error)) from None
                known[state is not None] += 1
                if state and (test_position := state.test_position(position)):
                    yield test_position
            is_random = len(moves) < random_plies or generator.random() < RANDOM_MOVE_SHARE
            candidates = self._candidates("random" if is_random else players[len(moves) % 2], position)
            if not candidates:
                raise Failure(f"{' '.join(self._job.command)}: no legal move in '{position}'")
            moves.append(generator.choice(candidates))

    def _candidates(self, player: str, position: str) -> list[str]:
        """Returns the moves among which `player` chooses at random: all legal ones, or its best move."""
        engine = {"scout": self._scout, "random": self._scout, "auto": self._auto, "perfect": self._tablebase}[player]
        engine.send(position)
        go = PLAYERS[player]
        if go is None:
            return engine.legal_moves()
        engine.send(go)
        answer = engine.wait_for(lambda line: line.startswith("bestmove"), "move")[-1]
        return answer.split()[1:2]


def share_text(kept: int, count: int) -> str:
    """Returns the share of kept positions in percent, with its 95% interval by Wilson (1927): `99.5% [99.1, 99.7]`.

    Unlike the share plus or minus its standard error, the interval has a positive length also for shares of 0 and 100%.
    """
    if not count:
        return "no position"
    rate, square = kept / count, CONFIDENCE**2 / count
    center = (rate + square / 2) / (1 + square)
    error = (CONFIDENCE**2 * rate * (1 - rate) / count + square**2 / 4) ** 0.5 / (1 + square)
    low, high = (100 * min(1.0, max(0.0, end)) for end in (center - error, center + error))
    return f"{100 * rate:.1f}% [{low:.1f}, {high:.1f}]"


@dataclass
class KeptCounts:
    """Number of test positions (`asked`) and of moves that kept the value (`kept`), by value and side, and by band."""

    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    kept: Counter[tuple[str, str]] = field(default_factory=Counter)
    asked_by_band: Counter[str] = field(default_factory=Counter)
    kept_by_band: Counter[str] = field(default_factory=Counter)

    def add(self, position: TestPosition, move: str) -> None:
        """Counts the tested engine's move in a position."""
        is_kept = move in position.keeping
        self.asked[position.value, position.mover] += 1
        self.kept[position.value, position.mover] += is_kept
        self.asked_by_band[position.band] += 1
        self.kept_by_band[position.band] += is_kept

    @property
    def count(self) -> int:
        """Number of test positions."""
        return self.asked.total()

    def __str__(self) -> str:
        parts = [f"{value} {mover} {self.kept[value, mover]}/{n}" for (value, mover), n in sorted(self.asked.items())]
        return f"{', '.join(parts)}; kept {self.kept.total()}/{self.count} = {share_text(self.kept.total(), self.count)}"

    def describe_bands(self) -> str:
        """Returns one line with the counts by minimum share of losing moves."""
        asked, kept = self.asked_by_band, self.kept_by_band
        parts = [f"{name} {kept[name]}/{asked[name]}" for _, name in BANDS if asked[name]]
        return f"kept, by minimum share of losing moves: {', '.join(parts)}"


class PositionQuota:
    """Collects the results of games in their order, until there are enough positions."""

    def __init__(self, positions: int, is_any_value: bool = False) -> None:
        """Collects `positions` positions: half won and half drawn, or those of any value that come first."""
        self.counts = KeptCounts()
        self.needed = {"won": positions - positions // 2, "drawn": positions // 2}
        if is_any_value:
            self.needed = dict.fromkeys(VALUES, positions)
        self._positions = positions
        self._games = self._sampled = self._known = 0

    def task_number(self, game: int) -> int:
        """Returns the number of the task of `game`, which states the values that are needed now."""
        return 4 * game + sum(1 << bit for bit, value in enumerate(VALUES) if self.needed[value])

    def take(self, sample: GameSample) -> bool:
        """Counts the answers of a game. Returns `True` if more positions are needed.

        Raises:
            ValueError: the tables contain no position of the first `MIN_KNOWN_GAMES` games.
        """
        self._games += 1
        self._sampled += sample.sampled
        self._known += sample.known
        if self._games == MIN_KNOWN_GAMES and not self._known:
            raise ValueError(f"the tables contain none of {self._sampled} positions: expected tables of this game")
        for position, move in sample.answers:
            if self.needed[position.value] and self.counts.count < self._positions:
                self.needed[position.value] -= 1
                self.counts.add(position, move)
        return self.counts.count < self._positions


def format_sample(sample: GameSample) -> list[str]:
    """Returns the lines of a game in a record."""
    answers = [
        f"answer {move} {position.value} {position.mover} {','.join(position.keeping)} {position.losing} {position.position}"
        for position, move in sample.answers
    ]
    return [f"shown {sample.sampled}", f"known {sample.known}", *answers]


def parse_sample(lines: Sequence[str]) -> GameSample:
    """Parses the lines of a game in a record. Inverse of `format_sample`."""
    answers = []
    for line in lines[2:]:
        _, move, value, mover, keeping, losing, position = line.split(" ", 6)
        test_position = TestPosition(position, VALUES[VALUES.index(value)], mover, tuple(keeping.split(",")), int(losing))
        answers.append((test_position, move))
    return GameSample(int(lines[0].split()[1]), int(lines[1].split()[1]), tuple(answers))
