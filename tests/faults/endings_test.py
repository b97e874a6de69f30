# SPDX-License-Identifier: Apache-2.0
"""Processes that end while the job comes together, or while it ends."""

import os
import re
import signal
import subprocess
import sys
import time
import unittest

from fault_driver import SLACK, Faults, expect_nothing_left, expect_within, run, start
from job_driver import BIN, PROBE, RSH_HERE, alive, read_lines, status_when, wait_until_gone
import at_once

PROGRAM = os.path.join(BIN, PROBE)


# In sessions and groups of their own: a child, one that holds the output, an orphan, one that starts another, one that
# does not want to end and has started one, too. Then the program goes on as it is told.
DAEMONS = """
import os, subprocess, sys
child = subprocess.Popen(["setsid", "sleep", "600"])
orphan = subprocess.check_output(["sh", "-c", "setsid sleep 600 >&2 & echo $!"]).split()
other = subprocess.Popen(["setsid", "sh", "-c", "setsid sleep 600 >&2 & echo $!; wait"], stdout=subprocess.PIPE)
stubborn = subprocess.Popen(["setsid", "sh", "-c", "trap '' TERM HUP INT; sleep 600 >&2 & echo $!; wait"],
                            stdout=subprocess.PIPE)
theirs = [process.stdout.readline().split()[0].decode() for process in (other, stubborn)]
print(child.pid, orphan[0].decode(), other.pid, stubborn.pid, *theirs, flush=True)
os.execvp("sh", ["sh", "-c", sys.argv[1]])
"""


def rank_0(what, others):
    """A program for all: rank 0 has the standard input."""
    return ["sh", "-c", f"if [ -p /dev/stdin ]; then {what}; fi; exec {PROGRAM} {others}"]


