# SPDX-License-Identifier: Apache-2.0
"""Hosts whose clocks are wrong, or are set while the job runs. Case 83 of the list of faults. A library that is preloaded
moves the wall clock of the processes below a launcher, or below an agent."""

import os
import pathlib
import random
import shutil
import struct
import tempfile
import time
import unittest

from job_driver import BIN, PROBE, SANITIZED, SLACK, read_lines, run, start, status_when
from skips import main
from until_error import within

SEED = int(os.environ.get("COHORT_SEED", random.randrange(1 << 32)))
DAY = 86400
YEAR = 365 * DAY
LIBRARY = os.path.join(BIN, "libshifted_clock.so")


@unittest.skipIf(SANITIZED, "a sanitizer's library wants to be the first that is preloaded")
class Clocks(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cohort-clocks-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def clock(self, name, shift_s):
        """Of those that have this in their environment. It may be called again, which sets the clock."""
        with open(self.folder / name, "r+b" if (self.folder / name).exists() else "wb") as file:
            file.write(struct.pack("=q", int(shift_s)))
        return {"LD_PRELOAD": LIBRARY, "COHORT_TEST_CLOCK": str(self.folder / name)}

    def hosts(self, *clocks):
        """One for each clock, by a remote shell that gives all on a host that host's."""
        rsh = self.folder / "rsh"
        lines = [f"127.0.0.{i + 2}) export " + " ".join(f"{name}={value}" for name, value in clock.items()) + " ;;"
                 for i, clock in enumerate(clocks)]
        rsh.write_text("#!/bin/sh\ncase $1 in\n" + "\n".join(lines) + '\nesac\nshift\nexec sh -c "$*"\n')
        rsh.chmod(0o755)
        return ["--rsh", rsh, "--hosts", ",".join(f"127.0.0.{i + 2}" for i in range(len(clocks)))]

    def test_83_clocks_that_are_off(self):
        """By a day to decades, ahead or behind: of the launcher, of a host, of all."""
        draw = random.Random(SEED)
        for shift in (-1.5 * DAY, 10 * YEAR + 5 * DAY, -draw.uniform(1, 50 * YEAR), draw.uniform(DAY, 200 * YEAR)):
            right, wrong, other = self.clock("right", 0), self.clock("wrong", shift), self.clock("other", -shift / 8)
            for launcher, hosts in ((right, (wrong, right)), (wrong, (right, other))):
                with self.subTest(seed=SEED, days=shift / DAY, launcher=launcher is wrong):
                    with within(5 * SLACK, "83, the whole job"):
                        result = run("-n", 3, *self.hosts(*hosts), PROBE, "kill", 1, env={**os.environ, **launcher})
                    self.assertEqual(result.returncode, 137, result.stderr)
                    self.assertRegex(result.stderr.decode(), r"(?m)^cohort: rank 1 \(host 127\.0\.0\.2, .* by signal 9")

    def test_83_a_clock_that_is_set(self):
        """No limit counts by it, nobody is lost, and whoever asks is answered."""
        clock = self.clock("clock", 0)
        began = time.monotonic()
        job = start("-n", 2, *self.hosts(clock, clock), "--host-limit", 1, "--timeout", 4, "--patience", 0, "hang_probe", "receive",
                    env={**os.environ, **clock})
        self.addCleanup(job.communicate)
        read_lines(job.stdout, 2)
        for shift in (YEAR, -YEAR, 30 * YEAR, -2 * DAY):
            self.clock("clock", shift)
            status_when(job, r"rank 0 \(host 127\.0\.0\.2", r"rank 1 \(host 127\.0\.0\.3")
        _, error = job.communicate(timeout=60)
        took = time.monotonic() - began
        self.assertEqual(job.returncode, 124, error)
        self.assertRegex(error.decode(), r"^cohort: timeout: the job did not end within 4 s; still running: ranks 0, 1\n")
        self.assertGreaterEqual(took, 4)
        self.assertLess(took, 4 + 3 * SLACK)


if __name__ == "__main__":
    main()
