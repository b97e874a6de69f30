# SPDX-License-Identifier: Apache-2.0
"""Jobs that hang: what is told about them, by --patience, `cohort status`, SIGQUIT and --timeout."""

import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
import time
import unittest

from job_driver import (BIN, COHORT, SLACK, THREAD_SANITIZED, TWO_HOSTS, interrupt, numbers, read_lines, read_until, run, start, status,
                        status_when)
import at_once
from until_error import expect_within, within

HANG = os.path.join(BIN, "hang_probe")
NOBODY = 65534
COMBINE = r"rank {0} \(host \S+, process \d+\): in combine #2 of group \(1,2\)(?: as rank \d)? for \S+ s, " \
          r"waits for rank \d.*: round \d+ of \w+.* \(hang_probe.cpp:\d+\)"
IN_COMBINE = [COMBINE.format(0), COMBINE.format(1)]
COMPUTES = r"rank {0} \(host \S+, process \d+\): not in the library for \S+ s"


class Reports(unittest.TestCase):
    def hang(self, *words, ranks=3):
        """A job whose processes have all begun to hang."""
        job = start("-n", ranks, *words)
        self.addCleanup(job.communicate, timeout=60)
        self.addCleanup(lambda: job.poll() is not None or interrupt(job))
        self.processes = numbers(read_lines(job.stdout, ranks))
        return job

    def expect_combine(self, text):
        for rank, pattern in enumerate([COMBINE, COMBINE, COMPUTES]):
            self.assertRegex(text, pattern.format(rank))
        self.assertIn("waits for rank 0 (pid 2)", text)  # ranks of the group are not those of the job
        self.assertIn("as rank 2", text)

    def test_a_long_wait_is_told_once(self):
        result = run("-n", 3, "--patience", "0.4", "--timeout", "3", HANG, "combine")
        error = result.stderr.decode()
        self.assertEqual(error.count("(--patience); what the processes are doing:\n"), 1, error)
        self.expect_combine(error[:error.index("timeout")])

    def test_a_short_wait_is_not_told(self):
        error = run("-n", 3, "--timeout", "1", HANG, "combine").stderr.decode()
        self.assertNotIn("patience", error)
        error = run("-n", 3, "--patience", 0, "--timeout", "1", HANG, "combine").stderr.decode()
        self.assertNotIn("patience", error)

    def test_74_timeout_tells_what_each_process_does(self):
        began = time.monotonic()
        result = run("-n", 3, "--timeout", "1", HANG, "combine")
        expect_within(1 * SLACK, "74, after the timeout, until the job has ended", began + 1)
        self.assertEqual(result.returncode, 124)
        self.expect_combine(result.stderr.decode())

    def test_status(self):
        job = self.hang(HANG, "combine")
        self.expect_combine(status_when(job, *IN_COMBINE))
        self.assertRegex(status().stdout.decode(), rf"(?m)^{job.pid}  -n 3 \S+hang_probe combine, for ")

    def test_status_is_for_this_user_only(self):
        status_when(self.hang(HANG, "combine"), *IN_COMBINE)
        folder = os.lstat(f"/tmp/cohort-{os.getuid()}")
        self.assertEqual((stat.S_IMODE(folder.st_mode), folder.st_uid), (0o700, os.getuid()))

    def test_a_job_of_another_user(self):
        """Is refused with the user's name. The other one here is `nobody`, who asks about a job of root's."""
        if os.getuid() != 0:
            self.skipTest("only root can be another user")
        job = self.hang(HANG, "combine")
        status_when(job, *IN_COMBINE)
        self.addCleanup(shutil.rmtree, f"/tmp/cohort-{NOBODY}", ignore_errors=True)
        for words in (["status", job.pid], ["inject", job.pid, "kill", "rank=0"]):
            try:
                asked = subprocess.run([COHORT, *map(str, words)], capture_output=True, text=True, timeout=60, user=NOBODY,
                                       stdin=subprocess.DEVNULL, cwd="/")
            except PermissionError:
                self.skipTest("this folder is root's alone")
            self.assertEqual((asked.returncode, asked.stdout), (2, ""))
            self.assertEqual(asked.stderr, f"cohort: {words[0]}: job {job.pid} is of the user root: nobody else may ask about it, "
                                           f"or change it (cohort {words[0]} --help tells more)\n")
        self.assertIsNone(job.poll())

    def test_status_of_no_job(self):
        for name in [os.getpid(), "x", "0"]:
            asked = status(name)
            self.assertEqual((asked.returncode, asked.stderr.count(b"\n")), (2, 1), asked.stderr)

    def test_nothing_is_left_to_ask(self):
        job = self.hang(HANG, "combine")
        status_when(job, *IN_COMBINE)
        interrupt(job)
        job.communicate(timeout=60)
        self.assertNotIn(str(job.pid), os.listdir(f"/tmp/cohort-{os.getuid()}"))

    def test_quit_signal(self):
        job = self.hang(HANG, "combine")
        status_when(job, *IN_COMBINE)
        job.send_signal(signal.SIGQUIT)
        self.expect_combine(read_until(job.stderr, r"rank 2 \(.*\n"))

    def test_a_receive(self):
        job = self.hang(HANG, "receive", ranks=2)
        status_when(job, COMPUTES.format(1),
                         r"rank 0 .*: in receive of group \(0,0\) with tag 7 for \S+ s, waits for rank 1 \(hang_")

    def test_a_stopped_process(self):
        job = self.hang("--patience", "0.4", HANG, "stopped", ranks=2)
        text = read_until(job.stderr, r"rank 1 \(.*\n")
        self.assertRegex(text, r"rank 0 .*: in sync #2 of .*, waits for rank 1")
        self.assertRegex(text, r"rank 1 .*: is stopped")

    def test_leaving(self):
        job = self.hang("--patience", "0.4", HANG, "leave", ranks=2)
        text = read_until(job.stderr, r"rank 1 \(.*\n")
        self.assertRegex(text, COMPUTES.format(0))
        self.assertRegex(text, r"rank 1 .*: leaving the job for \S+ s, waits for the others to leave")

    def test_63_a_missing_call_of_one_that_leaves(self):
        # Those who have heard of it leave too, and must not be taken for the first by who hears of both.
        for last, words in [(2, []), (4, TWO_HOSTS), (7, TWO_HOSTS)] * 2:
            result = run("-n", last + 1, "--timeout", 30, *words, HANG, "leave-alone")
            error = result.stderr.decode()
            expect_within(1 * SLACK, "63, one has left, until all is over", float(result.stdout.removeprefix(b"left at ")))
            self.assertEqual(result.returncode, 3, error)
            said = re.findall(rf"error left: combine #1 on group \(0,0\): pid {last}, \S+ has left the job", error)
            self.assertEqual(len(said), last, error)

    def test_63_a_missing_call_of_one_that_leaves_in_develop_mode(self):
        result = run("-n", 3, "--mode", "develop", HANG, "leave-alone")
        error = result.stderr.decode()
        self.assertEqual(result.returncode, 1, error)  # the leaving is the mistake
        said = re.findall(r"error mismatch: combine #1 on group \(0,0\): rank 0 .* called combine of 1 int, Sum .* where rank 2 .* "
                          r"called leave ", error)
        self.assertEqual(len(said), 2, error)

    def test_processes_that_have_not_joined(self):
        script = f'echo "$$"; if [ -p /dev/stdin ]; then exec sleep 1000; fi; exec {HANG} leave'
        job = self.hang("sh", "-c", script, ranks=2)
        status_when(job, r"rank 0 .*: runs, and has not joined the job", r"rank 1 .*: joins the job, waits for")

    @unittest.skipIf(shutil.which("gdb") is None, "no gdb")
    def test_stacks(self):
        job = self.hang("--stacks", HANG, "combine")
        text = status_when(job, *IN_COMBINE)
        if "gdb may not look" in text:
            self.skipTest("no process may look at another here")
        self.expect_combine(text)
        self.assertRegex(text[text.index("not in the library"):], r"Thread 1 .*\n(\s+#.*\n)*\s+#\d+ .*(hangs|compute)[^$]*cohort watcher")
        self.assertNotIn("#0", text[:text.index("not in the library")])


