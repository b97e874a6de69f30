# SPDX-License-Identifier: Apache-2.0
"""The last step of the tutorial on four hosts: its commands print what the page shows."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/documents"), str(ROOT / "tests/support")]
import a_build
import skips
import tutorial
import tutorial_test
from lab_driver import RSH, hosts_up

HOSTS = 4
HERE = f"h0:2,h1:2,h2:2,h3:2 --rsh {RSH}"
NAMES = [(rf"\bh{host}\b", f"node{host + 1}") for host in range(HOSTS)]
arguments = None


class FourHosts(unittest.TestCase):
    def test_the_last_step(self):
        page = tutorial.pages()[-1]
        with tempfile.TemporaryDirectory() as directory:
            folder = tutorial.Folder(pathlib.Path(directory), page, arguments.build, arguments.compiler, arguments.flags)
            for session in page.sessions():
                tutorial_test.expect_session(self, folder, session, (tutorial_test.HOSTS, HERE), NAMES)


if __name__ == "__main__":
    arguments = a_build.arguments(__doc__)
    with hosts_up(HOSTS):
        skips.main()
