"""All Python scripts, their parsers, and a small valid command line for each, for tests of every script."""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

from common.arguments import Parser

SCRIPTS = Path(__file__).parent.parent
FAKE = f"{sys.executable} -S -E {Path(__file__).with_name('fake_engine.py')}"
PULI = SCRIPTS.parent / "target" / "release" / "puli"
INSTANCE = b"1\t1 0 2 3\t1\t2\n"
OPENINGS = b"1 1\n"
RECIPES = b"game,values,memory,games,parts,nodes,seed,fit\nx,tables,64,4,2,300,7,--units 32 --epochs 1\n"

# A fake `puli` that answers the subcommands that the scripts run.
FAKE_PULI = """#!{python} -SE
import json, os, sys
words = sys.argv[1:]
command = words[0]
if command == "gather" and "--points" in words:
    print("game x", "start 1 0 3 -20 network", "0 0 -4 -150", "1 1 3 -20", "2 0 5 300", sep="\\n")
elif command == "gather":
    print("game x")
    print("1 0 2 1 3")
elif command == "boards":
    print("game", "x", sep="\\n")
elif command == "fit":
    if words[1] == "hopeless": sys.exit("cannot fit a network")
    open(words[words.index("--out") + 1], "w" if "--force" in words else "x").write("network")
    print("epoch 1: loss 0.31000, held out 0.25000")
elif command == "solve":
    os.makedirs(words[words.index("--out") + 1], exist_ok=True)
    print("start: draw")
elif command == "verify":
    if words[words.index("--hand") + 1] == "0": print("layer 0: sound")
elif command == "atlas" and "--format" in words:
    print(json.dumps([{{"game": "x", "positions at most": 5, "start": "draw", "plies": None, "positions": 5, "least prey that win": 1}}]))
"""


def script_names() -> list[str]:
    """Returns the names of the Python scripts that use `run_script`."""
    found = []
    for path in sorted(SCRIPTS.iterdir()):
        if path.is_file() and not path.suffix:
            head = path.read_text(encoding="utf-8")
            if head.startswith("#!/usr/bin/env python3") and "run_script(" in head:
                found.append(path.name)
    return found


