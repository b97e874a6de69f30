# SPDX-License-Identifier: Apache-2.0
"""Real jobs get on as well while strangers attack their ports as they do in between. Nothing else runs beside these tests, which
compare speeds. Each test of a case of the list of faults has its number."""

import contextlib
import functools
import multiprocessing
import random
import re
import signal
import socket
import statistics
import sys
import unittest

import hostile
from attacked_job import RANKS, Case, most_resident_bytes
from job_driver import THREAD_SANITIZED, read_until
from skips import main

PAIRS = (3, 25)  # of times under attack and in between: where the few say no, all of the many decide
LEAST_SHARE = 0.75  # of its speed without; who attacks takes some of the cores, too
LEAST_SHARE_BESIDE = 0.9  # of its speed while the same is done to bystanders


def speed(begin, end):
    """Calls a second between two readings."""
    return (end[0] - begin[0]) / (end[1] - begin[1])


def close_whoever_speaks(listener):
    while True:
        stranger, _ = listener.accept()
        with stranger, contextlib.suppress(ConnectionError):
            stranger.recv(4096)


class AttackedSpeed(Case):
    def bystanders(self):
        """Ports of as many processes as a job has, which are none of a job's and close whoever has said something. To be asked
        for before there is a job: they have what is open now."""
        ports = []
        for _ in range(RANKS):
            with socket.create_server(("127.0.0.1", 0)) as listener:
                ports.append(listener.getsockname()[1])
                process = multiprocessing.get_context("fork").Process(target=close_whoever_speaks, args=(listener,), daemon=True)
                process.start()
                self.addCleanup(lambda process=process: (process.kill(), process.join()))
        return ports

    def calls(self, job):
        """So far, and in how many seconds."""
        job.send_signal(signal.SIGUSR2)
        words = re.search(r"so far: (\d+) in (\S+) s\n", read_until(job.stdout, r"so far: .*\n"))
        return int(words.group(1)), float(words.group(2))

    def share_under_attack(self, job, attack, in_between):
        """Its calls a second while attack(job) runs, by those behind it: while in_between(job) runs, or for as long."""
        before = self.calls(job)
        attack(job)
        attacked = self.calls(job)
        if in_between:
            in_between(job)
        else:
            self.expect_goes_on(job, attacked[1] - before[1])
        return speed(before, attacked) / speed(attacked, self.calls(job))

    def expect_not_slowed(self, attack, *options, in_between=None):
        """By attack(job): it gets on as well as in between, for as long or while in_between(job) runs, which attacks
        bystanders. By the median, since a busy machine may favour either: of few pairs it varies by a tenth. Returns what
        expect_undisturbed() does."""
        job = self.job(*options)
        least = LEAST_SHARE_BESIDE if in_between else LEAST_SHARE
        shares = []
        for pairs in PAIRS:
            while len(shares) < pairs:
                shares.append(self.share_under_attack(job, attack, in_between))
            if statistics.median(shares) > least:
                break
        print("calls a second while it is attacked by those in between:", *(f"{share:.2f}" for share in shares), file=sys.stderr)
        self.assertGreater(statistics.median(shares), least, shares)
        return self.expect_undisturbed(job)

    def expect_not_slowed_more_than_beside(self, case, attack):
        """By attack(job, ports, talk): no more at its own ports than at those of bystanders. One that comes and goes takes some
        of the cores from a job (of two, some 17 %), whomever it speaks to."""
        bystanders, of_job = self.bystanders(), functools.cache(self.processes_ports)
        return self.expect_not_slowed(
            lambda job: attack(job, of_job(job), functools.partial(self.expect_closed, case)),
            in_between=lambda job: attack(job, bystanders, self.answer_to))

    def test_31_two_hundred_that_say_nothing(self):
        """At each port: the launcher's and the processes'."""
        seconds, _, error = self.expect_not_slowed(
            lambda job: self.expect_silent_ones_dropped([self.control_port(job), *self.processes_ports(job)]), *self.remote)
        of_processes = [line for line in error if "at the launcher's port" not in line]
        self.expect_complaints(of_processes, seconds, "(it did not say who it is within 2 s|too many connect at once)")

    def test_32_other_protocols(self):
        def attack(job, ports, talk):
            for port in ports:
                for name, greeting in hostile.GREETINGS.items():
                    for _ in range(20):
                        with self.subTest(greeting=name), hostile.connect(port) as stranger:
                            talk(stranger, greeting)
                        self.expect_goes_on(job, 0.002)  # what is measured is one that comes and goes, not a flood

        seconds, _, error = self.expect_not_slowed_more_than_beside("32", attack)
        self.assertGreaterEqual(len(error), 1)
        self.expect_complaints(error, seconds, "this is not Cohort's protocol")

    def test_34_a_stranger_that_guesses(self):
        """It knows the protocol, and neither the job nor the secret: all guesses look the same from outside."""
        def attack(job, ports, talk):
            for port in ports:
                for guess in range(80):
                    with hostile.connect(port) as stranger:
                        hello = hostile.HELLO[:16] + random.Random(guess).randbytes(48)
                        self.assertEqual(talk(stranger, hello), b"")
                    self.expect_goes_on(job, 0.002)

        self.expect_not_slowed_more_than_beside("34", attack)

    @unittest.skipIf(THREAD_SANITIZED, "it looks at each word that gRPC copies, which takes cores from the job")
    def test_38_messages_that_claim_too_much(self):
        """At the launcher's port, by someone who has stolen the certificate."""
        output = b"\x4a"  # FromHost.output, of bytes
        messages = {"a thousand levels": (b"\x4b" * 1000 + b"\x4c" * 1000, None),
                    "a field of 1 GiB": (output + hostile.varint(1 << 30) + b"x" * 100, None),
                    "a field of 2^63 bytes": (output + hostile.varint(1 << 63) + b"x" * 100, None),
                    "a message of 1 GiB": (b"x" * (1 << 20), 1 << 30),
                    "noise": (random.Random(2).randbytes(500), None),
                    "a word for which one must be known": (b"\x5a\x00", None)}

        def attack(job):
            before = most_resident_bytes(job.pid)
            port = self.control_port(job)  # to look for it takes more than to attack it
            for name, (message, claimed) in messages.items():
                for path in (b"/cohort.v1.Control/Attach", b"/cohort.v1.Control/Nothing"):
                    with self.subTest(message=name), hostile.tls(port, self.certificate()) as stranger:
                        self.expect_call_ended("38", stranger, hostile.call(path, message, claimed))
                    self.expect_goes_on(job, 0.1)  # what they take of this machine's processors themselves is not to count
            self.expect_grown_by_less(job.pid, before, 32 << 20)

        self.assertEqual(self.expect_not_slowed(attack, *self.remote)[2], [])


if __name__ == "__main__":
    main()
