"""Processes that end while the job comes together, or while it ends."""

import os
import re
import subprocess
import time
import unittest

from fault_driver import SLACK, Faults, run, start
from job_driver import BIN, PROBE, RSH_HERE, status_when

PROGRAM = os.path.join(BIN, PROBE)


def rank_0(what, others):
    """A program for all: rank 0 has the standard input."""
    return ["sh", "-c", f"if [ -p /dev/stdin ]; then {what}; fi; exec {PROGRAM} {others}"]


class Endings(Faults):
    def expect_end(self, case, result, status, pattern):
        error = result.stderr.decode()
        self.assertEqual(result.returncode, status, error)
        self.assertEqual(len(re.findall(pattern, error, re.M)), 1, error)
        self.assertLess(self.seconds, 2 * SLACK)
        self.TIMES.add(case, [self.seconds])
        return error

    def timed(self, *words):
        begun = time.monotonic()
        result = run(*words)
        self.seconds = time.monotonic() - begun
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
        begun = time.monotonic()
        _, error = job.communicate(b"\n", timeout=60)
        self.seconds = time.monotonic() - begun
        result = subprocess.CompletedProcess(job.args, job.returncode, stderr=error)
        self.expect_end("11, until the job has ended", result, 137,
                        r"^cohort: rank 0 \(host \S+, process \d+\) was killed by signal 9 \(Killed\) before it joined the job "
                        r"\(not in the job yet: rank 0\)")

    def test_12_killed_while_the_job_ends(self):
        """The others have said that they leave; it dies before it has."""
        result = self.timed("-n", 4, PROGRAM, "leave-and-die", 2)
        self.expect_end("12, the whole job", result, 137,
                        r"^cohort: rank 2 \(host \S+, process \d+\) was killed by signal 9 \(Killed\)")

    def test_nothing_is_left_of_what_left_its_group(self):
        """Daemons in sessions and groups of their own, of which one starts others, and which hold the output or do not."""
        program = ("setsid sleep 600 & echo $!; (setsid sleep 601 & echo $!) >&3; "
                   "setsid sh -c 'setsid sleep 602 >/dev/null 2>&1 </dev/null & echo $!; exec sleep 603' 2>/dev/null & echo $!; "
                   "setsid sh -c 'echo $$; trap : TERM; sleep 604; sleep 605' & ")
        for hosts in ([], [*RSH_HERE, "--hosts", "h1,h2"]):
            for end, status in (("read line; exit 0", 0), ("exit 3", 3), ("kill -9 $$", 137), ("sleep 606", 124)):
                with self.subTest(hosts=hosts, end=end):
                    limit = ["--timeout", 1] if status == 124 else []
                    result = run("-n", 2, *hosts, *limit, "sh", "-c", f"exec 3>&1; {program} wait=1; {end}")
                    self.assertEqual(result.returncode, status, result.stderr)
                    started = result.stdout.decode().split()
                    self.assertTrue(started)
                    self.assertEqual([one for one in started if os.path.exists(f"/proc/{one}")], [], started)


if __name__ == "__main__":
    unittest.main(verbosity=2)
