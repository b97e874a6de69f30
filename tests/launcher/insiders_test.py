# SPDX-License-Identifier: Apache-2.0
"""Someone of the job who means harm, at the ports of a real job: its processes', its agents', its launcher's. Cases 32,
34, 36, 37 and 44 of the list of faults, which need the job's secret."""

import os
import random
import re
import signal
import socket
import subprocess
import time
import unittest

import hostile
import insider
from attacked_job import PROBE, RANKS, Case, most_resident_bytes
from job_driver import COHORT, SLACK, THREAD_SANITIZED, expect_nothing_left, read_until, start, status_when, wait_until_gone
import at_once
from until_error import expect_within, within

# A remote shell that lets us be the first host's agent.
RSH = """#!/bin/sh
if [ "$1" = 127.0.0.2 ]; then exec cat > "$ORDERS"; fi
shift
exec %s
"""
VERSION = subprocess.run([COHORT, "--version"], capture_output=True, check=True).stdout.split()[1]
MOST_BYTES = 32 << 20  # that an attacked process may grow by


def unknown(size):
    """A message of so many bytes, of 16 KiB to 2 MiB, that nobody knows."""
    return insider.field(999, bytes(size - 5))


def owner_of(job, port):
    [pid] = [pid for pid, ports in hostile.listening_ports(hostile.descendants(job.pid)).items() if port in ports]
    return pid


class Insiders(Case):
    def begin(self, *options, version=VERSION, others='sh -c "$*"'):
        """A job whose first host we are: the agent there, of this version, once the launcher has told it what to do."""
        (self.folder / "rsh").write_text(RSH % others)
        pipe = self.folder / "pipe"
        pipe.unlink(missing_ok=True)
        os.mkfifo(pipe)
        job = start("-n", RANKS, "--transport", "tcp", "--host-limit", 0, *self.remote, *options, PROBE, 0, 100, "apart",
                    env={**os.environ, "ORDERS": str(pipe)})
        self.addCleanup(lambda: job.poll() is None and (job.terminate(), job.communicate(timeout=60)))
        told = open(pipe, "rb")
        self.addCleanup(told.close)
        orders = insider.fields(told.read(int.from_bytes(told.read(4), "little")))  # cohort.v1.Orders
        certificate = self.folder / "certificate"
        certificate.write_bytes(orders[2][0] + orders[3][0])
        agent = insider.Agent(self.control_port(job), [certificate], version)
        self.addCleanup(agent.stream.close)
        return job, agent

    @staticmethod
    def end_others(job):
        """Returns what they have said."""
        said = read_until(job.stdout, "begins")
        job.send_signal(signal.SIGUSR1)
        return said

    def let_others_leave(self, job):
        """Until they wait for us to leave, too. Returns what they have said."""
        said = self.end_others(job)
        status_when(job, *(rf"rank {rank} .*: leaving the job for " for rank in range(1, RANKS)))
        return said

    def expect_undisturbed(self, job, agent, killed=False, said=None):
        """The others calculate, unless they have said already that they leave, and end in order. Returns the lines on
        standard error."""
        if said is None:
            said = self.end_others(job)
        agent.end(signal.SIGKILL) if killed else agent.leave()
        output, error = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 0, error)
        self.assertNotIn(b"not mine", output)
        expect_nothing_left(job)
        self.assertEqual(len(re.findall(r"rank \d: [1-9]\d* in", said + output.decode())), RANKS - 1, output)
        return error.decode().splitlines()

    def expect_refused(self, case, place, hello, proof=None):
        """Without a word but the challenge, which only a proper hello is worth."""
        with within(1 * SLACK, f"{case}, until it is closed"):
            link, challenge = place.say(hello)
            with link:
                self.assertEqual(len(challenge), 48 if proof else 0)
                if proof:
                    link.sendall(proof(challenge))
                self.assertEqual(insider.read(link, 1), b"")

    def expect_no_replay(self, place, incarnation, me):
        """Case 34. Who has the secret would be told that it is connected already."""
        link, verdict = place.greet(me, incarnation)
        self.addCleanup(link.close)
        self.assertEqual(verdict, 1)
        hello, proof = place.recorded
        self.expect_refused("34", place, hello, lambda _: proof)
        self.expect_refused("34", place, hello, lambda challenge: challenge[:32])
        guess = insider.Place(place.ip, place.port, place.pid, place.job, os.urandom(32))
        self.expect_refused("34", place, hello, lambda challenge: guess.proof(hello, challenge))
        second, verdict = place.greet(me, incarnation)
        second.close()
        self.assertEqual(verdict, 2)

    def expect_no_such_rank(self, place, ranks, incarnation):
        """Case 36."""
        for pid in [ranks, 1 << 30, -1, -(1 << 31), place.pid]:
            with self.subTest(pid=pid):
                self.expect_refused("36", place, place.hello(pid, incarnation))

    def expect_failed(self, job, place, incarnation, me, frames):
        """Case 37: the link is closed, and the process has not grown."""
        pid = owner_of(job, place.port)
        before = most_resident_bytes(pid)
        link, verdict = place.greet(me, incarnation)
        self.assertEqual(verdict, 1)
        with link:
            since = time.monotonic()
            link.sendall(frames)
            self.assertTrue(hostile.is_closed_within(link, 10))
        expect_within(1 * SLACK, "37, until the link is closed", since)
        self.expect_grown_by_less(pid, before, MOST_BYTES)
        return since


