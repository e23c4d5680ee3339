"""What the program is made of, as a CycloneDX 1.5 list: the packages that `cargo metadata` says are compiled into it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from common.exit_status import run_script
from common.files import read_text


def bill(metadata: dict[str, Any]) -> dict[str, Any]:
    """The list, from the JSON of `cargo metadata` for one platform. Of two runs it is the same."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = metadata["resolve"]["root"]
    reached: set[str] = set()
    waiting = [root]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        # What only builds or tests need is in no program.
        waiting += [
            dependency["pkg"]
            for dependency in nodes[name]["deps"]
            if any(kind["kind"] is None for kind in dependency["dep_kinds"])
        ]
    others = sorted(reached - {root}, key=lambda name: (packages[name]["name"], packages[name]["version"]))
    edges = [
        {
            "ref": _url(packages[name]),
            "dependsOn": sorted({_url(packages[d["pkg"]]) for d in nodes[name]["deps"] if d["pkg"] in reached}),
        }
        for name in [root, *others]
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": _component(packages[root], "application")},
        "components": [_component(packages[name], "library") for name in others],
        "dependencies": edges,
    }


def _url(package: dict[str, Any]) -> str:
    return f"pkg:cargo/{package['name']}@{package['version']}"


def _component(package: dict[str, Any], kind: str) -> dict[str, Any]:
    component = {
        "type": kind,
        "bom-ref": _url(package),
        "name": package["name"],
        "version": package["version"],
        "purl": _url(package),
    }
    if package.get("license"):
        component["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    return component


def main() -> int:
    """Prints the list; returns the exit status."""
    if len(sys.argv) != 2:
        raise ValueError("the usage is: sbom.py FILE, which `cargo metadata --format-version 1` has written")
    try:
        listed = bill(json.loads(read_text(Path(sys.argv[1]))))
    except (LookupError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{sys.argv[1]} is no output of `cargo metadata`: {error}") from None
    # ASCII: characters of names are escaped.
    print(json.dumps(listed, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(run_script("sbom", main))
