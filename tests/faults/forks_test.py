# SPDX-License-Identifier: Apache-2.0
"""Ranks that fork: the child's copies do nothing, and the rank goes on; when it dies the others know, whoever is left."""

import os
import re

from fault_driver import BIN, RSH_HERE, SLACK, Faults, expect_within, run
import at_once

os.environ["ASAN_OPTIONS"] = "detect_leaks=0"  # a child has none of the threads that its leak checker looks for
PROBE = "fork_probe"
HARMLESS = ["return", "exit", "call", "raw", "drop", "leave-alone", "sockets", "grandchild", "programs", "operator"]


class Forks(Faults):
    def expect_unharmed(self, how, *options):
        with self.subTest(how, options=options):
            result = run("-n", 3, *options, PROBE, how)
            error = result.stderr.decode()
            self.assertEqual(result.returncode, 0, error)
            self.assertEqual(result.stdout, b"right\n", error)
            return error

    def test_82_whatever_the_child_does(self):
        for how in HARMLESS:
            self.assertEqual(self.expect_unharmed(how), "")
        self.assertIn("the child throws", self.expect_unharmed("throw"))

    def test_82_in_every_mode(self):
        for mode in (["--mode", "develop"], ["--progress-thread"], ["--on-failure", "continue"], ["--no-barrier"]):
            for how in ("return", "exit", "call"):
                self.assertEqual(self.expect_unharmed(how, *mode), "")

    def expect_told(self, program, words, *options):
        with self.subTest(program=program, options=options):
            result = run("-n", 3, *options, *program)
            output, error = result.stdout.decode(), result.stderr.decode()
            told = re.findall(rf"told at (\S+) receive on group \(0,0\): rank 1 \(pid 1, \S+\) {words}", output)
            self.assertEqual(len(told), 2, output + error)
            expect_within(SLACK, "82", float(re.search(r"dies at (\S+)", output).group(1)), map(float, told))
            self.assertRegex(error, rf"(?m)^cohort: rank 1 \(host \S+, process \d+\) {words}; the job ")

    def test_82_a_fork_that_outlives_its_rank(self):
        probe = os.path.join(BIN, PROBE)
        killed = r"was killed by signal 9 \(Killed\)"
        waits = f"{probe} outlives | cat; exit"  # cat reads for as long as the fork lives
        for options in ([], ["--on-failure", "continue"], [*RSH_HERE, "--hosts", "127.0.0.2,127.0.0.3"]):
            self.expect_told([PROBE, "outlives"], killed, *options)
            self.expect_told(["sh", "-c", waits], killed, *options)
        self.expect_told([PROBE, "outlives", "BEFORE"], killed)


if __name__ == "__main__":
    at_once.main(3)
