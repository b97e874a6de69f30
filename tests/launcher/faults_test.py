# SPDX-License-Identifier: Apache-2.0
"""Faults on purpose: each kind on a real job, by --faults and by `cohort inject`; the manual's scenarios as they are written."""

import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

from job_driver import BIN, COHORT, SLACK, THREAD_SANITIZED, inject, read_until, run, start, status_when, with_a_session_too
from until_error import expect_within

PROBE = os.path.join(BIN, "loop_probe")
NUMBER = re.compile(r"\d+(?:\\?\.\d+)?(?:e-\d+)?")
MANUAL = pathlib.Path(__file__).resolve().parents[2] / "docs" / "how-to" / "faults.md"


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, text):
        path = pathlib.Path(self.folder.name, "faults.toml")
        path.write_text(text)
        return path

    def faulty(self, text, *words, ranks=4):
        """Runs the probe under these faults: the exit status, its lines, and those of the launcher."""
        words = words or (PROBE, 1000, 1000)
        result = run("-n", ranks, "--timeout", 30, "--faults", self.file(text), *words)
        return result.returncode, result.stdout.decode().splitlines(), result.stderr.decode().splitlines()

    def expect_injected(self, error, *patterns):
        said = [line for line in error if line.startswith("cohort: injected:")]
        self.assertEqual(len(said), len(patterns), error)
        for line, pattern in zip(said, patterns):
            self.assertRegex(line, pattern)

    def expect_fine(self, status, lines, error, ranks=4):
        self.assertEqual(status, 0, error)
        self.assertEqual(sum(bool(re.match(r"rank \d: 1000 in ", line)) for line in lines), ranks, lines)

    def slowest(self, lines):
        return max(float(found.group(1)) for line in lines if (found := re.search(r" in (\S+) s$", line)))


class Processes(Case):
    def test_killed_at_a_call(self):
        status, lines, error = self.faulty("[[fault]]\nkind = 'kill'\nrank = 2\nat_call = 7\noperation = 'combine'\n")
        self.assertEqual(status, 137)
        for rank in (0, 1, 3):
            [line] = [line for line in lines if line.startswith(f"rank {rank}:")]
            self.assertRegex(line, r"error after \d: combine #\d .* rank 2 \(pid 2, .*\) was killed by signal 9")
        self.assertRegex(error[0], r"cohort: rank 2 \(host \S+, process \d+\) was killed by signal 9")
        self.expect_injected(error, r"faults.toml:1: kill of rank 2: after \S+ s$")

    def test_killed_at_a_time_where_it_computes(self):
        began = time.monotonic()
        result = run("-n", 3, "--timeout", 30, "--faults", self.file("[[fault]]\nkind = 'kill'\nrank = 2\nat_s = 0.3\n"),
                     os.path.join(BIN, "hang_probe"), "combine")
        self.assertEqual(result.returncode, 137, result.stderr)
        expect_within(1 * SLACK, "1, killed at 0.3 s, the whole job", began + 0.3)
        self.expect_injected(result.stderr.decode().splitlines(), r"kill of rank 2: after 0.3 s$")

    def test_killed_at_a_byte(self):
        status, _, error = self.faulty("[[fault]]\nkind = 'kill'\nrank = 1\nat_byte = 1_000_000\n")
        self.assertEqual(status, 137)
        self.expect_injected(error, r"kill of rank 1: after")

    def test_a_random_rank_by_a_seed(self):
        text = "seed = {0}\n[[fault]]\nkind = 'kill'\nrank = 'random'\nrate = 0.05\n"
        said = [self.faulty(text.format(7))[2] for _ in range(2)]
        ranks = [re.search(r"injected: .* kill of rank (\d)", "\n".join(lines)).group(1) for lines in said]
        self.assertEqual(ranks[0], ranks[1])
        self.assertIn("cohort: injected faults are drawn with seed 7", said[0])

    def test_stopped_for_a_time(self):
        for program in with_a_session_too(PROBE, 1000, 20000):
            for trigger in ("at_call = 500", "at_s = 0.01"):
                with self.subTest(trigger=trigger, program=program):
                    status, lines, error = self.faulty(f"[[fault]]\nkind = 'stop'\nrank = 1\nfor_s = 0.7\n{trigger}\n",
                                                       *program)
                    self.expect_fine(status, lines, error)
                    self.assertGreater(self.slowest(lines), 0.65)
                    self.expect_injected(error, "stop of rank 1 for 0.7 s: after")

    def test_slowed_down(self):
        for program in with_a_session_too(PROBE, 1000, 5_000 if THREAD_SANITIZED else 20_000):
            with self.subTest(program=program):
                fast = min(self.slowest(self.faulty("", *program, ranks=2)[1]) for _ in range(3))  # other tests run, too
                status, lines, error = self.faulty("[[fault]]\nkind = 'slow'\nrank = 1\nshare = 0.1\n", *program, ranks=2)
                self.expect_fine(status, lines, error, ranks=2)
                self.assertGreater(self.slowest(lines), 2 * fast)
                self.expect_injected(error, r"slow \(0.1 of the time\) of rank 1: after")

    def test_what_did_not_happen_is_said(self):
        status, lines, error = self.faulty("[[fault]]\nkind = 'kill'\nrank = 1\nat_call = 100000\n")
        self.expect_fine(status, lines, error)
        self.expect_injected(error, "kill of rank 1: did not happen$")


