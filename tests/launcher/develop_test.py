# SPDX-License-Identifier: Apache-2.0
"""Develop mode in real jobs: mistakes and how they end the job; --record and --replay."""

import os
import re
import tempfile
import unittest

from job_driver import COHORT, SLACK, THREAD_SANITIZED, run
from skips import main
from until_error import within

PROBE = os.path.join(os.path.dirname(COHORT), "develop_probe")


def develop(program, *options, ranks=3):
    result = run("-n", ranks, "--mode", "develop", "--timeout", 50, *options, PROBE, program)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


class Mistakes(unittest.TestCase):
    def test_a_right_program_is_not_disturbed(self):
        self.assertEqual(develop("right"), (0, "3\n", ""))

    def expect_mismatch(self, case, words, pattern, times):
        with within(1 * SLACK, f"{case}, the whole job"):
            result = run("--timeout", 50, *words)
        error = result.stderr.decode()
        self.assertEqual((result.returncode, result.stdout), (3, b""), error)
        self.assertEqual(len(re.findall(f"error mismatch: {pattern}", error)), times, error)
        self.assertRegex(error, r"cohort: rank \d \(.*exited with status 3")

    def test_50_another_operation(self):
        for ranks in (2, 3, 8):
            with self.subTest(ranks=ranks):
                self.expect_mismatch("50", ["-n", ranks, PROBE, "operations"], r"\w+ #1 on group \(0,0\): (rank 0 \(pid 0, \S+\) called bcast with "
                                     r"root 0 where rank \d \(pid \d, \S+\) called combine|rank \d \(pid \d, \S+\) called combine where "
                                     r"rank 0 \(pid 0, \S+\) called bcast with root 0) ", ranks)

    def test_51_what_differs(self):
        at = r" \(develop_probe.cpp:\d+\)"
        for differs, call, mine, others in [("sizes", "combine", "of 4 double, Sum", "of 5 double, Sum"),
                                            ("element types", "combine", "of 4 double, Sum", "of 4 float, Sum"),
                                            ("operators", "combine", "of 4 double, Sum", "of 4 double, Product"),
                                            ("roots", "bcast", "of 4 double, root 0", "of 4 double, root 1")]:
            with self.subTest(differs):
                words = ["-n", 3, "--mode", "develop", PROBE, differs.split()[-1]]
                self.expect_mismatch("51", words, rf"{call} #1 on group \(0,0\): rank 0 \(pid 0, \S+\) called "
                                     rf"{call} {mine}{at} where rank 1 \(pid 1, \S+\) called {call} {others}{at}: the "
                                     rf"{differs} differ", 3)

    def test_88_types_that_differ(self):
        """In a collective also in run mode, in a message in develop mode."""
        self.expect_mismatch("88", ["-n", 3, PROBE, "same-bytes"], r"\w+ #\d on group \(0,0\): .*rank \d \(pid \d, \S+\) called combine of "
                             r"(double|float), Sum where rank \d \(pid \d, \S+\) called combine of (double|float), Sum: the element "
                             r"types differ", 3)
        self.expect_mismatch("88", ["-n", 2, "--mode", "develop", PROBE, "floats-as-ints"], r"receive on group \(0,0\): rank 0 \(pid 0, \S+\) "
                             r"sent elements of type float at develop_probe.cpp:\d+ where rank 1 \(pid 1, \S+\) receives int: the element types "
                             r"differ", 1)

    @unittest.skipIf(THREAD_SANITIZED, "the sanitizer's own thread looks like one that computes")
    def test_95_what_only_buffers_held_together_is_a_deadlock(self):
        for program in "send-before-sync", "send-before-sync-of-others", "sends-face-to-face", "ring-of-sends", "sends-in-another-order":
            with self.subTest(program):
                self.assertEqual(develop(program), (0, "", ""))
                status, output, error = develop(program, "--synchronous")
                self.assertEqual((status, output), (125, ""), error)
                self.assertIn("cohort: deadlock: these processes wait for one another for ever", error)
                self.assertRegex(error, r"rank 0 \(.*\): in send of group \(0,0\) .*waits for rank 1.* \(develop_probe.cpp:\d+\)")
                self.assertRegex(error, r"rank 1 \(.*\): in (sync|send|receive) .*waits for rank \d")

    def test_95_what_needs_no_buffers_runs_with_synchronous_sends(self):
        self.assertEqual(develop("needs-no-buffers", "--synchronous"), (0, "", ""))
        status, _, error = develop("started-over-sync", "--synchronous")
        self.assertEqual(status, 0, error)
        self.assertRegex(error, r"^cohort: rank 1 \(pid 1, \S+\) received, at develop_probe.cpp:\d+, what rank 0 \(pid 0, \S+\) had sent, at "
                                r"develop_probe.cpp:\d+, before sync #1 on group \(0,0\) \(called at develop_probe.cpp:\d+\)\n$")

    def test_95_synchronous_sends_need_develop_mode(self):
        result = run("-n", 2, "--synchronous", PROBE, "right")
        self.assertEqual((result.returncode, result.stderr.decode()), (2, "cohort: --synchronous needs --mode develop (cohort run --help tells more)\n"))

    def test_messages_that_nobody_received_are_an_error_of_the_job(self):
        for program in "unreceived", "unreceived-early":
            with self.subTest(program):
                status, output, error = develop(program)
                self.assertEqual((status, output), (1, ""), error)
                said = sorted(error.splitlines())
                self.assertEqual(len(said), 2, error)
                self.assertRegex(said[0], r"^cohort: rank 0 \(host \S+, process \d+\) left the job with a mistake: pid 1, "
                                          r"\S+ never received a message from this process; its own error says which$")
                self.assertRegex(said[1], r"^cohort: rank 1 \(host \S+, process \d+\) left the job with a mistake: a "
                                          r"message of 4 bytes from pid 0, \S+ with tag 3 in group \(0,0\), sent at "
                                          r"develop_probe.cpp:\d+, was never received$")

    def test_a_mistake_counts_where_the_job_goes_on(self):
        result = run("-n", 3, "--on-failure", "continue", "--timeout", 50, PROBE, "dropped")
        error = result.stderr.decode()
        self.assertEqual(result.returncode, 1, error)
        self.assertRegex(error, r"cohort: rank 2 \(.*killed by signal 9")
        self.assertRegex(error, r"cohort: rank 0 \(.*left the job with a mistake: receive with tag 0 on group \(1,0\) .* "
                                r"was dropped before it was complete\n")


