"""The name, the version and the description of the package, which Cargo.toml states."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from common.files import read_text

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Manifest:
    """The fields of Cargo.toml that other packages repeat."""

    name: str
    version: str
    description: str
    license: str


def read_manifest(path: Path = ROOT / "Cargo.toml") -> Manifest:
    """Reads the fields. Raises `ValueError` if Cargo.toml lacks one of them. Python 3.10 has no parser of TOML."""
    text = read_text(path)

    def field(table: str, key: str) -> str:
        found = re.search(rf'(?ms)^\[{re.escape(table)}\]$(?:(?!^\[).)*?^{key} = "([^"\n]*)"$', text)
        if not found:
            raise ValueError(f"{path}: expected {key} in [{table}]")
        return found[1]

    common = "workspace.package"
    return Manifest(field("package", "name"), field(common, "version"), field("package", "description"), field(common, "license"))
