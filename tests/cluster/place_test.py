# SPDX-License-Identifier: Apache-2.0
"""What each process is told of its place on several hosts, and a command of docs/how-to/debugging.md there."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "launcher"))
from job_driver import run
from lab_driver import RSH, hosts_up
from skips import main

HOSTS = 3


class Place(unittest.TestCase):
    def each_says(self, ranks, script):
        """By a shell, which is not of Cohort."""
        result = run("--rsh", RSH, "--hosts", "h0,h1,h2", "-n", ranks, "sh", "-c", script)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        return sorted(result.stdout.decode().splitlines())

    def test_each_process_is_told_its_place(self):
        self.assertEqual(self.each_says(7, 'echo "$COHORT_RANK $COHORT_RANKS $COHORT_LOCAL_RANK $COHORT_LOCAL_RANKS '
                                           '$COHORT_HOST $COHORT_HOST_NUMBER"'),
                         ["0 7 0 3 h0 0", "1 7 1 3 h0 0", "2 7 2 3 h0 0", "3 7 0 2 h1 1", "4 7 1 2 h1 1", "5 7 0 2 h2 2",
                          "6 7 1 2 h2 2"])

    def test_all_are_told_the_same_job(self):
        self.assertEqual(len(set(self.each_says(6, "echo $COHORT_JOB"))), 1)

    def test_a_gpu_of_its_own(self):
        self.assertEqual(self.each_says(6, 'CUDA_VISIBLE_DEVICES=$((COHORT_LOCAL_RANK % 2)) exec sh -c '
                                           '\'echo "$COHORT_HOST $CUDA_VISIBLE_DEVICES"\''),
                         [f"h{host} {gpu}" for host in range(HOSTS) for gpu in range(2)])


if __name__ == "__main__":
    with hosts_up(HOSTS):
        main()
