# SPDX-License-Identifier: Apache-2.0
"""What every example says to bad arguments and files: one line from one process, exit code 2, and nobody waits."""

import jobs

READERS = ("wordcount", "samplesort", "kmeans")


class BadInput(jobs.JobTest):
    def test_files_that_can_not_be_read(self):
        for program in READERS:
            for size in jobs.job_sizes(1, 4):
                with self.subTest(program=program, size=size):
                    self.refused(size, "missing.txt: No such file or directory", program, "missing.txt")
                    self.refused(size, f"{self.folder}: is not a regular file", program, str(self.folder))

    def test_files_that_can_not_be_written(self):
        table = self.file("table.csv", "a,b\n1,2\n3,4\n5,6\n")
        for program, *arguments in (("heat", "--width", "9", "--height", "9"), ("samplesort", table),
                                    ("kmeans", table)):
            for size in jobs.job_sizes(1, 4):
                with self.subTest(program=program, size=size):
                    self.refused(size, "no/folder: can't be written: No such file or directory", program, *arguments,
                                 "--output", "no/folder")

    def test_a_plate_that_is_too_small(self):
        for size in jobs.job_sizes(4)[1:]:
            self.refused(size, "the plate is too small", "heat", "--width", "3", "--height", "1")

    def test_bad_arguments(self):
        for program, *arguments in (("hello", "x"), ("wordcount",), ("wordcount", "--top", "many", "x"), ("samplesort",),
                                    ("samplesort", "x", "--random", "3"), ("heat", "--width", "0"), ("heat", "surplus"),
                                    ("kmeans",), ("kmeans", "x", "--clusters", "0"), ("kmeans", "x", "--unknown")):
            for size in jobs.job_sizes(3):
                with self.subTest(program=program, arguments=arguments, size=size):
                    self.refused(size, "", program, *arguments)

    def test_help_is_said_once(self):
        for program in (*READERS, "heat", "hello"):
            for size in jobs.job_sizes(3):
                with self.subTest(program=program, size=size):
                    output = self.fine(size, program, "--help").output
                    self.assertEqual(output.lower().count("usage:"), 1)
                    self.assertIn(program, output)


if __name__ == "__main__":
    jobs.main()
