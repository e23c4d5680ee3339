"""Print the notices of the packages that are compiled into `puli`: their names, licences and licence texts.

    cargo metadata --format-version 1 >FILE && python3 scripts/notices.py FILE

With several files, print the packages of all.

A package whose licence is not in the list of accepted ones is an error.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from common.exit_status import run_script
from common.files import read_text
from sbom import compiled_in

ROOT = Path(__file__).parent.parent

REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"
TEXTS = re.compile(r"(licen[cs]e|copying|notice|unlicense|copyright)([-._].*)?", re.IGNORECASE)
"""Names of files with licence texts."""


def accepted_licences() -> frozenset[str]:
    """Returns the licences under which a package may be part of the program, from the rules of cargo-deny."""
    rules = read_text(ROOT / ".cargo" / "deny.toml")
    listed = re.search(r"(?m)^allow = \[\n((?: {4}\"[^\"]+\",\n)+)\]$", rules)
    if not listed:
        raise ValueError(".cargo/deny.toml has no list of licences")
    return frozenset(re.findall(r'"([^"]+)"', listed[1]))


ACCEPTED = accepted_licences()


def is_accepted(expression: str) -> bool:
    """Returns `True` if a licence expression (SPDX, or with slashes for `OR`) can be satisfied by accepted licences."""
    tokens = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))
    position = 0

    def peek() -> str:
        return tokens[position] if position < len(tokens) else ""

    def take() -> str:
        nonlocal position
        position += 1
        return tokens[position - 1]

    def one() -> bool:
        name = take()
        if name == "(":
            accepted = either()
            if take() != ")":
                raise IndexError
            return accepted
        if peek() == "WITH":
            take()
            name += f" WITH {take()}"
        return name in ACCEPTED

    def both() -> bool:
        accepted = one()
        while peek() == "AND":
            take()
            accepted = one() and accepted
        return accepted

    def either() -> bool:
        accepted = both()
        while peek() == "OR":
            take()
            accepted = both() or accepted
        return accepted

    try:
        return either() and position == len(tokens)
    except IndexError:
        # The expression ends too early, or a bracket is not closed.
        return False


def notices(*compiled: dict[str, Any]) -> str:
    """Returns the notices of the outputs of `cargo metadata` as text. Raises `ValueError` for a package from elsewhere, or with a
    licence that is not accepted."""
    found: dict[str, dict[str, Any]] = {}
    for metadata in compiled:
        reached = compiled_in(metadata) - {metadata["resolve"]["root"]}
        found |= {package["id"]: package for package in metadata["packages"] if package["id"] in reached and package["source"] is not None}
    packages = list(found.values())
    packages.sort(key=lambda package: (package["name"], package["version"]))
    parts = [
        "Puli contains the following packages. Their licences and notices follow, each text once.",
        "\n".join(f"{package['name']} {package['version']}: {package['license']}" for package in packages),
    ]
    texts: dict[str, list[str]] = {}
    for package in packages:
        name = f"{package['name']} {package['version']}"
        if package["source"] != REGISTRY:
            raise ValueError(f"{name} comes from {package['source']}, not from crates.io")
        if not is_accepted(package["license"] or ""):
            raise ValueError(f"the licence of {name} is not accepted: {package['license']}")
        for text in licence_texts(Path(package["manifest_path"]).parent) or [standard_text(package)]:
            texts.setdefault(text, []).append(name)
    for text, names in texts.items():
        parts.append(f"{'-' * 80}\n{', '.join(names)}\n\n{text}")
    return "\n\n".join(parts) + "\n"


def licence_texts(folder: Path) -> list[str]:
    """Returns the licence texts of a package, without trailing blanks."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and TEXTS.fullmatch(path.name))
    texts = (read_text(path) for path in files)
    return ["\n".join(line.rstrip() for line in text.strip().splitlines()) for text in texts]


def standard_text(package: dict[str, Any]) -> str:
    """Returns the standard text of the licence of a package that comes without one, or raises `ValueError` if it is not here."""
    choices = re.split(r" OR |/", package["license"])
    if "MIT" in choices:
        own = read_text(ROOT / "LICENSE")
        owners = ", ".join(package["authors"]) or f"the authors of {package['name']}"
        return re.sub(r"(?m)^Copyright .*$", lambda _: f"Copyright (c) {owners}", own).strip()
    texts = (Path(__file__).parent / "licences" / f"{choice}.txt" for choice in choices)
    text = next((text for text in texts if text.is_file()), None)
    if text is None:
        raise ValueError(f"{package['name']} has no licence text, and scripts/licences has none for {package['license']}")
    return read_text(text).strip()


def main() -> int:
    """Prints the notices, and returns the exit status."""
    files = sys.argv[1:]
    if not files:
        raise ValueError("usage: notices.py FILE..., with the output of `cargo metadata --format-version 1`")
    try:
        text = notices(*(json.loads(read_text(Path(file))) for file in files))
    except (LookupError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{' or '.join(files)} is not an output of `cargo metadata`: {error}") from None
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(run_script("notices", main))
