# SPDX-License-Identifier: Apache-2.0
"""A remote shell whose connections are dropped now and then, and how many of them start at once. Case 84 of the list of
faults."""

import os
import pathlib
import random
import shutil
import tempfile
import time
import unittest

from job_driver import PROBE, SLACK, run
import at_once
from until_error import within

SEED = int(os.environ.get("COHORT_SEED", random.randrange(1 << 32)))
HOSTS = 8
RETRY_LIMIT_S = 10

# Called as RSH HOST COMMAND. The file of that host holds what is to happen at each try, a line each; when it has no more, the
# command is run.
RSH = """#!/bin/sh
fate="$(dirname "$0")/fate.$1"
echo $1 >>"$(dirname "$0")/tries"
read -r now <"$fate" && sed -i 1d "$fate" && eval "$now"
shift
exec sh -c "$*"
"""
DROPS = ["exit 255", "echo 'kex_exchange_identification: Connection closed by remote host' >&2; exit 255",
         "echo 'Connection reset by 10.0.0.1 port 22' >&2; exit 255", "kill -9 $$",
         'dd bs=64k count=1 2>/dev/null | sh -c "$2" 2>/dev/null; exit 255']  # once the agent has its orders
REFUSALS = ["echo 'a@b: Permission denied (publickey).' >&2; exit 255", "echo 'Host key verification failed.' >&2; exit 255",
            "echo 'sh: cohort: not found' >&2; exit 127", "exit 3"]

# Counts those that have started and not got as far as the agent.
COUNTING_RSH = """#!/bin/sh
here="$(dirname "$0")"
touch "$here/starting/$1"
ls "$here/starting" | wc -l >>"$here/counts"
sleep 0.1
rm "$here/starting/$1"
shift
exec sh -c "$*"
"""


class Drops(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cohort-drops-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def shell(self, text, hosts=HOSTS):
        rsh = self.folder / "rsh"
        rsh.write_text(text)
        rsh.chmod(0o755)
        return ["--rsh", rsh, "--hosts", ",".join(f"127.0.0.{i + 2}" for i in range(hosts))]

    def fates(self, *fates):
        for i, fate in enumerate(fates):
            (self.folder / f"fate.127.0.0.{i + 2}").write_text("".join(line + "\n" for line in fate))

    def tries(self):
        return (self.folder / "tries").read_text().count("\n")

    def test_84_a_dropped_connection_is_tried_again(self):
        """Two of three hosts are dropped, up to four times; the job comes together, and one line says why it took longer."""
        draw = random.Random(SEED)
        fates = [[draw.choice(DROPS) for _ in range(draw.randrange(5))] for _ in range(HOSTS - 2)] + [[], [DROPS[0]]]
        self.fates(*fates)
        result = run("-n", HOSTS, *self.shell(RSH), PROBE, "join")
        error = result.stderr.decode()
        self.assertEqual(result.returncode, 0, (SEED, error))
        self.assertEqual(self.tries(), HOSTS + sum(map(len, fates)))
        self.assertRegex(error, r"^cohort: warning: host 127\.0\.0\.\d+: no agent could be started there: the remote shell \(.*\) "
                                r"(exited with status 255|was killed by signal 9).*; trying again for up to 10 s\n$")

    def test_84_a_host_that_is_dropped_for_ever(self):
        began = time.monotonic()
        self.fates(["exit 255"] * 100, [])
        with within(RETRY_LIMIT_S + 2 * SLACK, "84, the whole job"):
            result = run("-n", 2, *self.shell(RSH, hosts=2), PROBE, "join")
        self.assertGreaterEqual(time.monotonic() - began, RETRY_LIMIT_S)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr.decode(), r"\ncohort: host 127\.0\.0\.2: no agent could be started there in \d+ tries: "
                                                 r"the remote shell \(.*\) exited with status 255\n$")
        self.assertLess(self.tries(), 20)  # it backs off

    def test_84_what_would_be_the_same_again_is_told_at_once(self):
        for refusal in REFUSALS:
            with self.subTest(refusal):
                (self.folder / "tries").write_text("")
                self.fates([refusal] * 100)
                with within(2 * SLACK, "84, refused, the whole job"):
                    result = run("-n", 1, *self.shell(RSH, hosts=1), PROBE, "join")
                self.assertEqual((result.returncode, self.tries()), (1, 1), result.stderr)
                self.assertRegex(result.stderr.decode(), r"^cohort: host 127\.0\.0\.2: no agent .* exited with status \d+.*\n$")

    def test_84_so_many_start_at_once(self):
        (self.folder / "starting").mkdir()
        result = run("-n", HOSTS, *self.shell(COUNTING_RSH), "--rsh-at-once", 3, PROBE, "join")
        self.assertEqual(result.returncode, 0, result.stderr)
        counts = [int(line) for line in (self.folder / "counts").read_text().split()]
        self.assertEqual((len(counts), max(counts)), (HOSTS, 3))


if __name__ == "__main__":
    at_once.main(4)
