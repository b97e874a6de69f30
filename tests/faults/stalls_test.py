# SPDX-License-Identifier: Apache-2.0
"""Processes that are stopped: a warning, and after a limit of its own an error. Launchers that are stopped."""

import os
import re
import signal
import subprocess
import time
import unittest

from fault_driver import (BIN, HOST, HOST_LIMIT_S, SIGNAL, SLACK, STALLED, Faults, expect_nothing_left, expect_within, moments,
                          read_lines, read_until, start, text_of, wait_until_gone, wait_until_stopped)
from job_driver import THREAD_SANITIZED, inject, with_a_session_too
import at_once

ENDLESS = 1 << 30  # calls


class Stalls(Faults):
    def test_3_stopped_for_three_seconds(self):
        """Everything that was called meanwhile completes."""
        job = start("-n", 4, "survivors_probe", 2000)
        self.addCleanup(lambda: job.poll() is not None or job.kill())
        lines = "\n".join(read_lines(job.stdout, 4))
        process = int(re.search(r"rank 2 is process (\d+)", lines).group(1))
        os.kill(process, signal.SIGSTOP)
        with self.assertRaises(subprocess.TimeoutExpired):
            job.wait(3)
        os.kill(process, signal.SIGCONT)
        output, error = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 0, error)
        self.assertEqual(output.count(b" ends with 0 1 2 3 as (0,0)"), 4, output)
        self.assertRegex(error.decode(), r"^cohort: warning: rank 2 .* is stalled: .*\n$")
        expect_nothing_left(job)

    def test_3_stopped_for_a_while(self):
        job = self.begin(4, [], "wait", 0)
        os.kill(self.processes[2], signal.SIGSTOP)
        error = read_until(job.stderr, "\n")
        self.assertRegex(error, r"^cohort: warning: rank 2 \(host \S+, process \d+\) is stalled: something has stopped it; "
                                r"it is given up after 60 s \(--stall-limit\)\n$")
        os.kill(self.processes[2], signal.SIGCONT)
        self.kill(0)  # the next that anybody hears of
        said, error = self.end(job)
        self.expect_record(said, [1, 2, 3], [0], SIGNAL, 9)
        self.assertEqual(error.count("\n"), 1, error)

    def test_4_stopped_for_too_long_and_fenced_off(self):
        job = self.begin(4, [], "wait", 0, "--stall-limit", 1.5)
        stopped_at = self.kill(2, signal.SIGSTOP)
        said, error = self.end(job)
        self.assertEqual(job.returncode, 1, error)
        record = self.expect_record(said, [0, 1, 3], [2], STALLED)
        self.assertRegex(record["words"], r"^was given up: stalled, stopped for [12]\.\d s$")
        at = moments(said["pending"])
        self.assertGreater(min(at) - stopped_at, 1.4)
        expect_within(1 * SLACK, "4, after the limit", stopped_at + 1.5, at)
        self.assertEqual(wait_until_gone([self.processes[2]], 1), [])  # it never wakes

    def test_4_stopped_for_too_long_in_a_job_that_goes_on(self):
        """It is killed while the others work, also where a shell has started it in a session of its own."""
        for program in with_a_session_too(os.path.join(BIN, "survivors_probe"), ENDLESS):
            with self.subTest(program):
                job = start("-n", 4, "--on-failure", "continue", "--stall-limit", 1, *program)
                self.addCleanup(lambda job=job: job.poll() is not None or job.kill())
                lines = "\n".join(read_lines(job.stdout, 4))
                process = int(re.search(r"rank 2 is process (\d+)", lines).group(1))
                os.kill(process, signal.SIGSTOP)
                read_until(job.stdout, "goes on with 0 1 3 as")
                self.assertEqual(wait_until_gone([process], 1 * SLACK), [])
                self.assertIsNone(job.poll())
                other = int(re.search(r"rank 3 is process (\d+)", lines).group(1))
                inject(job.pid, "kill", "rank=3")
                read_until(job.stdout, "goes on with 0 1 as")
                self.assertEqual(wait_until_gone([other], 1 * SLACK), [])
                job.terminate()
                _, error = job.communicate(timeout=60)
                self.assertRegex(error.decode(), r"(?m)^cohort: rank 2 .* was given up: stalled, .*; the job goes on$")
                expect_nothing_left(job)

    def test_10_an_agent_that_is_stopped(self):
        """Its processes go with it, though the remote shell leaves it behind, as ssh does."""
        rsh = self.file('#!/bin/sh\nshift\nsetsid sh -c "$*" <&0\n')
        os.chmod(rsh, 0o755)
        job = self.begin(4, [], "wait", 0, "--rsh", rsh, "--hosts", "127.0.0.2,127.0.0.3", "--host-limit", HOST_LIMIT_S)
        agent = self.agent_of(2)
        os.kill(agent, signal.SIGSTOP)
        stopped_at = time.monotonic()
        self.assertEqual(wait_until_gone([agent, self.processes[2], self.processes[3]], HOST_LIMIT_S + 1 * SLACK), [])
        said, error = self.end(job)
        self.assertEqual(job.returncode, 1, error)
        self.expect_record(said, [0, 1], [2, 3], HOST)
        expect_within(HOST_LIMIT_S, f"10, an agent that is stopped (limit {HOST_LIMIT_S} s)", stopped_at, moments(said["pending"]))

    def test_1_a_death_whose_agent_is_late(self):
        """The others see their links break, and wait for what it has to say."""
        job = self.begin(4, [], "wait", 0, *self.agents(2))
        agent = self.agent_of(2)
        os.kill(agent, signal.SIGSTOP)
        wait_until_stopped([agent])
        self.kill(2)
        self.expect_silence(job, 1.5)
        os.kill(agent, signal.SIGCONT)
        goes_on_at = time.monotonic()
        said, error = self.end(job)
        self.assertEqual(job.returncode, 137, error)
        self.expect_record(said, [0, 1, 3], [2], SIGNAL, 9)
        expect_within(1 * SLACK, "1, once a late agent goes on", goes_on_at, moments(said["pending"]))

    def agent_of(self, rank):
        return int(text_of(self.processes[rank], "stat").rsplit(")", 1)[1].split()[1])

    def test_slow_is_not_stopped(self):
        """It is stopped for most of the time, and runs in between."""
        job = self.begin(2, [], "wait", 0, "--stall-limit", 1.5, "--faults", self.file(
            '[[fault]]\nkind = "slow"\nrank = 1\nshare = 0.05\n'))
        self.expect_silence(job, 3)
        self.kill(0)
        said, error = self.end(job)
        self.expect_record(said, [1], [0], SIGNAL, 9)
        self.assertNotIn("stalled", error)

    # All of a suspended process's threads may get the signal that wakes it, also gRPC's.
    @unittest.skipIf(THREAD_SANITIZED, "the sanitizer keeps a signal from a thread that waits in a system call of its own")
    def test_a_suspended_job_is_neither_stalled_nor_lost(self):
        job = self.begin(4, [], "wait", 0, *self.agents(2), "--stall-limit", 1, "--host-limit", 1)
        os.kill(job.pid, signal.SIGTSTP)
        os.waitid(os.P_PID, job.pid, os.WSTOPPED)
        wait_until_stopped(self.processes.values())
        self.expect_silence(job, 2.5)
        os.kill(job.pid, signal.SIGCONT)
        self.kill(1)
        said, error = self.end(job)
        self.expect_record(said, [0, 2, 3], [1], SIGNAL, 9)
        self.assertNotIn("stalled", error)

    def test_a_launcher_that_only_it_knows_is_stopped_is_lost(self):
        words = self.file("")
        rsh = f"""sh -c 'shift; exec sh -c "$*" 2>>{words}' rsh"""
        job = self.begin(4, [], "wait", 0, "--rsh", rsh, "--hosts", "127.0.0.2,127.0.0.3", "--host-limit", 1)
        os.kill(job.pid, signal.SIGSTOP)
        stopped_at = time.monotonic()
        self.assertEqual(wait_until_gone(self.processes.values(), 10), [])
        self.assertGreater(time.monotonic() - stopped_at, 0.7)
        self.assertLess(time.monotonic() - stopped_at, 2 * SLACK)
        os.kill(job.pid, signal.SIGCONT)
        _, error = self.end(job)
        self.assertEqual(job.returncode, 1, error)
        named = re.findall(r"rank (\d) \(host 127.0.0.\d, process \d+\) was lost with its host: ", error)
        self.assertEqual(sorted(named), ["0", "1", "2", "3"], error)
        with open(words) as file:
            self.assertEqual(file.read(), 2 * "cohort agent: nothing was heard of the launcher for 0.9 s (--host-limit)\n")


if __name__ == "__main__":
    at_once.main(4)
