"""Runs the examples in the docstrings."""

from __future__ import annotations

import doctest
import importlib.util
import pkgutil

import puli

EXTRAS = {"chess_adapter": "chess", "environments": "pettingzoo", "native": "puli._native"}
"""The modules that are extras, and what each of them requires."""


def test_docstring_examples_print_documented_output():
    missing = tuple(f"puli.{name}" for name, package in EXTRAS.items() if importlib.util.find_spec(package) is None)
    names = ["puli", *(module.name for module in pkgutil.walk_packages(puli.__path__, "puli.", onerror=lambda _: None))]
    names = [name for name in names if not name.startswith(missing)]
    if "puli.native" in names and "puli._native" not in names:
        names.append("puli._native")
    results = [doctest.testmod(importlib.import_module(name)) for name in names]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) >= 10
