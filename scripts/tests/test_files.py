"""Tests every file that a script reads or writes: devices, pipes, large files, byte order marks, existing files, full disks."""

import os
import resource
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from common.arguments import path as path_reader
from common.files import BYTE_ORDER_MARK, MAX_TEXT_BYTES, atomic_file, check_output, read_bytes, read_lines
from publishing.manifest import read_manifest
from tests.every_script import FAKE, INSTANCE, OPENINGS, PULI, SCRIPTS, Workspace, actions_with_values, parsers, script_names

# Kind of the file that each option names. Every option of type `path` must be listed.
KINDS = {
    ("match", "openings"): "input",
    ("match", "report"): "journal",
    ("match", "games_file"): "journal",
    ("match", "drawn_by"): "folder",
    ("korf", "file"): "input",
    ("korf", "record"): "journal",
    ("keep-value", "tables"): "folder",
    ("keep-value", "record"): "journal",
    ("play-out", "tables"): "folder",
    ("gather", "tables"): "folder",
    ("gather", "out"): "output",
    ("gather", "puli"): "program",
    ("verify", "folder"): "folder",
    ("verify", "puli"): "program",
    ("atlas", "out"): "table",
    ("atlas", "puli"): "program",
    ("fit-evaluation", "tables"): "folder",
    ("fit-evaluation", "origin"): "input",
    ("fit-evaluation", "out"): "output",
    ("fit-evaluation", "puli"): "program",
    ("fit-curves", "tables"): "folder",
    ("fit-curves", "data"): "folder",
    ("fit-curves", "out"): "folder",
    ("fit-curves", "puli"): "program",
    ("rate-evaluations", "tables"): "folder",
    ("rate-evaluations", "eval_file"): "input",
    ("rate-evaluations", "networks"): "folder",
    ("rate-evaluations", "curves"): "folder",
    ("rate-evaluations", "data"): "folder",
    ("rate-evaluations", "out"): "folder",
    ("rate-evaluations", "puli"): "program",
    ("networks", "recipes"): "input",
    ("networks", "data"): "folder",
    ("networks", "out"): "folder",
    ("networks", "puli"): "program",
    ("benchmarks", "folder"): "folder",
    ("try-readme", "binary"): "program",
}
# Arguments that are the name of a game or a board file.
BOARDS = (("gather", "game"), ("fit-evaluation", "game"), ("atlas", "game"))


class EveryFileTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.workspace = Workspace(Path(folder.name))
        cls.options = {(name, action.dest): action for name in script_names() for parser in parsers(name) for action in actions_with_values(parser)}

    def words(self, name: str, dest: str, path: str) -> list[str]:
        """Returns a command line of script `name` in which argument `dest` is `path`."""
        action = self.options[name, dest]
        base = self.workspace.base(name)
        if not action.option_strings:
            # Positional arguments come first, except for the games of scripts/atlas.
            return [*base, "--", path] if dest == "game" and name == "atlas" else [path, *base[1:]]
        option = action.option_strings[-1]
        if dest == "report":
            return [option, path]
        if option in base:
            place = base.index(option)
            return [*base[:place], option, path, *base[place + 2 :]]
        more = ["--random-plies", "2"] if dest == "drawn_by" else []
        return [*base, option, path, *more]

    def run_all(self, cases: list[tuple[str, list[str]]]) -> list[subprocess.CompletedProcess[str]]:
        with ThreadPoolExecutor(4) as threads:
            return list(threads.map(lambda case: self.workspace.run(case[0], *case[1]), cases))

    def test_all_path_options_are_listed(self) -> None:
        paths = {key for key, action in self.options.items() if action.type is path_reader}
        self.assertEqual(paths, set(KINDS))
        for key in BOARDS:
            self.assertIn(key, self.options)

    def test_rejects_devices_pipes_and_folders(self) -> None:
        cases, wrong = [], ["/dev/zero", str(self.workspace.pipe), "/dev/full"]
        for (name, dest), kind in KINDS.items():
            for path in [*wrong, *([] if kind in ("folder", "table") else [str(self.workspace.tables)])]:
                cases.append((name, self.words(name, dest, path), path))
            if kind in ("folder", "table"):
                cases.append((name, self.words(name, dest, str(self.workspace.instance)), str(self.workspace.instance)))
        for name, dest in BOARDS:
            cases += [(name, self.words(name, dest, path), path) for path in [*wrong, str(self.workspace.tables)]]
        # Commands of engines, which cannot be started.
        for name in ("korf", "keep-value", "play-out", "soak", "match"):
            for path in (*wrong, str(self.workspace.tables)):
                base = self.workspace.base(name)
                cases.append((name, [path if word.startswith(FAKE) else word for word in base], path))
        results = self.run_all([(name, words) for name, words, _ in cases])
        for (name, words, path), result in zip(cases, results):
            with self.subTest(f"{name} {' '.join(words)}"):
                self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertTrue(result.stderr.startswith(f"{name}: "), result.stderr)
                self.assertIn(path, result.stderr)

    def test_rejects_too_long_names(self) -> None:
        cases = [(name, self.words(name, dest, f"/{'9' * 5000}")) for name, dest in KINDS]
        for (name, words), result in zip(cases, self.run_all(cases)):
            with self.subTest(f"{name} {words[-1][:20]}"):
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertRegex(result.stderr, r"^\S+: .{0,40}/9+….*: File name too long\n\Z|is not a folder")

    def test_rejects_pipe_as_board_file(self) -> None:
        for name, dest in BOARDS:
            words = self.words(name, dest, self.workspace.pipe.name)
            result = self.workspace.run(name, *words, cwd=self.workspace.folder)
            self.assertEqual((result.returncode, result.stderr), (2, f"{name}: {self.workspace.pipe.name} is not a regular file\n"))

    def test_rejects_too_large_files(self) -> None:
        huge = str(self.workspace.huge)
        cases = [(name, self.words(name, dest, huge)) for (name, dest), kind in KINDS.items() if kind in ("input", "journal")]
        for (name, words), result in zip(cases, self.run_all(cases)):
            with self.subTest(f"{name} {' '.join(words)}"):
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(f"{huge}: {1 << 37} bytes, expected at most", result.stderr)

    def test_ignores_byte_order_mark(self) -> None:
        marked = {
            ("korf", "file"): self.workspace.file("marked-instance", BYTE_ORDER_MARK + INSTANCE),
            ("match", "openings"): self.workspace.file("marked-openings", BYTE_ORDER_MARK + OPENINGS),
            ("match", "report"): self.workspace.file("marked-games", BYTE_ORDER_MARK + self.workspace.games.read_bytes()),
        }
        plain = {("korf", "file"): self.workspace.instance, ("match", "openings"): self.workspace.openings, ("match", "report"): self.workspace.games}
        for name, dest in marked:
            outputs = []
            for files in (plain, marked):
                words = ["--report", str(files[name, dest])] if dest == "report" else self.words(name, dest, str(files[name, dest]))
                result = self.workspace.run(name, *words)
                self.assertEqual(result.returncode, 0, result.stderr)
                outputs.append([line for line in result.stdout.split("\n") if " s" not in line and " ms" not in line])
            self.assertEqual(*outputs)
        # A journal with a byte order mark is appended to.
        before = marked["match", "report"].read_bytes()
        result = self.workspace.run("match", *self.workspace.base("match"), "--games", "4", "--games-file", str(marked["match", "report"]))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("contains 2 games", result.stdout)
        self.assertTrue(marked["match", "report"].read_bytes().startswith(before))

    def test_outputs_do_not_overwrite_files_or_inputs(self) -> None:
        workspace = self.workspace
        for name in ("gather", "fit-evaluation"):
            out = workspace.file(f"kept-{name}", b"keep me")
            link = workspace.folder / f"link-{name}"
            link.symlink_to(workspace.folder / "nowhere-at-all")
            words = self.words(name, "out", str(out))
            for given, message in ((words, "exists; --force overwrites it"), (self.words(name, "out", str(link)), "exists; --force")):
                result = workspace.run(name, *given)
                self.assertEqual(result.returncode, 2, result.stdout)
                self.assertIn(message, result.stderr)
            self.assertEqual(out.read_bytes(), b"keep me")
            self.assertEqual(workspace.run(name, *words, "--force").returncode, 0)
            self.assertNotEqual(out.read_bytes(), b"keep me")
            self.assertFalse(list(workspace.folder.glob("*.before")) + list(workspace.folder.glob("*.unfinished")))
            inputs = {workspace.board: self.words(name, "game", str(workspace.board)), workspace.puli: workspace.base(name)}
            if name == "fit-evaluation":
                inputs[workspace.network] = [*workspace.base(name), "--from", str(workspace.network)]
            for path, given in inputs.items():
                before = path.read_bytes()
                place = given.index("--out")
                # The same file, by another path.
                other = path.parent / ".." / path.parent.name / path.name
                result = workspace.run(name, *given[: place + 1], str(other), *given[place + 2 :], "--force")
                self.assertEqual(result.returncode, 2, result.stdout)
                self.assertIn("is an input", result.stderr)
                self.assertEqual(path.read_bytes(), before)
        for (name, dest), kind in KINDS.items():
            if kind == "journal" and dest != "report":
                # Files that are not journals of the same work are not changed.
                other = workspace.file(f"other-{name}", b"Call me Ishmael.\n\nSome years ago\n")
                for path in (other, workspace.instance, workspace.openings):
                    before = path.read_bytes()
                    result = workspace.run(name, *self.words(name, dest, str(path)))
                    self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
                    self.assertEqual(path.read_bytes(), before)

    def test_failed_run_keeps_existing_output(self) -> None:
        out = self.workspace.file("kept-network", b"keep me")
        words = self.words("fit-evaluation", "out", str(out))
        result = self.workspace.run("fit-evaluation", "hopeless", *words[1:], "--force")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("cannot fit a network\n", result.stderr)
        self.assertEqual(out.read_bytes(), b"keep me")
        self.assertFalse(list(self.workspace.folder.glob("*.before")))

    def test_full_disk_is_failure_without_partial_output(self) -> None:
        def full() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))

        for name, dest in [key for key, kind in KINDS.items() if kind in ("output", "journal", "table") and key[1] != "report"]:
            with self.subTest(f"{name} {dest}"), tempfile.TemporaryDirectory() as folder:
                out = Path(folder) / "out"
                result = self.workspace.run(name, *self.words(name, dest, str(out)), preexec_fn=full)
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertIn("File too large", result.stdout + result.stderr)
                self.assertNotIn("Traceback", result.stderr)
                self.assertFalse(list(Path(folder).glob("**/*.unfinished")))
                if name in ("gather", "fit-evaluation"):
                    self.assertFalse(out.exists())

    def test_unwritable_stdout_is_failure(self) -> None:
        def closed() -> None:
            os.close(1)

        cases = [(name, words) for name in script_names() for words in (["--help"],)]
        cases += [(name, self.workspace.base(name)) for name in ("match", "korf", "verify", "soak")]
        for name, words in cases:
            with self.subTest(f"{name} {words[0]}"):
                with open("/dev/full", "w", encoding="utf-8") as disk:
                    result = self.workspace.run(name, *words, stdout=disk)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertEqual(result.stderr, f"{name}: No space left on device\n")
                read_end, write_end = os.pipe()
                os.close(read_end)
                try:
                    result = self.workspace.run(name, *words, stdout=write_end)
                finally:
                    os.close(write_end)
                self.assertEqual((result.returncode, result.stderr), (1, ""))
                result = self.workspace.run(name, *words, stdout=None, preexec_fn=closed)
                self.assertEqual((result.returncode, result.stderr), (1, f"{name}: standard output is closed\n"))

    def test_unwritable_stderr_keeps_exit_status(self) -> None:
        for name in script_names():
            with open("/dev/full", "w", encoding="utf-8") as disk:
                self.assertEqual(self.workspace.run(name, "--no-such-option", stderr=disk).returncode, 2, name)
            self.assertEqual(self.workspace.run(name, "--no-such-option", stderr=None, preexec_fn=lambda: os.close(2)).returncode, 2, name)

    def test_rejects_invalid_journal_entries(self) -> None:
        """Adds entries with valid checksums, but with lines that the script does not write."""
        from common.journal import Journal, read_journal

        for name, kind, words in (("match", "game", []), ("korf", "instance", []), ("keep-value", "game", [])):
            path = self.workspace.folder / f"forged-{name}"
            dest = "games_file" if name == "match" else "record"
            self.workspace.run(name, *self.words(name, dest, str(path)))
            head = read_journal(path)[0]
            for lines in (["x"], ["length \u0661"], ["result p1win"], ["shown 1", "known x", "answer"]):
                path.unlink()
                journal = Journal(path, head)
                journal.add(kind, 1, lines)
                journal.close()
                for given in (self.words(name, dest, str(path)), *([["--report", str(path)]] if name == "match" else [])):
                    result = self.workspace.run(name, *given, *words)
                    self.assertNotIn("Traceback", result.stderr, lines)
                    self.assertIn(result.returncode, (0, 2), result.stderr)


