"""Promises of `scripts/try-readme`: no command of a page is overlooked, and no broken promise passes."""

import tempfile
import unittest
from pathlib import Path

from reading.expectations import mismatch
from reading.known import RULES, rule_for
from reading.pages import commands, options, tasks

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


class APage(unittest.TestCase):
    def read(self, section: str | None = None) -> list[tuple[tuple[str, ...], tuple[str, ...], bool, bool]]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.md"
            path.write_text(PAGE)
            return [(task.commands, task.promised, task.is_session, task.is_open) for task in tasks(path, section)]

    def test_gives_all_its_commands_and_promises(self) -> None:
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

    def test_can_be_read_one_section_alone(self) -> None:
        self.assertEqual(self.read("The end"), [(("cargo test",), (), False, False)])
        with self.assertRaises(ValueError):
            self.read("The beginning")

    def test_names_lines_as_an_editor_does(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "page.md"
            path.write_text(PAGE)
            lines = PAGE.split("\n")
            for task in tasks(path):
                self.assertIn(task.commands[0].split()[0], " ".join(lines[task.line - 1 : task.line + 1]))

    def test_names_its_options(self) -> None:
        self.assertEqual(options("puli compare [--fen F \\| --peak-mib] -- x--y"), ["--fen", "--peak-mib"])

    def test_joins_lines_and_drops_comments_but_no_signs_within_words(self) -> None:
        self.assertEqual(list(commands(["a \\", "  b", "", "# c", "d '#' e#f # g"])), ["a b", "d '#' e#f"])


class APromise(unittest.TestCase):
    def test_is_kept_with_ellipses_for_what_differs(self) -> None:
        for promised, printed in (
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
            self.assertIsNone(mismatch(promised, printed), (promised, printed))

    def test_is_broken_by_anything_else(self) -> None:
        for promised, printed, complaint in (
            (["a b"], ["a c"], "'a b' is promised, and printed is 'a c'"),
            (["a"], [], "printed is 'nothing more'"),
            (["a"], ["a", "b"], "nothing more is promised, and printed is 'b'"),
            (["a", "…", "c"], ["a", "b"], "'c' is promised"),
            (["a.b"], ["axb"], "'a.b' is promised"),
            (["name time_ms nodes", "x 1.5 7"], ["name time_ms nodes", "x 1.5 8"], "'x 1.5 7' is promised"),
        ):
            self.assertIn(complaint, mismatch(promised, printed) or "", (promised, printed))


class TheKnownList(unittest.TestCase):
    def test_has_a_reason_for_every_exception(self) -> None:
        self.assertTrue(all(rule.reason for rule in RULES))

    def test_makes_commands_smaller(self) -> None:
        for command, smaller in (
            ("puli tables 15-puzzle --out t", "puli tables 15-puzzle --out t --pattern 4-4-4-3"),
            ("puli solve aadu-puli --out t", "puli solve aadu-puli --out t --goats 3"),
            ("target/release/puli play 2048 --games 200 --depth 2", "target/release/puli play 2048 --games 1 --depth 2"),
            ("scripts/match --tc 10+0.1 --games 40", "scripts/match --nodes 200 --games 2 --max-plies 40"),
            ("cargo test --release", None),
        ):
            rule = rule_for(command)
            assert rule is not None
            self.assertEqual(rule.apply(command), smaller)
        self.assertIsNone(rule_for("puli bench"))


if __name__ == "__main__":
    unittest.main()
