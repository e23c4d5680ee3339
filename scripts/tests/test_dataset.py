"""Tests of `puli atlas --dataset`: its program `check.py`, its schemas, and interruptions."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from tests.every_script import PULI

GAMES = ("mysore-one-tiger", "hare-and-hounds", "kaooa")
TIMEOUT_S = 300


def write(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Writes a dataset."""
    command = [str(PULI), "atlas", "--dataset", str(folder), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the dataset's own program, without modules of Puli."""
    command = [sys.executable, "-I", str(folder / "check.py")]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)


def files(folder: Path) -> dict[str, bytes]:
    """Returns all files of a folder by their names."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def renew_sums(folder: Path) -> None:
    """Makes the checksums agree with the files."""
    sums = {name: hashlib.sha256(text).hexdigest() for name, text in files(folder).items() if name != "SHA256SUMS"}
    text = "".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items()))
    (folder / "SHA256SUMS").write_text(text)


def errors(value: Any, schema: dict[str, Any], root: dict[str, Any], place: str) -> list[str]:
    """Returns the places where a value differs from a schema. Knows the keywords that the schemas of a dataset use."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return errors(value, root["$defs"][name], root, place)
    if "enum" in schema:
        return [] if value in schema["enum"] else [place]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    types = {"integer": int, "number": (int, float), "string": str, "null": type(None), "array": list, "object": dict}
    if not any(isinstance(value, types[kind]) for kind in kinds) or isinstance(value, bool):
        return [place]
    if isinstance(value, int | float) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return [place]
    if isinstance(value, list):
        found = [place] if len(value) < schema.get("minItems", 0) else []
        return found + [error for item in value for error in errors(item, schema["items"], root, f"{place}[]")]
    if isinstance(value, dict):
        properties = schema["properties"]
        found = [f"{place}.{key}" for key in {*properties} ^ {*value}]
        for key in {*properties} & {*value}:
            found += errors(value[key], properties[key], root, f"{place}.{key}")
        return found
    return []