class ReadingTest(unittest.TestCase):
    def test_enforces_size_limit_of_files_in_proc(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "file"
            path.write_bytes(BYTE_ORDER_MARK + b"a\r\nb")
            self.assertEqual(read_lines(path), ["a\r", "b"])
            self.assertEqual(read_bytes(path, 7), BYTE_ORDER_MARK + b"a\r\nb")
            with self.assertRaisesRegex(ValueError, "7 bytes, expected at most 6"):
                read_bytes(path, 6)
        with self.assertRaisesRegex(ValueError, "more than 3 bytes"):
            read_bytes(Path("/proc/self/status"), 3)
        self.assertLess(MAX_TEXT_BYTES, 1 << 30)

    def test_atomic_file_is_complete_or_absent(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "file"
            with self.assertRaises(KeyError), atomic_file(path) as file:
                file.write(b"half")
                raise KeyError
            self.assertEqual(list(Path(folder).iterdir()), [])
            os.mkfifo(path.with_name("file.unfinished"))
            with atomic_file(path) as file:
                file.write(b"all")
            self.assertEqual(path.read_bytes(), b"all")
            self.assertEqual(list(Path(folder).iterdir()), [path])
            with self.assertRaisesRegex(ValueError, "exists"):
                check_output(path, (), False)
            check_output(path, ("/nowhere",), True)


class BashScriptsTest(unittest.TestCase):
    def test_reject_unknown_options_with_usage(self) -> None:
        for name in ("check", "cross", "fuzz", "install-cluster", "package", "page-test", "signature", "try-packages"):
            for words in (["--no-such-option"], ["x", "y"]):
                done = subprocess.run([str(SCRIPTS / name), *words], capture_output=True, text=True, timeout=60, check=False, cwd="/")
                self.assertEqual((done.returncode, done.stdout), (2, ""), name)
                self.assertIn(f"usage: scripts/{name}", done.stderr)
            done = subprocess.run([str(SCRIPTS / name), "--help"], capture_output=True, text=True, timeout=60, check=False, cwd="/")
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            self.assertIn(f"scripts/{name}", done.stdout)
        for words in (["--out"], ["--target"], ["--out", ""]):
            done = subprocess.run([str(SCRIPTS / "package"), *words], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 2, words)

    def test_package_does_not_overwrite_files(self) -> None:
        host = next(
            line.removeprefix("host: ")
            for line in subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout.split("\n")
            if line.startswith("host: ")
        )
        version = read_manifest().version
        for name in (f"puli-{version}-{host}.tar.gz", f"puli_engine-{version}-cp310-abi3-manylinux_2_28_{host.split('-')[0]}.whl"):
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / name).write_text("keep me")
                command = [str(SCRIPTS / "package"), "--out", folder]
                done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("exists; --force overwrites it", done.stderr)
                self.assertEqual((Path(folder) / name).read_text(), "keep me")


@unittest.skipUnless(PULI.exists(), "target/release/puli is not built")
class BoardsTest(unittest.TestCase):
    def test_invalid_board_file_is_one_line_error(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            workspace = Workspace(Path(folder))
            board = workspace.folder / "kite.txt"
            shown = subprocess.run([str(PULI), "boards", "show", "kaooa"], capture_output=True, text=True, check=True).stdout
            board.write_text(shown.replace("game kaooa", "game kite"))
            engines = ["--engine1", str(PULI), "--engine2", "random", "--nodes", "100", "--games", "2", "--variant", "kite"]
            # Option VariantPath defines the variant.
            result = workspace.run("match", *engines, "--option", f"VariantPath={board}")
            self.assertEqual(result.returncode, 0, result.stderr)
            for path in ("/dev/zero", str(workspace.pipe), str(workspace.huge), "/nowhere/at/all"):
                result = workspace.run("match", *engines, "--option", f"VariantPath={path}", seconds=30)
                with self.subTest(path):
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)


if __name__ == "__main__":
    unittest.main()
