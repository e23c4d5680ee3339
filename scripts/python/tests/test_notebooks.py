"""Runs the cells of the lessons' notebooks without Jupyter: as they are, and with the right answers to all exercises."""

from __future__ import annotations

import ast
import json
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from notebook_solutions import SOLUTIONS

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"


def cells(name, kind):
    """Returns the texts of the cells of a kind."""
    notebook = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


def run(codes):
    """Runs cells, and returns what each of them prints, and the number of pictures."""
    scope, printed, pictures = {}, [], 0
    for code in codes:
        body = ast.parse(code).body
        value = ast.Expression(body.pop().value) if body and isinstance(body[-1], ast.Expr) else None
        with redirect_stdout(StringIO()) as output:
            exec(compile(ast.Module(body, []), "cell", "exec"), scope)
            shown = eval(compile(value, "cell", "eval"), scope) if value else None
        pictures += hasattr(shown, "_repr_svg_") or hasattr(shown, "_repr_mimebundle_")
        printed.append(output.getvalue())
    return printed, pictures


def verdicts(codes, printed):
    """Returns the first words of the verdicts on all exercises, of each call of `check` one."""
    found = [re.findall(r"^(No answer yet|Not yet|Right)(?=[.:])", text, re.M) for text in printed]
    assert [len(words) for words in found] == [code.count("\ncheck(") for code in codes]
    return [word for words in found for word in words]


@pytest.mark.parametrize("name", SOLUTIONS)
def test_exercises_wait_for_an_answer(name):
    codes = cells(name, "code")
    printed, pictures = run(codes)
    found = verdicts(codes, printed)
    assert len(found) >= 15 and "Right" not in found and pictures >= 4


@pytest.mark.parametrize("name", SOLUTIONS)
def test_right_answers_are_right(name):
    codes = cells(name, "code")
    for old, new in SOLUTIONS[name]:
        assert sum(code.count(old) for code in codes) == 1, old
        codes = [code.replace(old, new) for code in codes]
    printed, _ = run(codes)
    assert set(verdicts(codes, printed)) == {"Right"}, [text for text in printed if "Not yet" in text]


def test_texts_name_no_other_package():
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        text = "\n".join(cells(path.stem, "markdown") + cells(path.stem, "code"))
        assert "pip install puli" not in text and "pip install ./scripts/python" in text
        assert "http://" not in text and "https://" not in text
