# SPDX-License-Identifier: Apache-2.0
"""Links between processes that live: broken, cut, or only quiet. The faults are injected above the sockets; hosts_test.py
cuts real ones."""

import json
import re
import signal
import time
import unittest

from fault_driver import (DEFAULT_HOST_LIMIT_S, HOST_LIMIT_S, SIGNAL, SLACK, Faults, expect_within, inject, link_limit_s, moments,
                          read_until, run, status_when)
import at_once


def fault(kind, **values):
    """Of the link from rank 0 to rank 1."""
    entries = {"kind": kind, "from": 0, "to": 1, **values}
    return "[[fault]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in entries.items())


class Links(Faults):
    def expect_broken(self, job, cause, culprits=(0, 1)):
        """The link between ranks 0 and 1 of three: one of them, of these, has to go, and the others are told."""
        said, error = self.end(job)
        self.assertEqual(job.returncode, 1, error)
        record, told = self.expect_link(said, 3, [0, 1])
        self.assertIn(record["pid"], culprits)
        self.assertEqual(record["words"], f"lost its link to pid {1 - record['pid']} on {record['host']}: {cause}")
        return moments(told["pending"])

    def inject(self, job, text):
        """Between which two moments the processes were told of the fault, which a file would have them count from when
        they have come together: nobody outside knows when that was."""
        status_when(job, "rank 0 ")  # it can be asked
        before = time.monotonic()
        asked = inject(job.pid, "--faults", self.file(text))
        self.assertEqual((asked.returncode, asked.stderr), (0, ""))
        return before, time.monotonic()

    def test_20_a_connection_reset_in_the_middle_of_a_message(self):
        job = self.begin(3, [], "wait", 0)
        before, _ = self.inject(job, fault("reset"))
        at = self.expect_broken(job, "connection reset")
        expect_within(1 * SLACK, "20, and until it was injected", before, at)

    def test_25_a_damaged_header(self):
        job = self.begin(3, [], "wait", 0)
        before, _ = self.inject(job, fault("corrupt"))
        at = self.expect_broken(job, "it sent a damaged frame header (wrong checksum or kind)", culprits=[0])
        expect_within(1 * SLACK, "25, and until it was injected", before, at)

    def test_10_a_link_that_is_cut_while_both_live(self):
        for both, limit_s, options in [(False, HOST_LIMIT_S, ["--host-limit", HOST_LIMIT_S]), (True, DEFAULT_HOST_LIMIT_S, [])]:
            with self.subTest(both=both):
                job = self.begin(3, [], "wait", 0, *options)
                before, after = self.inject(job, fault("black_hole", both_ways=both))
                at = self.expect_broken(job, "it does not answer (--host-limit)")
                self.assertGreater(min(at) - before, limit_s * 0.8)
                expect_within(link_limit_s(limit_s), f"10, a link, injected (limit {limit_s} s)", after, at)

    def test_21_a_black_hole_of_two_seconds(self):
        hole = fault("black_hole", both_ways=True, at_byte=10000, for_s=2)
        began = time.monotonic()
        result = run("-n", 3, "--faults", self.file(hole), "survivors_probe", 200)
        self.assertGreater(time.monotonic() - began, 2)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(b"injected: ", result.stderr)
        self.assertNotIn(b"did not happen", result.stderr)

    def test_20_21_one_end_goes_and_the_others_go_on(self):
        for kind, both in [("reset", False), ("black_hole", True)]:
            with self.subTest(kind=kind):
                broken = fault(kind, both_ways=both, at_byte=10000) if kind == "black_hole" else fault(kind, at_byte=10000)
                result = run("-n", 4, "--host-limit", HOST_LIMIT_S, "--on-failure", "continue", "--faults", self.file(broken),
                             "survivors_probe", 100)
                self.assertEqual(result.returncode, 0, result.stderr)
                ends = re.findall(r" ends with (.*) as ", result.stdout.decode())
                self.assertEqual(len(ends), 3, result.stdout)
                self.assertEqual(len(set(ends) & {"0 2 3", "1 2 3"}), 1, ends)
                self.assertEqual(len(set(ends)), 1, ends)

    def test_who_does_not_read_answers(self):
        """Its system does: those who send to it wait, and suspect nobody."""
        job = self.begin(3, [], "wait", 0, "--host-limit", HOST_LIMIT_S)
        self.kill(2, signal.SIGSTOP)
        self.assertIn("is stalled", read_until(job.stderr, "\n"))
        self.expect_silence(job, 2.5 * HOST_LIMIT_S)
        self.kill(2, signal.SIGCONT)
        self.kill(0)
        said, error = self.end(job)
        self.expect_record(said, [1, 2], [0], SIGNAL, 9)


if __name__ == "__main__":
    at_once.main(3)
