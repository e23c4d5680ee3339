"""Tests of `scripts/try-readme`: it finds every command of a page, and every difference from the documented output."""

import tempfile
import unittest
from pathlib import Path

from reading.expectations import mismatch
from reading.pages import commands, options, tasks
from reading.rules import RULES, rule_for

PAGE = """\
# A page

Run `puli compare --depth 6`, or `puli compare [--fen F | --suite FILE]`; `cargo` and `puli bench` are names, `x` is not.

```sh
# A comment alone.
puli solve aadu-puli --out tables     # all of it
puli -c "say # this" \\
    -c go
```

```text
a  b
…
```

```text
> go
bestmove …
```

## The end

~~~sh
$ cargo test
~~~
"""


class PageTest(unittest.TestCase):
    def read(self, section: str | None = None) -> list[tuple[tuple[str, ...], tuple[str, ...], bool, bool]]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.md"
            path.write_text(PAGE)
            return [(task.commands, task.expected, task.is_session, task.is_synopsis) for task in tasks(path, section)]

    def test_lists_commands_and_expected_outputs(self) -> None:
        self.assertEqual(
            self.read(),
            [
                (("puli solve aadu-puli --out tables", 'puli -c "say # this" -c go'), ("a  b", "…"), False, False),
                (("go",), ("bestmove …",), True, False),
                (("cargo test",), (), False, False),
                (("puli compare --depth 6",), (), False, False),
                (("puli compare [--fen F | --suite FILE]",), (), False, True),
                (("cargo",), (), False, True),
                (("puli bench",), (), False, True),
            ],
        )

    def test_reads_one_section(self) -> None:
        self.assertEqual(self.read("The end"), [(("cargo test",), (), False, False)])
        with self.assertRaises(ValueError):
            self.read("The beginning")

    def test_line_numbers_start_at_1(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.md"
            path.write_text(PAGE)
            lines = PAGE.split("\n")
            for task in tasks(path):
                self.assertIn(task.commands[0].split()[0], " ".join(lines[task.line - 1 : task.line + 1]))

    def test_lists_options(self) -> None:
        self.assertEqual(options("puli compare [--fen F \\| --peak-mib] -- x--y"), ["--fen", "--peak-mib"])

    def test_joins_lines_and_removes_comments(self) -> None:
        self.assertEqual(list(commands(["a \\", "  b", "", "# c", "d '#' e#f # g"])), ["a b", "d '#' e#f"])


class MismatchTest(unittest.TestCase):
    def test_accepts_text_in_place_of_ellipses(self) -> None:
        for expected, printed in (
            (["a b"], ["a   b", ""]),
            (["a …"], ["a b c"]),
            (["a …"], ["a"]),
            (["a … d"], ["a b c d"]),
            (["a … d"], ["a d"]),
            (["x=…;"], ["x=12;"]),
            (["…", "c"], ["a", "b", "c"]),
            (["a", "…"], ["a"]),
            (["a", "…", "c", "…", "e"], ["a", "c", "b", "c", "d", "e"]),
            (["name time_ms nodes", "x 1.5 7"], ["name time_ms nodes", "x 2.25 7"]),
            ([], []),
        ):
            self.assertIsNone(mismatch(expected, printed), (expected, printed))

    def test_reports_first_difference(self) -> None:
        for expected, printed, message in (
            (["a b"], ["a c"], "expected 'a b', found 'a c'"),
            (["a"], [], "found the end of the output"),
            (["a"], ["a", "b"], "expected the end of the output, found 'b'"),
            (["a", "…", "c"], ["a", "b"], "expected 'c'"),
            (["a.b"], ["axb"], "expected 'a.b'"),
            (["name time_ms nodes", "x 1.5 7"], ["name time_ms nodes", "x 1.5 8"], "expected 'x 1.5 7'"),
        ):
            self.assertIn(message, mismatch(expected, printed) or "", (expected, printed))


class RulesTest(unittest.TestCase):
    def test_have_reasons(self) -> None:
        self.assertTrue(all(rule.reason for rule in RULES))

    def test_reduce_or_skip_commands(self) -> None:
        for command, reduced in (
            ("puli tables 15-puzzle --out t", "puli tables 15-puzzle --out t --pattern 4-4-4-3"),
            ("puli solve aadu-puli --out t", "puli solve aadu-puli --out t --goats 3"),
            ("target/release/puli play 2048 --games 200 --depth 2", "target/release/puli play 2048 --games 1 --depth 2"),
            ("scripts/match --tc 10+0.1 --games 40", "scripts/match --nodes 200 --games 2 --max-plies 40"),
            ("cargo test --release", None),
        ):
            rule = rule_for(command)
            assert rule is not None
            self.assertEqual(rule.apply(command), reduced)
        self.assertIsNone(rule_for("puli bench"))


if __name__ == "__main__":
    unittest.main()