class Records(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "record")

    def record(self, program="anybody", ranks=4):
        status, output, error = develop(program, "--record", self.file, ranks=ranks)
        self.assertEqual((status, error), (0, ""))
        return output

    def test_43_a_record_that_can_not_be_written(self):
        """The job succeeds, with a warning."""
        status, output, error = develop("anybody", "--record", "/dev/full")
        self.assertEqual((status, error),
                         (0, "cohort: warning: --record: cannot write /dev/full: No space left on device\n"))
        self.assertNotEqual(output, "")

    def replay(self, program="anybody", ranks=4):
        return develop(program, "--replay", self.file, ranks=ranks)

    def test_each_replay_takes_the_same(self):
        recorded = self.record()
        for _ in range(5):
            self.assertEqual(self.replay(), (0, recorded, ""))

    def test_another_order_is_replayed_as_it_stands(self):
        self.record()
        with open(self.file) as file:
            lines = file.read().splitlines()
        with open(self.file, "w") as file:  # each list backwards: an order that nobody has seen
            for line in lines:
                head, parted, sources = line.partition(" from ")
                file.write(head + parted + " ".join(reversed(sources.split())) + "\n")
        first = self.replay()
        self.assertEqual(first[0], 0, first)
        self.assertEqual(self.replay(), first)

    def test_one_that_was_given_up_is_given_up_again(self):
        self.assertEqual(self.record("given-up", 2), "heard 5\n")
        with open(self.file) as file:
            self.assertIn("tag 1 from - 1\nprocess 0 group 0 0 0 tag 2 from -\nprocess 0 group 0 0 0 tag 3 from -\n", file.read())
        self.assertEqual(self.replay("given-up", 2), (0, "heard 5\n", ""))

    def test_one_that_was_given_up_takes_no_message_that_is_earlier_now(self):
        self.record("given-up", 2)
        self.assertEqual(self.replay("given-up-early", 2), (0, "heard 5\n", ""))

    @unittest.skipIf(THREAD_SANITIZED, "the sanitizer's own thread looks like one that computes")
    def test_a_deadlock_is_one_again(self):
        for option in "--record", "--replay":
            status, _, error = develop("stuck", option, self.file)
            self.assertEqual(status, 125, error)
            self.assertRegex(error, "rank 0 .*: in receive_any of .* waits for any of ranks 0, 1 and 2")

    def test_departures(self):
        self.record(ranks=2)
        status, _, error = self.replay("anybody-more", 2)
        self.assertEqual(status, 3)
        self.assertRegex(error, r"error mismatch: receive_any with tag \d on group \(\d,0\): this run departs from the "
                                r"record: call #\d+ is not in it at rank 0 \(pid 0, \S+\) \(called at develop_probe.cpp:\d+")
        status, _, error = self.replay("anybody-less", 2)
        self.assertEqual(status, 1)
        self.assertRegex(error, r"rank 0 .* left the job with a mistake: this run departs from the record: receive_any with "
                                r"tag \d on group \(\d,0\) was called \d+ times, and \d+ times when it was recorded")

    def test_mistakes(self):
        self.record(ranks=2)
        with open(self.file) as file:
            good = file.read()
        cases = [("", 2, "holds no record"), ("nonsense\n", 2, "line 1: 'processes P' is needed"),
                 (good + "process 7 group 0 0 0 tag 1 from\n", 2, "a whole number from 0 to 1 is needed, not '7'"),
                 (good + "process 1 group 0 0 0 tag 1 from x\n", 2, "is needed, not 'x'"),
                 (good + good.splitlines()[-1] + "\n", 2, "twice"), (good, 3, "a record of 2 processes, not of 3")]
        for text, ranks, says in cases:
            with self.subTest(says=says):
                with open(self.file, "w") as file:
                    file.write(text)
                status, output, error = self.replay(ranks=ranks)
                self.assertEqual((status, output, error.count("\n")), (2, "", 1), error)
                self.assertIn(says, error)

    def test_options(self):
        for words, says in ((["--mode", "develop", "--replay", "/nowhere/file"], "cannot read /nowhere/file"),
                            (["--mode", "develop", "--record", "/nowhere/file"], "cannot write /nowhere/file"),
                            (["--record", self.file], "--record needs --mode develop"),
                            (["--mode", "develop", "--record", self.file, "--replay", self.file], "--re")):
            result = run("-n", 2, *words, "true")
            error = result.stderr.decode()
            self.assertEqual((result.returncode, error.count("\n")), (2, 1), error)
            self.assertIn(says, error)


if __name__ == "__main__":
    main()
