"""Strangers at the ports of real jobs: those of the processes, of the launcher and of its agents. Each test of a case of
the list of faults has its number; cases 34 to 37, which need the job's secret, are in tests/runtime/tcp/."""

import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import hostile
from job_driver import BIN, COHORT, read_lines, read_until, run, start

PROBE = os.path.join(BIN, "loop_probe")
RANKS = 3
HELLO = b"cohort h" + (1).to_bytes(4, "little") + bytes(52)
GREETINGS = {"HTTP": b"GET / HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n" + bytes(40),
             "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(200)),
             "noise": random.Random(1).randbytes(2000), "zeros": bytes(200)}
RSH = """#!/bin/sh
# A remote shell that starts the agent here, and shows what it is told.
shift
exec tee "$ORDERS.$$" | exec sh -c "$*"
"""


def words_of(pid):
    """Its command line."""
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError):
        return []


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        rsh = self.folder / "rsh"
        rsh.write_text(RSH)
        rsh.chmod(0o755)
        self.remote = ["--rsh", rsh, "--hosts", "127.0.0.2,127.0.0.3,127.0.0.4"]

    def job(self, *options):
        """A job that runs until it is told to end."""
        job = start("-n", RANKS, *options, PROBE, 0, 100, env={**os.environ, "ORDERS": str(self.folder / "orders")})
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
        ends = re.findall(r"rank \d: (\d+) in (\S+) s", self.said + output.decode())
        self.assertEqual(len(ends), RANKS, output)
        calls, seconds = min(int(calls) for calls, _ in ends), max(float(seconds) for _, seconds in ends)
        self.assertGreater(calls, 0)
        return seconds, calls / seconds, error.decode().splitlines()

    def expect_complaints(self, lines, seconds, pattern):
        """At most one a second from each process."""
        for line in lines:
            self.assertRegex(line, "^cohort: refused a connection from 127.0.0.1: " + pattern)
        self.assertLessEqual(len(lines), RANKS * (seconds + 2))

    def certificate(self):
        """What an agent was told over its standard input: the stranger has stolen it."""
        text = next(self.folder.glob("orders.*")).read_bytes()
        for name in ("CERTIFICATE", "PRIVATE KEY"):
            (self.folder / name).write_bytes(re.search(rb"-----BEGIN %b-----.*?-----END %b-----\n" % (
                (name.encode(),) * 2), text, re.DOTALL).group())
        return self.folder / "CERTIFICATE", self.folder / "PRIVATE KEY"


