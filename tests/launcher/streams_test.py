# SPDX-License-Identifier: Apache-2.0
"""`cohort run` on the local machine: output, input, signals, and that nothing is left."""

import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

from job_driver import (BIN, COHORT, PROBE, SANITIZED, SLACK, alive, descendants, expect_nothing_left, interrupt, numbers, read_lines,
                        run, start, text_of, wait_until_gone, wait_until_stopped, with_a_session_too)
from until_error import within


class Output(unittest.TestCase):
    def test_labels(self):
        lines = run("-n", 3, "--label", PROBE, "join").stdout.decode().splitlines()
        for line in lines:
            self.assertEqual(line.split()[0].strip("[]"), line.split()[2])
        self.assertEqual(len(lines), 3)

    def test_lines_are_never_torn(self):
        for length in [1, 80, 5000, 70000]:
            count = 2000 if length < 1000 else 100
            text = run("-n", 6, PROBE, "lines", count, length).stdout
            lines = text.split(b"\n")[:-1]
            self.assertEqual(len(lines), 6 * count)
            for line in lines:
                self.assertEqual(line, line[:1] * length)

    def test_labelled_lines_are_never_torn(self):
        lines = run("-n", 4, "--label", PROBE, "lines", 2000, 100).stdout.decode().splitlines()
        of_rank = {}
        for line in lines:
            rank, text = re.fullmatch(r"\[(\d)\] ((.)\3{99})", line).group(1, 2)
            of_rank.setdefault(rank, []).append(text)
        self.assertEqual({rank: len(texts) for rank, texts in of_rank.items()}, {str(r): 2000 for r in range(4)})

    def test_last_line_without_newline(self):
        self.assertEqual(run("-n", 1, "printf", "no newline").stdout, b"no newline")
        self.assertEqual(run("-n", 1, "--label", "printf", "no newline").stdout, b"[0] no newline\n")

    def test_standard_error_stays_apart(self):
        result = run("-n", 2, "sh", "-c", "echo out; echo err >&2")
        self.assertEqual((result.stdout, result.stderr), (b"out\n" * 2, b"err\n" * 2))

    def test_any_bytes(self):
        result = run("-n", 1, "printf", r"\000\377\r\n")
        self.assertEqual(result.stdout, b"\0\xff\r\n")

    def test_71_closed_pipe(self):
        job = start("-n", 2, "yes")
        job.stdout.close()
        self.assertEqual(job.wait(timeout=60), 141)
        expect_nothing_left(job)
        self.assertEqual(job.stderr.read(), b"")
        job.stderr.close()

    def test_slow_reader_holds_back_the_writer_but_not_control(self):
        job = start("-n", 2, "yes")
        time_limit = time.monotonic() + 10
        size = lambda: int(re.search(r"VmRSS:\s+(\d+)", text_of(job.pid, "status")).group(1))
        read_lines(job.stdout, 1)
        written = lambda: [int(re.search(r"wchar: (\d+)", text_of(pid, "io")).group(1))
                           for pid in descendants(job.pid) if "yes" in text_of(pid, "comm")]
        before, now = None, written()
        while before != now and time.monotonic() < time_limit:  # until nothing moves any more
            before = now
            time.sleep(0.2)
            now = written()
        self.assertEqual(before, now)
        self.assertLess(sum(now), 8 << 20)
        if not SANITIZED:
            self.assertLess(size(), 64 << 10)
        interrupt(job)
        self.assertEqual(job.wait(timeout=60), 130)
        job.stdout.close()
        job.stderr.close()


class Input(unittest.TestCase):
    def test_all_of_it_goes_to_rank_0(self):
        megabytes = 32 if SANITIZED else 256
        block = bytes(range(256)) * 4096
        job = start("-n", 2, "--label", PROBE, "count-stdin", stdin=subprocess.PIPE)
        for _ in range(megabytes):
            job.stdin.write(block)
        lines = sorted(job.communicate(timeout=120)[0].decode().splitlines())
        self.assertEqual(lines[1], "[1] 0 0")
        self.assertTrue(lines[0].startswith(f"[0] {megabytes << 20} "), lines)
        self.assertEqual(job.returncode, 0)
        expected = self.sum_of(block, megabytes)
        self.assertEqual(int(lines[0].split()[2]), expected)

    @staticmethod
    def sum_of(block, count):
        """What the probe computes: sum = sum * 31 + byte, modulo 2^64; block by block in logarithmic time."""
        modulus, value = 1 << 64, 0
        for byte in block:
            value = (value * 31 + byte) % modulus
        factor, total = pow(31, len(block), modulus), 0
        for _ in range(count):
            total = (total * factor + value) % modulus
        return total

    def test_never_read(self):
        block = b"x" * (1 << 20)
        job = start("-n", 2, "sleep", "0.5", stdin=subprocess.PIPE)
        written = 0
        try:
            for _ in range(64):
                job.stdin.write(block)
                written += len(block)
        except BrokenPipeError:
            pass
        self.assertLess(written, 8 << 20)
        try:
            job.stdin.close()
        except BrokenPipeError:
            pass
        self.assertEqual(job.wait(timeout=60), 0)
        job.stdout.close()
        job.stderr.close()

    def test_from_a_file(self):
        with open("/etc/passwd", "rb") as file:
            self.assertEqual(run("-n", 1, "cat", stdin=file).stdout, pathlib.Path("/etc/passwd").read_bytes())

    def test_closed_standard_input(self):
        result = subprocess.run(["sh", "-c", 'exec "$0" run -n 2 cat <&-', COHORT], capture_output=True, timeout=60)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"", b""))


