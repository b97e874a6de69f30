# SPDX-License-Identifier: Apache-2.0
"""Strangers at the launcher's port, for the agents of remote hosts. Each test of a case of the list of faults has its
number; those that need the job's secret are in insiders_test.py."""

import concurrent.futures
import os
import re
import resource

import hostile
from attacked_job import DROPPED_WITHIN_S, PROBE, RANKS, Case
import at_once
from job_driver import SLACK, THREAD_SANITIZED, start

# A remote shell that starts no agent before it is let.
GATE = """#!/bin/sh
: < "$GATE"
shift
exec sh -c "$*"
"""


class ControlPort(Case):
    """The launcher's."""

    def test_31_more_than_there_were_descriptors_before_any_agent_calls(self):
        shell, gate = self.folder / "gated", self.folder / "gate"
        shell.write_text(GATE)
        shell.chmod(0o755)
        os.mkfifo(gate)
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        few = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (100, most))
        job = start("-n", RANKS, "--rsh", shell, *self.remote[2:], PROBE, 100, 100, env={**os.environ, "GATE": str(gate)},
                    preexec_fn=few)
        self.addCleanup(lambda: job.poll() is None and job.kill())
        while not (ports := hostile.listening_ports([job.pid])):
            self.assertIsNone(job.poll())
        strangers = [hostile.connect(port) for port in ports[job.pid] for _ in range(300)]
        with open(gate, "wb"):  # now they may
            output, error = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 0, error)
        self.assertEqual(len(re.findall(rb"rank \d: 100 in", output)), RANKS)
        for stranger in strangers:
            stranger.close()

    def test_32_other_protocols(self):
        job = self.job(*self.remote)
        port = self.control_port(job)

        def talk(name):
            with hostile.connect(port) as stranger:
                # A TLS hello is how one may begin here: there it is what follows that is waited for.
                self.expect_closed("32", stranger, hostile.GREETINGS[name], DROPPED_WITHIN_S if name == "TLS" else 1 * SLACK)

        for name in hostile.GREETINGS:
            with self.subTest(greeting=name), concurrent.futures.ThreadPoolExecutor(10) as strangers:
                list(strangers.map(talk, [name] * 10))
        seconds, _, error = self.expect_undisturbed(job)
        self.assertGreaterEqual(len(error), 1)
        self.expect_lines(error, seconds)

    def expect_lines(self, error, seconds):
        """At most one a second."""
        for line in error:
            self.assertRegex(line, r"^cohort: refused a connection at the launcher's port: [\w ]+\.?$")
        self.assertLessEqual(len(error), seconds + 1)

    def test_33_a_handshake_byte_by_byte(self):
        job = self.job(*self.remote)
        self.expect_slow_one_dropped(self.control_port(job), hostile.GREETINGS["TLS"])
        self.expect_undisturbed(job)

    def test_34_no_certificate_or_another_jobs(self):
        other = self.job(*self.remote)
        self.expect_undisturbed(other)
        stolen = self.certificate()
        for orders in self.folder.glob("orders.*"):
            orders.unlink()
        job = self.job(*self.remote)
        for certificate in (None, stolen):
            with self.subTest(certificate=bool(certificate)):
                try:
                    with hostile.tls(self.control_port(job), certificate) as stranger:
                        hostile.send(stranger, hostile.call(b"/cohort.v1.Control/Attach", b""))
                        stranger.settimeout(10)
                        self.assertEqual(stranger.recv(1), b"")
                except (ConnectionError, hostile.ssl.SSLError):
                    pass  # refused earlier still
        self.expect_undisturbed(job)

    def test_34_a_recorded_handshake_and_a_reflected_one(self):
        """Of someone who had the certificate."""
        job = self.job(*self.remote)
        port = self.control_port(job)
        recorded = hostile.record_tls(port, self.certificate(), hostile.call(b"/cohort.v1.Control/Knock", b""))
        with hostile.connect(port) as replay:
            self.expect_closed("34", replay, b"".join(recorded))  # before the 2 s for those who say nothing
        with hostile.connect(port) as mirror:
            hostile.send(mirror, recorded[0])
            self.expect_closed("34", mirror, mirror.recv(65536))
        seconds, _, error = self.expect_undisturbed(job)
        self.expect_lines(error, seconds)

    def test_36_37_hosts_that_there_are_not(self):
        """By someone who has stolen the first host's certificate, which is good for no other host. Nothing that they say is
        heard: a call ends before its message, of 100 KiB, has come."""
        job = self.job(*self.remote)
        certificate = self.certificate()
        host = b"\x08"  # Attached.host, of a number
        hellos = {"none": None, "noise": b"\xff" * 40, "without a host": b"", "the first one, which is there": host + b"\0",
                  "a number too high": host + hostile.varint(RANKS), "too high by far": host + hostile.varint(1 << 30),
                  "a negative one": host + hostile.varint((1 << 64) - 1)}
        for name, hello in hellos.items():
            for path in (b"/cohort.v1.Control/Attach", b"/cohort.v1.Control/Knock"):
                with self.subTest(hello=name), hostile.tls(self.control_port(job), certificate) as stranger:
                    self.expect_call_ended("36", stranger, hostile.call(path, b"x" * 1000, 100 << 10, hello))
        self.assertEqual(self.expect_undisturbed(job)[2], [])


if __name__ == "__main__":
    at_once.main(1 if THREAD_SANITIZED else 4)  # there a handshake takes most of its 2 s
