# SPDX-License-Identifier: Apache-2.0
"""What the examples' tests share: running an example as a job of P processes, in a folder of its own."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path(sys.argv.pop(1)).resolve()  # where the cohort command and the examples are
ALONE = 0  # without the launcher


def job_sizes(*launched):
    """The job sizes to test with: alone, and those given, each through the launcher."""
    return [ALONE, *launched]


class Result:
    def __init__(self, finished):
        self.code = finished.returncode
        self.output = finished.stdout.decode()
        self.errors = finished.stderr.decode()
        self.lines = self.output.splitlines()


class JobTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        """Writes a file into the test's folder, and returns its path."""
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def job(self, size, program, *arguments):
        """Runs a job in the test's folder to its end."""
        launched = [] if size == ALONE else [BIN / "cohort", "run", "-n", str(size), "--timeout", "100"]
        return Result(subprocess.run([*launched, BIN / program, *arguments], cwd=self.folder, capture_output=True,
                                     stdin=subprocess.DEVNULL, timeout=120))

    def fine(self, size, program, *arguments):
        """The same for a job that must succeed without a complaint."""
        result = self.job(size, program, *arguments)
        self.assertEqual((result.code, result.errors), (0, ""))
        return result

    def refused(self, size, complaint, program, *arguments):
        """The same for wrong input: exit code 2, and one line of the program's, which begins as given."""
        result = self.job(size, program, *arguments)
        self.assertEqual((result.code, result.output), (2, ""), result.errors)
        said = [line for line in result.errors.splitlines() if line.startswith(program + ": ")]
        self.assertEqual(len(said), 1, result.errors)
        self.assertTrue(said[0].startswith(f"{program}: {complaint}"), said[0])


main = unittest.main
