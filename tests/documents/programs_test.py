# SPDX-License-Identifier: Apache-2.0
"""The whole programs of the how-to pages do what the pages say: they are compiled and run, with the faults of the page."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import a_build
import skips

LIMIT_S = 120
arguments = None


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "docs/how-to" / page).read_text(), re.DOTALL | re.MULTILINE)


class Programs(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name)

    def compile(self, text):
        (self.folder / "program.cpp").write_text(text)
        libraries = subprocess.run(["pkg-config", "--libs", "libcrypto", "protobuf-lite", "fmt"], check=True, text=True,
                                   capture_output=True).stdout.split()
        subprocess.run([arguments.compiler, "-std=c++20", "-O1", *arguments.flags, f"-I{ROOT / 'include'}", "program.cpp", "-o",
                        "program", f"{arguments.build}/libcohort.a", *libraries, "-pthread"], check=True, cwd=self.folder, timeout=LIMIT_S)

    def run_it(self, *options):
        return subprocess.run([f"{arguments.build}/bin/cohort", "run", "-n", "4", *options, "./program"], cwd=self.folder, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=LIMIT_S)

    def test_survivors_go_on_from_the_checkpoint(self):
        [program], [faults] = blocks("survivors.md", "cpp"), blocks("survivors.md", "toml")
        self.compile(program)
        (self.folder / "dies.toml").write_text(faults)
        whole = self.run_it()
        self.assertEqual((whole.returncode, whole.stdout), (0, "4 processes, value 201\n"), whole.stderr)
        less = self.run_it("--on-failure", "continue", "--faults", "dies.toml")
        self.assertEqual((less.returncode, less.stdout), (0, "3 processes, value 201\n"), less.stderr)
        self.assertIn("injected: dies.toml:1: kill of rank 2", less.stderr)

    def test_a_farm_goes_on_without_a_worker(self):
        [program], [faults] = blocks("farm.md", "cpp"), blocks("farm.md", "toml")
        self.compile(program)
        (self.folder / "dies.toml").write_text(faults)
        [shown] = re.findall(r"It prints `([^`]+)`", (ROOT / "docs/how-to/farm.md").read_text())
        for options in (), ("--on-failure", "continue", "--faults", "dies.toml"):
            result = self.run_it(*options)
            self.assertEqual((result.returncode, result.stdout), (0, shown + "\n"), result.stderr)
        self.assertIn("injected: dies.toml:1: kill of rank 2", result.stderr)

    def test_both_programs_of_a_pair_print_the_same(self):
        text = (ROOT / "docs/how-to/from_mpi.md").read_text()
        counts = re.findall(r"^\| .* \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
        pairs = list(zip(blocks("from_mpi.md", "cpp"), blocks("from_mpi.md", "c"), strict=True))
        self.assertEqual([tuple(str(sum(map(bool, program.splitlines()))) for program in pair) for pair in pairs], counts)
        compiler = pathlib.Path(arguments.build, "bin/cohort-mpicc")
        for ours, theirs in pairs:
            self.compile(ours)
            result = self.run_it()
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(result.stdout)
            if not pathlib.Path(arguments.build, "lib/cohort/mpi/standard/libmpi_abi.so").exists():
                continue  # built without MPI, as with sanitizers
            (self.folder / "program.c").write_text(theirs)
            subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", *arguments.flags, "program.c", "-o", "program"], check=True,
                           cwd=self.folder, timeout=LIMIT_S)
            self.assertEqual(self.run_it().stdout, result.stdout)

    def test_an_exception_that_main_catches(self):
        [program] = blocks("debugging.md", "cpp")
        self.compile(program)
        result = self.run_it()
        self.assertEqual((result.returncode, result.stdout), (0, "6\n"), result.stderr)
        self.compile(program.replace("  const int sum", '  if (self.pid() == 1) throw std::runtime_error("no input");\n  const int sum'))
        result = self.run_it()
        self.assertEqual((result.returncode, result.stdout), (3, ""), result.stderr)
        self.assertIn("no input\n", result.stderr)
        self.assertRegex(result.stderr, r"cohort: rank 1 .* exited with status 3; the job was ended")


if __name__ == "__main__":
    arguments = a_build.arguments(__doc__)
    skips.main()
