"""Runs the example notebooks. Exits with status 1 if a notebook shows no picture, and raises the error of a failing cell."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

CELL_TIMEOUT_S = 300


def main() -> int:
    """Runs all notebooks, and returns the exit status."""
    for path in sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=CELL_TIMEOUT_S, kernel_name="python3").execute()
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        pictures = sum("image/svg+xml" in output.get("data", {}) for output in outputs)
        print(f"{path.name}: {len(notebook.cells)} cells, {pictures} pictures")
        if not pictures:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