@unittest.skipIf(THREAD_SANITIZED, "the sanitizer's own thread looks like one that computes")
class Deadlocks(unittest.TestCase):
    """Develop mode."""

    def run_program(self, name, ranks, seconds=30, *options):
        result = run("-n", ranks, "--mode", "develop", "--timeout", seconds, *options, HANG, name)
        return result.returncode, result.stderr.decode()

    def expect(self, name, ranks, *patterns):
        with within(1 * SLACK, "63, a deadlock, the whole job"):
            status, error = self.run_program(name, ranks)
        self.assertEqual((status, error.count("cohort: deadlock: ")), (125, 1), error)
        for pattern in patterns:
            self.assertRegex(error, pattern)

    def test_63_a_cycle_of_receives(self):
        for ranks in [1, 2, 5]:
            self.expect("cycle", ranks, *[
                rf"rank {rank} \(host \S+, process \d+\): in receive of group \(0,0\) for \S+ s, "
                rf"waits for rank {(rank + 1) % ranks} \(hang_probe.cpp:\d+\)" for rank in range(ranks)])

    def test_on_several_hosts(self):
        for program, kind in [("cycle", "receive of group"), ("order", "sync #1 of group")]:
            status, error = self.run_program(program, 6, 30, *TWO_HOSTS)
            self.assertEqual((status, error.count("cohort: deadlock: ")), (125, 1), error)
            for rank in range(6):
                self.assertRegex(error, rf"rank {rank} \(host 127.0.0.{2 + rank // 4}, .*: in {kind} .*, waits for rank")
        self.assertEqual(self.run_program("receive", 6, 1.5, *TWO_HOSTS)[0], 124)

    def test_a_progress_thread_is_none_of_the_programs(self):
        self.assertEqual(self.run_program("cycle", 3, 30, "--progress-thread")[0], 125)
        self.assertEqual(self.run_program("receive", 3, 1, "--progress-thread")[0], 124)

    def test_63_collectives_in_different_orders(self):
        self.expect("order", 3, r"rank 0 .*: in sync #1 of group \(1,0\).*, waits for ",
                    r"rank 1 .*: in sync #1 of group \(2,0\).*, waits for ", r"rank 2 .*: in sync #1 of group \(2,0\)")

    def test_lists_of_groups_in_a_circle(self):
        self.expect("circle-of-lists", 3, *[
            rf"rank {rank} .*: in group #1 of .*, waits for rank 0.* \(hang_probe.cpp:\d+\)" for rank in range(3)])

    def test_lists_that_differ_are_told_with_a_deadlock_too(self):
        status, error = self.run_program("lists-in-a-circle", 4)
        self.assertEqual(status, 125, error)
        lists = r"pid 0, \S+ called group of the pids 3, 1, 0, 2 .* where pid 1, \S+ called group of the pids 0, 1 .*: the lists differ"
        self.assertEqual(len(re.findall(rf"error deadlock: .*; {lists}", error)), 4, error)
        self.assertRegex(error, rf"\n  {lists}\n")

    def test_lists_that_differ_are_a_mismatch_and_no_deadlock(self):
        status, error = self.run_program("lists", 3)
        self.assertEqual(status, 3)
        self.assertEqual(len(re.findall(r"error mismatch: .*called group of the pids 0, 1, 2 .* where pid 2, \S+ called group "
                                        r"of the pids 0, 2 .*: the lists differ", error)), 3, error)

    def test_63_a_wrong_tag(self):
        self.expect("wrong-tag", 2, r"rank 0 .*: in leave #1 of .*, waits for rank 1",
                    r"rank 1 .*: in receive of group \(0,0\) with tag 4 for .*, waits for rank 0")

    def test_sends_that_nobody_receives(self):
        self.expect("nobody-receives", 3, r"rank 0 .*: in send of .*, waits for rank 1 to receive")

    def test_what_was_sent_arrives_while_the_sender_computes(self):
        for _ in range(5):
            job = start("-n", 2, "--timeout", 30, HANG, "burst")
            process = numbers(read_until(job.stdout, "all of them").splitlines())[0]
            os.kill(process, signal.SIGUSR1)
            self.assertEqual(job.communicate(timeout=60)[1], b"")
            self.assertEqual(job.returncode, 0)

    def test_a_cycle_that_closes_while_one_of_it_is_stopped(self):
        job = start("-n", 3, "--mode", "develop", "--timeout", 30, HANG, "cycle-when-told")
        processes = dict(line.split()[1:] for line in read_lines(job.stdout, 3))
        os.kill(int(processes["0"]), signal.SIGSTOP)
        os.kill(int(processes["1"]), signal.SIGUSR1)
        status_when(job, r"rank 1 .*: in receive of .* for (0\.[2-9]|[1-9])\S* s, waits for rank 2")
        self.assertIsNone(job.poll())
        os.kill(int(processes["0"]), signal.SIGCONT)
        _, error = job.communicate(timeout=60)
        self.assertEqual((job.returncode, error.count(b"cohort: deadlock: ")), (125, 1), error)

    def test_a_cycle_of_messages_that_take_their_time(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as faults:
            faults.write("[[fault]]\nkind = 'throttle'\nfrom = 0\nto = 1\nboth_ways = true\nbytes_per_second = 1000000\n")
            faults.flush()
            status, error = self.run_program("nobody-receives", 2, 30, "--faults", faults.name)
        self.assertEqual((status, error.count("cohort: deadlock: ")), (125, 1), error)

    def test_any_of_several(self):
        self.expect("any-of-waiting", 3, r"rank 0 .*: waits for \S+ s for any of: receive of .* \| receive of ")
        self.assertEqual(self.run_program("any-of-computing", 3, 2)[0], 124)

    def test_anybody_of_those_who_all_wait(self):
        self.expect("anybody", 3, r"rank 0 .*: in receive_any of group \(0,0\) with tag 4 for \S+ s, waits for any of ranks "
                                  r"0, 1 and 2 \(hang_probe.cpp:\d+\)", r"rank 2 .*: in receive of .*, waits for rank 0")

    def test_each_call_ends_with_an_error(self):
        status, error = self.run_program("cycle", 2)
        self.assertEqual(status, 125)
        self.assertEqual(len(re.findall(r"error deadlock: receive on group \(0,0\): deadlock: ranks 0, 1 of the job wait for "
                                        r"one another for ever \(called at hang_probe.cpp:\d+\)", error)), 2, error)

    def test_a_process_that_computes_is_none(self):
        for program in ["combine", "receive", "leave"]:
            status, error = self.run_program(program, 3, 1.5)
            self.assertEqual(status, 124, error)
            self.assertNotIn("deadlock", error)

    def test_processes_that_are_slow_are_none(self):
        for ranks, words in [(4, []), (5, TWO_HOSTS)]:
            job = start("-n", ranks, "--mode", "develop", "--timeout", 30, *words, HANG, "slow")
            for turn in range(12):
                [slow] = numbers(read_lines(job.stdout, 1))
                # The others have waited for longer than it takes to suspect.
                others = [rank for rank in range(ranks) if rank != turn % ranks]
                status_when(job, *[rf"rank {rank} .*: in .* for (0\.[2-9]|[1-9])\S* s, waits" for rank in others])
                os.kill(slow, signal.SIGUSR1)
            _, error = job.communicate(timeout=60)
            self.assertEqual((job.returncode, error.decode()), (0, ""))

    def test_a_thread_that_ends_leaves_the_others_waiting(self):
        job = start("-n", 1, "--mode", "develop", "--timeout", 30, HANG, "second-thread")
        [process] = numbers(read_lines(job.stdout, 1))
        status_when(job, r"rank 0 .*: in receive of .* for (0\.[2-9]|[1-9])\S* s, waits for rank 0")
        self.assertIsNone(job.poll())
        os.kill(process, signal.SIGUSR1)
        _, error = job.communicate(timeout=60)
        self.assertEqual((job.returncode, error.count(b"cohort: deadlock: ")), (125, 1), error)

    def test_who_asks_for_survivors_waits_for_those_who_compute(self):
        job = start("-n", 4, "--mode", "develop", "--on-failure", "continue", "--timeout", 30, HANG, "survivors")
        [slow] = numbers(read_lines(job.stdout, 1))
        status_when(job, r"rank 0 .*: in survivors of group \(1,0\) for (0\.[3-9]|[1-9])\S* s",
                    r"rank 2 .*: in receive of .* for (0\.[3-9]|[1-9])\S* s")
        os.kill(slow, signal.SIGUSR1)
        _, error = job.communicate(timeout=60)
        self.assertEqual(error.count(b"\n"), 1, error)
        self.assertIn(b"rank 3", error)

    def test_run_mode_only_waits(self):
        self.assertEqual(run("-n", 2, "--timeout", 1, HANG, "cycle").returncode, 124)


if __name__ == "__main__":
    at_once.main(2)