class Signals(unittest.TestCase):
    def test_70_interrupted_once(self):
        for program in with_a_session_too(os.path.join(BIN, PROBE), "join-and-hang"):
            with self.subTest(program):
                job = start("-n", 3, *program)
                pids = numbers(read_lines(job.stdout, 3))
                with within(1 * SLACK, "70, once, until the job has ended"):
                    interrupt(job)
                    output, error = job.communicate(timeout=60)
                self.assertEqual((job.returncode, error), (130, b"cohort: interrupted\n"))
                expect_nothing_left(job, pids)

    def test_70_interrupted_twice(self):
        """The first is ignored by these processes; the second ends them at once."""
        job = start("-n", 2, PROBE, "stubborn")
        pids = numbers(read_lines(job.stdout, 2))
        interrupt(job)
        with within(1 * SLACK, "70, twice, until the job has ended"):
            interrupt(job)
            job.communicate(timeout=60)
        self.assertEqual(job.returncode, 130)
        self.assertEqual(len(pids), 4)
        expect_nothing_left(job, pids)

    def test_terminated_and_hung_up(self):
        for number in [signal.SIGTERM, signal.SIGHUP]:
            job = start("-n", 2, PROBE, "join-and-hang")
            pids = numbers(read_lines(job.stdout, 2))
            interrupt(job, number)
            job.communicate(timeout=60)
            self.assertEqual(job.returncode, 128 + number)
            self.assertEqual(wait_until_gone(pids), [])

    def test_forwarded(self):
        job = start("-n", 2, PROBE, "signals")
        read_lines(job.stdout, 2)
        for number in [signal.SIGUSR1, signal.SIGUSR2]:
            job.send_signal(number)
            self.assertEqual(read_lines(job.stdout, 2), [f"signal {int(number)}"] * 2)
        interrupt(job)
        output, _ = job.communicate(timeout=60)
        self.assertEqual(output, b"signal 2\n" * 2)

    def test_stopped_and_continued(self):
        job = start("-n", 2, PROBE, "join-and-hang")
        pids = numbers(read_lines(job.stdout, 2))
        job.send_signal(signal.SIGTSTP)
        os.waitpid(job.pid, os.WUNTRACED)
        wait_until_stopped(pids)
        job.send_signal(signal.SIGCONT)
        interrupt(job)
        job.communicate(timeout=60)
        self.assertEqual(job.returncode, 130)
        self.assertEqual(wait_until_gone(pids), [])


class NothingLeft(unittest.TestCase):
    def test_9_launcher_killed(self):
        """On one host: grandchildren too, though they ignore every polite signal."""
        job = start("-n", 3, PROBE, "stubborn")
        pids = numbers(read_lines(job.stdout, 3))
        below = set(descendants(job.pid)) | set(pids)
        self.assertEqual(len(pids), 6)
        self.assertGreaterEqual(len(below), 7)  # and the warden
        job.kill()
        job.communicate(timeout=60)  # whoever reads its output sees the end
        self.assertEqual(wait_until_gone(below, 1.0), [])

    def test_grandchildren_after_a_job_in_order(self):
        job = start("-n", 2, "sh", "-c", "sleep 1000 & echo $!")
        output, _ = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 0)
        self.assertEqual(wait_until_gone(numbers(output.decode().splitlines()), 1.0), [])

    def test_43_output_that_can_not_be_written(self):
        with open("/dev/full", "wb") as full:
            job = start("-n", 2, "sh", "-c", "echo lost", stdout=full)
            _, error = job.communicate(timeout=60)
        expect_nothing_left(job)
        self.assertEqual((job.returncode, error), (1, b"cohort: standard output: No space left on device; output is lost\n"))

    def test_43_a_log_that_can_not_be_written(self):
        with open("/dev/full", "wb") as full:
            job = start("-n", 2, "sh", "-c", "echo lost >&2; echo result", stderr=full)
            output, _ = job.communicate(timeout=60)
        expect_nothing_left(job)
        self.assertEqual((job.returncode, output), (0, b"result\nresult\n"))

    def test_grandchild_in_another_session_does_not_hold_the_job(self):
        job = start("-n", 1, "sh", "-c", "setsid sleep 20 & echo $!")
        output, _ = job.communicate(timeout=15)
        self.assertEqual(job.returncode, 0)
        for pid in numbers(output.decode().splitlines()):
            if alive(pid):
                os.kill(pid, signal.SIGKILL)

    def test_stubborn_after_a_failure(self):
        script = f"if [ -p /dev/stdin ]; then read line; exit 4; fi; exec {os.path.dirname(COHORT)}/{PROBE} stubborn"
        job = start("-n", 2, "sh", "-c", script, stdin=subprocess.PIPE)
        pids = numbers(read_lines(job.stdout, 1))
        job.communicate(b"\n", timeout=60)
        self.assertEqual(job.returncode, 4)
        self.assertEqual(wait_until_gone(pids, 1.0), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
