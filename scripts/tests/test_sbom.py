"""Tests of the software bill of materials."""

import unittest

from sbom import bill_of_materials


def package(name, license="MIT"):
    return {"id": name, "name": name, "version": "1.0.0", "license": license}


def node(name, *deps):
    return {"id": name, "deps": [{"pkg": to, "dep_kinds": [{"kind": kind}]} for to, kind in deps]}


METADATA = {
    "packages": [package("puli"), package("nom"), package("memchr", "Unlicense/MIT"), package("divan"), package("cc")],
    "resolve": {
        "root": "puli",
        "nodes": [
            node("puli", ("nom", None), ("divan", "dev")),
            node("nom", ("memchr", None), ("cc", "build")),
            node("memchr"),
            node("divan"),
            node("cc"),
        ],
    },
}


class BillOfMaterialsTest(unittest.TestCase):
    def test_lists_packages_that_are_compiled_in(self):
        bill = bill_of_materials(METADATA)
        self.assertEqual([part["name"] for part in bill["components"]], ["memchr", "nom"])
        self.assertEqual(bill["metadata"]["component"]["purl"], "pkg:cargo/puli@1.0.0")
        self.assertEqual(bill["components"][0]["licenses"], [{"expression": "Unlicense OR MIT"}])
        edges = {edge["ref"]: edge["dependsOn"] for edge in bill["dependencies"]}
        self.assertEqual(edges["pkg:cargo/puli@1.0.0"], ["pkg:cargo/nom@1.0.0"])
        self.assertEqual(edges["pkg:cargo/nom@1.0.0"], ["pkg:cargo/memchr@1.0.0"])

    def test_is_deterministic(self):
        self.assertEqual(bill_of_materials(METADATA), bill_of_materials(METADATA))


if __name__ == "__main__":
    unittest.main()
