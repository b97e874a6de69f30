# SPDX-License-Identifier: Apache-2.0
"""wordcount: equal to a sequential count, wherever the cuts between the processes fall."""

import collections
import glob
import os
import random
import re
import unittest

import jobs


def count(paths):
    words = collections.Counter()
    for path in paths:
        with open(path, "rb") as file:
            words.update(word.lower().decode() for word in re.findall(rb"[A-Za-z\x80-\xff]+", file.read()))
    return words


class WordCount(jobs.JobTest):
    def check(self, size, *paths):
        """All words with their counts, the most frequent first, and the totals."""
        words = count(paths)
        lines = self.fine(size, "wordcount", "--top", "1000000", *paths).lines
        expected = [f"{n:>10}  {word}" for word, n in sorted(words.items(), key=lambda e: (-e[1], e[0].encode()))]
        self.assertEqual(lines[:-1], expected)
        self.assertEqual(lines[-1], f"{words.total()} words, {len(words)} different, in {len(paths)} files, "
                                    f"counted by {size or 1} processes")

    def test_licences_of_this_machine(self):
        paths = sorted(path for path in glob.glob("/usr/share/common-licenses/*") if os.path.isfile(path))
        if not paths:
            raise unittest.SkipTest("this machine has no /usr/share/common-licenses")
        for size in jobs.job_sizes(1, 2, 3, 4, 7):
            with self.subTest(size=size):
                self.check(size, *paths)

    def test_odd_files(self):
        empty = self.file("empty", "")
        word = self.file("word", "Word")  # no end of line, and words never go on in the next file
        more = self.file("more", "wordy words\n")
        separators = self.file("separators", "\n 123 '-'\0\t\n")
        accents = self.file("accents", "Äpfel äpfel ÉTÉ don't naïve-naïve")
        for size in jobs.job_sizes(1, 3, 8):
            with self.subTest(size=size):
                for paths in ([empty], [word], [separators], [accents], [empty, empty],
                              [word, empty, more, word, accents, separators, word]):
                    self.check(size, *paths)

    def test_a_word_longer_than_all_shares(self):
        path = self.file("long", "x" * 100_000 + " end")
        for size in jobs.job_sizes(2, 6):
            with self.subTest(size=size):
                self.check(size, path)

    def test_cuts_everywhere(self):
        """Texts of a few bytes: with as many processes, cuts fall before, into and behind every word and gap."""
        generator = random.Random(5)
        paths = [self.file(f"text{i}", "".join(generator.choice("aB é\n") for _ in range(i))) for i in range(12)]
        for size in jobs.job_sizes(2, 5, 9):
            with self.subTest(size=size):
                for path in paths[size % 3::3]:
                    self.check(size, path)
                self.check(size, *paths)

    def test_top(self):
        path = self.file("text", "b b b a a c c d")
        for size in jobs.job_sizes(4):
            with self.subTest(size=size):
                self.assertEqual(self.fine(size, "wordcount", "--top", "2", path).lines[:-1],
                                 ["         3  b", "         2  a"])


if __name__ == "__main__":
    jobs.main()
