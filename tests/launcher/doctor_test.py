# SPDX-License-Identifier: Apache-2.0
"""`cohort doctor` on this machine, whose loopback addresses are hosts with an agent each."""

import os
import pathlib
import re
import socket
import struct
import subprocess
import tempfile
import unittest

from job_driver import BIN, COHORT, MARK, RSH_HERE, SANITIZED, SLACK, expect_nothing_left

LIMIT_S = 60 * SLACK


def doctor(*words):
    """The exit status, and what was printed. Nothing is left of it."""
    mark = f"doctor-{os.getpid()}"
    job = subprocess.Popen([COHORT, "doctor", *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, env={**os.environ, MARK: mark})
    job.mark = f"{MARK}={mark}".encode()
    output, error = job.communicate(timeout=LIMIT_S)
    expect_nothing_left(job)
    return job.returncode, output, error


def shell(folder, script):
    """A remote shell of this script, which is given the host as $1."""
    path = pathlib.Path(folder, "rsh")
    path.write_text(f"#!/bin/sh\n{script}\nshift\nexec sh -c \"$*\"\n")
    path.chmod(0o755)
    return "--rsh", path


class Doctor(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_this_machine(self):
        status, output, error = doctor()
        self.assertEqual((status, error), (0, ""))
        self.assertRegex(output, rf"^cohort \d+\.\d+\.\d+, {re.escape(os.path.realpath(COHORT))}\n")
        self.assertTrue(output.endswith("\nNothing is wrong.\n"), output)

    def test_each_pair_is_measured_in_both_directions(self):
        status, output, error = doctor(*RSH_HERE, "--hosts", "127.0.0.2,127.0.0.3,localhost")
        self.assertEqual((status, error), (0, ""))
        hosts, latency, bandwidth, findings = output.split("\n\n")[1:]
        for host in ("127.0.0.2", "127.0.0.3"):
            self.assertRegex(hosts, rf"(?m)^{host} +{host} +127\.\S+ +\d+\.\d\d s +\d+ +any +[+-]0\.\d+ s, within 0\.\d+$")
        for table in (latency, bandwidth):
            rows = [line.split()[-3:] for line in table.splitlines()[1:]]
            self.assertEqual([[cell == "-" for cell in row] for row in rows], [[i == j for j in range(3)] for i in range(3)], table)
            self.assertTrue(all(float(cell) > 0 for row in rows for cell in row if cell != "-"), table)
        self.assertRegex(findings, r"(?m)^note     127\.0\.0\.2, 127\.0\.0\.3, localhost are one machine")

    def test_a_host_that_is_not_reached_does_not_keep_the_others(self):
        rsh = shell(self.folder, 'if [ "$1" = no-host.invalid ]; then echo "Permission denied (publickey)" >&2; exit 255; fi')
        status, output, error = doctor(*rsh, "--hosts", "127.0.0.2,no-host.invalid,127.0.0.3")
        self.assertEqual(status, 1, error)
        self.assertRegex(output, r"(?m)^no-host\.invalid +nothing +not reached")
        self.assertRegex(output, r"(?m)^problem  no-host\.invalid: no agent could be started there.*Permission denied")
        self.assertIn("\n         let it in without a password: ssh-copy-id no-host.invalid", output)
        self.assertEqual(len(re.findall(r"(?m)^127\.0\.0\.[23] +.*\d", output.split("\n\n")[2])), 2, output)

    def test_no_cohort_there(self):
        rsh = shell(self.folder, 'shift; exec sh -c "/no/such/folder/cohort agent"')
        status, output, _ = doctor(*rsh, "--hosts", "127.0.0.2")
        self.assertEqual(status, 1)
        self.assertRegex(output, r"(?m)^problem  127\.0\.0\.2: .* status 127: .*not found\n +install Cohort on that host at the same path")

    @unittest.skipIf(SANITIZED, "a sanitizer's library wants to be the first that is preloaded")
    def test_a_clock_that_is_wrong(self):
        """By a preloaded library, on one of the hosts."""
        for seconds, words in ((100, r"100\.\d s ahead of"), (-7200, r"7\d\d\d\.\d s behind")):
            clock = pathlib.Path(self.folder, "clock")
            clock.write_bytes(struct.pack("=q", seconds))
            rsh = shell(self.folder, f'[ "$1" = 127.0.0.2 ] || export LD_PRELOAD={BIN}/libshifted_clock.so COHORT_TEST_CLOCK={clock}')
            status, output, error = doctor(*rsh, "--hosts", "127.0.0.2,127.0.0.3")
            self.assertEqual((status, error), (0, ""))
            self.assertRegex(output, rf"(?m)^note     127\.0\.0\.3: its clock is {words} this one\n +nothing for Cohort")
            self.assertNotRegex(output, r"(?m)^note     127\.0\.0\.2: its clock")

    def test_ports_that_are_taken(self):
        """Of ten ports of a range, nine."""
        first = 23450
        taken = [socket.create_server(("127.0.0.1", port)) for port in range(first, first + 9)]
        self.addCleanup(lambda: [one.close() for one in taken])
        status, output, error = doctor("--ports", f"{first}-{first + 9}", "--hosts", "localhost:4")
        self.assertEqual((status, error), (1, ""))
        self.assertIn(f"problem  localhost: 1 of the 10 ports {first}-{first + 9} are free, and 4 processes need 4\n", output)

    def test_mistakes(self):
        for words, says in [(["--hosts", ""], "names no host"), (["--hosts", "a,a"], "listed twice"), (["--ports", "9-3", "--hosts", "a"], "--ports"),
                            (["--rsh", "", "--hosts", "a"], "--rsh"), (["x"], "x")]:
            status, output, error = doctor(*words)
            self.assertEqual((status, output, error.count("\n")), (2, "", 1), error)
            self.assertIn(says, error)


if __name__ == "__main__":
    unittest.main()