class Links(Case):
    def test_delay(self):
        status, lines, error = self.faulty("[[fault]]\nkind = 'delay'\nfrom = 0\ndelay_s = 0.001\nboth_ways = true\n",
                                           PROBE, 1000, 10, ranks=2)
        self.expect_fine(status, lines, error, ranks=2)
        self.assertGreater(self.slowest(lines), 1)
        self.expect_injected(error, r"delay \(0.001 s\) from rank 0 to every rank and back: \d+ times, first after")

    def test_throttle(self):
        status, lines, error = self.faulty("[[fault]]\nkind = 'throttle'\nbytes_per_second = 8e6\n", PROBE, 1000, 1000,
                                           "ring", ranks=2)
        self.expect_fine(status, lines, error, ranks=2)
        self.assertGreater(self.slowest(lines), 0.95)

    def test_reset(self):
        status, lines, error = self.faulty("[[fault]]\nkind = 'reset'\nfrom = 0\nto = 1\nat_s = 0.1\n", PROBE, 0, 1000)
        self.assertEqual(status, 1)
        self.assertTrue(any(re.search(r"rank [01]: error .*reset", line) for line in lines), lines)
        self.expect_injected(error, "reset from rank 0 to rank 1: after 0.1")

    def test_black_hole_that_heals(self):
        status, lines, error = self.faulty("[[fault]]\nkind = 'black_hole'\nfrom = 1\nat_byte = 100_000\nfor_s = 0.5\n")
        self.expect_fine(status, lines, error)
        self.assertGreater(self.slowest(lines), 0.5)

    def test_corrupt(self):
        status, lines, error = self.faulty("[[fault]]\nkind = 'corrupt'\nfrom = 0\nto = 1\nat_call = 100\n")
        self.assertEqual(status, 1)
        told = re.findall(r"error after \d+: .*: (rank [01] \(pid .* lost its link .* sent a damaged frame header .*) \(called at",
                          "\n".join(lines))
        self.assertEqual((len(told), len(set(told))), (4, 1), lines)
        status, lines, _ = self.faulty("[[fault]]\nkind = 'corrupt'\npart = 'payload'\nfrom = 0\nto = 1\nat_call = 100\n",
                                       PROBE, 1000, 1000, "ring")
        self.assertTrue(any(re.match(r"rank 1: wrong after 99", line) for line in lines), lines)

    def test_refused_connections(self):
        status, lines, error = self.faulty("[[fault]]\nkind = 'refuse'\nfor_s = 0.4\n")
        self.expect_fine(status, lines, error)
        self.assertGreater(self.slowest(lines), 0.35)
        status, lines, error = self.faulty("[[fault]]\nkind = 'refuse'\n", ranks=2)
        self.assertEqual(status, 1)
        self.assertTrue(any("cannot connect" in line and "Connection refused" in line for line in lines), lines)