class Datasets(unittest.TestCase):
    """Datasets of small games."""

    def setUp(self) -> None:
        """Makes a folder for each test."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_program_of_the_dataset_accepts_it(self) -> None:
        """The program solves games again if all their positions are there."""
        folder = self.folder / "new"
        result = write(folder, "--positions", "3000", *GAMES)
        self.assertEqual(result.returncode, 0, result.stderr)
        result = check(folder)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        for game, whole in zip(GAMES, (True, True, False), strict=True):
            end = ", solved again" if whole else ""
            self.assertRegex(result.stdout, rf"(?m)^{game}: \d+ positions, \d+ moves{end}$")
        self.assertTrue(result.stdout.endswith("3 games: everything agrees\n"))
        # The program of the system agrees with the checksums.
        subprocess.run(["sha256sum", "--quiet", "-c", "SHA256SUMS"], cwd=folder, check=True)

    def test_records_match_their_schemas(self) -> None:
        """All keys are described, and all values are in their ranges."""
        folder = self.folder / "new"
        self.assertEqual(write(folder, "--positions", "200", *GAMES, "adugo", "el-zorro").returncode, 0)
        for schema_name, pattern in (("game", "game.json"), ("position", "positions.jsonl")):
            schema = json.loads((folder / f"{schema_name}.schema.json").read_text())
            lines = [line for path in folder.glob(f"games/*/{pattern}") for line in path.read_text().splitlines()]
            self.assertGreaterEqual(len(lines), 5)
            for line in lines:
                record = json.loads(line)
                self.assertEqual(errors(record, schema, schema, schema_name), [], line[:200])
            broken = {**json.loads(lines[0]), "winner": "nobody", "color": 1}
            self.assertEqual({*errors(broken, schema, schema, "x")}, {"x.winner", "x.color"})
        readme = (folder / "README.md").read_text()
        for table in ("games.csv", "layers.csv", "games/kaooa/positions.csv", "games/kaooa/moves.csv"):
            for column in (folder / table).read_text().split("\n", 1)[0].split(","):
                self.assertIn(f"`{column}`", readme, table)

    def test_program_of_the_dataset_finds_wrong_values(self) -> None:
        """A changed value is found although all checksums and tables agree with it."""
        folder = self.folder / "new"
        self.assertEqual(write(folder, "--positions", "3000", *GAMES).returncode, 0)
        original = files(folder)

        def expect(error: str) -> None:
            renew_sums(folder)
            result = check(folder)
            self.assertEqual(result.returncode, 1, result.stdout)
            self.assertRegex(result.stderr, rf"\Acheck\.py: {error}\n\Z")
            for name, text in original.items():
                (folder / name).write_bytes(text)

        def change(game: str, edit: Any) -> None:
            """Changes the records of a game, and its tables with them."""
            path = folder / "games" / game
            lines = (path / "positions.jsonl").read_text().splitlines()
            records = [json.loads(line) for line in lines]
            edit(records)
            (path / "positions.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
            cells: dict[str, list[list[Any]]] = {"positions.csv": [], "moves.csv": []}
            for record in records:
                moves = record["moves"]
                row = [record[key] for key in ("game", "number", "position", "to_move", "winner", "plies")]
                cells["positions.csv"].append([*row, len(moves)])
                cells["moves.csv"] += [[record["game"], record["number"], *move.values()] for move in moves]
            for name, rows in cells.items():
                head = (path / name).read_text().split("\n", 1)[0]
                text = [",".join("" if cell is None else str(cell) for cell in row) for row in rows]
                (path / name).write_text("\n".join([head, *text]) + "\n")

        def later(records: list[dict[str, Any]]) -> None:
            record = next(record for record in records if record["plies"])
            record["plies"] += 2

        def draw(records: list[dict[str, Any]]) -> None:
            record = next(record for record in records if record["plies"])
            record.update(winner=None, plies=None)

        def all_later(records: list[dict[str, Any]]) -> None:
            """Delays all wins but those in one ply: consistent in each record, if it has no such move."""
            for record in records:
                for value in (record, *record["moves"]):
                    if value["plies"]:
                        value["plies"] += 2

        def first_move(records: list[dict[str, Any]]) -> None:
            """Removes one of the moves that keep the value of the start."""
            moves = records[0]["moves"]
            moves.remove(next(move for move in moves if move["plies"] == records[0]["plies"] - 1))

        change("kaooa", later)
        expect(r"kaooa, record \d+: value \(.*\) instead of \(.*\)")
        change("hare-and-hounds", draw)
        expect(r"hare-and-hounds, record \d+: value \(None, None\) instead of \(.*\)")
        change("mysore-one-tiger", all_later)
        expect(r"mysore-one-tiger, record \d+: value .*")
        change("kaooa", first_move)
        expect(r"kaooa: the first moves .* keep the value, not .*")
        change("kaooa", lambda records: records.pop())
        expect("kaooa: 3000 records instead of 3001")
        path = folder / "games" / "kaooa" / "moves.csv"
        path.write_text(path.read_text().replace(",prey,", ",hunters,", 1))
        expect(r"kaooa/moves\.csv, line \d+: differs in \['winner'\]")
        (folder / "games.csv").write_text("game\n")
        expect("games.csv: 0 rows instead of 3")
        (folder / "README.md").unlink()
        result = check(folder)
        self.assertEqual(result.returncode, 1)
        self.assertIn("missing or not listed in SHA256SUMS: ['README.md']", result.stderr)

    def test_interrupted_run_resumes(self) -> None:
        """After Ctrl-C, the same command keeps the complete games and writes the same bytes."""
        games = ("kaooa", "wolf-and-sheep")
        [whole, stopped] = [self.folder / name for name in ("whole", "stopped")]
        self.assertEqual(write(whole, *games).returncode, 0)
        command = [str(PULI), "atlas", "--dataset", str(stopped), *games]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            self.assertTrue(process.stdout.readline().startswith("kaooa: "))
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=TIMEOUT_S)
            self.assertNotEqual(process.returncode, 0)
        self.assertFalse(stopped.exists())
        record = self.folder / "stopped.unfinished" / "games" / "kaooa" / "game.json"
        before = os.stat(record)
        self.assertEqual(write(stopped, *games).returncode, 0)
        self.assertEqual(files(stopped), files(whole))
        self.assertEqual(os.stat(stopped / "games" / "kaooa" / "game.json").st_ino, before.st_ino)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"whole", "stopped"})


if __name__ == "__main__":
    unittest.main()
