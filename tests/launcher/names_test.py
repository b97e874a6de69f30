# SPDX-License-Identifier: Apache-2.0
"""Hosts whose names do not resolve where the launcher is. Case 42 of the list of faults."""

import os
import tempfile
import time
import unittest

from job_driver import PROBE, SLACK, read_lines, run, start
from skips import main
from until_error import within

NAME_LIMIT_S = 10


def warning(host):
    return rf"(?m)^cohort: warning: host {host}: .* \(the name does not resolve here: [^)]+\); trying again for up to \d+ s$"


class Names(unittest.TestCase):
    def test_42_a_host_whose_name_does_not_resolve(self):
        began = time.monotonic()
        with within(NAME_LIMIT_S + 1 * SLACK, "42, the whole job"):
            with start("--rsh", "false", "--hosts", "localhost,no-host.invalid,nor.invalid", "-n", 3, "true") as job:
                error = "\n".join(read_lines(job.stderr, 2)) + "\n"
                told = time.monotonic() - began
                error += job.communicate()[1].decode()
        self.assertLess(told, NAME_LIMIT_S / 2)
        self.assertGreater(time.monotonic() - began, NAME_LIMIT_S - 1)  # tried again
        self.assertEqual(job.returncode, 1, error)
        for host in (r"no-host\.invalid", r"nor\.invalid"):
            self.assertRegex(error, warning(host))
        self.assertRegex(error, r"(?m)^cohort: host ((?:no-host|nor)\.invalid): .* \(the name does not resolve here: [^;]+; "
                                r"unresolved too: (?!\1)no\S+\.invalid\)$")
        self.assertEqual(len(error.splitlines()), 3, error)

    def test_42_a_host_whose_name_resolves_late(self):
        """The remote shell fails twice, as it does where it knows no such host, and then finds it."""
        with tempfile.TemporaryDirectory() as folder:
            shell = os.path.join(folder, "rsh")
            with open(shell, "w") as file:
                file.write(f"#!/bin/sh\necho >>{folder}/tries\n[ $1 = localhost ] || [ $(wc -l <{folder}/tries) -gt 3 ] || exit 255\n"
                           'shift\nexec sh -c "$*"\n')
            os.chmod(shell, 0o755)
            result = run("--rsh", shell, "--hosts", "localhost,no-such-host.invalid", "-n", 2, PROBE, "join")
            error = result.stderr.decode()
            self.assertEqual(result.returncode, 0, error)
            self.assertRegex(error, warning(r"no-such-host\.invalid"))
            self.assertEqual(len(error.splitlines()), 1, error)
            with open(os.path.join(folder, "tries")) as file:
                self.assertEqual(len(file.readlines()), 4)


if __name__ == "__main__":
    main()
