#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs of Debian's packages, linked to Open MPI and MPICH, run on Cohort as they are: those of tools/mpi_clients that take
few seconds. A client whose package is missing is skipped; tools/setup --all installs them."""

import pathlib
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from skips import main  # noqa: E402

COHORT = pathlib.Path(sys.argv.pop(1)).resolve() / "cohort"


class Clients(unittest.TestCase):
    def client(self, name, needs, *sizes):
        if not (shutil.which(needs) or list(pathlib.Path("/").glob(needs.lstrip("/")))):
            self.skipTest(f"there is no {needs}; tools/setup --all installs it on Debian 12")
        for size in sizes:
            with self.subTest(size=size):
                result = subprocess.run([ROOT / "tools/mpi_clients", "run", "cohort", "--cohort", COHORT, "-n", str(size), name],
                                        text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=280)
                self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
                self.assertEqual(result.stdout.split("\t")[3], "ok")

    def test_netpipe_of_open_mpi(self):
        self.client("netpipe", "NPopenmpi", 2)

    def test_netpipe_of_mpich(self):
        self.client("netpipe-mpich", "NPmpich2", 2)

    def test_hpcc(self):
        self.client("hpcc", "hpcc", 4)

    def test_mpi4py(self):
        self.client("mpi4py-hello", "/usr/lib/python3/dist-packages/mpi4py", 3)

    def test_tour_of_mpi4py(self):
        self.client("mpi4py-tour", "/usr/lib/python3/dist-packages/mpi4py", 1, 2, 5)


if __name__ == "__main__":
    main()
