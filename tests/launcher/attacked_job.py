# SPDX-License-Identifier: Apache-2.0
"""Jobs to attack: of three processes that call collectives until they are told to end, on one host or on three."""

import contextlib
import multiprocessing
import os
import pathlib
import re
import select
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

import hostile
from job_driver import BIN, SLACK, expect_nothing_left, read_until, start
from until_error import expect_within, within

PROBE = os.path.join(BIN, "loop_probe")
RANKS = 3
DROPPED_WITHIN_S = 2 + 0.3 * SLACK  # who does not say who it is has 2 s
PAIRS = (3, 25)  # of times under attack and in between: where the few say no, all of the many decide
LEAST_SHARE = 0.75  # of its speed without; who attacks takes some of the cores, too
LEAST_SHARE_BESIDE = 0.9  # of its speed while the same is done to bystanders
RSH = """#!/bin/sh
# A remote shell that starts the agent here, and shows what it is told.
shift
exec tee "$ORDERS.$$" | exec sh -c "$*"
"""


def speed(begin, end):
    """Calls a second between two readings."""
    return (end[0] - begin[0]) / (end[1] - begin[1])


def close_whoever_speaks(listener):
    while True:
        stranger, _ = listener.accept()
        with stranger, contextlib.suppress(ConnectionError):
            stranger.recv(4096)


def most_resident_bytes(pid):
    """That it ever had."""
    return int(re.search(r"VmHWM:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1)) << 10


class Case(unittest.TestCase):
    def setUp(self):
        if os.geteuid() != 0:
            self.skipTest("which ports a launcher has open, the system tells root alone")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        rsh = self.folder / "rsh"
        rsh.write_text(RSH)
        rsh.chmod(0o755)
        self.remote = ["--rsh", rsh, "--hosts", "127.0.0.2,127.0.0.3,127.0.0.4"]

    def job(self, *options):
        """A job that runs until it is told to end."""
        job = start("-n", RANKS, "--transport", "tcp", *options, PROBE, 0, 100, env={**os.environ, "ORDERS": str(self.folder / "orders")})
        self.addCleanup(lambda: job.poll() is None and (job.terminate(), job.communicate(timeout=60)))
        self.said = read_until(job.stdout, "begins")
        return job

    def processes_ports(self, job):
        named = [pid for pid in hostile.descendants(job.pid)
                 if os.path.basename(pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0]) == b"loop_probe"]
        found = hostile.listening_ports(named)
        self.assertEqual(len(found), RANKS)
        return [port for ports in found.values() for port in ports]

    def control_port(self, job):
        [port] = hostile.listening_ports([job.pid])[job.pid]
        return port

    def expect_undisturbed(self, job):
        """It ends as if nothing had been. Returns the seconds that it ran, its calls a second, and the lines on standard
        error."""
        job.send_signal(signal.SIGUSR1)
        output, error = job.communicate(timeout=120)
        self.assertEqual(job.returncode, 0, error)
        expect_nothing_left(job)
        ends = re.findall(r"rank \d: (\d+) in (\S+) s", self.said + output.decode())
        self.assertEqual(len(ends), RANKS, output)
        calls, seconds = min(int(calls) for calls, _ in ends), max(float(seconds) for _, seconds in ends)
        self.assertGreater(calls, 0)
        return seconds, calls / seconds, error.decode().splitlines()

    def calls(self, job):
        """So far, and in how many seconds."""
        job.send_signal(signal.SIGUSR2)
        words = re.search(r"so far: (\d+) in (\S+) s\n", read_until(job.stdout, r"so far: .*\n"))
        return int(words.group(1)), float(words.group(2))

    def expect_goes_on(self, job, seconds):
        with self.assertRaises(subprocess.TimeoutExpired):
            job.wait(seconds)

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

    def expect_complaints(self, lines, seconds, pattern):
        """At most one a second from each process."""
        for line in lines:
            self.assertRegex(line, "^cohort: refused a connection from 127.0.0.1: " + pattern)
        self.assertLessEqual(len(lines), RANKS * (seconds + 2))

    def expect_silent_ones_dropped(self, ports):
        """Two hundred at each port."""
        came = {stranger.fileno(): (stranger, time.monotonic())
                for stranger in (hostile.connect(port) for port in ports for _ in range(200))}
        waiting = select.poll()
        for descriptor in came:
            waiting.register(descriptor, select.POLLIN)
        while came:
            gone = waiting.poll(10_000)
            self.assertTrue(gone, f"{len(came)} are still connected")
            for descriptor, _ in gone:
                waiting.unregister(descriptor)
                stranger, since = came.pop(descriptor)
                expect_within(DROPPED_WITHIN_S, "31, until they are dropped", since)
                with stranger:
                    self.assertTrue(hostile.is_closed_within(stranger, 0.1))

    def expect_slow_one_dropped(self, port, greeting):
        """Five bytes a second."""
        with hostile.connect(port) as stranger:
            began = time.monotonic()
            for byte in greeting:
                hostile.send(stranger, bytes([byte]))
                if hostile.is_closed_within(stranger, 0.2):
                    break
            self.assertGreater(time.monotonic() - began, 1.5)
            expect_within(DROPPED_WITHIN_S, "33, until it is dropped", began)

    def answer_to(self, stranger, words):
        """What it is answered until it is closed."""
        hostile.send(stranger, words)
        answer = hostile.hear_to_the_end(stranger, 10)
        self.assertIsNotNone(answer)
        return answer

    def expect_closed(self, case, stranger, words, limit_s=1 * SLACK):
        """Once it has said this. Returns what it was answered."""
        with within(limit_s, f"{case}, until it is closed"):
            return self.answer_to(stranger, words)

    def certificate(self):
        """Of the first host, as its agent was told over its standard input: the stranger has stolen it."""
        [text] = [text for text in (path.read_bytes() for path in self.folder.glob("orders.*"))
                  if b"127.0.0.2" in text]
        for name in ("CERTIFICATE", "PRIVATE KEY"):
            (self.folder / name).write_bytes(re.search(rb"-----BEGIN %b-----.*?-----END %b-----\n" % (
                (name.encode(),) * 2), text, re.DOTALL).group())
        return self.folder / "CERTIFICATE", self.folder / "PRIVATE KEY"