# What breaks the link. A group that is unknown may be about to be made: its message waits, and what follows it is read.
UNKNOWN_KIND = insider.frame(kind=200), "it sent a damaged frame header"
NONSENSE = {
    "an unknown kind": UNKNOWN_KIND,
    "a length of 2^63": (insider.frame(length=1 << 63, transfer=1), "it sent a frame that makes no sense"),
    "an unknown group": (insider.frame(length=3, payload=3, group=(77, 0)) + b"abc" + UNKNOWN_KIND[0], UNKNOWN_KIND[1]),
    "a group that there is not": (insider.frame(length=3, payload=3, group=(77, RANKS)), rf"it sent a frame that makes no sense \(kind 0, group \(77,{RANKS}\)"),
    "a payload of 4 GiB": (insider.frame(length=(1 << 32) - 1, payload=(1 << 32) - 1), "it sent a frame that makes no sense"),
    "data of no message": (insider.frame(insider.DATA, length=8, payload=8, transfer=77), "it sent a frame that makes no sense"),
}


class DataPort(Insiders):
    def test_34_a_recorded_handshake_and_a_reflected_challenge(self):
        job, agent = self.begin()
        for place in agent.join():
            self.expect_no_replay(place, agent.INCARNATION, 0)
        self.expect_undisturbed(job, agent)

    def test_36_ranks_that_there_are_not(self):
        job, agent = self.begin()
        for place in agent.join():
            self.expect_no_such_rank(place, RANKS, agent.INCARNATION)
        for line in self.expect_undisturbed(job, agent):
            self.assertRegex(line, r"refused a connection from \S+: it says that it is pid -?\d+ of 3$")

    def test_37_frames_that_make_no_sense(self):
        """It is the insider that is lost, and named; the others go on."""
        for name, (frames, says) in NONSENSE.items():
            with self.subTest(name):
                job, agent = self.begin("--on-failure", "continue")
                place = agent.join()[0]
                since = self.expect_failed(job, place, agent.INCARNATION, 0, frames)
                self.assertIsNotNone(agent.hear(insider.KILL))
                expect_within(1 * SLACK, "37, until all know whom it comes from", since)
                [line] = self.expect_undisturbed(job, agent, killed=True)
                self.assertRegex(line, r"^cohort: rank 0 \(host 127.0.0.2, process \d+\) lost its link to pid 1 on 127.0.0.3: " +
                                 says + ".*; the job goes on$")


    def test_36_37_while_the_job_ends(self):
        for name in ("an unknown kind", "a length of 2^63"):
            frames, says = NONSENSE[name]
            with self.subTest(name):
                job, agent = self.begin("--on-failure", "continue")
                place = agent.join()[0]
                said = self.let_others_leave(job)
                self.expect_no_such_rank(place, RANKS, agent.INCARNATION)
                self.expect_failed(job, place, agent.INCARNATION, 0, frames)
                self.assertIsNotNone(agent.hear(insider.KILL))
                *_, line = self.expect_undisturbed(job, agent, killed=True, said=said)
                self.assertRegex(line, rf"^cohort: rank 0 .* lost its link to pid 1 on 127.0.0.3: {says}.*; the job goes on$")


