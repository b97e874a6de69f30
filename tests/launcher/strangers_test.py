# SPDX-License-Identifier: Apache-2.0
"""Strangers at the ports of real jobs: those of the processes and of the agents, and at all at once. Each test of a case of
the list of faults has its number. The launcher's port has control_port_test.py; those that need the job's secret are in
insiders_test.py; what compares speeds is in attacked_speed_test.py."""

import os
import pathlib
import random
import re
import signal
import subprocess
import time
import unittest

import hostile
from attacked_job import PROBE, RANKS, Case
import at_once
from job_driver import SLACK, THREAD_SANITIZED, expect_nothing_left, read_until, start, wait_until_stopped

SAYINGS = [b"", hostile.HELLO, hostile.HELLO[:16] + random.Random(1).randbytes(48), *hostile.GREETINGS.values()]


def words_of(pid):
    """Its command line."""
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError):
        return []


class DataPort(Case):
    def test_30_a_port_scan_during_start_run_and_end(self):
        for options in ([], self.remote):
            with self.subTest(remote=bool(options)):
                seen = set()
                job = start("-n", RANKS, "--transport", "tcp", *options, PROBE, 5000, 100,
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

    def test_33_a_handshake_byte_by_byte(self):
        job = self.job()
        self.expect_slow_one_dropped(self.processes_ports(job)[0], hostile.HELLO)
        *_, error = self.expect_undisturbed(job)
        self.assertLessEqual(len(error), 1)

    def test_35_another_jobs_process(self):
        """Its hello is authentic, of its own job; both ids are in the log."""
        job = self.job()
        port = self.processes_ports(job)[0]
        with hostile.connect(port) as stranger:
            self.expect_closed("35", stranger, hostile.HELLO[:24] + (4711).to_bytes(8, "little") + hostile.HELLO[32:])
        *_, error = self.expect_undisturbed(job)
        self.assertRegex(error[0], r"wrong job id \(ours \d+, theirs 4711\)")


class AgentPort(Case):
    """An agent's. It is open for a moment at the start of each job: for another agent, to measure the network."""

    def agents(self, job):
        """In the order of their hosts: the first two measure."""
        return sorted(pid for pid in hostile.descendants(job.pid) if words_of(pid)[1:2] == [b"agent"])

    def held_at_its_start(self):
        """A job whose first agent is stopped while it measures, so that the second waits for it at an open port. Returns
        the job, and that port."""
        for _ in range(50):
            job = start("-n", RANKS, "--transport", "tcp", "--host-limit", 0, *self.remote, PROBE, 100, 100,
                        env={**os.environ, "ORDERS": str(self.folder / "orders")})
            self.addCleanup(lambda job=job: job.poll() is None and job.kill())
            while job.poll() is None:
                agents = self.agents(job)
                if len(agents) < 2 or agents[1] not in hostile.listening_ports(agents[1:2]):
                    continue
                os.kill(agents[0], signal.SIGSTOP)
                self.addCleanup(lambda: self.go_on(agents[0]))
                wait_until_stopped(agents[:1])
                if port := self.lasting_port(agents[1]):
                    return job, port
                self.go_on(agents[0])  # it had measured already
                break
            job.communicate(timeout=60)
        raise AssertionError("no job was found while its network was being measured")

    def lasting_port(self, agent):
        """One at which a stranger may stay."""
        for port in hostile.listening_ports([agent]).get(agent, []):
            try:
                with hostile.connect(port) as stranger:
                    if not hostile.is_closed_within(stranger, 0.5):
                        return port
            except ConnectionRefusedError:
                pass
        return None

    def go_on(self, agent):
        try:
            os.kill(agent, signal.SIGCONT)
        except ProcessLookupError:
            pass

    def expect_undisturbed(self, job):
        """It starts, and ends as if nothing had been. Returns the lines on standard error."""
        self.go_on(self.agents(job)[0])
        output, error = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 0, error)
        expect_nothing_left(job)
        self.assertEqual(len(re.findall(r"rank \d: 100 in", output.decode())), RANKS)
        return error.decode().splitlines()

    def test_30_it_is_closed_when_the_job_has_started(self):
        job = self.job(*self.remote)
        end = time.monotonic() + SLACK  # nobody is told when the end that was measured has closed its own
        while (ports := hostile.listening_ports(self.agents(job))) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertEqual(ports, {})
        super().expect_undisturbed(job)

    def test_31_two_hundred_that_say_nothing(self):
        job, port = self.held_at_its_start()
        self.expect_silent_ones_dropped([port])
        self.expect_undisturbed(job)

    def test_30_32_34_35_strangers_that_say_something(self):
        """Also who knows the protocol, and neither the job nor the secret, and another job's process."""
        job, port = self.held_at_its_start()
        for greeting in [b"", *hostile.GREETINGS.values(), hostile.HELLO[:16] + random.Random(1).randbytes(48), hostile.HELLO]:
            for _ in range(10):
                with hostile.connect(port) as stranger:
                    if greeting:
                        self.expect_closed("32", stranger, greeting)
        self.expect_undisturbed(job)

    def test_33_a_handshake_byte_by_byte(self):
        job, port = self.held_at_its_start()
        self.expect_slow_one_dropped(port, hostile.HELLO)
        self.expect_undisturbed(job)


