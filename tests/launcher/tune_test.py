# SPDX-License-Identifier: Apache-2.0
"""`cohort tune` on this machine, and the file that it writes as `cohort run --tuning` reads it."""

import json
import os
import pty
import re
import subprocess
import tempfile
import unittest

from job_driver import COHORT, LIMIT_S, PROBE, SANITIZED, run


def tune(*words):
    return subprocess.run([COHORT, "tune", *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=LIMIT_S * (4 if SANITIZED else 1))


class Tune(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "tuning.toml")

    def test_measures_and_writes_what_run_reads(self):
        result = tune("-n", 3, "-o", self.file)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, rf"\nwritten to {self.file}\n\nWithin a host: (believe it|measure again)\. .*\.\n$")
        self.assertRegex(result.stdout, r"within_host +combine +3 +\d+ +combine/")
        with open(self.file) as file:
            text = file.read()
        self.assertRegex(text, r"(?m)^# pair +2 ranks +8 B: ")
        numbers = dict(re.findall(r"(?m)^(\w+) = ([\d.e+-]+)", text))
        for name in ("alpha_us", "beta_ns_per_byte", "gamma_ns_per_byte"):
            self.assertGreater(float(numbers[name]), 0)
        self.assertNotIn("[between_hosts]", text)
        self.assertIn(" s: 3 processes, one host. ", text)
        self.assertRegex(text, r"(?m)^# Within a host: (believe it|measure again)\. ")
        model = subprocess.run([COHORT, "model", "bcast", "--json", "--tuning", self.file], capture_output=True, text=True)
        self.assertAlmostEqual(json.loads(model.stdout)["network"]["alpha"] * 1e6, float(numbers["alpha_us"]), 6)
        told = run("-n", 2, "--tuning", self.file, PROBE, "tuning").stdout.decode()
        for place in ("within", "each host"):
            self.assertEqual(told.count(f"{place} alpha_us={float(numbers['alpha_us']):.3f} "), 2, told)

    def test_a_slow_network_is_measured_with_less(self):
        """All of it is to take less than a minute, where a message of 4 MiB takes half of one."""
        faults = self.file + ".faults"
        with open(faults, "w") as file:
            file.write("[[fault]]\nkind = 'throttle'\nbytes_per_second = 125_000\n")
        result = tune("-n", 2, "--faults", faults, "-o", self.file)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.file) as file:
            text = file.read()
        self.assertLess(int(re.search(r"Measured by cohort tune in (\d+) s", text)[1]), 60)
        self.assertRegex(text, r"(?m)^# pair +2 ranks +8 B: ")
        self.assertNotRegex(text, r"(?m)^# pair +2 ranks +4 MiB: ")
        beta = float(re.search(r"(?m)^beta_ns_per_byte = (\S+)", text)[1])
        self.assertTrue(0.8 < beta / 8000 < 1.25, text)

    def test_a_terminal_shows_how_far_it_is(self):
        master, slave = pty.openpty()
        with subprocess.Popen([COHORT, "tune", "-n", "2", "-o", "-"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=slave) as process:
            os.close(slave)
            shown = b""
            while b"checking the model (2 of 2): within_host, " not in shown:
                shown += os.read(master, 4096)
            self.assertIn(b"measuring (1 of 2): within_host, pair of ", shown)
            self.assertEqual(process.wait(LIMIT_S), 0)
        os.close(master)

    def test_mistakes(self):
        for words, says in [(["-n", 1, "-o", self.file], "-n 2 or more"), (["-n", 2], "--output is required"),
                            (["-n", 2, "-o", self.file, "--tuning", "/no/such/file"], "leave it out")]:
            result = tune(*words)
            self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), result.stderr)
            self.assertIn(says, result.stderr)

    def test_a_mistake_in_the_file(self):
        with open(self.file, "w") as file:
            file.write("[choices]\nbcast = 'chian'\n")
        result = run("-n", 2, "--tuning", self.file, "true")
        self.assertEqual((result.returncode, result.stderr.count(b"\n")), (2, 1), result.stderr)
        self.assertIn(f"{self.file}:2: bcast: there is no algorithm 'bcast/chian'", result.stderr.decode())

    def test_a_variable_counts_more_than_the_file(self):
        with open(self.file, "w") as file:
            file.write('[choices]\nbcast = "chain"\nreduce = "binomial"\n')
        told = run("-n", 1, "--tuning", self.file, "-x", "COHORT_BCAST=two_tree", PROBE, "tuning").stdout.decode()
        self.assertIn(": reduce/binomial bcast/two_tree;", told)


if __name__ == "__main__":
    unittest.main()
