# SPDX-License-Identifier: Apache-2.0
"""Jobs that may listen at some ports only (--ports), as firewalls want it. Case 40 of the list of faults."""

import socket
import unittest

import hostile
from attacked_job import PROBE, RANKS, Case
from job_driver import SLACK, expect_nothing_left, run
from skips import main
from until_error import within


def bind(port):
    """At all addresses of this host, without SO_REUSEADDR: what another process has there is in the way."""
    holder = socket.socket()
    try:
        holder.bind(("", port))
    except OSError:
        holder.close()
        return None
    return holder


def hold_range(count):
    """So many free ports in a row, below those that the system gives to whoever asks for any."""
    for first in range(20000, 32000, count):
        held = [bind(port) for port in range(first, first + count)]
        if all(held):
            return held
        for holder in filter(None, held):
            holder.close()
    raise AssertionError(f"no {count} ports in a row are free")


class Ports(Case):
    def range_of(self, held):
        first, last = held[0].getsockname()[1], held[-1].getsockname()[1]
        return range(first, last + 1), f"{first}-{last}"

    def test_40_two_jobs_share_a_range(self):
        for remote in ([], self.remote):
            with self.subTest(remote=bool(remote)):
                held = hold_range(4 * (RANKS + 2))
                ports, words = self.range_of(held)
                held[0].listen()  # taken: the next one is
                for holder in held[1:]:
                    holder.close()
                jobs = [self.job("--ports", words, *remote) for _ in range(2)]
                found = [hostile.ports_of_job(job.pid) for job in jobs]
                for of_job in found:
                    self.assertGreaterEqual(len(of_job), RANKS + bool(remote))  # agents measure at some
                    self.assertLess(set(of_job), set(ports[1:]))
                self.assertFalse(set(found[0]) & set(found[1]))
                for job in jobs:
                    job.terminate()
                    job.communicate(timeout=60)
                    expect_nothing_left(job)
                held[0].close()

    def test_40_ports_that_are_all_taken_are_named(self):
        held = hold_range(RANKS)
        ports, words = self.range_of(held)
        for holder in held:
            holder.listen()
            self.addCleanup(holder.close)
        names = f"ports {ports[0]} to {ports[-1]}"
        for remote, complaint in (([], f"cannot listen on 127.0.0.1 {names}: Address already in use"),
                                  (self.remote, f"cannot listen for the agents of the other hosts; tried .*; {names}")):
            with self.subTest(remote=bool(remote)):
                with within(1 * SLACK, "40, the whole job"):
                    result = run("-n", RANKS, "--ports", words, *remote, PROBE, 10, 10)
                self.assertEqual((result.returncode, result.stdout), (1 if remote else 134, b""), result.stderr)
                self.assertRegex(result.stderr.decode(), complaint)


if __name__ == "__main__":
    main()
