# SPDX-License-Identifier: Apache-2.0
"""What measures a network, on hosts of a lab: bench/compare, bench/regret and `cohort tune`, tiny; never how long anything
took. Needs root and ip(8) with namespaces; exits with 77 (skipped) where they are missing."""

import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

from lab_driver import RSH, cluster, hosts_up
from skips import main

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
COHORT = os.path.join(os.environ["COHORT_BIN"], "cohort")
HOSTS, RATE = 4, "100mbit"
TINY = ["--rate", RATE, "--min", "64", "--max", "256", "--seconds", "0", "--repetitions", "1", "--cohort", COHORT]


def done(*words):
    return subprocess.run([*map(str, words)], check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=240)


class OnHosts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="cohort-bench-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def table(self, name):
        with open(self.folder / name) as file:
            return list(csv.DictReader(file, delimiter="\t"))

    def test_a_comparison_takes_the_hosts_that_are_up(self):
        before = cluster("hosts")
        done(BENCH / "compare", *TINY, "-o", self.folder, "--hosts", 3, "--ops", "bcast,pingpong", "--rounds", 1, "--limit", 20)
        self.assertEqual(cluster("hosts"), before)
        rows = self.table("ratios.tsv")
        self.assertEqual([(row["operation"], row["bytes"]) for row in rows],
                         [(operation, size) for operation in ("bcast", "pingpong") for size in ("64", "256")])
        for row in rows:
            self.assertGreater(float(row["cohort"]), 0)
            self.assertGreater(float(row["bound"]), 0)
            self.assertEqual(row["sockets-spin"] == "-", row["operation"] == "bcast")
        page = (self.folder / "README.md").read_text()
        troubles = page.partition("## What went wrong")[2].partition("## All figures")[0]
        self.assertNotRegex(troubles, "(cohort|sockets-.*): ")  # a peer may have some

    def test_the_choice_is_judged(self):
        done(BENCH / "regret", *TINY, "-o", self.folder, "--ranks", "3", "--ops", "combine", "--starts", 1, "--both-ways")
        rows = self.table("algorithms.tsv")
        self.assertEqual({row["bytes"] for row in rows if row["chosen"] == "yes"}, {"64", "256"})
        self.assertTrue(all(float(row["measured"]) > 0 and float(row["predicted"]) > 0 for row in rows))
        self.assertIn(f"hosts on links of {RATE}", (self.folder / "README.md").read_text())

    def test_a_network_is_measured_within_a_host_and_between_hosts(self):
        file = self.folder / "tuning.toml"
        words = ["--rsh", RSH, "--hosts", ",".join(f"h{i}:2" for i in range(HOSTS))]
        table = done(COHORT, "tune", "-n", 2 * HOSTS, *words, "-o", file).stdout
        text = file.read_text()
        self.assertLess(int(re.search(r"Measured by cohort tune in (\d+) s: 8 processes, 4 hosts", text)[1]), 60)
        costs = tomllib.loads(text)
        self.assertLess(10 * costs["within_host"]["beta_ns_per_byte"], costs["between_hosts"]["beta_ns_per_byte"])
        self.assertGreater(costs["between_hosts"]["burst_bytes"], 0)
        for place, ranks in (("within_host", 2), ("between_hosts", HOSTS)):
            found = re.findall(rf"(?m)^{place} +[a-z_]+ +{ranks} +(\d+) ", table)
            sizes = sorted(set(map(int, found)))
            self.assertEqual(len(sizes), 3, table)
            for size in sizes[:2]:  # of the largest, only as many collectives as there is time for
                self.assertEqual(found.count(str(size)), 7, table)


if __name__ == "__main__":
    with hosts_up(HOSTS, rate=RATE):
        main()