class Endings(Faults):
    def expect_end(self, case, result, status, pattern, limit_s=1):
        error = result.stderr.decode()
        self.assertEqual(result.returncode, status, error)
        self.assertEqual(len(re.findall(pattern, error, re.M)), 1, error)
        expect_within(limit_s * SLACK, case, self.begun, [self.ended])
        return error

    def timed(self, *words):
        self.begun = time.monotonic()
        result = run(*words)
        self.ended = time.monotonic()
        return result

    def test_6_exit_3_before_joining(self):
        result = self.timed("-n", 4, *rank_0("exit 3", "join"))
        error = self.expect_end("6, the whole job", result, 3,
                                r"^cohort: rank 0 \(host \S+, process \d+\) exited with status 3")
        self.assertEqual(error.count("could not come together: pid 0"), 3, error)  # nobody hangs

    def test_11_killed_during_the_start(self):
        job = start("-n", 4, *rank_0("read line; kill -9 $$", "join"), stdin=subprocess.PIPE)
        self.addCleanup(lambda: job.poll() is not None or job.kill())
        status_when(job, *(rf"rank {other} .*: joins the job, waits for" for other in (1, 2, 3)))
        self.begun = time.monotonic()
        _, error = job.communicate(b"\n", timeout=60)
        self.ended = time.monotonic()
        expect_nothing_left(job)
        result = subprocess.CompletedProcess(job.args, job.returncode, stderr=error)
        self.expect_end("11, until the job has ended", result, 137,
                        r"^cohort: rank 0 \(host \S+, process \d+\) was killed by signal 9 \(Killed\) before it joined the job "
                        r"\(not in the job yet: rank 0\)")

    def test_12_killed_while_the_job_ends(self):
        """The others have said that they leave; it dies before it has."""
        result = self.timed("-n", 4, PROGRAM, "leave-and-die", 2)
        self.expect_end("12, the whole job", result, 137,
                        r"^cohort: rank 2 \(host \S+, process \d+\) was killed by signal 9 \(Killed\)")

    def expect_ending(self, statuses, words, *program):
        """How rank 2 ends is what all are told, and not that its links broke before."""
        for mode, status in zip((["--on-failure", "abort"], ["--on-failure", "continue"]), statuses):
            for hosts in ([], [*RSH_HERE, "--hosts", "127.0.0.2,127.0.0.3"]):
                with self.subTest(mode=mode, hosts=hosts):
                    result = run("-n", 3, *mode, *hosts, *program)
                    output, error = result.stdout.decode(), result.stderr.decode()
                    self.assertEqual(result.returncode, status, error)
                    self.assertRegex(output, rf"receive on group \(0,0\): rank 2 \(pid 2, \S+\) {words}")
                    self.assertRegex(error, rf"^(Killed\n)?cohort: rank 2 \(host \S+, process \d+\) {words}; the job .*\n$")

    def test_15_an_exception_that_is_caught(self):
        for cleanup in (0, 1):
            self.expect_ending((3, 3), "exited with status 3", "caught_probe", "throw", cleanup)

    def test_15_below_a_shell_that_goes_on(self):
        """What it ended with itself, as soon as it has."""
        for how, statuses, words in (("throw", (3, 3), "exited with status 3"),
                                     ("kill", (137, 0), r"was killed by signal 9 \(Killed\)")):
            self.expect_ending(statuses, words, "sh", "-c",
                               f"{BIN}/caught_probe {how}; status=$?; sleep 1; exit $status")

    def test_15_one_that_does_not_end_is_given_up(self):
        for mode, status in (("abort", 1), ("continue", 0)):
            result = self.timed("-n", 3, "--on-failure", mode, "caught_probe", "throw", 600)
            self.expect_end(f"15, given up ({mode})", result, status, r"^cohort: rank 2 \(host \S+, process \d+\) closed its "
                            r"links without leaving the job, and has not ended since; the job ", limit_s=3 + 2 if mode == "abort" else 3 + 1)

    def daemons_of(self, output):
        pids = [int(word) for word in output.split()]
        self.assertEqual(len(pids), 6, output)
        return pids

    def test_nothing_is_left_of_what_left_its_group(self):
        for hosts in ([], [*RSH_HERE, "--hosts", "h1"]):
            for end, status in (("exit 0", 0), ("exit 3", 3), ("kill -9 $$", 137), ("sleep 600", 124)):
                with self.subTest(hosts=hosts, end=end):
                    limit = ["--timeout", 1 * SLACK] if status == 124 else []
                    result = run("-n", 1, *hosts, *limit, sys.executable, "-c", DAEMONS, end)
                    self.assertEqual(result.returncode, status, result.stderr)
                    self.assertEqual(list(filter(alive, self.daemons_of(result.stdout))), [])

    def expect_no_daemons(self, job, kill):
        self.addCleanup(job.communicate)
        pids = self.daemons_of(read_lines(job.stdout, 1)[0])
        self.assertEqual(list(filter(alive, pids)), pids)
        kill()
        self.assertEqual(wait_until_gone(pids, 1 * SLACK), [])

    def test_9_nothing_is_left_of_them_when_the_launcher_is_killed_either(self):
        job = start("-n", 1, sys.executable, "-c", DAEMONS, "sleep 600")
        self.expect_no_daemons(job, job.kill)

    def start_elsewhere(self):
        rsh, agent_of = self.remote_shell()
        return start("-n", 1, "--rsh", rsh, "--hosts", "h1", sys.executable, "-c", DAEMONS, "sleep 600"), agent_of

    def test_9_nor_on_other_hosts(self):
        job, _ = self.start_elsewhere()
        self.expect_no_daemons(job, job.kill)

    def test_8_nothing_is_left_of_them_when_the_agent_is_killed(self):
        job, agent_of = self.start_elsewhere()
        self.expect_no_daemons(job, lambda: os.kill(agent_of("h1"), signal.SIGKILL))

    def test_nothing_is_left_of_a_job_within_a_job(self):
        result = run("-n", 1, "--timeout", 1, os.path.join(BIN, "cohort"), "run", "-n", 1, sys.executable, "-c", DAEMONS,
                     "sleep 600")
        self.assertEqual(result.returncode, 124, result.stderr)
        self.assertEqual(wait_until_gone(self.daemons_of(result.stdout), 1 * SLACK), [])


if __name__ == "__main__":
    at_once.main(2)
