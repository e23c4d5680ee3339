"""Tests of the notices of third parties."""

import tempfile
import unittest
from pathlib import Path

from notices import REGISTRY, is_accepted, notices


class NoticesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def package(self, name, license="MIT", source=REGISTRY, **texts):
        folder = self.folder / name
        folder.mkdir()
        for file, text in texts.items():
            (folder / file).write_text(text)
        return {
            "id": name,
            "name": name,
            "version": "1.0.0",
            "license": license,
            "authors": ["Somebody"],
            "source": source,
            "manifest_path": str(folder / "Cargo.toml"),
        }

    def metadata(self, *packages):
        names = [package["name"] for package in packages]
        deps = [{"pkg": name, "dep_kinds": [{"kind": None}]} for name in names]
        nodes = [{"id": "puli", "deps": deps}, *({"id": name, "deps": []} for name in names)]
        return {"packages": list(packages), "resolve": {"root": "puli", "nodes": nodes}}

    def test_equal_texts_are_printed_once_with_all_names(self):
        one = self.package("one", LICENSE="Do as you like. \n")
        two = self.package("two", "Apache-2.0", LICENCE="Do as you like.\n", NOTICE="By somebody.\n")
        text = notices(self.metadata(one, two))
        self.assertEqual(text.count("Do as you like."), 1)
        self.assertIn("one 1.0.0, two 1.0.0\n\nDo as you like.\n", text)
        self.assertIn("two 1.0.0\n\nBy somebody.\n", text)
        self.assertIn("two 1.0.0: Apache-2.0\n", text)

    def test_missing_texts_are_the_standard_ones(self):
        text = notices(self.metadata(self.package("bare")))
        self.assertIn("bare 1.0.0\n\nMIT License\n\nCopyright (c) Somebody\n\nPermission is hereby granted", text)
        text = notices(self.metadata(self.package("choice", "Zlib OR Apache-2.0 OR MIT")))
        self.assertIn("choice 1.0.0\n\nMIT License", text)
        text = notices(self.metadata(self.package("boost", "BSL-1.0")))
        self.assertIn("boost 1.0.0\n\nBoost Software License - Version 1.0", text)
        with self.assertRaisesRegex(ValueError, "other has no licence text"):
            notices(self.metadata(self.package("other", "Apache-2.0")))

    def test_packages_of_several_programs_are_printed_once(self):
        both, one, other = self.package("both"), self.package("one"), self.package("other")
        text = notices(self.metadata(both, one), self.metadata(both, other))
        self.assertIn("\n\nboth 1.0.0: MIT\none 1.0.0: MIT\nother 1.0.0: MIT\n\n", text)

    def test_packages_of_this_project_are_left_out(self):
        text = notices(self.metadata(self.package("data", source=None)))
        self.assertNotIn("data", text)

    def test_other_licences_and_sources_are_errors(self):
        with self.assertRaisesRegex(ValueError, "licence of copyleft 1.0.0 is not accepted: GPL-3.0-only"):
            notices(self.metadata(self.package("copyleft", "GPL-3.0-only", LICENSE="Share alike.")))
        with self.assertRaisesRegex(ValueError, "elsewhere 1.0.0 comes from git"):
            notices(self.metadata(self.package("elsewhere", source="git+https://example.org")))

    def test_expressions_are_evaluated(self):
        for expression in (
            "MIT",
            "GPL-3.0 OR MIT",
            "Unlicense/GPL-2.0",
            "(MIT OR GPL-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
        ):
            self.assertTrue(is_accepted(expression), expression)
        for expression in ("", "GPL-3.0", "MIT AND GPL-2.0", "MIT MIT", "(MIT", "MIT)", "MIT OR", "MIT WITH", "Apache-2.0 WITH X"):
            self.assertFalse(is_accepted(expression), expression)


if __name__ == "__main__":
    unittest.main()
