"""Print the Homebrew formula of the archives in FOLDER, which are published below URL.

    python3 scripts/publishing/formula.py FOLDER URL HOMEPAGE

Reads the files of checksums, `*.tar.gz.sha256`, or `SHA256SUMS`.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from common.exit_status import run_script
from common.files import check_folder, read_text
from publishing.manifest import Manifest, read_manifest

PLATFORMS = {
    "macos": {"arm": "aarch64-apple-darwin", "intel": "x86_64-apple-darwin"},
    "linux": {"arm": "aarch64-unknown-linux-gnu", "intel": "x86_64-unknown-linux-gnu"},
}
"""The targets of the archives, by the names of Homebrew."""

FORMULA = """\
class {name} < Formula
  desc {description}
  homepage {homepage}
  version {version}
  license {license}

{platforms}

  def install
    bin.install "puli"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/puli.bash" => "puli"
    fish_completion.install "completions/puli.fish"
    zsh_completion.install "completions/puli.zsh" => "_puli"
    doc.install "README.md", "protocol.md", "LICENSE-THIRD-PARTY"
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/puli -V")
    assert_match "bestmove", shell_output("#{{bin}}/puli --variant kaooa -c 'go depth 4'")
  end
end
"""


def checksums(text: str) -> dict[str, str]:
    """Parses lines as `sha256sum` prints them: the checksum, two characters, the name of the file."""
    sums = {}
    for line in text.splitlines():
        parsed = re.fullmatch(r"([0-9a-f]{64}) [ *](\S+)", line)
        if not parsed:
            raise ValueError(f"expected a checksum and a file name, found '{line}'")
        sums[parsed[2]] = parsed[1]
    return sums


def formula(manifest: Manifest, sums: dict[str, str], url: str, homepage: str) -> str:
    """Returns the formula of the archives in `sums`. Raises `ValueError` if none is for a platform of Homebrew."""
    systems = []
    for system, processors in PLATFORMS.items():
        blocks = []
        for processor, target in processors.items():
            archive = f"puli-{manifest.version}-{target}.tar.gz"
            if archive in sums:
                blocks.append(
                    f"    on_{processor} do\n      url {_ruby(f'{url}/{archive}')}\n      sha256 {_ruby(sums[archive])}\n    end"
                )
        if blocks:
            systems.append("\n".join([f"  on_{system} do", *blocks, "  end"]))
    if not systems:
        raise ValueError(f"no checksum of an archive of version {manifest.version} for macOS or Linux")
    return FORMULA.format(
        name="".join(part.capitalize() for part in manifest.name.split("-")),
        # Homebrew allows 80 characters and no final period.
        description=_ruby(manifest.description.split(":")[0]),
        homepage=_ruby(homepage),
        version=_ruby(manifest.version),
        license=_ruby(manifest.license),
        platforms="\n\n".join(systems),
    )


def _ruby(text: str) -> str:
    """Quotes a string for Ruby, whose escapes include those of JSON."""
    return json.dumps(text).replace("#", "\\#")


def main() -> int:
    """Prints the formula, and returns the exit status."""
    if len(sys.argv) != 4:
        raise ValueError("usage: formula.py FOLDER URL HOMEPAGE")
    folder = Path(sys.argv[1])
    check_folder(folder)
    files = sorted([*folder.glob("*.tar.gz.sha256"), *folder.glob("SHA256SUMS")])
    sums = checksums("".join(read_text(file) for file in files))
    print(formula(read_manifest(), sums, sys.argv[2].rstrip("/"), sys.argv[3]), end="")
    return 0


if __name__ == "__main__":
    sys.exit(run_script("formula", main))