class AtRunTime(Case):
    def job(self, *words, ranks=3):
        job = start("-n", ranks, PROBE, 0, 1000, *words)
        self.addCleanup(job.communicate, timeout=60)
        self.addCleanup(lambda: job.poll() is not None or job.terminate())
        read_until(job.stdout, "begins")
        status_when(job, "rank 0 ")  # it can be asked
        return job

    def test_kill(self):
        job = self.job()
        asked = inject(job.pid, "kill", "rank=1")
        self.assertEqual((asked.returncode, asked.stderr), (0, ""))
        self.assertRegex(asked.stdout, rf"^injected into job {job.pid}: -n 3 \S+ 0 1000, for [^\n]+\n$")
        output, error = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 137, error)
        self.assertRegex(output.decode(), r"rank 0: error .* rank 1 \(pid 1, .*\) was killed by signal 9")
        self.assertIn("cohort: injected: cohort inject: kill of rank 1: after ", error.decode())

    def test_links_that_were_sound_so_far(self):
        job = self.job()
        for words in [("delay", "from=0", "delay_s=0.001", "for_s=0.2"), ("stop", "rank=2", "for_s=0.1"),
                      ("--faults", self.file("[[fault]]\nkind='throttle'\nbytes_per_second=1e6\nfor_s=0.1\n")),
                      ("reset", "from=0", "to=1", "at_s=0.5", "both_ways=true")]:
            self.assertEqual(inject(job.pid, *words).returncode, 0)
        output, error = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 1, error)
        self.assertRegex(output.decode(), "rank [01]: error .*reset")
        said = [line for line in error.decode().splitlines() if "injected:" in line]
        self.assertEqual(len(said), 4, error)
        self.assertNotIn("did not happen", "".join(said))

    def test_mistakes(self):
        job = self.job()
        for words, says in [(["kill"], "a kill needs rank"), (["kill", "rank=3"], "rank: a rank of the job is needed, from 0 to 2"),
                            (["kill", "rank"], "KEY=VALUE"), (["crash", "rank=1"], "there is no fault 'crash'"),
                            ([], "which fault?"), (["--faults", "/no/such/file"], "cannot read /no/such/file")]:
            asked = inject(job.pid, *words)
            self.assertEqual((asked.returncode, asked.stderr.count("\n")), (2, 1), asked.stderr)
            self.assertIn(says, asked.stderr)
        asked = inject(os.getpid(), "kill", "rank=0")
        self.assertEqual(asked.returncode, 2)
        self.assertIn(f"no job {os.getpid()} of yours runs here", asked.stderr)


class Manual(Case):
    def test_the_scenarios_run_as_they_are_written(self):
        """Each `toml` block is a file; the console block behind it is run beside it, and says what is written there."""
        text = MANUAL.read_text()
        blocks = re.findall(r"```toml\n(.*?)```.*?```console\n\$ (.*?)\n(.*?)```", text, re.DOTALL)
        self.assertGreaterEqual(len(blocks), 3)
        for toml, command, output in blocks:
            with self.subTest(command=command):
                name = re.search(r"--faults (\S+)", command).group(1)
                pathlib.Path(self.folder.name, name).write_text(toml)
                words = [os.path.join(BIN, word) if os.path.exists(os.path.join(BIN, word)) else word
                         for word in command.split()]
                result = subprocess.run(words, cwd=self.folder.name, capture_output=True, text=True, timeout=60,
                                        stdin=subprocess.DEVNULL)
                said = sorted((result.stdout + result.stderr).splitlines())
                for line in output.splitlines():
                    # Whoever hears of a death is in one call or in the next.
                    line = line.replace("combine #7", "CALL")
                    pattern = NUMBER.sub(lambda _: NUMBER.pattern, re.escape(line)).replace("node", r"\S+")
                    pattern = pattern.replace("CALL", r"(combine #\d+|exchange)")
                    self.assertTrue(any(re.fullmatch(pattern, one) for one in said), f"{pattern}\n{said}")


class Mistakes(Case):
    def test_of_the_file(self):
        for text, says in [("[[fault]]\nkind = 'kill'\nrank = 9\n", "faults.toml:3: rank: a rank of the job"),
                           ("[[fault]\n", "faults.toml:1: ")]:
            status, lines, error = self.faulty(text)
            self.assertEqual((status, lines, len(error)), (2, [], 1), error)
            self.assertIn(says, error[0])
        result = run("-n", 1, "--faults", "/no/such/file", "true")
        self.assertEqual((result.returncode, result.stderr.count(b"\n")), (2, 1))


if __name__ == "__main__":
    unittest.main(verbosity=2)
