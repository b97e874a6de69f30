# SPDX-License-Identifier: Apache-2.0
"""Processes that die, in every way and at any point: every survivor is told who, where, why, within a second."""

import itertools
import os
import random
import re
import signal
import subprocess
import sys
import unittest

from fault_driver import BIN, EXIT, OUT_OF_MEMORY, SANITIZED, SIGNAL, SLACK, Faults, expect_within, moments, run
from skips import main
from until_error import within

WITHIN_S = 1.0 * SLACK
SIGNALS_ARE_OURS = {name: os.environ.get(name, "") + ":handle_segv=0" for name in ("ASAN_OPTIONS", "TSAN_OPTIONS")}


class Processes(Faults):
    def perish(self, ranks, culprits, how, at, status, **options):
        job = self.begin(ranks, culprits, how, at, **options)
        said, error = self.end(job)
        self.assertEqual(job.returncode, status, error)
        case = re.match(r"test_(\d+)", self._testMethodName).group(1)
        expect_within(WITHIN_S, case, said["perishes"][culprits[0]]["at"], moments(said["pending"]))
        return said, error

    def test_1_killed_at_any_point_of_any_collective(self):
        seed = int(os.environ.get("COHORT_SEED", random.randrange(1 << 30)))
        print(f"COHORT_SEED={seed}")
        chance = random.Random(seed)
        for _ in range(12):
            ranks = chance.choice([2, 3, 5, 8])
            culprit = chance.randrange(ranks)
            with self.subTest(ranks=ranks, culprit=culprit):
                job = self.begin(ranks, [culprit], "wait", 0)
                killed_at = self.kill(culprit)
                said, error = self.end(job)
                self.assertEqual(job.returncode, 137, error)
                survivors = [rank for rank in range(ranks) if rank != culprit]
                record = self.expect_record(said, survivors, [culprit], SIGNAL, 9)
                self.assertEqual((record["words"], record["seen_by"]), ("was killed by signal 9 (Killed)", "the launcher"))
                expect_within(WITHIN_S, "1", killed_at, moments(said["pending"]))
                self.assertRegex(error, rf"^cohort: rank {culprit} \(host \S+, process \d+\) was killed by signal 9 "
                                        r"\(Killed\); the job was ended\n$")

    def test_2_two_killed_at_once_are_both_named_and_no_survivor_is(self):
        for _ in range(5):
            job = self.begin(6, [1, 4], "wait", 0)
            for culprit in [1, 4]:  # so that neither sees the other's death
                self.kill(culprit, signal.SIGSTOP)
            killed_at = self.kill(1)
            self.kill(4)
            said, error = self.end(job)
            self.assertEqual(job.returncode, 137, error)
            self.expect_record(said, [0, 2, 3, 5], [1, 4], SIGNAL, 9)
            self.assertEqual(set(re.findall(r"rank (\d)", error)), {"1", "4"}, error)
            expect_within(WITHIN_S, "2", killed_at, moments(said["pending"]))

    def test_2_survivors_that_do_not_catch_the_error_are_not_named(self):
        result = subprocess.run([os.path.join(os.environ["COHORT_BIN"], "cohort"), "run", "-n", "5", "bad_ending"],
                                capture_output=True, timeout=60)
        error = result.stderr.decode()
        self.assertEqual(result.returncode, 137, error)
        self.assertEqual(re.findall(r"rank (\d) \(host \S+, process", error), ["2"], error)
        self.assertEqual(error.count("\n"), 1, error)  # nor do they say anything

    def test_2_survivors_that_leave_before_others_are_not_named(self):
        """Who still waits for one of them sees its links close."""
        error = run("-n", 3, "early_leaver").stderr.decode()
        self.assertEqual(re.findall(r"rank (\d) \(host \S+, process", error), ["2"], error)

    def test_5_exit_0_without_leaving(self):
        said, error = self.perish(4, [2], "exit-0", 50, 1)
        self.expect_record(said, [0, 1, 3], [2], EXIT, 0)
        self.assertIn("exited with status 0 without leaving the job", error)

    def test_7_the_cause_is_shown(self):
        for how, cause, status, code in [("exit-3", EXIT, 3, 3), ("segv", SIGNAL, signal.SIGSEGV, 139),
                                         ("abort", SIGNAL, signal.SIGABRT, 134), ("throw", SIGNAL, signal.SIGABRT, 134)]:
            with self.subTest(how=how):
                said, _ = self.perish(3, [1], how, 20, code, env={**os.environ, **SIGNALS_ARE_OURS})
                self.expect_record(said, [0, 2], [1], cause, status)

    def kills_in(self, folder):
        with open(folder + "/memory.oom_control") as file:
            return int(re.search(r"oom_kill (\d+)", file.read()).group(1))

    def memory_group(self, path, limit=None):
        """A control group, and where: for this test."""
        folder = "/sys/fs/cgroup/memory/" + path
        try:
            os.mkdir(folder)
        except OSError as error:
            self.skipTest(f"a memory limit needs root and cgroups of version 1: {error}")
        self.addCleanup(os.rmdir, folder)
        if limit:
            with open(folder + "/memory.limit_in_bytes", "w") as file:
                file.write(str(limit))
        return folder

    @unittest.skipIf(SANITIZED, "a sanitizer's memory is not ours")
    def test_7_out_of_memory(self):
        folder = self.memory_group("cohort-test", 200 << 20)
        for _ in range(5):  # while one's memory is being freed the kernel may take another one, too: then once more
            before = self.kills_in(folder)
            with open(folder + "/cgroup.procs", "w") as file:
                enter = lambda: (file.write(str(os.getpid())), file.flush())  # noqa: E731
                job = self.begin(3, [1], "eat", 20, preexec_fn=enter)
            said, error = self.end(job)
            self.assertEqual(job.returncode, 137, error)  # the launcher is taken last, and tells
            self.assertRegex(error, r"rank 1 .*out of memory")
            killed = self.kills_in(folder) - before
            self.assertGreater(killed, 0, error)
            if killed == 1:
                break
        self.assertEqual(killed, 1, error)
        record = self.expect_record(said, [0, 2], [1], OUT_OF_MEMORY, 9)
        self.assertEqual(record["words"], "was killed by signal 9 (Killed), out of memory")

    @unittest.skipIf(SANITIZED, "a sanitizer's memory is not ours")
    def test_7_out_of_memory_in_a_group_of_its_own(self):
        """It has moved itself there. The limit may be that of a group around it."""
        own = self.memory_group("cohort-test-own", 64 << 20)
        for folder, hosts in itertools.product((own, self.memory_group("cohort-test-own/nested")), ([], self.agents(3))):
            with self.subTest(folder, hosts=hosts):
                script = f'if [ "$COHORT_RANK" = 1 ]; then echo $$ > {folder}/cgroup.procs; fi; exec {BIN}/"$@"'
                job = self.begin(3, [1], "eat", 20, *hosts, "sh", "-c", script, "sh")
                said, error = self.end(job)
                self.assertEqual(job.returncode, 137, error)
                record = self.expect_record(said, [0, 2], [1], OUT_OF_MEMORY, 9)
                self.assertEqual(record["words"], "was killed by signal 9 (Killed), out of memory")

    @unittest.skipIf(SANITIZED, "a sanitizer needs address space")
    def test_46_no_memory_for_messages_that_arrive_early(self):
        for _ in range(10):  # what it is that gets no memory differs
            with within(WITHIN_S, "46, the whole job"):
                result = run("-n", 2, "memory_probe", "little", 1)
            output = result.stdout.decode()
            self.assertEqual(result.returncode, 5, output)
            self.assertRegex(output, r"rank 1: receive on group \(0,0\): std::bad_alloc")
            self.assertRegex(output, r"rank 0: send on group \(0,0\)(, which has failed)?: rank 1 \(.*exited with status 5")
        self.assertEqual(run("-n", 2, "memory_probe", "little", 1000).returncode, 0)

    @unittest.skipIf(SANITIZED, "a sanitizer's memory is not ours")
    def test_59_ten_thousand_outstanding_tags(self):
        """Of messages of 1,000 bytes: memory grows linearly, at sender and receiver."""
        output = run("-n", 2, "memory_probe", "tags").stdout.decode()
        grown = [tuple(map(int, words)) for words in re.findall(r"rank (\d), (\d+) tags: (\d+) bytes", output)]
        self.assertEqual(sorted(line[:2] for line in grown),
                         [(rank, tags) for rank in range(2) for tags in (2500, 5000, 7500, 10000)], output)
        for _, tags, size in grown:
            self.assertLess(size, tags * 3000 + (1 << 20), output)

    @unittest.skipIf(SANITIZED, "a sanitizer's memory is not ours")
    def test_60_a_fast_sender_and_a_slow_receiver(self):
        """For a minute, with --long: all arrives, and neither grows once messages have filled what they may."""
        seconds = 60 if os.environ.get("COHORT_LONG") else 2
        output = run("-n", 2, "memory_probe", "slow", seconds, timeout=seconds + 60).stdout.decode()
        grown = re.findall(r"rank \d: (\d+) messages, (\d+) bytes more", output)
        self.assertEqual(len(grown), 2, output)
        print(f"case 60: {output}", file=sys.stderr)
        for messages, size in grown:
            self.assertGreater(int(messages), 100, output)
            self.assertLess(int(size), 8 << 20, output)

    def test_14_wherever_it_stands(self):
        """Rank 0, which is the roots', trees' inner nodes, and leaves: of 8, the same record at all others."""
        for culprit in range(8):
            with self.subTest(culprit=culprit):
                said, _ = self.perish(8, [culprit], "kill", 30 + culprit, 137)
                self.expect_record(said, [rank for rank in range(8) if rank != culprit], [culprit], SIGNAL, 9)


if __name__ == "__main__":
    main()
