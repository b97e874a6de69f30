#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The C interface, used from C, from Python, and by the program of its page."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "launcher"))
from job_driver import BIN, SANITIZED, run  # noqa: E402
import skips  # noqa: E402

PROGRAMS = pathlib.Path(os.environ["COHORT_C_PROGRAMS"])
LIBRARIES = pathlib.Path(BIN).parent / "lib"
COMPILER = os.environ["CC"]
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-pedantic"]
RANKS = (1, 2, 4)


def program_of_page():
    return re.search(r"^```c\n(.*?)^```$", (ROOT / "docs/reference/c.md").read_text(), re.DOTALL | re.MULTILINE).group(1)


class Programs(unittest.TestCase):
    def expect_ok(self, name, ranks=RANKS, options=(), **environment):
        for count in ranks:
            with self.subTest(program=name, ranks=count, options=options):
                ended = run("-n", count, *options, PROGRAMS / f"c_{name}", env={**os.environ, **environment})
                said = ended.stdout.decode() + ended.stderr.decode()
                self.assertEqual((ended.returncode, ended.stdout.decode()), (0, f"ok {name}\n"), said)

    def test_collectives(self):
        self.expect_ok("collectives")

    def test_collectives_without_barriers(self):
        self.expect_ok("collectives", (4,), ["--no-barrier"])

    def test_reductions(self):
        self.expect_ok("reductions")

    def test_messages(self):
        self.expect_ok("messages")

    def test_requests(self):
        self.expect_ok("requests")

    def test_groups(self):
        self.expect_ok("groups")

    def test_errors(self):
        self.expect_ok("errors")

    def test_survivors(self):
        self.expect_ok("survivors", (2, 4), ["--on-failure", "continue"])

    def test_develop_mode(self):
        for name in ("collectives", "reductions", "messages", "requests", "groups"):
            self.expect_ok(name, (1, 4), ["--mode", "develop"], EXPECTED_MODE="develop")

    def test_members_that_call_different_operations(self):
        self.expect_ok("mismatch", (2, 4), ["--mode", "develop"])

    def test_what_must_succeed_ends_the_process(self):
        line = 1 + next(number for number, line in enumerate((HERE / "programs/must.c").read_text().splitlines())
                        if "cohort_bcast" in line)
        ended = run("-n", 2, PROGRAMS / "c_must")
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn(f"(called at must.c:{line})", ended.stderr.decode())
        self.assertEqual(ended.stdout, b"")

    @unittest.skipIf(SANITIZED, "Python is not built with a sanitizer")
    def test_from_python(self):
        for count in RANKS:
            ended = run("-n", count, sys.executable, HERE / "from_python.py", LIBRARIES / "libcohort.so.0")
            self.assertEqual(ended.returncode, 0, ended.stderr.decode())
            said = sorted(line.split(" on ")[0] for line in ended.stdout.decode().splitlines())
            self.assertEqual(said, [f"hello from {rank} of {count}" for rank in range(count)])

    @unittest.skipIf(SANITIZED, "the page compiles without a sanitizer")
    def test_the_program_of_the_page(self):
        with tempfile.TemporaryDirectory(prefix="cohort-c-") as folder:
            source = pathlib.Path(folder, "mean.c")
            source.write_text(program_of_page())
            subprocess.run([COMPILER, "-std=c11", *WARNINGS, f"-I{ROOT / 'include'}", source, f"-L{LIBRARIES}", "-lcohort",
                            f"-Wl,-rpath,{LIBRARIES}", "-o", source.with_suffix("")], check=True, timeout=60)
            ended = run("-n", 4, source.with_suffix(""))
            self.assertEqual((ended.returncode, ended.stdout.decode()), (0, "mean 2.5\n"), ended.stderr.decode())

    def test_the_header_is_fine_in_both_languages(self):
        for language in (["c", "-std=c11"], ["c", "-std=c17"], ["c++", "-std=c++11"], ["c++", "-std=c++20"]):
            subprocess.run([COMPILER, "-x", *language, *WARNINGS, "-fsyntax-only", f"-I{ROOT / 'include'}", "-"], check=True,
                           input=b"#include <cohort/cohort.h>\n#include <cohort/cohort.h>\n", timeout=60)


if __name__ == "__main__":
    skips.main()
