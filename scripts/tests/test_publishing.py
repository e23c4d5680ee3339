"""Tests of what a release consists of: the names and versions of all packages, the notes, the formula, and the workflows."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from common.exit_status import Failure
from publishing import formula, glibc, release_notes
from publishing.manifest import ROOT, Manifest, read_manifest

PUBLISHING = ROOT / "scripts" / "publishing"
MANIFEST = read_manifest()
CHANGELOG = """# Changelog

## 1.1.0, unreleased

- Later.

## 1.0.0, 2026-12-24

- See [the benchmarks](BENCHMARKS.md), [the page](../protocol.md#versions), [the format](https://keepachangelog.com) and [below](#x).

## 0.9.0, 2026-01-01

- Before.
"""


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def workflows():
    return sorted((ROOT / ".github" / "workflows").glob("*.yml"))


class NamesTest(unittest.TestCase):
    def test_all_packages_have_the_name_of_cargo_toml(self):
        self.assertEqual(re.findall(r'(?m)^name = "(.*)"$', text_of("scripts/python/pyproject.toml")), [MANIFEST.name])
        self.assertEqual(json.loads(text_of("src/web/npm/package.json"))["name"], MANIFEST.name)
        for family in ("hunt", "twenty48"):
            networks = text_of(f"src/games/{family}/networks/Cargo.toml")
            self.assertRegex(networks, f'(?m)^name = "{MANIFEST.name}-.*"$')
            self.assertIn("version.workspace = true", networks)
        for name in ("scripts/publishing/Containerfile", "Cargo.toml"):
            folders = set(re.findall(r"usr/share/doc/([\w-]+)/", text_of(name)))
            self.assertEqual(folders, {MANIFEST.name}, name)

    def test_networks_have_exactly_the_version_of_the_engine(self):
        versions = re.findall(r'(?m)^puli-engine-[\w-]+ = \{ version = "([^"]*)"', text_of("Cargo.toml"))
        self.assertEqual(versions, [f"={MANIFEST.version}"] * 2)

    def test_all_packages_have_the_licence(self):
        for name in ("scripts/python", "src/games/hunt/networks", "src/games/twenty48/networks"):
            self.assertEqual(text_of(f"{name}/LICENSE"), text_of("LICENSE"), name)

    def test_debian_package_needs_the_glibc_that_is_checked(self):
        glibc = re.search(r"(?m)^glibc=([\d.]+)$", text_of("scripts/package"))[1]
        self.assertIn(f'\ndepends = "libc6 (>= {glibc})"\n', text_of("Cargo.toml"))

    def test_missing_field_of_manifest_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "Cargo.toml"
            path.write_text('[workspace.package]\nversion = "1.2.3"\n\n[package]\ndescription = "x"\n\n[lib]\nname = "other"\n')
            with self.assertRaisesRegex(ValueError, r"expected name in \[package\]"):
                read_manifest(path)

    def test_binstall_finds_the_archives_of_all_targets(self):
        section = text_of("Cargo.toml").split("\n[package.metadata.binstall]\n")[1].split("\n[package.metadata.deb]")[0]
        url = re.search(r'(?m)^pkg-url = "(.*)"$', section)[1]
        folder = re.search(r'(?m)^bin-dir = "(.*)"$', section)[1]
        zipped = re.findall(r'overrides\.([\w-]+)\]\npkg-fmt = "zip"', section)
        script = text_of("scripts/package")
        name = re.search(r"(?m)^name=(.*)$", script)[1]
        targets = set(re.findall(r"[\w]+-(?:unknown|apple|pc)-[\w-]+", text_of(".github/workflows/release.yml")))
        self.assertEqual(len(targets), 7)
        for target in sorted(targets):
            values = {
                " repo ": "https://example.org/puli",
                " version ": MANIFEST.version,
                " target ": target,
                " archive-suffix ": ".zip" if target in zipped else ".tar.gz",
                " bin ": "puli",
                " binary-ext ": ".exe" if "windows" in target else "",
            }
            archive = name.replace("$version", MANIFEST.version).replace("$triple", target)
            suffix = ".zip" if "windows" in target else ".tar.gz"
            released = f"https://example.org/puli/releases/download/v{MANIFEST.version}/{archive}{suffix}"
            self.assertEqual(re.sub(r"\{(.*?)\}", lambda field: values[field[1]], url), released)
            self.assertTrue(re.sub(r"\{(.*?)\}", lambda field: values[field[1]], folder).startswith(f"{archive}/puli"))


class WorkflowsTest(unittest.TestCase):
    def test_actions_are_pinned_by_commit_and_name_the_version(self):
        for path in workflows():
            uses = re.findall(r"(?m)^ *-? *uses: (.*)$", path.read_text(encoding="utf-8"))
            self.assertTrue(uses, path)
            for action in uses:
                self.assertRegex(action, r"^[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", path)

    def test_each_action_has_one_version(self):
        uses = {use for path in workflows() for use in re.findall(r"(?m)uses: (.*)$", path.read_text(encoding="utf-8"))}
        names = [use.split("@")[0] for use in uses]
        self.assertEqual(sorted(names), sorted(set(names)))


class ReleaseNotesTest(unittest.TestCase):
    def test_notes_are_the_section_of_the_version(self):
        notes = release_notes.notes(CHANGELOG, "1.0.0", None)
        self.assertTrue(notes.startswith("- See [the benchmarks](BENCHMARKS.md)"))
        self.assertNotIn("Before", notes)
        self.assertNotIn("Later", notes)
        self.assertEqual(release_notes.notes(CHANGELOG, "0.9.0", None), "- Before.\n")

    def test_links_lead_to_the_files_of_the_tag(self):
        notes = release_notes.notes(CHANGELOG, "1.0.0", "https://example.org/blob/v1.0.0")
        for address in (
            "https://example.org/blob/v1.0.0/.github/BENCHMARKS.md",
            "https://example.org/blob/v1.0.0/protocol.md#versions",
            "https://keepachangelog.com",
            "#x",
        ):
            self.assertIn(f"]({address})", notes)

    def test_missing_unreleased_and_empty_sections_are_errors(self):
        for version, reason in (("2.0.0", "found 0"), ("1.1.0", "found 'unreleased'"), ("1.0", "found 0")):
            with self.assertRaisesRegex(ValueError, reason):
                release_notes.notes(CHANGELOG, version, None)
        with self.assertRaisesRegex(ValueError, "is empty"):
            release_notes.notes("## 1.0.0, 2026-12-24\n\n## 0.9.0, 2026-01-01\n- x\n", "1.0.0", None)
        with self.assertRaisesRegex(ValueError, "found 2"):
            release_notes.notes("## 1.0.0, 2026-12-24\n- x\n## 1.0.0, 2026-01-01\n- x\n", "1.0.0", None)

    def test_changelog_has_a_section_for_the_next_release(self):
        newest = re.search(r"(?m)^## (\d+\.\d+\.\d+), (.*)$", text_of(".github/CHANGELOG.md"))
        dated = text_of(".github/CHANGELOG.md").replace(newest[0], f"## {newest[1]}, 2026-12-24", 1)
        notes = release_notes.notes(dated, newest[1], "https://example.org")
        self.assertGreater(len(notes), 1000)
        self.assertNotRegex(notes, r"\]\((?!https?:|#)")


class GlibcTest(unittest.TestCase):
    LISTING = """
0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.2.5) malloc
0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.35) hypotf
0000000000000000  w   DF *UND*\t0000000000000000 (GLIBC_2.39) pidfd_getpid
0000000000000000      DF *UND*\t0000000000000000 (GCC_3.3) _Unwind_Backtrace
0000000000000000 g    DF .text\t0000000000000010  GLIBC_2.99  own
"""

    def test_newer_symbols_are_named(self):
        with self.assertRaisesRegex(Failure, r"newer than GLIBC_2\.28: hypotf \(GLIBC_2\.35\)$"):
            glibc.check(self.LISTING, (2, 28))
        self.assertEqual(glibc.check(self.LISTING, (2, 35)), "2.35")
        self.assertEqual(glibc.check("", (2, 28)), "none")

    @unittest.skipUnless(sys.platform == "linux" and shutil.which("objdump"), "needs objdump")
    def test_symbols_of_a_real_program_are_found(self):
        def run(limit, file=sys.executable):
            command = [sys.executable, str(PUBLISHING / "glibc.py"), limit, file]
            return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

        self.assertEqual(run("99.0").returncode, 0)
        too_new = run("2.0")
        self.assertEqual(too_new.returncode, 1)
        self.assertIn("needs symbols newer than GLIBC_2.0: ", too_new.stderr)
        self.assertEqual(run("new").returncode, 2)
        self.assertEqual(run("2.28", str(PUBLISHING / "package")).returncode, 2)


class FormulaTest(unittest.TestCase):
    MANIFEST = Manifest("puli-engine", "1.2.3", 'An engine with "quotes" #{x}: games', "MIT")

    def test_archives_of_all_platforms_are_listed_with_checksums(self):
        targets = [target for system in formula.PLATFORMS.values() for target in system.values()]
        lines = [f"{number:064x}  puli-1.2.3-{target}.tar.gz" for number, target in enumerate(targets)]
        lines.append(f"{9:064x}  puli-1.2.3-x86_64-pc-windows-msvc.zip")
        text = formula.formula(self.MANIFEST, formula.checksums("\n".join(lines)), "https://example.org/v1.2.3", "https://example.org")
        self.assertTrue(text.startswith("class PuliEngine < Formula\n"))
        for number, target in enumerate(targets):
            self.assertIn(f'url "https://example.org/v1.2.3/puli-1.2.3-{target}.tar.gz"\n      sha256 "{number:064x}"', text)
        self.assertNotIn("windows", text)
        self.assertIn(r'desc "An engine with \"quotes\" \#{x}"', text)
        if ruby := shutil.which("ruby"):
            checked = subprocess.run([ruby, "-c"], input=text, capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(checked.returncode, 0, checked.stderr)

    def test_description_fits_homebrew(self):
        self.assertLessEqual(len(MANIFEST.description.split(":")[0]), 80)

    def test_missing_archives_and_bad_checksums_are_errors(self):
        with self.assertRaisesRegex(ValueError, "no checksum of an archive of version 1.2.3"):
            formula.formula(self.MANIFEST, {"puli-1.2.2-x86_64-apple-darwin.tar.gz": "0" * 64}, "u", "h")
        with self.assertRaisesRegex(ValueError, "found 'abc  x'"):
            formula.checksums("abc  x\n")


class NixTest(unittest.TestCase):
    @unittest.skipUnless(shutil.which("nix-instantiate"), "needs Nix")
    def test_package_takes_name_and_version_from_cargo_toml(self):
        # The functions of nixpkgs that the package calls.
        expression = f"""
            let package = import {PUBLISHING / "package.nix"} {{
              lib = {{
                importTOML = path: builtins.fromTOML (builtins.readFile path);
                cleanSource = path: path;
                licenses.mit = "MIT";
                platforms.unix = [ ];
              }};
              rustPlatform.buildRustPackage = attributes: attributes;
              installShellFiles = null;
            }}; in [ package.pname package.version package.meta.description
                     (builtins.pathExists (package.src + "/Cargo.toml")) (builtins.pathExists package.cargoLock.lockFile) ]
        """
        command = ["nix-instantiate", "--eval", "--strict", "--json", "--expr", expression]
        with tempfile.TemporaryDirectory() as home:
            variables = {"HOME": home, "PATH": "/usr/bin:/bin", "NIX_STATE_DIR": home, "NIX_STORE_DIR": f"{home}/store"}
            result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout), [MANIFEST.name, MANIFEST.version, MANIFEST.description, True, True])


if __name__ == "__main__":
    unittest.main()