def load(name: str) -> ModuleType:
    """Imports a script without running it, and without writing a compiled copy."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader = SourceFileLoader(name.replace("-", "_"), str(SCRIPTS / name))
        spec = spec_from_loader(loader.name, loader)
        assert spec
        module = module_from_spec(spec)
        loader.exec_module(module)
        return module
    finally:
        sys.dont_write_bytecode = before


def parsers(name: str) -> list[Parser]:
    """Returns the parsers of a script, from its functions `parser` and `…_parser`."""
    module = load(name)
    functions = [value for key, value in vars(module).items() if key == "parser" or key.endswith("_parser")]
    return [function() for function in functions]


def actions_with_values(parser: Parser) -> Iterator[argparse.Action]:
    """Yields the options and the positional arguments that take a value."""
    for action in parser._actions:
        if action.nargs != 0:
            yield action


def option_words(action: argparse.Action, value: str) -> list[str]:
    """Returns the words that set an option to `value`, repeated if it takes several values."""
    count = {None: 1, "?": 1, "*": 1, "+": 2}.get(action.nargs, action.nargs)
    assert isinstance(count, int)
    if action.option_strings:
        return [f"{action.option_strings[-1]}={value}"] if count == 1 else [action.option_strings[-1], *[value] * count]
    return [value] * count


def required_words(parser: Parser, without: argparse.Action) -> list[str]:
    """Returns words for all required arguments of a parser, except for `without`."""
    words: list[str] = []
    for action in parser._actions:
        if action.required and action is not without and action.nargs not in ("?", "*"):
            words += option_words(action, "x")
    for group in parser._mutually_exclusive_groups:
        if group.required and without not in group._group_actions:
            words += option_words(group._group_actions[-1], "1")
    return words


class Workspace:
    """A folder with inputs for every script, and short command lines that use them."""

    def __init__(self, folder: Path, inputs: Path | None = None) -> None:
        """Creates the inputs in `folder`, or uses the inputs of another workspace in the folder `inputs`."""
        self.folder = folder
        home = inputs or folder
        self.instance, self.openings, self.board = home / "instance", home / "openings", home / "board.txt"
        self.network, self.puli, self.tables, self.games = home / "network", home / "puli", home / "tables", home / "games"
        self.pipe, self.huge, self.recipes = home / "pipe", home / "huge", home / "recipes.csv"
        if inputs:
            return
        self.file("instance", INSTANCE)
        self.file("openings", OPENINGS)
        self.file("board.txt", b"game x\n")
        self.file("network", b"network")
        self.file("recipes.csv", RECIPES)
        self.file("puli", FAKE_PULI.format(python=sys.executable).encode()).chmod(0o755)
        self.tables.mkdir()
        played = self.run("match", *self.base("match"), "--games-file", str(self.games))
        assert played.returncode == 0, played.stderr
        os.mkfifo(self.pipe)
        with self.huge.open("wb") as file:
            # A sparse file, larger than the maximum of every input.
            file.truncate(1 << 37)

    def file(self, name: str, content: bytes) -> Path:
        """Writes a file and returns its path."""
        path = self.folder / name
        path.write_bytes(content)
        return path

    def base(self, name: str) -> list[str]:
        """Returns a valid command line of a script that finishes quickly."""
        puli, tables = ["--puli", str(self.puli)], ["--tables", str(self.tables)]
        return {
            "match": ["--engine1", f"{FAKE} fair", "--engine2", f"{FAKE} weak", "--depth", "1", "--games", "2"],
            "korf": [str(self.instance), "--engine", f"{FAKE} solver", "--variant", "3-puzzle"],
            "keep-value": [f"{FAKE} ignorant", *tables, "--nodes", "1", "--positions", "2"],
            "play-out": [f"{FAKE} ignorant", *tables, "--positions", "1", "--seconds", "0.1"],
            "soak": [f"{FAKE} fair", "--minutes", "0", "--latency", "5000", "--actions", "1"],
            "gather": ["x", *tables, "--out", str(self.folder / "positions"), "--games", "4", "--part", "2", *puli],
            "verify": [str(self.tables), *puli],
            "atlas": ["--out", str(self.folder / "atlas"), *puli],
            "fit-evaluation": ["x", "--out", str(self.folder / "net"), "--games", "2", *puli],
            "fit-curves": [*tables, "--out", str(self.tables), "--data", str(self.folder / "data"), *puli],
            "rate-evaluations": ["x", "--out", str(self.folder), "--data", str(self.folder / "rated"), *puli],
            "networks": ["x", "--recipes", str(self.recipes), "--data", str(self.folder / "made"), "--out", str(self.tables), "--force", *puli],
            "check-hunts": [f"{FAKE} fair", "--boards", "1"],
            "benchmarks": ["--list"],
            "site": ["--out", str(self.instance)],
            "sprt-self": ["nowhere"],
            "try-readme": ["--binary", str(self.folder / "nowhere")],
        }[name]

    def run(self, name: str, *words: str, seconds: float = 60.0, **more: object) -> subprocess.CompletedProcess[str]:
        """Runs a script. Terminates it after `seconds`, with status -1."""
        process = self.start(name, *words, **more)
        try:
            out, error = process.communicate(timeout=seconds)
            return subprocess.CompletedProcess(words, process.returncode, out, error)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            out, error = process.communicate(timeout=60)
            return subprocess.CompletedProcess(words, -1, out, error)

    def start(self, name: str, *words: str, **more: object) -> subprocess.Popen[str]:
        """Starts a script."""
        command = [sys.executable, str(SCRIPTS / name), *words]
        settings = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": "/"}
        return subprocess.Popen(command, encoding="utf-8", errors="surrogateescape", **settings | more)  # type: ignore[call-overload]
