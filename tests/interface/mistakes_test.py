# SPDX-License-Identifier: Apache-2.0
"""Mistakes in calls do not compile, and the compiler says in words why. mistakes_test.py COMPILER INCLUDE_FOLDER"""
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import a_build

INCLUDES, COMPILER = sys.argv.pop(), sys.argv.pop()
SOURCE = pathlib.Path(__file__).with_name("mistakes.cpp")


class Mistakes(unittest.TestCase):
    def compiler_words(self):
        """The words of each error, by the line of the source that it is about."""
        made = subprocess.run(
            [COMPILER, "-std=c++20", "-fsyntax-only", "-Wall", "-Werror", f"-I{INCLUDES}", SOURCE],
            capture_output=True, text=True, timeout=300)
        self.assertNotEqual(made.returncode, 0)
        return a_build.errors_by_line(made.stderr, SOURCE)

    def test_each_is_explained(self):
        words = self.compiler_words()
        mistakes = {}
        for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
            if " // -> " in line:
                mistakes[number] = line.split(" // -> ")[1]
        self.assertGreater(len(mistakes), 30)
        for number, expected in mistakes.items():
            with self.subTest(line=number, expected=expected):
                self.assertIn(expected, " ".join(words.get(number, [])))
                self.assertEqual(len(words[number]), 1, "one mistake, one error")
        self.assertEqual(words.keys() - mistakes.keys(), set(), "lines without a mistake")


if __name__ == "__main__":
    unittest.main()
