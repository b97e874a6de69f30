# SPDX-License-Identifier: Apache-2.0
"""samplesort: equal to a sequential sort, also of what is empty, equal or sorted already."""

import random
import re

import jobs


class SampleSort(jobs.JobTest):
    def check(self, size, content, expected, *options):
        path = self.file("unsorted", content)
        result = self.fine(size, "samplesort", *options, "--output", "sorted", path)
        self.assertRegex(result.output, f"^sorted and complete: {len(expected)} items, ")
        self.assertEqual((self.folder / "sorted").read_bytes(), b"".join(item + b"\n" for item in expected))

    def test_lines(self):
        generator = random.Random(3)
        some = [bytes(generator.choice(b"ab \xc3\xa9") for _ in range(generator.randrange(9))) for _ in range(500)]
        for lines in ([], [b""], [b"one"], [b"same"] * 100, sorted(some), some, [b"", b"", b"x" * 70_000, b"y"]):
            for size in jobs.job_sizes(1, 2, 3, 5, 8):
                with self.subTest(size=size, lines=len(lines)):
                    self.check(size, b"".join(line + b"\n" for line in lines), sorted(lines))

    def test_no_end_of_line_at_the_end(self):
        for size in jobs.job_sizes(2, 5):
            with self.subTest(size=size):
                self.check(size, b"b\nc\na", [b"a", b"b", b"c"])

    def test_numbers(self):
        generator = random.Random(4)
        numbers = [generator.randrange(-1000, 1000) for _ in range(2000)] + [2**63 - 1, -2**63, 0, 0]
        for size in jobs.job_sizes(1, 2, 3, 6):
            with self.subTest(size=size):
                self.check(size, "".join(f" {n}\r\n" for n in numbers), [b"%d" % n for n in sorted(numbers)],
                           "--numbers")

    def test_random_numbers_do_not_depend_on_the_processes(self):
        first = self.fine(jobs.ALONE, "samplesort", "--random", "20011", "--seed", "7").output.split(";")[0]
        other = self.fine(jobs.ALONE, "samplesort", "--random", "20011", "--seed", "8").output.split(";")[0]
        self.assertNotEqual(first, other)
        for size in jobs.job_sizes(1, 2, 5):
            with self.subTest(size=size):
                said, shares = self.fine(size, "samplesort", "--random", "20011", "--seed", "7").output.split(";")
                self.assertEqual(said, first)
                self.assertLessEqual(int(re.search(r"largest share (\d+)", shares).group(1)), 2 * 20011 / (size or 1))

    def test_the_bad_line_is_named(self):
        lines = [str(i) for i in range(1000)]
        for place in (0, 500, 999):
            for bad, complaint in (("4x", "'4x' is not a whole number"), ("", "'' is not a whole number"),
                                   (str(2**63), f"'{2**63}' is out of range for a whole number")):
                path = self.file("numbers", "\n".join([*lines[:place], bad, *lines[place + 1:]]) + "\n")
                for size in jobs.job_sizes(4):
                    with self.subTest(size=size, place=place, bad=bad):
                        self.refused(size, f"{path}:{place + 1}: {complaint}", "samplesort", "--numbers", path)


if __name__ == "__main__":
    jobs.main()
