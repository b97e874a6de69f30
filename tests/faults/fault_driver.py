# SPDX-License-Identifier: Apache-2.0
"""What the tests of faults share: jobs of fault_probe, what their processes were told, and how long it took."""

import json
import os
import pathlib
import select
import signal
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "launcher"))
from job_driver import (BIN, LIMIT_S, RSH_HERE, SANITIZED, SLACK, descendants, expect_nothing_left, inject, link_limit_s,  # noqa: E402, F401
                        read_lines, read_until, run, start, status_when, text_of, wait_until_gone,  # noqa: E402
                        wait_until_stopped)  # noqa: E402
from until_error import expect_within  # noqa: E402, F401

PROBE = "fault_probe"
EXIT, SIGNAL, OUT_OF_MEMORY, STALLED, LINK, HOST, REFUSED = range(7)  # cohort::FailureCause
# Of who was stopped or cut off while it connected: it begins anew, and is not waited for meanwhile.
LATE = r"cohort: refused a connection from \S+: it did not say who it is within 2 s\n"
DEFAULT_HOST_LIMIT_S = 5
HOST_LIMIT_S = DEFAULT_HOST_LIMIT_S if os.environ.get("COHORT_LONG") else 2  # the default, or what takes less time


def moments(lines):
    """When processes said these lines."""
    return [line["at"] for line in lines.values()]


class Faults(unittest.TestCase):
    def begin(self, ranks, culprits, how, at, *options, calls=(), **settings):
        """A job whose processes have all begun to call collectives, or are unable to. Its processes, by rank, are in
        self.processes."""
        names = ",".join(map(str, culprits)) or "none"
        job = start("-n", ranks, *options, PROBE, names, how, at, *calls, **settings)
        self.addCleanup(lambda: job.poll() is not None or job.kill())
        self.early, begun = [], {}
        while len(begun) < ranks and "unable" not in [line["what"] for line in self.early]:
            for line in map(json.loads, read_lines(job.stdout, 1)):
                if line["what"] == "begun":
                    begun[line["rank"]] = line["process"]
                else:
                    self.early.append(line)
        self.processes, self.told_who = begun, bool(culprits)
        self.below = descendants(job.pid)
        return job

    def expect_silence(self, job, seconds):
        """Neither the processes nor the launcher have anything to say for so long, but of who was connecting."""
        end = time.monotonic() + seconds
        while said := select.select([job.stdout, job.stderr], [], [], max(0, end - time.monotonic()))[0]:
            self.assertRegex("".join(stream.read1().decode() for stream in said), rf"^({LATE})+$")

    def file(self, text):
        """Its path."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "file")
        with open(path, "w") as file:
            file.write(text)
        return path

    def remote_shell(self):
        """To hosts that are this machine, out of the reach of the launcher's warden; and what says the agent of a host."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        rsh = self.file(f'#!/bin/sh\nagent={folder.name}/$1\nshift\nsetsid sh -c "echo \\$\\$ > $agent; exec $*" <&0\n')
        os.chmod(rsh, 0o755)
        return rsh, lambda host: int(pathlib.Path(folder.name, host).read_text())

    def agents(self, count):
        """Options for a job on so many hosts, of this machine, each with an agent."""
        return [*RSH_HERE, "--hosts", ",".join(f"127.0.0.{2 + host}" for host in range(count))]

    def end(self, job):
        """What the processes have said, by what and rank, what the launcher has said, and that nothing is left."""
        output, error = job.communicate(timeout=LIMIT_S)
        lines = self.early + [json.loads(line) for line in output.decode().splitlines()]
        said = {}
        for line in lines:
            said.setdefault(line["what"], {})[line["rank"]] = line
        expect_nothing_left(job, self.below)
        return said, error.decode()

    def expect_record(self, said, survivors, culprits, cause, status=0):
        """Every survivor was told the same record of one of the culprits, for every call. Returns it. What was
        pending may have been a call on half the processes, which may hold another of the culprits. Where the
        processes know who is to perish, each survivor was in a group without them, which went on."""
        self.assertEqual(sorted(said.get("pending", {})), sorted(survivors), said)
        self.assertEqual(sorted(said.get("later", {})), sorted(survivors), said)
        record = None
        for what in ["later", "message", "pending", "half", "later on half"]:
            for line in said.get(what, {}).values():
                self.assertEqual(line["code"], "peer_lost", line)
                mine = {key: line[key] for key in ["number", "pid", "host", "incarnation", "cause", "status", "words",
                                                   "seen_by", "when", "peer"]}
                record = record or mine
                if what in ["later", "message"] or len(culprits) == 1:
                    self.assertEqual(mine, record)
                self.assertIn(mine["pid"], culprits)
                self.assertIn(f"(pid {mine['pid']}, {mine['host']}) {mine['words']}", line["text"])
        for rank, line in said["later"].items():
            expect_within(0.5 * SLACK, "61, from one error to the next", said["pending"][rank]["at"], [line["at"]])
        self.assertEqual((record["number"], record["cause"], record["status"]), (1, cause, status), record)
        self.assertEqual(record["peer"], record["pid"])
        self.assertNotEqual(record["incarnation"], 0)
        self.assertLess(abs(record["when"] - time.time()), 60)
        self.assertEqual(sorted(said.get("innocent", {})), sorted(survivors) if self.told_who else [], said)
        for line in said.get("innocent", {}).values():
            self.assertEqual(line["code"], "none", line)
        return record

    def expect_link(self, said, ranks, ends):
        """The same where a link broke: one of its ends had to go. Returns its record, and what the others were told."""
        gone = next(line["pid"] for line in said["later"].values() if line["rank"] not in ends)
        told = {what: {rank: line for rank, line in lines.items() if rank != gone} for what, lines in said.items()}
        self.assertIn(gone, ends)
        return self.expect_record(told, [rank for rank in range(ranks) if rank != gone], [gone], LINK), told

    def kill(self, rank, number=signal.SIGKILL):
        """When."""
        os.kill(self.processes[rank], number)
        return time.monotonic()
