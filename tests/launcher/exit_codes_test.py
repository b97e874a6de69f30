# SPDX-License-Identifier: Apache-2.0
"""The table of exit codes in docs/reference/exit_codes.md: each of its rows on real jobs."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

from job_driver import COHORT, LIMIT_S, PROBE, THREAD_SANITIZED, interrupt, read_lines, run, start

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "reference" / "exit_codes.md"


def rows():
    """The first cells of the table."""
    table = PAGE.read_text().partition("\nWhen a process fails")[0]
    return [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("| ")][1:]


class ExitCodes(unittest.TestCase):
    def test_each_row_has_a_test_here(self):
        tested = {"0": "0", "the first failure's": "of_the_first_failure", "1": "1", "2": "2", "124": "124", "125": "125",
                  "126, 127": "126_and_127", "128 + signal": "128_and_a_signal", "141": "141"}
        self.assertEqual(rows(), list(tested))
        for name in tested.values():
            self.assertTrue(any(test.startswith(f"test_status_{name}") for test in dir(self)), name)

    def expect(self, status, *words, says="^", **options):
        result = run(*words, **options)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertRegex(result.stderr.decode(), says)

    def test_status_0(self):
        self.expect(0, "-n", 2, "true")

    def test_status_of_the_first_failure(self):
        self.expect(3, "-n", 2, "sh", "-c", "exit 3", says="status 3")
        self.expect(128 + signal.SIGKILL, "-n", 2, "sh", "-c", "kill -9 $$", says="signal 9")
        self.expect(128 + signal.SIGABRT, "-n", 1, "sh", "-c", "kill -ABRT $$", says="signal 6")

    def test_status_1_a_host_that_can_not_be_reached(self):
        self.expect(1, "-n", 1, "--rsh", "false", "--hosts", "127.0.0.9", "true", says="host 127.0.0.9: no agent could be started")

    def test_status_1_a_process_that_ends_without_leaving(self):
        self.expect(1, "-n", 2, PROBE, "exit-0", 1, says="without leaving the job")

    def test_status_1_standard_output_that_can_not_be_written(self):
        with open("/dev/full", "w") as full:
            self.expect(1, "-n", 1, "echo", "text", stdout=full, says="standard output")

    def test_status_1_a_process_that_is_stopped_for_too_long(self):
        self.expect(1, "-n", 2, "--stall-limit", 0.5, "sh", "-c", "[ $COHORT_RANK = 0 ] && kill -STOP $$; sleep 60", says="stopped")

    def test_status_2(self):
        for words in ([], ["-n", "x", "true"], ["-n", 1, "--no-such-option", "true"], ["-n", 1]):
            self.expect(2, *words, says=r"^cohort: .*\n$")

    def test_status_124(self):
        self.expect(124, "-n", 1, "--timeout", 0.2, "sleep", 60, says="timeout: the job did not end")

    @unittest.skipIf(THREAD_SANITIZED, "the sanitizer's own thread looks like one that computes")
    def test_status_125(self):
        self.expect(125, "-n", 2, "--mode", "develop", "hang_probe", "cycle", says="deadlock")

    def test_status_126_and_127(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "no-program")
            pathlib.Path(file).write_text("text")
            self.expect(126, "-n", 1, file, says="cannot run")
        self.expect(127, "-n", 1, "no-such-program", says="cannot run")

    def test_status_128_and_a_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with start("-n", 1, "sh", "-c", "echo there; exec sleep 60") as job:
                read_lines(job.stdout, 1)
                interrupt(job, number)
                job.communicate(timeout=LIMIT_S)
                self.assertEqual(job.returncode, 128 + number)

    def test_status_141(self):
        with subprocess.Popen([COHORT, "run", "-n", "1", "yes"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as job:
            job.stdout.readline()
            job.stdout.close()
            self.assertEqual(job.wait(LIMIT_S), 141)

    def test_the_help_names_the_same(self):
        text = subprocess.run([COHORT, "run", "--help"], capture_output=True, text=True, timeout=LIMIT_S).stdout
        told = " ".join(text.partition("Exit status:")[2].split("\n\n")[0].split())
        for number in re.findall(r"\d+", " ".join(rows())):
            self.assertRegex(told, rf"\b{number}\b")


if __name__ == "__main__":
    unittest.main()
