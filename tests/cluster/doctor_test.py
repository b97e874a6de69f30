# SPDX-License-Identifier: Apache-2.0
"""`cohort doctor` on several hosts: which of them do not reach each other, and which are slow."""

import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "launcher"))
from job_driver import COHORT
from lab_driver import RSH, cluster, hosts_up, namespace_pids
from skips import main

HOSTS = 3
LIMIT_S = 120


class Doctor(unittest.TestCase):
    def doctor(self, *words):
        result = subprocess.run([COHORT, "doctor", "--rsh", RSH, "--hosts", "h0,h1,h2", *words], capture_output=True, text=True,
                                timeout=LIMIT_S, stdin=subprocess.DEVNULL)
        self.assertEqual(result.stderr, "")
        self.assertEqual([pid for host in range(HOSTS) for pid in namespace_pids(host)], [])
        return result.returncode, result.stdout

    def test_hosts_that_are_well(self):
        status, output = self.doctor("--ports", "7000-7009")
        self.assertEqual(status, 0, output)
        for host, address in (("h0", "10.78.0.2"), ("h1", "10.78.0.3"), ("h2", "10.78.0.4")):
            self.assertRegex(output, rf"(?m)^{host} +nothing +{re.escape(address)} +\d+\.\d\d s +\d+ +10 +[+-]0\.\d+ s")
        self.assertNotIn("problem", output)
        rates = [float(rate) for rate in re.findall(r"\d+\.?\d*", output.split("MB a second")[1].split("\n\n")[0].partition("\n")[2]
                                                    .replace("h0", "").replace("h1", "").replace("h2", ""))]
        self.assertEqual(len(rates), 6)
        self.assertTrue(all(5 < rate < 20 for rate in rates), rates)  # of 100 Mbit/s

    def test_two_hosts_that_do_not_reach_each_other(self):
        cluster("part", "h1", "h2")
        self.addCleanup(cluster, "heal", "h1")
        self.addCleanup(cluster, "heal", "h2")
        status, output = self.doctor()
        self.assertEqual(status, 1, output)
        self.assertEqual(re.findall(r"(?m)^problem  (.*):", output),
                         ["h1 does not reach h2 at 10.78.0.4", "h2 does not reach h1 at 10.78.0.3"])
        self.assertEqual(len(re.findall(r"(?m)^h[12] .* none", output)), 4, output)

    def test_a_host_with_a_slow_link(self):
        cluster("rate", "h2", "5mbit")
        self.addCleanup(cluster, "rate", "h2", "100mbit")
        status, output = self.doctor()
        self.assertEqual(status, 0, output)
        self.assertRegex(output, r"(?m)^note     h2: in all its pairs the time for each byte is at least 4 times")

    def test_a_host_that_is_cut_off(self):
        """Its agent can't call back: the other hosts are looked at nevertheless."""
        cluster("cut", "h2")
        self.addCleanup(cluster, "heal", "h2")
        status, output = self.doctor()
        self.assertEqual(status, 1, output)
        self.assertRegex(output, r"(?m)^problem  h2: .*cannot reach the launcher.*\n +open this host's ports for that one")
        self.assertRegex(output, r"(?m)^h1 +\d+ +- +-$")


if __name__ == "__main__":
    with hosts_up(HOSTS, rate="100mbit"):
        main()
