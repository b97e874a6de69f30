# SPDX-License-Identifier: Apache-2.0
"""`cohort draw`: the pictures show every message of the schedule, and mistakes are told in one line."""

import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from job_driver import COHORT, LIMIT_S

SVG = "{http://www.w3.org/2000/svg}"


def draw(*words):
    return subprocess.run([COHORT, "draw", *map(str, words)], capture_output=True, timeout=LIMIT_S,
                          stdin=subprocess.DEVNULL)


def picture(*words):
    """The picture's root, of `cohort draw ... -o -`."""
    result = draw(*words, "-o", "-")
    assert result.returncode == 0, result.stderr
    return xml.etree.ElementTree.fromstring(result.stdout)


def notes(root):
    return [title.text for title in root.iter(SVG + "title")]


def texts(root):
    return ["".join(text.itertext()) for text in root.iter(SVG + "text")]


class Pictures(unittest.TestCase):
    def test_every_message_has_a_bead(self):
        for words, messages in [(["bcast/binomial", "--ranks", 16], 15), (["bcast/circulant", "--ranks", 8], 7 * 6),
                                (["bcast/circulant:blocks=4", "--ranks", 8], 7 * 4),
                                (["bcast/circulant", "--ranks", 8, "--blocks", 3], 7 * 3),
                                (["index/pairwise", "--ranks", 6], 30), (["sync/dissemination", "--ranks", 8], 24),
                                (["shift/exchange", "--ranks", 5], 5), (["combine/tree", "--ranks", 1], 0)]:
            with self.subTest(words=words):
                self.assertEqual(len(notes(picture(*words))), messages)

    def test_notes_say_what_a_message_carries(self):
        self.assertIn("round 1: 0 to 2, block 0, 16 KiB, 0–1.36 ms", notes(picture("bcast/circulant", "--ranks", 8)))
        self.assertIn("round 3: 4 to 0, blocks from 4–7, 48 KiB, 3.05–7.03 ms",
                      notes(picture("gather/recursive_split", "--ranks", 8)))

    def test_title_and_ranks(self):
        shown = texts(picture("reduce/circulant", "--ranks", 7, "--root", 3, "--blocks", 2))
        self.assertEqual(shown.count("reduce/circulant"), 1)
        self.assertTrue(any(text.startswith("p = 7, root 3, ") for text in shown), shown)
        self.assertIn("ring: combined with what the receiver has", shown)

    def test_model_is_the_users(self):
        shown = texts(picture("sync/dissemination", "--ranks", 4, "--alpha", "1e-3"))
        self.assertTrue(any("2 rounds, 2 ms" in text for text in shown), shown)

    def test_all_is_inside_of_the_picture(self):
        root = picture("prefix/chain", "--ranks", 32, "--blocks", 20)
        width, height = float(root.get("width")), float(root.get("height"))
        for shape in root.iter():
            for name, limit in [("x", width), ("cx", width), ("y", height), ("cy", height)]:
                if name in shape.attrib:
                    self.assertTrue(0 <= float(shape.get(name)) <= limit, shape.attrib)

    def test_the_same_picture_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "picture.svg")
            self.assertEqual(draw("combine/circulant", "--ranks", 8, "-o", file).returncode, 0)
            again = draw("combine/circulant", "--ranks", 8, "-o", "-").stdout
            self.assertEqual(pathlib.Path(file).read_bytes(), again)


class Mistakes(unittest.TestCase):
    def expect(self, words, pattern, status=2):
        result = draw(*words)
        self.assertEqual((result.returncode, result.stderr.count(b"\n"), result.stdout), (status, 1, b""),
                         result.stderr)
        self.assertRegex(result.stderr.decode(), "^cohort: .*" + pattern)

    def test_one_line_and_2(self):
        size = ["--ranks", 8, "-o", "-"]
        for words, pattern in [(["bcast/none", *size], r"no algorithm 'bcast/none'; there are: .*bcast/binomial"),
                               (["bcast", *size], "which algorithm of bcast"), (["bcst", *size], "no operation 'bcst'"),
                               (["bcast/binomial", "--ranks", 8], "-o"),
                               (["bcast/binomial", "--ranks", 0, "-o", "-"], "--ranks: .* from 1 to 64"),
                               (["bcast/binomial", "--ranks", 65, "-o", "-"], "--ranks: .* not '65'"),
                               (["bcast/binomial:blocks=3", *size], "has no parameter 'blocks'"),
                               (["bcast/binomial", "--blocks", 3, *size], "--blocks: bcast/binomial"),
                               (["bcast/circulant", "--blocks", 0, *size], "--blocks: .* from 1"),
                               (["bcast/binomial", "--root", 8, *size], "--root: .* from 0 to 7"),
                               (["combine/tree", "--root", 1, *size], "--root: combine/tree has none"),
                               (["combine/circulant", "--ordered", *size], "needs a commutative operator"),
                               (["bcast/binomial", "--distance", 1, *size], "--distance"),
                               (["bcast/binomial", "--bytes", "many", *size], "--bytes"),
                               (["bcast/binomial", "--bytes", "0", *size], "--bytes"),
                               (["bcast/binomial", "--alpha", "-1", *size], "--alpha"),
                               (["bcast/binomial", "--beta", "nan", *size], "--beta")]:
            with self.subTest(words=words):
                self.expect(words, pattern)

    def test_file_that_cannot_be_written(self):
        self.expect(["bcast/binomial", "--ranks", 8, "-o", "/no/such/folder/a.svg"],
                    "cannot write /no/such/folder/a.svg: No such file", status=1)

    def test_help_teaches(self):
        text = draw("--help").stdout.decode()
        for word in ["--ranks", "--blocks", "--root", "-o", "How to read it", "Examples"]:
            self.assertIn(word, text)


if __name__ == "__main__":
    unittest.main()
