"""For a program whose tests mostly wait: some of them run at once, in processes of their own."""

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


def distribute(workers):
    """Returns the exit status of each worker."""
    queue, numbers = os.pipe()
    for number in range(len(all_tests())):
        os.write(numbers, number.to_bytes(2, "little"))
    os.close(numbers)
    running = []
    for worker in range(workers):
        words = tempfile.TemporaryFile()
        environment = {**os.environ, QUEUE: str(queue), WORKER: str(worker)}
        running.append((words, subprocess.Popen([sys.executable, sys.argv[0]], env=environment, pass_fds=[queue], stdout=words,
                                                stderr=subprocess.STDOUT)))
    statuses = [process.wait() for _, process in running]
    for words, _ in running:
        words.seek(0)
        sys.stdout.buffer.write(words.read())
    return statuses


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
