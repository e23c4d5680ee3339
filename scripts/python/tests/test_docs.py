"""Runs the examples in the docstrings."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import puli


def test_docstring_examples_print_documented_output():
    names = ["puli", *(module.name for module in pkgutil.walk_packages(puli.__path__, "puli."))]
    results = [doctest.testmod(importlib.import_module(name)) for name in names]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) >= 10
