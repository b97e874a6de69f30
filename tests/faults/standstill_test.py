# SPDX-License-Identifier: Apache-2.0
"""A launcher, or what belongs to it, that something stops for a while: that time counts against nobody, and nobody waits
for it without a bound."""

import os
import signal
import subprocess
import time

from fault_driver import (BIN, LIMIT_S, RSH_HERE, SIGNAL, SLACK, Faults, descendants, expect_nothing_left, expect_within, read_lines,
                          read_until, start, status_when, text_of, wait_until_stopped)
from job_driver import PROBE, interrupt, status
import at_once


class Standstill(Faults):
    def start(self, *words):
        job = start(*words)
        self.addCleanup(lambda: job.poll() is not None or job.kill())
        return job

    def fifo(self):
        path = self.file("")
        os.unlink(path)
        os.mkfifo(path)
        return path

    def stand_still(self, job, seconds):
        """Stops the launcher for so long."""
        os.kill(job.pid, signal.SIGSTOP)
        wait_until_stopped([job.pid])
        with self.assertRaises(subprocess.TimeoutExpired):
            job.wait(seconds)

    def go_on(self, job):
        os.kill(job.pid, signal.SIGCONT)

    def expect_success(self, job):
        _, error = job.communicate(timeout=LIMIT_S)
        self.assertEqual((job.returncode, error), (0, b""))
        expect_nothing_left(job)

    def test_94_a_process_joins_while_the_launcher_is_stopped(self):
        fifo = self.fifo()
        job = self.start("-n", 3, "--join-timeout", 1.2 * SLACK, "sh", "-c",
                         f'if [ "$COHORT_RANK" = 0 ]; then read line < {fifo}; fi; exec {BIN}/{PROBE} join')
        status_when(job, *(rf"rank {other} .*: joins the job, waits for" for other in (1, 2)))
        self.stand_still(job, 1.4 * SLACK)
        with open(fifo, "w") as file:
            file.write("join\n")
        self.go_on(job)
        self.expect_success(job)

    def test_94_a_job_ends_while_the_launcher_is_stopped(self):
        fifo = self.fifo()
        job = self.start("-n", 1, "--timeout", 1.2 * SLACK, "sh", "-c", f"echo begun; read line < {fifo}")
        read_lines(job.stdout, 1)
        self.stand_still(job, 1.4 * SLACK)
        with open(fifo, "w") as file:
            file.write("end\n")
        self.go_on(job)
        self.expect_success(job)

    def test_94_a_stopped_process_is_not_given_up_for_the_time_of_its_launcher(self):
        job = self.begin(4, [], "wait", 0, "--stall-limit", 2 + SLACK)
        os.kill(self.processes[2], signal.SIGSTOP)
        read_until(job.stderr, "is stalled: .*\n")
        self.stand_still(job, 2 + SLACK)
        self.go_on(job)
        status(job.pid)  # it has looked
        os.kill(self.processes[2], signal.SIGCONT)
        self.kill(0)
        said, error = self.end(job)
        self.expect_record(said, [1, 2, 3], [0], SIGNAL, 9)
        self.assertNotIn("given up", error)

    def test_94_a_death_while_the_launcher_is_stopped_explains_what_the_others_see(self):
        job = self.begin(4, [], "wait", 0, *self.agents(2), "--host-limit", 4 * SLACK)
        self.stand_still(job, 0)
        self.kill(2)
        with self.assertRaises(subprocess.TimeoutExpired):
            job.wait(0.8)  # longer than for a verdict
        self.go_on(job)
        said, error = self.end(job)
        self.assertEqual(job.returncode, 137, error)
        self.expect_record(said, [0, 1, 3], [2], SIGNAL, 9)

    def test_94_a_warden_that_is_stopped_keeps_nobody(self):
        for words in ([], [*RSH_HERE, "--hosts", "127.0.0.2,127.0.0.3"]):
            with self.subTest(words):
                job = self.start("-n", 2, *words, PROBE, "join-and-hang")
                read_lines(job.stdout, 2)
                wardens = [pid for pid in descendants(job.pid) if text_of(pid, "comm") == "cohort-warden\n"]
                self.assertEqual(len(wardens), 3 if words else 1)
                for warden in wardens:
                    os.kill(warden, signal.SIGSTOP)
                wait_until_stopped(wardens)
                interrupt(job, signal.SIGTERM)
                since = time.monotonic()
                _, error = job.communicate(timeout=LIMIT_S)
                expect_within(1 * SLACK, "94, with a warden that is stopped, until the job has ended", since)
                self.assertEqual(job.returncode, 143, error)
                expect_nothing_left(job, wardens)


if __name__ == "__main__":
    at_once.main(4)
