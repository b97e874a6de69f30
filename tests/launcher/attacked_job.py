# SPDX-License-Identifier: Apache-2.0
"""Jobs to attack: of three processes that call collectives until they are told to end, on one host or on three."""

import os
import pathlib
import re
import select
import signal
import subprocess
import tempfile
import time
import unittest

import hostile
from job_driver import BIN, SANITIZED, SLACK, expect_nothing_left, read_until, start
from until_error import expect_within, within

PROBE = os.path.join(BIN, "loop_probe")
RANKS = 3
DROPPED_WITHIN_S = 2 + 1 * SLACK  # who does not say who it is has 2 s
RSH = """#!/bin/sh
# A remote shell that starts the agent here, and shows what it is told.
shift
exec tee "$ORDERS.$$" | exec sh -c "$*"
"""


def most_resident_bytes(pid):
    """That it ever had; 0 if it has just ended."""
    found = re.search(r"VmHWM:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text())
    return int(found.group(1)) << 10 if found else 0


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

    def expect_grown_by_less(self, pid, before, most):
        """Since most_resident_bytes(pid) was `before`. A sanitizer keeps what is freed, so nothing is known there."""
        if not SANITIZED:
            self.assertLess(most_resident_bytes(pid), before + most)

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

    def expect_goes_on(self, job, seconds):
        with self.assertRaises(subprocess.TimeoutExpired):
            job.wait(seconds)

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

    def expect_call_ended(self, case, stranger, words):
        with within(1 * SLACK, f"{case}, until the call ends"):
            hostile.send(stranger, words)
            self.assertTrue(hostile.ends_call(stranger))

    def certificate(self):
        """Of the first host, as its agent was told over its standard input: the stranger has stolen it."""
        [text] = [text for text in (path.read_bytes() for path in self.folder.glob("orders.*"))
                  if b"127.0.0.2" in text]
        for name in ("CERTIFICATE", "PRIVATE KEY"):
            (self.folder / name).write_bytes(re.search(rb"-----BEGIN %b-----.*?-----END %b-----\n" % (
                (name.encode(),) * 2), text, re.DOTALL).group())
        return self.folder / "CERTIFICATE", self.folder / "PRIVATE KEY"
