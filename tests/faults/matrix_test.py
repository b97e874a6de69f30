# SPDX-License-Identifier: Apache-2.0
"""The matrix of deaths: every algorithm of every collective, on 2, 3, 5 and 8 ranks; each rank killed, at a random moment of
a stream of calls or with a random byte that it sends, and one stopped. Every survivor is told who, where and why within a second;
nothing is left.

A sample drawn with a seed (COHORT_SEED), every algorithm in it; all of it where COHORT_LONG is set (tools/test --long)."""

import collections
import concurrent.futures
import json
import os
import random
import select
import signal
import statistics
import subprocess
import sys
import time
import unittest

from fault_driver import LIMIT_S, SIGNAL, SLACK, STALLED, Faults, expect_within, inject, status_when
from job_driver import COHORT, TWO_HOSTS

WITHIN_S = 1.0 * SLACK
STALL_LIMIT_S = 0.5
LONG = bool(os.environ.get("COHORT_LONG"))
SAMPLES = 5  # of each algorithm, where not all are run


class Case(Faults):
    """One job: who is killed or stopped in the stream of which calls."""

    def __init__(self, algorithm, ranks, culprit, stopped, chance):
        super().__init__("play")
        self.operation, self.name = algorithm["operation"], algorithm["name"]
        self.ranks, self.culprit, self.stopped = ranks, culprit, stopped
        self.bytes = chance.choice([64, 4096, 262144])
        self.delay_s = chance.uniform(0, 0.02)
        # Mostly few: a leaf sends little, and would live for long.
        self.byte = 0 if stopped or chance.random() < 0.5 else int(self.bytes ** chance.random())
        self.transport = chance.choice(["tcp", "auto"])  # within a host; auto: memory
        self.options = [*(TWO_HOSTS if self.name.endswith("/leaders") else []), "--transport", self.transport]
        self.mesh = ":mesh=2x4" if algorithm["mesh"] and len(self.options) == 2 and ranks == 8 else ""

    def __str__(self):
        what = f"killed with byte {self.byte}" if self.byte else \
            f"{'stopped' if self.stopped else 'killed'} after {self.delay_s:.4f} s"
        return f"{self.name}{self.mesh} of {self.bytes} bytes on {self.ranks} ({self.transport}): rank {self.culprit} {what}"

    def strike(self, job):
        """When it has, or when we heard of it, which may be later than others did."""
        culprit = os.pidfd_open(self.processes[self.culprit])
        self.addCleanup(os.close, culprit)
        if self.byte:
            status_when(job, "rank 0 ")  # it can be asked
            asked = inject(job.pid, "kill", f"rank={self.culprit}", f"at_byte={self.byte}")
            self.assertEqual((asked.returncode, asked.stderr), (0, ""))
            self.assertTrue(select.select([culprit], [], [], LIMIT_S)[0], "it lives")
            return time.monotonic()
        self.assertFalse(select.select([culprit], [], [], self.delay_s)[0], "it died by itself")
        return self.kill(self.culprit, signal.SIGSTOP if self.stopped else signal.SIGKILL)

    def play(self):
        """The seconds until each survivor had the error; nothing if the algorithm can't do this."""
        limit = ["--stall-limit", STALL_LIMIT_S] if self.stopped else []
        job = self.begin(self.ranks, [self.culprit], "wait", 0, *self.options, *limit,
                         calls=[self.operation, self.name + self.mesh, self.bytes])
        if not self.processes:
            job.communicate(timeout=60)
            return []
        at = self.strike(job) + (STALL_LIMIT_S if self.stopped else 0)
        said, error = self.end(job)
        expect_within(WITHIN_S, "4, in the matrix, the whole job" if self.stopped else "1, in the matrix, the whole job", at)
        self.assertEqual(job.returncode, 1 if self.stopped else 137, error)
        self.expect_record(said, [rank for rank in range(self.ranks) if rank != self.culprit], [self.culprit],
                           *((STALLED, 0) if self.stopped else (SIGNAL, 9)))
        return [max(0, line["at"] - at) for line in said["pending"].values()]


def cases(chance):
    algorithms = json.loads(subprocess.run([COHORT, "algorithms", "--json"], capture_output=True, check=True).stdout)
    for algorithm in algorithms:
        of_it = [(ranks, culprit, stopped) for ranks in (2, 3, 5, 8)
                 for culprit, stopped in [*((rank, False) for rank in range(ranks)), (chance.randrange(ranks), True)]]
        for which in of_it if LONG else chance.sample(of_it, SAMPLES):
            yield Case(algorithm, *which, chance)


class Matrix(unittest.TestCase):
    def test_1_4_14_every_algorithm(self):
        seed = int(os.environ.get("COHORT_SEED", random.randrange(1 << 30)))
        print(f"COHORT_SEED={seed}", file=sys.stderr)
        times, unable = collections.defaultdict(list), collections.Counter()

        def play(case):
            try:
                return case.play()
            finally:
                case.doCleanups()

        with concurrent.futures.ThreadPoolExecutor(2 * os.cpu_count()) as threads:
            played = [(case, threads.submit(play, case)) for case in cases(random.Random(seed))]
            for case, result in played:
                kind = (case.operation, "stopped" if case.stopped else "killed with a byte" if case.byte else "killed")
                with self.subTest(str(case)):
                    seconds = result.result()
                    if seconds:
                        times[kind].append(seconds)
                    else:
                        unable[kind] += 1
        print("operation\tfault\tcases\terrors\tmedian ms\tworst ms\tunable", file=sys.stderr)
        for kind, of_it in sorted(times.items()):
            errors = [1e3 * each for seconds in of_it for each in seconds]
            print(*kind, len(of_it), len(errors), f"{statistics.median(errors):.1f}", f"{max(errors):.1f}",
                  unable[kind], sep="\t", file=sys.stderr)
        self.assertLess(sum(unable.values()), len(played) / 10)


if __name__ == "__main__":
    unittest.main(verbosity=2)
