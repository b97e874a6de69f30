# SPDX-License-Identifier: Apache-2.0
"""Errors that nobody catches: one line names whose mistake it was, and the call; who only heard of it ends quietly."""

import os
import pathlib
import re
import resource
import tempfile
import unittest

from fault_driver import BIN, Faults, run
from job_driver import THREAD_SANITIZED

PROBE = os.path.join(BIN, "blame_probe")
WHERE = r"\(called at blame_probe\.cpp:\d+\)"
# What the line says, and the job's status: the first cause's.
MISTAKES = {
    "argument": (rf"send on group \(0,0\), rank 2: destination 99 is out of range: .* {WHERE}", 134),
    "truncated": (rf"receive on group \(0,0\): the message of 12 bytes from .* does not fit into 4 bytes.* {WHERE}", 134),
    "mismatch": (r"rank 2 \S+ \S+ \S+ called combine.* where .* called sync|called sync.* where rank 2 .* called combine", 134),
    "dropped": (rf"receive with tag 5 on group \(0,0\) {WHERE} was dropped before it was complete by rank 2", 134),
    "operator-throws": (r"the operator threw an exception at rank 2 \(pid 2, \S+\): no such number", 134),
    "operator-calls": (r"combine on group \(0,0\), rank 2: it is called by the operator of combine #2 on group \(0,0\): an "
                       rf"operator must not call Cohort {WHERE}", 134),
}
PASSES = ["plainly", "in a thread", "in a destructor", "nested", "in another's words", "in other words", "in two groups"]


class Blames(Faults):
    def play(self, mistake, *how, options=()):
        """The launcher's lines, what else was said, the job's status, and of which processes cores are left."""
        with tempfile.TemporaryDirectory() as folder:
            unlimited = lambda: resource.setrlimit(resource.RLIMIT_CORE, (core := resource.getrlimit(resource.RLIMIT_CORE)[1], core))  # noqa: E731
            result = run("-n", 4, *options, "sh", "-c", 'mkdir $$ && cd $$ && exec "$@"', "sh", PROBE, mistake, *how,
                         cwd=folder, preexec_fn=unlimited)
            cores = {path.parent.name for path in pathlib.Path(folder).glob("*/core*")}
        error = result.stderr.decode()
        lines = [line for line in error.splitlines() if line.startswith("cohort: ")]
        others = [line for line in error.splitlines() if not line.startswith("cohort: ")]
        told = [line for line in lines if "ends this process" not in line]
        return told, others, result.returncode, cores

    def expect_culprit(self, mistake, *how):
        words, status = MISTAKES[mistake]
        lines, others, code, cores = self.play(mistake, *how)
        said = "\n".join(lines + others)
        self.assertEqual(code, status, said)
        self.assertEqual(len(lines), 1, said)
        self.assertRegex(lines[0], words)
        named = re.findall(r"rank (\d) \(host \S+, process (\d+)\)", lines[0])
        self.assertEqual(len(named), 1, said)
        if mistake == "mismatch":  # of two calls that differ, either finds it
            self.assertLessEqual(len(cores), 2, said)
        else:
            self.assertEqual(named[0][0], "2", said)
            self.assertLessEqual(cores, {named[0][1]}, said)
        return others

    def test_89_the_line_names_the_mistake_and_whose_it_was(self):
        for mistake in MISTAKES:
            with self.subTest(mistake):
                others = self.expect_culprit(mistake)
                terminated = sum("terminate called" in line for line in others)
                self.assertLessEqual(terminated, 2 if mistake == "mismatch" else 1, others)

    def test_89_however_the_others_let_it_pass(self):
        for how in PASSES:
            with self.subTest(how):
                self.expect_culprit("dropped", how)
        for how in ("with a handler", "by status"):
            with self.subTest(how):
                lines, _, code, _ = self.play("dropped", how)
                self.assertEqual(len(lines), 1, lines)
                if not THREAD_SANITIZED:  # there the others had ended before the one that aborts
                    self.assertEqual(code, 134)
                self.assertRegex(lines[0], rf"^cohort: rank 2 \(host \S+, process \d+\): {MISTAKES['dropped'][0]}")

    def test_89_the_status_is_the_first_cause_s(self):
        lines, _, code, _ = self.play("dropped-and-exits")
        self.assertEqual(code, 7, lines)
        self.assertRegex("\n".join(lines), rf"^cohort: rank 2 \(host \S+, process \d+\).*{MISTAKES['dropped'][0]}")

    def test_89_in_a_job_that_goes_on_each_end_says_why(self):
        lines, _, code, _ = self.play("dropped", options=("--on-failure", "continue"))
        said = "\n".join(lines)
        self.assertEqual(code, 134, said)
        for rank in (0, 1, 3):
            self.assertRegex(said, rf"(?m)^cohort: rank {rank} \(host .* nobody caught the error: ")
        self.assertRegex(said, rf"(?m)^cohort: rank [013] \(host .* nobody caught the error: .*{MISTAKES['dropped'][0]}")

    def test_89_one_that_never_joins(self):
        for end, status, words in (("exit 0", 1, "exited with status 0 without joining the job, which the others have joined"),
                                   ("exit 3", 3, "exited with status 3")):
            with self.subTest(end):
                result = run("-n", 3, "sh", "-c", f"if [ -p /dev/stdin ]; then {end}; fi; exec {PROBE} argument")
                error = result.stderr.decode()
                self.assertEqual(result.returncode, status, error)
                self.assertRegex(error, rf"^cohort: rank 0 \(host \S+, process \d+\) {words}.*; the job was ended\n$")

    def test_92_an_operator_that_never_returns(self):
        jumped = r"left the operator of combine #2 on group \(0,0\) without returning from it \(longjmp\)"
        for options in ((), ("--on-failure", "continue")):
            for mistake in ("operator-jumps", "operator-jumps-to-the-end"):
                with self.subTest(mistake, options=options):
                    lines, _, code, _ = self.play(mistake, options=options)
                    self.assertRegex(lines[0], rf"^cohort: rank 2 \(host \S+, process \d+\) {jumped}; the job ")
                    self.assertNotEqual(code, 0)
        with self.subTest("operator-exits"):
            lines, _, code, _ = self.play("operator-exits")
            self.assertEqual(code, 4, lines)


if __name__ == "__main__":
    unittest.main(verbosity=2)
