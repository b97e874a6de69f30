# SPDX-License-Identifier: Apache-2.0
"""A host behind a slow link counts as alive while a long message of the launcher or of its agent is on its way, though that takes
longer than --host-limit."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "launcher"))
from job_driver import BIN, PROBE, SLACK, run
from lab_driver import RSH, cluster, hosts_up
from skips import main

BEHIND_IT = ["--rsh", RSH, "--hosts", "h0", "--host-limit", 1 * SLACK, "-n", 1]


class SlowLink(unittest.TestCase):
    def setUp(self):
        cluster("rate", "h0", f"{10 / SLACK}mbit")

    def test_a_line_of_megabytes(self):
        for stream in (1, 2):
            with self.subTest(stream=stream):
                result = run(*BEHIND_IT, "sh", "-c", f"{os.path.join(BIN, PROBE)} lines 1 {3 << 20} >&{stream}")
                self.assertEqual(result.returncode, 0, result.stderr[:1000])
                self.assertEqual(len(result.stdout if stream == 1 else result.stderr), (3 << 20) + 1)

    def test_megabytes_of_arguments(self):
        result = run(*BEHIND_IT, "sh", "-c", "echo $#", "sh", *["x" * 100_000] * 18)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"18\n", b""))


if __name__ == "__main__":
    with hosts_up(1):
        main()
