"""The list of what the program is made of."""

import unittest

from sbom import bill


def package(name, licence="MIT"):
    return {"id": name, "name": name, "version": "1.0.0", "license": licence}


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


class MadeOf(unittest.TestCase):
    def test_what_is_compiled_in_is_listed_and_what_only_builds_or_tests_need_is_not(self):
        told = bill(METADATA)
        self.assertEqual([part["name"] for part in told["components"]], ["memchr", "nom"])
        self.assertEqual(told["metadata"]["component"]["purl"], "pkg:cargo/puli@1.0.0")
        self.assertEqual(told["components"][0]["licenses"], [{"expression": "Unlicense OR MIT"}])
        edges = {edge["ref"]: edge["dependsOn"] for edge in told["dependencies"]}
        self.assertEqual(edges["pkg:cargo/puli@1.0.0"], ["pkg:cargo/nom@1.0.0"])
        self.assertEqual(edges["pkg:cargo/nom@1.0.0"], ["pkg:cargo/memchr@1.0.0"])

    def test_it_is_the_same_every_time(self):
        self.assertEqual(bill(METADATA), bill(METADATA))


if __name__ == "__main__":
    unittest.main()
