# SPDX-License-Identifier: Apache-2.0
"""Starts on a starved machine: a control group that has a fraction of a core. Needs root and a hierarchy of control groups that
bounds processor time; exits with 77 (skipped) elsewhere."""

import contextlib
import os
import pathlib
import unittest

from fault_driver import SLACK, run
from skips import main, skip_all

RANKS, SHARE = 48, 0.2  # of a core
PERIOD_US = 100_000


@contextlib.contextmanager
def starved_group():
    """A control group whose processes share SHARE of a core."""
    root = pathlib.Path("/sys/fs/cgroup")
    old = (root / "cpu").is_dir()
    group = (root / "cpu" if old else root) / f"cohort-storm-{os.getpid()}"
    try:
        group.mkdir()
        quota = int(SHARE * PERIOD_US * SLACK)
        if old:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (group / "cpu.max").write_text(f"{quota} {PERIOD_US}")
    except OSError as error:
        if group.is_dir():
            group.rmdir()
        skip_all(f"no control group that bounds processor time: {error}")
    try:
        yield group
    finally:
        group.rmdir()


class Storms(unittest.TestCase):
    def test_80_all_with_all_on_a_fifth_of_a_core(self):
        with starved_group() as group:
            def enter():
                (group / "cgroup.procs").write_text(str(os.getpid()))

            result = run("-n", RANKS, "storm_probe", preexec_fn=enter, env={**os.environ, "COHORT_INDEX": "direct"})
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"all with all\n", b""))


if __name__ == "__main__":
    main()
