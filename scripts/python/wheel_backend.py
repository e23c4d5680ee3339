"""The build backend of the package: maturin builds the native module, and cargo the program, which the wheel has as a script."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import maturin
from maturin import get_requires_for_build_editable, get_requires_for_build_wheel

__all__ = [
    "build_editable",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

FOLDER = Path(__file__).resolve().parent
MANIFEST = FOLDER.parent.parent / "Cargo.toml"
SCRIPTS = FOLDER / "wheel-data" / "scripts"
"""The scripts of the wheel: see `data` in pyproject.toml."""


def build_wheel(folder: str, config_settings: Mapping[str, Any] | None = None, metadata_directory: str | None = None) -> str:
    """Builds the wheel, and returns its name."""
    _build_program()
    return maturin.build_wheel(folder, config_settings, metadata_directory)


def build_editable(folder: str, config_settings: Mapping[str, Any] | None = None, metadata_directory: str | None = None) -> str:
    """Builds the wheel of an editable installation, and returns its name."""
    _build_program()
    return maturin.build_editable(folder, config_settings, metadata_directory)


def prepare_metadata_for_build_wheel(folder: str, config_settings: Mapping[str, Any] | None = None) -> str:
    """Writes the metadata, and returns their folder."""
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    return maturin.prepare_metadata_for_build_wheel(folder, config_settings)


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def _build_program() -> None:
    """Builds the program `puli`, and copies it to the scripts of the wheel."""
    command = ["cargo", "build", "--release", "--locked", "--bin", "puli", "--message-format", "json-render-diagnostics"]
    built = subprocess.run([*command, "--manifest-path", str(MANIFEST)], check=True, stdout=subprocess.PIPE, encoding="utf-8")
    messages = [json.loads(line) for line in built.stdout.splitlines()]
    program = next(message["executable"] for message in messages if message.get("executable"))
    SCRIPTS.mkdir(parents=True, exist_ok=True)
    shutil.copy(program, SCRIPTS)