class AllPorts(Case):
    def kind(self, job, pid):
        return "launcher" if pid == job.pid else "agent" if words_of(pid)[1:2] == [b"agent"] else "process"

    def test_30_31_32_33_34_35_from_the_start_to_the_end(self):
        """Every kind of stranger at every kind of port, as soon as it is open and until it is closed. Some say one byte
        after the other."""
        attacks = {"launcher": 0, "agent": 0, "process": 0}
        while min(attacks.values()) < 4 * len(SAYINGS):
            job = start("-n", RANKS, "--transport", "tcp", *self.remote, PROBE, 2000, 100,
                        env={**os.environ, "ORDERS": str(self.folder / "orders")})
            strangers, slow = [], []
            while job.poll() is None:
                for pid, ports in hostile.listening_ports([job.pid, *hostile.descendants(job.pid)]).items():
                    kind = self.kind(job, pid)
                    saying = SAYINGS[attacks[kind] // 2 % len(SAYINGS)]
                    for port in ports:
                        try:
                            strangers.append(hostile.connect(port))
                        except OSError:
                            continue  # closed by now
                        attacks[kind] += 1
                        if attacks[kind] % 2:
                            hostile.send(strangers[-1], saying)
                        else:
                            slow.append((strangers[-1], iter(saying)))
                for stranger, rest in slow[-100:]:
                    hostile.send(stranger, bytes([byte]) if (byte := next(rest, None)) is not None else b"")
            output, error = job.communicate(timeout=60)
            self.assertEqual(job.returncode, 0, error)
            self.assertEqual(len(re.findall(r"rank \d: 2000 in", output.decode())), RANKS)
            for stranger in strangers:
                with stranger:
                    self.assertTrue(hostile.is_closed_within(stranger, 1))  # by now


    def attack(self, ports):
        """Every kind of stranger at each, some of them a byte after the other."""
        strangers, slow = [], []
        for port in ports:
            for saying in SAYINGS:
                strangers += [hostile.connect(port), hostile.connect(port)]
                hostile.send(strangers[-1], saying)
                slow.append((strangers[-2], iter(saying)))
            strangers += [hostile.connect(port) for _ in range(200)]
        for stranger, rest in slow:
            hostile.send(stranger, bytes([next(rest, 0)]))
        return strangers

    def expect_closed_within(self, strangers, limit_s):
        end = time.monotonic() + limit_s
        for stranger in strangers:
            with stranger:
                self.assertTrue(hostile.is_closed_within(stranger, max(0.05, end - time.monotonic())))

    def ports_of(self, job):
        """By process. An agent closes its own when it has measured the network."""
        found = hostile.listening_ports([job.pid, *hostile.descendants(job.pid)])
        return {pid: ports for pid, ports in found.items() if self.kind(job, pid) != "agent"}

    def test_30_31_32_33_34_35_while_the_job_comes_together_and_while_it_ends(self):
        """Rank 0 is held back, before it joins and before it leaves: then it is not in the library, and sees to them all
        the same."""
        for options in ([], self.remote):
            with self.subTest(remote=bool(options)):
                job = start("-n", RANKS, "--transport", "tcp", *options, PROBE, 300, 100, "held", stdin=subprocess.PIPE,
                            env={**os.environ, "ORDERS": str(self.folder / "orders")})
                self.addCleanup(lambda job=job: job.poll() is None and job.kill())
                read_until(job.stdout, "holds")
                while len(early := self.ports_of(job)) < RANKS - 1 + bool(options):
                    self.assertIsNone(job.poll())
                strangers = self.attack(port for ports in early.values() for port in ports)
                job.stdin.write(b"\n")
                job.stdin.flush()
                output = read_until(job.stdout, "holds")
                late = self.ports_of(job)
                self.assertEqual(len(late), RANKS + bool(options))
                strangers += self.attack(port for ports in late.values() for port in ports)
                self.expect_closed_within(strangers, 3.5 * SLACK)  # the watcher of rank 0 looks now and then
                rest, error = job.communicate(b"\n", timeout=60)
                self.assertEqual(job.returncode, 0, error)
                self.assertEqual(len(re.findall(r"rank \d: 300 in", output + rest.decode())), RANKS)


if __name__ == "__main__":
    at_once.main(1 if THREAD_SANITIZED else 4)  # there a handshake takes most of its 2 s
