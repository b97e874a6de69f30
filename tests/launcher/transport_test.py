# SPDX-License-Identifier: Apache-2.0
"""How processes of one host talk: through memory, which falls back to TCP where it can't be had."""

import os
import re
import signal
import subprocess
import unittest

import hostile
from job_driver import BIN, COHORT, SANITIZED, expect_nothing_left, inject, read_until, run, start, status_when
from skips import main

PROBE = os.path.join(BIN, "loop_probe")
MEMORY_LIMIT = 64 << 20
FEW_DESCRIPTORS = ["sh", "-c", 'ulimit -n 30; exec "$0" "$@"']  # too few for the memory of 32 processes


def memories(launcher):
    """Bytes that the memory of the job takes, once for all who hold it."""
    found = {}
    for process in [launcher, *hostile.descendants(launcher)]:
        try:
            for descriptor in os.listdir(f"/proc/{process}/fd"):
                path = f"/proc/{process}/fd/{descriptor}"
                if "memfd:cohort" in os.readlink(path):
                    facts = os.stat(path)
                    found[facts.st_ino] = facts.st_blocks * 512
        except (FileNotFoundError, PermissionError):
            pass
    return found


class Transports(unittest.TestCase):
    def job(self, *words, ranks=3):
        job = start("-n", ranks, *words, PROBE, 0, 1000)
        self.addCleanup(job.communicate, timeout=60)
        self.addCleanup(lambda: job.poll() is not None or job.terminate())
        read_until(job.stdout, "begins")
        return job

    def test_through_memory(self):
        """No process of the job listens any more, and nothing is left at the end, also if all are killed."""
        job = self.job()
        said = status_when(job, "through memory")
        self.assertIn("through memory", said)
        self.assertEqual(hostile.listening_ports(hostile.descendants(job.pid)), {})
        self.assertEqual(len(memories(job.pid)), 1)
        inject(job.pid, "kill", "rank=1")
        _, error = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 137, error)
        self.assertRegex(error.decode(), r"rank 1 .* was killed by signal 9")
        expect_nothing_left(job)

    def test_over_tcp(self):
        job = self.job("--transport", "tcp")
        self.assertIn("over TCP", status_when(job, "over TCP"))
        self.assertGreaterEqual(len(hostile.ports_of_job(job.pid)), 3)
        self.assertEqual(memories(job.pid), {})

    def test_memory_is_for_one_host(self):
        result = run("-n", 2, "--transport", "shared", "--hosts", "127.0.0.1,127.0.0.2", "true")
        self.assertEqual((result.returncode, result.stdout), (2, b""))
        self.assertRegex(result.stderr.decode(), r"^cohort: --transport shared: the job has several hosts, .*\n$")

    @unittest.skipIf(SANITIZED, "a sanitizer needs descriptors")
    def test_where_it_cannot_be_had(self):
        """The job goes on over TCP, and says so once; or it ends, if the user wants nothing else."""
        result = run("-n", 32, *FEW_DESCRIPTORS, PROBE, 5, 1000)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr.decode(), r"^cohort: warning: rank \d+ on \S+ talks to the others of its host over TCP, "
                                                 r"which takes longer: no memory is shared: .*: Too many open files\n$")
        result = run("-n", 32, "--transport", "shared", *FEW_DESCRIPTORS, PROBE, 5, 1000)
        self.assertNotEqual(result.returncode, 0)
        self.assertRegex(result.stderr.decode(), r"--transport shared: the processes of this host can't share memory: .*: "
                                                 r"Too many open files")

    @unittest.skipIf(SANITIZED, "a sanitizer needs descriptors")
    def test_some_by_memory_and_one_over_tcp(self):
        only_one = ["sh", "-c", '[ "$COHORT_RANK" = 2 ] && ulimit -n 30; exec "$0" "$@"']
        result = run("-n", 32, *only_one, PROBE, 5, 1000)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr.decode(), r"^cohort: warning: rank 2 on .* over TCP")

    def test_the_memory_is_bounded(self):
        """All talk to all."""
        job = subprocess.Popen([COHORT, "bench", "-n", "48", "--min", "192", "--max", "192", "--seconds", "0.5", "index"],
                               stdout=subprocess.DEVNULL)
        self.addCleanup(job.wait, timeout=60)
        most = 0
        while job.poll() is None:
            most = max([most, *memories(job.pid).values()])
        self.assertEqual(job.returncode, 0)
        self.assertTrue(0 < most <= MEMORY_LIMIT + (1 << 20), most)

    def test_a_stopped_process_is_no_dead_one(self):
        job = self.job()
        processes = [int(found) for found in re.findall(r"process (\d+)\)", status_when(job, "rank 1"))]
        os.kill(processes[1], signal.SIGSTOP)
        status_when(job, "is stopped")
        os.kill(processes[1], signal.SIGCONT)
        self.assertIsNone(job.poll())
        status_when(job, "rank 1 .*in combine")


if __name__ == "__main__":
    main()
