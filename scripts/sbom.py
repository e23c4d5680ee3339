"""Print the software bill of materials of `puli`: the packages that are compiled into it, as CycloneDX 1.5 JSON.

    cargo metadata --format-version 1 >FILE && python3 scripts/sbom.py FILE
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from common.exit_status import run_script
from common.files import read_text


def compiled_in(metadata: dict[str, Any]) -> set[str]:
    """Returns the ids of the packages that are compiled into the root package, which is one of them. `metadata` is the output
    of `cargo metadata` for one platform."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    reached: set[str] = set()
    unvisited = [metadata["resolve"]["root"]]
    while unvisited:
        name = unvisited.pop()
        if name in reached:
            continue
        reached.add(name)
        # Dependencies of build scripts and tests are not compiled in.
        unvisited += [
            dependency["pkg"]
            for dependency in nodes[name]["deps"]
            if any(kind["kind"] is None for kind in dependency["dep_kinds"])
        ]
    return reached


def bill_of_materials(metadata: dict[str, Any]) -> dict[str, Any]:
    """Converts the output of `cargo metadata` for one platform. Equal inputs have equal results."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = metadata["resolve"]["root"]
    reached = compiled_in(metadata)
    libraries = sorted(reached - {root}, key=lambda name: (packages[name]["name"], packages[name]["version"]))
    edges = [
        {
            "ref": _package_url(packages[name]),
            "dependsOn": sorted({_package_url(packages[d["pkg"]]) for d in nodes[name]["deps"] if d["pkg"] in reached}),
        }
        for name in [root, *libraries]
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": _component(packages[root], "application")},
        "components": [_component(packages[name], "library") for name in libraries],
        "dependencies": edges,
    }


def _package_url(package: dict[str, Any]) -> str:
    return f"pkg:cargo/{package['name']}@{package['version']}"


def _component(package: dict[str, Any], kind: str) -> dict[str, Any]:
    component = {
        "type": kind,
        "bom-ref": _package_url(package),
        "name": package["name"],
        "version": package["version"],
        "purl": _package_url(package),
    }
    if package.get("license"):
        component["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    return component


def main() -> int:
    """Prints the bill of materials, and returns the exit status."""
    if len(sys.argv) != 2:
        raise ValueError("usage: sbom.py FILE, with the output of `cargo metadata --format-version 1`")
    try:
        bill = bill_of_materials(json.loads(read_text(Path(sys.argv[1]))))
    except (LookupError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{sys.argv[1]} is not an output of `cargo metadata`: {error}") from None
    # The JSON is ASCII, because it escapes all other characters.
    print(json.dumps(bill, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(run_script("sbom", main))