class AgentPort(Insiders):
    """Of the second host's agent, while it measures the network with the first, which we are: pids 0 and 1."""

    ME, INCARNATION = 1, 2

    def test_32_strangers_are_told_of(self):
        """By the launcher, with the host's name; at most once a second."""
        job, agent = self.begin()
        place = agent.meet()
        for seed in range(20):
            with socket.create_connection((place.ip, place.port), timeout=10) as link:
                link.sendall(random.Random(seed).randbytes(200))
                self.assertTrue(hostile.is_closed_within(link, 10))
        agent.join()
        [line] = self.expect_undisturbed(job, agent)
        self.assertRegex(line, r"^cohort: host 127\.0\.0\.3: refused a connection from 127\.0\.0\.1: ")

    def test_34_a_recorded_handshake_and_a_reflected_challenge(self):
        job, agent = self.begin()
        self.expect_no_replay(agent.meet(), self.INCARNATION, self.ME)
        agent.join()
        self.expect_undisturbed(job, agent)

    def test_36_ranks_that_there_are_not(self):
        job, agent = self.begin()
        self.expect_no_such_rank(agent.meet(), 2, self.INCARNATION)
        agent.join()
        self.expect_undisturbed(job, agent)

    def test_37_frames_that_make_no_sense(self):
        for name, (frames, _) in NONSENSE.items():
            with self.subTest(name):
                job, agent = self.begin()
                self.expect_failed(job, agent.meet(), self.INCARNATION, self.ME, frames)
                agent.join()
                self.expect_undisturbed(job, agent)


