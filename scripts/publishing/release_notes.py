"""Print the notes of a release: the section of CHANGELOG.md about VERSION.

    python3 scripts/publishing/release_notes.py VERSION [URL]

With the address URL of the files of the tag, such as https://github.com/OWNER/NAME/blob/v1.0.0, links to files lead there. A
section that is missing, empty or still `unreleased` is an error.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from common.exit_status import run_script
from common.files import read_text
from publishing.manifest import ROOT

CHANGELOG = ROOT / ".github" / "CHANGELOG.md"


def notes(changelog: str, version: str, url: str | None) -> str:
    """Returns the section about `version`, without its heading, which is `## VERSION, YYYY-MM-DD`."""
    sections = re.findall(r"(?ms)^## (\S+?), (.*?)$\n(.*?)(?=^## |\Z)", changelog)
    found = [(date, text.strip()) for name, date, text in sections if name == version]
    if len(found) != 1:
        raise ValueError(f"expected one section '## {version}, DATE' in CHANGELOG.md, found {len(found)}")
    date, text = found[0]
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", date):
        raise ValueError(f"CHANGELOG.md: expected the date of {version} as YYYY-MM-DD, found '{date}'")
    if not text:
        raise ValueError(f"CHANGELOG.md: the section about {version} is empty")
    if url:
        text = re.sub(r"\]\((?!\w+:|#)([^)]+)\)", lambda link: f"]({url}/{_path_in_repository(link[1])})", text)
    return text + "\n"


def _path_in_repository(link: str) -> str:
    """Converts a link that is relative to the folder of CHANGELOG.md."""
    return posixpath.normpath(posixpath.join(".github", link))


def main() -> int:
    """Prints the notes, and returns the exit status."""
    if len(sys.argv) not in (2, 3):
        raise ValueError("usage: release_notes.py VERSION [URL]")
    text = notes(read_text(CHANGELOG), sys.argv[1], (sys.argv[2:] or [None])[0])
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(run_script("release_notes", main))
