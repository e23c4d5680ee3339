"""Tests `scripts/networks`: recipes, resumption, comparison, and the report."""

import csv
import io
import os
import tempfile
import time
import unittest
from pathlib import Path

from recipes.report import report, row_of
from recipes.steps import Recipe, StepRecord, fit_step, gather_steps, read_recipes, solve_steps
from tests.every_script import RECIPES, Workspace

# Fails in the second part of the games until the file `works` exists, and writes its commands to the file `commands`.
FAILING = """#!/bin/sh
echo "$*" >>"{folder}/commands"
case "$*" in *"--first 2 "*) [ -e "{folder}/works" ] || {{ echo "no space left" >&2; exit 1; }} ;; esac
exec "{puli}" "$@"
"""


class RecipeTest(unittest.TestCase):
    def test_makes_commands_with_relative_paths(self) -> None:
        recipe = Recipe("x", "tables", 64, 6, 3, 300, 7, "--units 32")
        self.assertEqual(solve_steps(recipe)[0].words, ("solve", "x", "--memory", "64", "--out", "tables/x"))
        steps = gather_steps(recipe)
        self.assertEqual([step.output for step in steps], ["x.1.positions", "x.2.positions", "x.3.positions"])
        expected = "gather x --tables tables/x --algorithm pvs --nodes 300 --seed 7 --first 4 --games 2"
        self.assertEqual(" ".join(steps[2].words), expected)
        expected = "fit x x.1.positions x.2.positions x.3.positions --units 32 --seed 7 --force --out x.net"
        self.assertEqual(" ".join(fit_step(recipe).words), expected)
        in_memory = Recipe("x", "memory", 64, 6, 3, 300, 7, "")
        self.assertEqual(solve_steps(in_memory), [])
        self.assertEqual(gather_steps(in_memory)[0].words[2:4], ("--memory", "64"))
        self.assertIn("--outcomes", gather_steps(Recipe("x", "outcomes", 64, 6, 3, 300, 7, ""))[0].words)

    def test_rejects_invalid_recipes_with_line(self) -> None:
        head = RECIPES.decode().splitlines()[0]
        cases = (
            ("game,values\n", "line 1: expected 'game,values,memory,"),
            (f"{head}\nx,guess,64,4,2,300,7,\n", "line 2: column values: expected one of tables, memory, outcomes, found 'guess'"),
            (f"{head}\nx,memory,64,5,2,300,7,\n", "line 2: expected positive numbers, and a multiple of 'parts' as 'games'"),
            (f"{head}\nx,memory,64,four,2,300,7,\n", "line 2: invalid literal"),
            (f"{head}\nx,memory\n", "line 2: "),
        )
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "recipes.csv"
            for text, message in cases:
                path.write_text(text)
                with self.assertRaisesRegex(ValueError, message):
                    read_recipes(path)
            path.write_bytes(RECIPES)
            self.assertEqual(read_recipes(path), {"x": Recipe("x", "tables", 64, 4, 2, 300, 7, "--units 32 --epochs 1")})

    def test_report_adds_up_steps(self) -> None:
        records = {
            name: StepRecord(name, "", seconds, seconds, memory, size, result)
            for name, seconds, memory, size, result in (
                ("solve", 20.4, 900, 5000, "start: draw"),
                ("gather 1", 10.0, 30, 7, "1200"),
                ("gather 2", 11.0, 30, 7, "1300"),
                ("fit", 5.0, 70, 123456, "epoch 4: loss 0.20000, held out 0.12345"),
            )
        }
        row = row_of(Recipe("x", "tables", 64, 4, 2, 300, 7, "--epochs 4"), records)
        expected = {"positions": "2500", "loss": "0.12345", "bytes": "123456", "solve seconds": "20", "gather seconds": "21", "memory MiB": "900"}
        self.assertEqual({name: row[name] for name in expected}, expected)
        self.assertIn("| `x` | tables | 4 | 7 | 2,500 | --epochs 4 | 0.12345 | 123,456 | 20 | 21 | 5 | 900 |", report([row]))


class ScriptTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.workspace = Workspace(Path(folder.name))
        self.out = self.workspace.folder / "out"
        self.out.mkdir()
        base = self.workspace.base("networks")
        place = base.index("--out")
        self.words = [*base[:place], "--out", str(self.out), *(word for word in base[place + 2 :] if word != "--force")]

    def test_makes_compares_and_replaces_network(self) -> None:
        run = self.workspace.run
        made = run("networks", *self.words)
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        network = self.out / "x.net"
        self.assertEqual(network.read_text(), "network")
        rows = list(csv.DictReader(io.StringIO((self.out / "networks.csv").read_text())))
        self.assertEqual([(row["game"], row["positions"], row["loss"], row["bytes"]) for row in rows], [("x", "2", "0.25000", "7")])
        self.assertIn("| `x` | tables |", (self.out / "networks.md").read_text())
        again = run("networks", *self.words)
        self.assertEqual(again.returncode, 2)
        self.assertIn("x.net exists; --force overwrites it", again.stderr)
        equal = run("networks", *self.words, "--check")
        self.assertEqual((equal.returncode, equal.stdout), (0, f"x: equal to {network}\n"))
        network.write_text("another")
        different = run("networks", *self.words, "--check")
        self.assertEqual((different.returncode, different.stdout), (1, f"x: differs from {network}\n"))
        self.assertEqual(network.read_text(), "another")
        self.assertEqual(run("networks", *self.words, "--force").returncode, 0)
        self.assertEqual(network.read_text(), "network")

    def test_resumes_after_failure(self) -> None:
        folder = self.workspace.folder
        puli = self.workspace.file("failing", FAILING.format(folder=folder, puli=self.workspace.puli).encode())
        puli.chmod(0o755)
        words = [*self.words, "--puli", str(puli)]
        failed = self.workspace.run("networks", *words)
        self.assertEqual(failed.returncode, 1)
        self.assertRegex(failed.stderr, "^networks: puli gather x .* failed: no space left\n$")
        self.assertFalse((self.out / "x.net").exists())
        self.assertFalse((folder / "made" / "x.2.positions").exists())
        (folder / "works").touch()
        self.assertEqual(self.workspace.run("networks", *words).returncode, 0)
        commands = [line.split()[0] for line in (folder / "commands").read_text().splitlines()]
        self.assertEqual(commands, ["solve", "gather", "gather", "gather", "fit"])

    def test_interrupt_kills_commands(self) -> None:
        folder = self.workspace.folder
        puli = self.workspace.file("endless", f'#!/bin/sh\necho $$ >"{folder}/process"\nexec sleep 600\n'.encode())
        puli.chmod(0o755)
        process = self.workspace.start("networks", *self.words, "--puli", str(puli))
        self.assertEqual(process.stdout.readline(), "x: solve\n")
        while not (folder / "process").exists() or not (folder / "process").read_text():
            time.sleep(0.01)
        process.terminate()
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        with self.assertRaises(ProcessLookupError):
            os.kill(int((folder / "process").read_text()), 0)
        self.assertEqual(self.workspace.run("networks", *self.words).returncode, 0)

    def test_repeats_steps_of_changed_recipe(self) -> None:
        folder = self.workspace.folder
        puli = self.workspace.file("logging", f'#!/bin/sh\necho "$*" >>"{folder}/commands"\nexec "{self.workspace.puli}" "$@"\n'.encode())
        puli.chmod(0o755)
        words = [*self.words, "--puli", str(puli), "--force"]
        recipes = self.workspace.file("own.csv", RECIPES)
        self.assertEqual(self.workspace.run("networks", *words, "--recipes", str(recipes)).returncode, 0)
        for changed, expected in ((RECIPES.replace(b"32", b"64"), ["fit"]), (RECIPES.replace(b",7,", b",8,"), ["gather", "gather", "fit"])):
            recipes.write_bytes(changed)
            (folder / "commands").unlink()
            self.assertEqual(self.workspace.run("networks", *words, "--recipes", str(recipes)).returncode, 0)
            self.assertEqual([line.split()[0] for line in (folder / "commands").read_text().splitlines()], expected)

    def test_rejects_unknown_game(self) -> None:
        unknown = self.workspace.run("networks", "y", *self.words[1:])
        self.assertEqual((unknown.returncode, unknown.stderr), (2, "networks: no recipe for 'y': expected one of x\n"))
        missing = self.workspace.run("networks", *self.words, "--check")
        self.assertEqual((missing.returncode, missing.stderr), (2, f"networks: {self.out / 'x.net'} does not exist\n"))


if __name__ == "__main__":
    unittest.main()
