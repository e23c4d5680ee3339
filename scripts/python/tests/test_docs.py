"""Runs the examples in the docstrings."""

from __future__ import annotations

import doctest
import importlib.util
import pkgutil

import puli


def test_docstring_examples_print_documented_output():
    has_chess = importlib.util.find_spec("chess") is not None
    names = ["puli", *(module.name for module in pkgutil.walk_packages(puli.__path__, "puli.", onerror=lambda _: None))]
    names = [name for name in names if has_chess or not name.startswith("puli.chess_adapter")]
    results = [doctest.testmod(importlib.import_module(name)) for name in names]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) >= 10