class DataPort(Case):
    def test_30_a_port_scan_during_start_run_and_end(self):
        for options in ([], self.remote):
            with self.subTest(remote=bool(options)):
                seen = set()
                job = start("-n", RANKS, *options, PROBE, 5000, 100,
                            env={**os.environ, "ORDERS": str(self.folder / "orders")})
                while job.poll() is None:
                    for port in hostile.ports_of_job(job.pid):
                        seen.add(port)
                        try:
                            hostile.connect(port).close()
                        except OSError:
                            pass  # closed by now
                output, error = job.communicate(timeout=60)
                self.assertEqual((job.returncode, error), (0, b""))
                self.assertEqual(len(re.findall(r"rank \d: 5000 in", output.decode())), RANKS)
                self.assertGreaterEqual(len(seen), RANKS + (1 if options else 0))

    def test_31_two_hundred_that_say_nothing(self):
        alone = self.job()
        job = self.job()
        silent = [hostile.connect(port) for port in self.processes_ports(job) for _ in range(200)]
        began = time.monotonic()
        for stranger in silent:
            with stranger:
                self.assertTrue(hostile.is_closed_within(stranger, 10 - (time.monotonic() - began)))
        seconds, attacked, error = self.expect_undisturbed(job)
        self.expect_complaints(error, seconds, "(it did not say who it is within 2 s|too many connect at once)")
        _, undisturbed, _ = self.expect_undisturbed(alone)
        self.assertGreater(attacked, undisturbed / 3)

    def test_32_other_protocols(self):
        job = self.job()
        for port in self.processes_ports(job):
            for name, greeting in GREETINGS.items():
                for _ in range(10):
                    with self.subTest(greeting=name), hostile.connect(port) as stranger:
                        hostile.send(stranger, greeting)
                        self.assertTrue(hostile.is_closed_within(stranger, 5))
        seconds, _, error = self.expect_undisturbed(job)
        self.assertGreaterEqual(len(error), 1)
        self.expect_complaints(error, seconds, "this is not Cohort's protocol")

    def test_33_a_handshake_byte_by_byte(self):
        job = self.job()
        port = self.processes_ports(job)[0]
        with hostile.connect(port) as stranger:
            began = time.monotonic()
            for byte in HELLO:
                hostile.send(stranger, bytes([byte]))
                if hostile.is_closed_within(stranger, 0.2):
                    break
            self.assertLess(time.monotonic() - began, 5)
            self.assertGreater(time.monotonic() - began, 1.5)
        *_, error = self.expect_undisturbed(job)
        self.assertLessEqual(len(error), 1)

    def test_34_a_stranger_that_guesses(self):
        """It knows the protocol, and neither the job nor the secret: all guesses look the same from outside."""
        job = self.job()
        for port in self.processes_ports(job):
            for guess in range(20):
                with hostile.connect(port) as stranger:
                    numbers = random.Random(guess).randbytes(48)
                    hostile.send(stranger, HELLO[:16] + numbers)
                    stranger.settimeout(5)
                    try:
                        self.assertEqual(stranger.recv(1), b"")
                    except ConnectionError:
                        pass
        self.expect_undisturbed(job)

    def test_35_another_jobs_process(self):
        """Its hello is authentic, of its own job; both ids are in the log."""
        job = self.job()
        port = self.processes_ports(job)[0]
        with hostile.connect(port) as stranger:
            hostile.send(stranger, HELLO[:24] + (4711).to_bytes(8, "little") + HELLO[32:])
            self.assertTrue(hostile.is_closed_within(stranger, 5))
        *_, error = self.expect_undisturbed(job)
        self.assertRegex(error[0], r"wrong job id \(ours \d+, theirs 4711\)")


class AgentPort(Case):
    """An agent's. It is open for a moment at the start of each job: for another agent, to measure the network."""

    def agents_ports(self, job):
        agents = [pid for pid in hostile.descendants(job.pid) if words_of(pid)[1:2] == [b"agent"]]
        return [port for ports in hostile.listening_ports(agents).values() for port in ports]

    def test_30_31_32_34_strangers_of_all_kinds(self):
        greetings = [b"", HELLO, *GREETINGS.values()]
        attacks = 0
        while attacks < 5 * len(greetings):
            job = start("-n", RANKS, *self.remote, PROBE, 100, 100,
                        env={**os.environ, "ORDERS": str(self.folder / "orders")})
            strangers = []
            while job.poll() is None:
                for port in self.agents_ports(job):
                    try:
                        strangers.append(hostile.connect(port))
                    except OSError:
                        continue  # closed by now
                    hostile.send(strangers[-1], greetings[attacks % len(greetings)])
                    attacks += 1
            output, error = job.communicate(timeout=60)
            self.assertEqual(job.returncode, 0, error)
            self.assertEqual(len(re.findall(r"rank \d: 100 in", output.decode())), RANKS)
            for stranger in strangers:
                with stranger:
                    self.assertTrue(hostile.is_closed_within(stranger, 1))  # by now


