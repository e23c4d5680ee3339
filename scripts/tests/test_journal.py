"""Tests of journals: every entry that is read was written, and no complete entry is lost."""

import tempfile
import unittest
from pathlib import Path

from common.journal import Journal, read_journal
from common.text import escaped

HEAD = ["games 2", "of chess"]


class JournalTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "deeper" / "journal"

    def write(self, count: int) -> bytes:
        journal = Journal(self.path, HEAD)
        for number in range(1, count + 1):
            journal.add("game", number, [f"first line of {number}", "ä line"])
        journal.close()
        return self.path.read_bytes()

    def numbers(self) -> list[int]:
        return [number for _, number, _ in read_journal(self.path)[1]]

    def test_reads_written_entries(self) -> None:
        self.write(3)
        journal = Journal(self.path, HEAD)
        self.addCleanup(journal.close)
        self.assertEqual(journal.numbers("game"), [1, 2, 3])
        self.assertEqual(journal.read("game", 2), ["first line of 2", "ä line"])
        self.assertIn(("game", 3), journal)
        self.assertNotIn(("part", 3), journal)

    def test_rejects_duplicate_number(self) -> None:
        whole = self.write(2)
        journal = Journal(self.path, HEAD)
        with self.assertRaises(ValueError):
            journal.add("game", 2, ["again"])
        journal.close()
        self.assertEqual(self.path.read_bytes(), whole)
        # As after the entries of two files were concatenated.
        self.path.write_bytes(whole + whole.partition(b"\n\n")[2])
        self.assertEqual(self.numbers(), [1, 2])

    def test_resumes_after_truncation_at_every_byte(self) -> None:
        whole = self.write(3)
        ends = [place + 2 for place in range(len(whole)) if whole.startswith(b"\n\n", place)]
        for cut in range(len(whole)):
            self.path.write_bytes(whole[:cut])
            journal = Journal(self.path, HEAD)
            # An entry that lacks only its final line breaks is complete.
            complete = sum(end - 2 <= cut for end in ends[1:])
            self.assertEqual(journal.numbers("game"), list(range(1, complete + 1)), f"cut at byte {cut}")
            journal.add("game", 9, ["later"])
            journal.close()
            self.assertEqual(self.numbers(), [*range(1, complete + 1), 9], f"cut at byte {cut}")

    def test_detects_flipped_bits(self) -> None:
        whole = self.write(3)
        head = whole.index(b"\n\n") + 2
        for place in range(head, len(whole)):
            for bit in (1, 4, 128):
                flipped = bytearray(whole)
                flipped[place] ^= bit
                self.path.write_bytes(flipped)
                for _, number, lines in read_journal(self.path)[1]:
                    self.assertEqual(lines, [f"first line of {number}", "ä line"], f"byte {place}, bit {bit}")

    def test_lists_damaged_entries(self) -> None:
        whole = self.write(3)
        self.path.write_bytes(whole.replace(b"line of 2", b"lime of 2"))
        journal = Journal(self.path, HEAD)
        self.addCleanup(journal.close)
        self.assertEqual(journal.damaged, [f"game 2 at byte {whole.index(b'game 2')}"])
        self.assertEqual(journal.numbers("game"), [1, 3])

    def test_lines_cannot_forge_entries(self) -> None:
        journal = Journal(self.path, HEAD)
        forged = [f"x{end}game 7{end}{end}end 7 00000000" for end in ("\n", "\r", "\u2028", "\x85", "\x0c")]
        journal.add("game", 1, [*forged, "game 8", "end 8 00000000", "end 1 00000000", "\udcff"])
        with self.assertRaises(ValueError):
            journal.add("game", 2, ["", "game 8", "end 8 00000000"])
        journal.close()
        self.assertEqual(self.numbers(), [1])
        self.assertEqual(read_journal(self.path)[2], [])

    def test_rejects_other_files_without_changing_them(self) -> None:
        self.path.parent.mkdir()
        for text, message in (
            ("Dear diary,\n\n", "not a journal of this script"),
            ("games 1\nof chess\n\n", "expected 'games 2', found 'games 1'"),
            ("games 2\nof go\n\n", "expected 'of chess', found 'of go'"),
            ("\0" * 100, "not a journal of this script"),
        ):
            self.path.write_text(text)
            with self.assertRaisesRegex(ValueError, message):
                Journal(self.path, HEAD)
            self.assertEqual(self.path.read_text(), text)
        for device in ("/dev/zero", "/dev/null"):
            with self.assertRaisesRegex(ValueError, "not a regular file"):
                Journal(Path(device), HEAD)
            with self.assertRaisesRegex(ValueError, "not a regular file"):
                read_journal(Path(device))

    def test_is_locked_for_other_processes(self) -> None:
        journal = Journal(self.path, HEAD)
        with self.assertRaisesRegex(ValueError, "in use"):
            Journal(self.path, HEAD)
        journal.close()
        Journal(self.path, HEAD).close()


class EscapedTest(unittest.TestCase):
    def test_result_is_one_printable_line(self) -> None:
        text = "".join(map(chr, [*range(0x300), 0x2028, 0x2029, 0x202E, 0xFEFF, 0xDC80, 0x1F600]))
        shown = escaped(text)
        self.assertTrue(shown.isprintable())
        self.assertEqual(len(shown.splitlines()), 1)
        self.assertIn("\\u000a\\u000b", shown)
        self.assertEqual(escaped(shown), shown)
        self.assertIn("\\u2028", shown)
        self.assertIn("ä", shown)

    def test_length_is_limited(self) -> None:
        self.assertLess(len(escaped("x" * 1_000_000)), 20_000)


if __name__ == "__main__":
    unittest.main()
