# SPDX-License-Identifier: Apache-2.0
"""For a program whose tests mostly wait, or take long one after another: some run at once, in processes of their own. A
program of GoogleTest's is run so by

  at_once.py WORKERS PROGRAM"""

import contextlib
import os
import subprocess
import sys
import tempfile
import unittest

import skips

QUEUE, WORKER = "COHORT_TEST_QUEUE", "COHORT_TEST_WORKER"


def all_tests():
    def flat(suite):
        return [suite] if isinstance(suite, unittest.TestCase) else [test for part in suite for test in flat(part)]
    return flat(unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"]))


class Queued(unittest.TestSuite):
    """The tests whose numbers this process reads from the queue, a pipe that the other workers read from, too."""

    _cleanup = False  # the suite has no list to take a test out of

    def __iter__(self):
        tests = all_tests()
        while number := os.read(int(os.environ[QUEUE]), 2):
            yield tests[int.from_bytes(number, "little")]


def work_through(around):
    with around(int(os.environ[WORKER])):
        result = unittest.TextTestRunner(verbosity=2).run(Queued())
        sys.exit(skips.SKIPPED) if result.testsRun == 0 else skips.exit_for(result)  # the others may have taken all


def run_at_once(command, environments, **options):
    """Returns the exit status of the command in each of the environments, and prints what each has said, one after another."""
    running = []
    for environment in environments:
        words = tempfile.TemporaryFile()
        running.append((words, subprocess.Popen(command, env={**os.environ, **environment}, stdout=words, stderr=subprocess.STDOUT,
                                                **options)))
    statuses = [process.wait() for _, process in running]
    for words, _ in running:
        words.seek(0)
        sys.stdout.buffer.write(words.read())
    return statuses


def distribute(workers):
    """Returns the exit status of each worker."""
    queue, numbers = os.pipe()
    for number in range(len(all_tests())):
        os.write(numbers, number.to_bytes(2, "little"))
    os.close(numbers)
    return run_at_once([sys.executable, sys.argv[0]], [{QUEUE: str(queue), WORKER: str(worker)} for worker in range(workers)],
                       pass_fds=[queue])


def main(workers, around=lambda worker: contextlib.nullcontext()):
    """Like skips.main(), within around(number of the worker). Tests that are named on the command line run one by one."""
    if QUEUE in os.environ:
        work_through(around)
    elif len(sys.argv) > 1:
        with around(0):
            skips.main()
    else:
        statuses = distribute(workers)
        failed = [status for status in statuses if status not in (0, skips.SKIPPED)]
        sys.exit(failed[0] if failed else min(statuses))


if __name__ == "__main__":
    total = int(sys.argv[1])
    shards = [{"GTEST_TOTAL_SHARDS": str(total), "GTEST_SHARD_INDEX": str(index)} for index in range(total)]
    sys.exit(1 if any(run_at_once(sys.argv[2:], shards)) else 0)