class ControlPort(Insiders):
    def test_36_an_agent_that_says_it_is_another(self):
        """Its certificate is its own: it is not heard in the name of a host that has not called yet."""
        rsh = self.folder / "rsh"
        rsh.write_text('#!/bin/sh\nexec cat > "$0.$1"\n')
        hosts = ["127.0.0.2", "127.0.0.3"]
        pipes = [self.folder / f"rsh.{host}" for host in hosts]
        for pipe in pipes:
            os.mkfifo(pipe)
        job = start("-n", 2, "--rsh", rsh, "--hosts", ",".join(hosts), "true")
        self.addCleanup(lambda: job.poll() is None and (job.terminate(), job.communicate(timeout=60)))
        certificates = []
        for pipe in pipes:
            told = open(pipe, "rb")
            self.addCleanup(told.close)
            orders = insider.fields(told.read(int.from_bytes(told.read(4), "little")))
            certificates.append(self.folder / f"certificate.{len(certificates)}")
            certificates[-1].write_bytes(orders[2][0] + orders[3][0])
        port = self.control_port(job)
        for me, other in ((0, 1), (1, 0)):
            with hostile.tls(port, [certificates[me]]) as liar:
                hostile.send(liar, hostile.call(b"/cohort.v1.Control/Attach", b"", None, insider.Agent.hello(VERSION, other)))
                self.assertTrue(hostile.ends_call(liar))
        agents = [insider.Agent(port, [certificate], VERSION, host) for host, certificate in enumerate(certificates)]
        for agent in agents:
            self.addCleanup(agent.stream.close)
            self.assertIsNotNone(agent.hear(insider.BEAT))

    def test_44_an_agent_of_another_version(self):
        """The host and both versions are named, and all ends: also what has started on the other host."""
        job, agent = self.begin(version=b"9.9")
        started = hostile.descendants(job.pid)
        with within(1 * SLACK, "44, another version, until the job has ended"):
            self.assertIsNone(agent.hear(insider.START))
            _, error = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 1)
        self.assertRegex(error.decode(), r"host 127\.0\.0\.2: cohort there is of version 9\.9, here of version " +
                         re.escape(VERSION.decode()))
        self.assertEqual(wait_until_gone(started, 1 * SLACK), [])

    def test_37_what_an_agent_may_not_say(self):
        """About processes of others, or of nobody; who it is, once more; something unknown."""
        job, agent = self.begin()
        agent.join()
        for number in range(1, 60):
            for pid in (RANKS - 1, RANKS, 1 << 30, (1 << 64) - 1):
                if number not in (insider.FINISHED, insider.OUTPUT, insider.INPUT_TAKEN, insider.NOT_STARTED):
                    agent.tell(number, insider.field(1, pid))
        agent.tell(1, agent.hello(VERSION))
        self.expect_undisturbed(job, agent)

    @staticmethod
    def output(pid):
        return insider.field(1, pid) + insider.field(3, b"not mine\n")

    def test_37_output_of_nobody(self):
        """Of others, or of no process, while the job runs; of one that is not started yet, for other hosts are missing."""
        job, agent = self.begin()
        agent.join()
        for pid in (RANKS - 1, RANKS, 1 << 30, (1 << 64) - 1):
            agent.tell(insider.OUTPUT, self.output(pid))
        self.assertEqual(self.expect_undisturbed(job, agent), [])
        job, agent = self.begin(others="cat > /dev/null")
        agent.tell(insider.OUTPUT, self.output(0))
        agent.tell(insider.NOT_STARTED, insider.field(1, 126) + insider.field(2, b"so much for that"))
        output, error = job.communicate(timeout=60)
        self.assertEqual((job.returncode, output, error.decode()),
                         (126, b"", "cohort: so much for that (host 127.0.0.2)\n"))

    def test_37_messages_that_claim_too_much(self):
        """The host is lost, and named; the launcher has not grown."""
        output = b"\x4a"  # FromHost.output, of bytes
        messages = {"a thousand levels": b"\x4b" * 1000 + b"\x4c" * 1000,
                    "a field of 1 GiB": output + hostile.varint(1 << 30) + b"x" * 100,
                    "a field of 2^63 bytes": output + hostile.varint(1 << 63) + b"x" * 100,
                    "noise": random.Random(2).randbytes(500)}
        for name, message in messages.items():
            with self.subTest(name):
                job, agent = self.begin()
                agent.join()
                before = most_resident_bytes(job.pid)
                with within(1 * SLACK, "37, of an agent, until its call ends"):
                    agent.stream.sendall(hostile.grpc_message(message))
                    self.assertIsNone(agent.hear(insider.FINISH))
                self.expect_grown_by_less(job.pid, before, MOST_BYTES)
                self.expect_lost(job)

    def expect_lost(self, job):
        _, error = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 1)
        self.assertRegex(error.decode(), r"^cohort: rank 0 \(host 127.0.0.2, process \d+\) was lost with its host: its agent "
                         r"has ended, or can't be reached any more; the job was ended\n$")

    def test_37_a_message_longer_than_a_chunk_may_be(self):
        """One that is just as long is none that the launcher knows, and does no harm."""
        job, agent = self.begin()
        agent.join()
        agent.pour(unknown(128 << 10))
        self.expect_undisturbed(job, agent)
        job, agent = self.begin()
        agent.join()
        agent.pour(unknown((128 << 10) + 1))
        self.assertIsNone(agent.hear(insider.FINISH))
        self.expect_lost(job)

    def test_37_chunks_that_make_no_message(self):
        """The host is lost, and named; the launcher has grown by no more than a message of 20 MiB takes while it grows."""
        def chunk(data, continues):
            return insider.field(insider.CHUNK, insider.field(1, data) + insider.field(2, int(continues)))

        left = insider.field(insider.LEFT, insider.field(1, 0))
        stories = {"they never end": [chunk(bytes(64 << 10), True)] * 321, "the message is cut off": [chunk(b"\x4a\x7f", False)],
                   "another message comes between": [chunk(b"x", True), left]}
        for name, messages in stories.items():
            with self.subTest(name):
                job, agent = self.begin()
                agent.join()
                before = most_resident_bytes(job.pid)
                for message in messages:
                    agent.pour(message)
                self.assertIsNone(agent.hear(insider.FINISH))
                self.expect_grown_by_less(job.pid, before, 2 * MOST_BYTES)
                self.expect_lost(job)

    def test_36_37_38_while_the_job_ends(self):
        """Words of others' processes, another host's name, and messages that claim too much, by new connections."""
        job, agent = self.begin()
        agent.join()
        said = self.let_others_leave(job)
        for pid in (RANKS - 1, RANKS, (1 << 64) - 1):
            agent.tell(insider.OUTPUT, self.output(pid))
            agent.tell(insider.LEFT, insider.field(1, pid))
        for hello in (agent.hello(VERSION, 1), agent.hello(VERSION, RANKS), None):
            with hostile.tls(self.control_port(job), [self.folder / "certificate"]) as liar:
                hostile.send(liar, hostile.call(b"/cohort.v1.Control/Attach", b"x" * 1000, 1 << 30, hello))
                self.assertTrue(hostile.ends_call(liar))
        self.assertEqual(self.expect_undisturbed(job, agent, said=said), [])

    def test_37_more_than_4_calls_at_once(self):
        job, agent = self.begin()
        agent.join()
        agent.stream.sendall(b"".join(hostile.headers_of_call(stream, b"/cohort.v1.Control/Attach", agent.hello(VERSION))
                                      for stream in range(3, 13, 2)))
        self.assertIsNone(agent.hear(insider.FINISH))
        self.expect_lost(job)


if __name__ == "__main__":
    at_once.main(1 if THREAD_SANITIZED else 4)  # there a handshake takes most of its 2 s