class ControlPort(Case):
    """The launcher's."""

    def test_31_two_hundred_that_say_nothing(self):
        job = self.job(*self.remote)
        silent = [hostile.connect(self.control_port(job)) for _ in range(200)]
        began = time.monotonic()
        for stranger in silent:
            with stranger:
                self.assertTrue(hostile.is_closed_within(stranger, 10 - (time.monotonic() - began)))
        self.expect_undisturbed(job)

    def test_32_other_protocols(self):
        job = self.job(*self.remote)
        for name, greeting in GREETINGS.items():
            for _ in range(10):
                with self.subTest(greeting=name), hostile.connect(self.control_port(job)) as stranger:
                    hostile.send(stranger, greeting)
                    self.assertTrue(hostile.is_closed_within(stranger, 10))
        self.assertEqual(self.expect_undisturbed(job)[2], [])

    def test_33_a_handshake_byte_by_byte(self):
        job = self.job(*self.remote)
        with hostile.connect(self.control_port(job)) as stranger:
            began = time.monotonic()
            for byte in GREETINGS["TLS"]:
                hostile.send(stranger, bytes([byte]))
                if hostile.is_closed_within(stranger, 0.2):
                    break
            self.assertLess(time.monotonic() - began, 8)
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

    def test_38_messages_that_claim_too_much(self):
        """By someone who has stolen the certificate."""
        job = self.job(*self.remote)
        certificate = self.certificate()
        output = b"\x4a"  # FromHost.output, of bytes
        messages = {"a thousand levels": (b"\x4b" * 1000 + b"\x4c" * 1000, None),
                    "a field of 1 GiB": (output + hostile.varint(1 << 30) + b"x" * 100, None),
                    "a field of 2^63 bytes": (output + hostile.varint(1 << 63) + b"x" * 100, None),
                    "a message of 1 GiB": (b"x" * (1 << 20), 1 << 30),
                    "noise": (random.Random(2).randbytes(500), None),
                    "no host": (b"\x0a\x02\x08\x63", None), "the first word is not Attached": (b"\x5a\x00", None)}
        for name, (message, claimed) in messages.items():
            for path in (b"/cohort.v1.Control/Attach", b"/cohort.v1.Control/Nothing"):
                with self.subTest(message=name), hostile.tls(self.control_port(job), certificate) as stranger:
                    hostile.send(stranger, hostile.call(path, message, claimed))
                    self.assertTrue(hostile.ends_call(stranger))
        most = int(re.search(r"VmHWM:\s+(\d+) kB", pathlib.Path(f"/proc/{job.pid}/status").read_text()).group(1))
        self.assertLess(most, 200_000)
        self.assertEqual(self.expect_undisturbed(job)[2], [])


class Secrets(Case):
    def test_they_are_nowhere_to_be_seen(self):
        """The job's secret, as a process knows it, and the key of the launcher and its agents: in no argument, variable
        or file of any process of the job, and in no output."""
        for options in ([], self.remote):
            with self.subTest(remote=bool(options)):
                job = start("-n", RANKS, *options, os.path.join(BIN, "secret_probe"), stdin=subprocess.PIPE,
                            env={**os.environ, "ORDERS": str(self.folder / "orders")})
                [line] = read_lines(job.stdout, 1)  # on this line only, for us
                secret = bytes.fromhex(line)
                forms = [secret, secret.hex().encode(), b"PRIVATE KEY"]
                for pid in [job.pid, *hostile.descendants(job.pid)]:
                    for name in ("cmdline", "environ", "comm"):
                        text = pathlib.Path(f"/proc/{pid}/{name}").read_bytes()
                        for form in forms:
                            self.assertNotIn(form, text, (pid, name))
                output, error = job.communicate(b"\n", timeout=60)
                self.assertEqual(job.returncode, 0, error)
                for form in forms:
                    self.assertNotIn(form, output + error)

    def test_no_core_dump_holds_them(self):
        """Of the launcher and its agents there is none; of a process the system writes all but the secret. Each process
        looks for it in its own memory."""
        job = start("-n", RANKS, *self.remote, os.path.join(BIN, "secret_probe"), stdin=subprocess.PIPE,
                    env={**os.environ, "ORDERS": str(self.folder / "orders")})
        read_lines(job.stdout, 1)
        output, error = job.communicate(b"\n", timeout=60)
        self.assertEqual((job.returncode, output), (0, b"0 copies\n" * RANKS), error)

        def dumps_core(*words):
            process = subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (-1, -1)))
            read_lines(process.stdout, 1)
            process.send_signal(signal.SIGABRT)
            _, status = os.waitpid(process.pid, 0)
            process.returncode = -signal.SIGABRT
            process.stdout.close()
            self.assertTrue(os.WIFSIGNALED(status))
            return os.WCOREDUMP(status)

        if not dumps_core("/bin/sh", "-c", "echo; exec sleep 60"):
            self.skipTest("this system writes no core dumps")
        self.assertFalse(dumps_core(COHORT, "run", "-n", "1", "sh", "-c", "echo; exec sleep 60"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
