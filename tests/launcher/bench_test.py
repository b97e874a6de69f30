# SPDX-License-Identifier: Apache-2.0
"""`cohort bench`: every operation, tiny; what is printed, never how long it took."""

import json
import os
import pty
import re
import subprocess
import time
import unittest

from job_driver import COHORT, LIMIT_S

COLLECTIVES = ["bcast", "reduce", "combine", "scatter", "gather", "concat", "index", "reduce_scatter", "prefix",
               "exclusive_prefix", "shift", "reduce_ordered", "combine_ordered", "reduce_scatter_ordered"]
PAIRS = ["pingpong", "bandwidth", "bidirectional", "message_rate"]
OVERLAP = ["computation", "overlap", "overlap_tested"]
SHORT = ["--seconds", "0", "--timeout", LIMIT_S]


def read_until(master, complete):
    """What a terminal shows, once that is complete(text); closes it."""
    text = ""
    while not complete(text):
        text += os.read(master, 4096).decode()
    os.close(master)
    return text


def bench(*words, **options):
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run([COHORT, "bench", *map(str, words)], text=True, timeout=2 * LIMIT_S, **options)


class Bench(unittest.TestCase):
    def output(self, *words):
        """What it prints, lines without their heads."""
        result = bench(*SHORT, *words)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return "".join(line for line in result.stdout.splitlines(keepends=True) if line[0] != "#")

    def test_every_operation_has_a_line_for_every_size(self):
        wanted = ["sync", *COLLECTIVES, *PAIRS, *OVERLAP]
        lines = [line.split("\t") for line in self.output("-n", 3, "--min", 16, "--max", 256, ",".join(wanted)).splitlines()]
        self.assertEqual([(line[0], line[1], line[2], line[3]) for line in lines],
                         [("cohort", "sync", "3", "0")] +
                         [("cohort", name, "3", size) for name in wanted[1:] for size in ("16", "64", "256")])
        for line in lines:
            self.assertEqual((len(line), line[4], line[8]), (9, "5", "barrier"))
            self.assertLessEqual(float(line[5]), float(line[6]))
            self.assertGreater(float(line[5]), 0)
            collective = "combine" if line[1].startswith("overlap") else line[1].removesuffix("_ordered")
            self.assertRegex(line[7], "^-$" if line[1] in [*PAIRS, "computation"] else f"^{collective}/[a-z_]+")

    def test_lines_begin_with_their_columns_names(self):
        result = bench(*SHORT, "-n", 1, "--max", 8, "bcast")
        head, line = result.stdout.splitlines()
        self.assertEqual(head, "# library\toperation\tprocesses\tbytes\trepetitions\tminimum_us\tmedian_us\talgorithm\tmode")
        self.assertEqual(head.count("\t"), line.count("\t"))

    def test_the_jobs_mode(self):
        for words, mode in (([], "barrier"), (["--no-barrier", "--progress-thread"], "no-barrier,progress-thread"),
                            (["--mode", "develop", "--span"], "barrier,develop,span"),
                            *([(["--together"], "barrier,together")] if len(os.sched_getaffinity(0)) > 1 else [])):
            [line] = self.output("-n", 2, "--max", 8, *words, "overlap").splitlines()
            self.assertEqual(line.split("\t")[8], mode)

    def test_a_pause_is_before_each_repetition_and_no_part_of_it(self):
        start = time.monotonic()
        [line] = self.output("-n", 2, "--max", 8, "--pause", 0.3, "bcast").splitlines()
        self.assertGreater(time.monotonic() - start, 5 * 0.3)
        self.assertLess(float(line.split("\t")[5]), 0.3e6)

    def test_both_modes(self):
        lines = [line.split("\t") for line in self.output("-n", 2, "--max", 8, "--both-modes", "bcast,combine").splitlines()]
        self.assertEqual([(line[1], line[8]) for line in lines],
                         [(name, mode) for mode in ("barrier", "no-barrier") for name in ("bcast", "combine")])

    def test_blocks_of_less_than_an_element_are_left_out(self):
        lines = self.output("-n", 3, "--min", 8, "--max", 32, "bcast", "concat").splitlines()
        self.assertEqual([line.split("\t")[1:4:2] for line in lines], [["bcast", "8"], ["bcast", "32"], ["concat", "32"]])

    def test_an_operation_without_any_size_is_named(self):
        result = bench(*SHORT, "-n", 3, "--max", 8, "concat,bcast")
        self.assertEqual((result.returncode, result.stdout.count("\n"), result.stderr.count("\n")), (0, 2, 1), result.stderr)
        self.assertIn("concat was not measured: its smallest vector is 12 bytes", result.stderr)
        self.assertIn("try --min 12 --max 12\n", result.stderr)

    def test_json(self):
        report = json.loads(self.output("-n", 2, "--max", 8, "--no-barrier", "--json", "sync,bcast"))
        self.assertEqual((report["ranks"], report["barrier"], report["mode"]), (2, False, "no-barrier"))
        self.assertEqual([(result["operation"], result["bytes"], result["repetitions"]) for result in report["results"]],
                         [("sync", 0, 5), ("bcast", 8, 5)])
        self.assertTrue(all(0 < result["min_us"] <= result["median_us"] for result in report["results"]))

    def test_streams_tell_a_rate(self):
        """Of all messages that pass at once: in both directions, of all pairs."""
        report = json.loads(self.output("-n", 4, "--min", 64000, "--max", 64000, "--json", ",".join(PAIRS)))
        for result, at_once in zip(report["results"], (0, 1, 2, 2)):
            rate = result.get("messages_per_second", 0)
            self.assertAlmostEqual(rate * result["median_us"] / 1e6 / max(at_once, 1), min(at_once, 1), 2, result)
        master, slave = pty.openpty()
        bench(*SHORT, "-n", 2, "--min", 1000, "--max", 1000, "bandwidth", stdout=slave)
        os.close(slave)
        text = read_until(master, lambda text: text.count("\n") >= 3)
        rate = json.loads("[%s]" % ", ".join(re.search(r"([\d.]+) MB/s, (\d+) messages/s", text).groups()))
        self.assertAlmostEqual(rate[0] * 1000, rate[1], delta=6)  # a message has a thousandth of a megabyte

    def test_algorithms_by_name_and_all(self):
        named = self.output("-n", 3, "--max", 8, "--algorithm", "circulant:blocks=2", "--algorithm", "chosen", "bcast")
        self.assertEqual([line.split("\t")[7].partition(":")[0] for line in named.splitlines()][0], "bcast/circulant")
        self.assertEqual(len(named.splitlines()), 2)
        report = json.loads(self.output("-n", 3, "--max", 32, "--algorithm", "all", "--json", "combine_ordered"))
        for size in (8, 32):
            results = [result for result in report["results"] if result["bytes"] == size]
            names = [result["algorithm"] for result in results]
            self.assertEqual([result["chosen"] for result in results], [True] + [False] * (len(results) - 1))
            self.assertIn("combine/recursive_doubling", names[1:])
            self.assertNotIn("combine/census", names)  # needs an operator that commutes
            self.assertEqual(len(names[1:]), len(set(names[1:])))
            medians = [result["median_us"] for result in results]
            self.assertEqual(medians[1:], sorted(medians[1:]))

    def test_without_a_warm_up_the_same_is_measured(self):
        words = "-n", 3, "--max", 32, "--algorithm", "all", "--repetitions", 1, "combine_ordered"
        names = [sorted([line.split("\t")[i] for i in (1, 3, 7)] for line in self.output("--warm-up", calls, *words).splitlines())
                 for calls in (0, 1)]
        self.assertEqual(*names)

    def test_a_named_algorithm_that_cannot_do_it_is_a_failure(self):
        result = bench(*SHORT, "-n", 3, "--max", 8, "--algorithm", "combine/census", "combine_ordered")
        self.assertEqual((result.returncode, result.stdout.count("\n")), (1, 1))
        self.assertIn("needs a commutative operator", result.stderr)

    def test_alone(self):
        self.assertEqual(len(self.output("-n", 1, "--max", 8, "sync", *COLLECTIVES).splitlines()), 1 + len(COLLECTIVES))

    def test_a_terminal_shows_how_far_it_is(self):
        master, slave = pty.openpty()
        result = bench(*SHORT, "-n", 2, "--max", 8, "bcast", stderr=slave)
        os.close(slave)
        self.assertEqual(result.stdout.count("\n"), 2)
        self.assertRegex(os.read(master, 4096).decode(), "bcast, 8 bytes")
        os.close(master)

    def test_a_terminal_gets_a_table(self):
        master, slave = pty.openpty()
        result = bench(*SHORT, "-n", 2, "--min", 16, "--max", 64, "--algorithm", "chosen", "--algorithm", "chain", "bcast",
                       stdout=slave)
        os.close(slave)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        text = read_until(master, lambda text: text.count("\n") >= 10)
        title, heads, *lines = text.strip().splitlines()
        self.assertEqual(title, "2 processes, barrier; microseconds")
        self.assertEqual(heads.split(), ["operation", "bytes", "repetitions", "minimum", "median", "algorithm"])
        self.assertEqual(lines[1::4], [f"bcast, {size} bytes, by several algorithms in turn:" for size in (16, 64)])
        rows = lines[2:4] + lines[6:8]
        self.assertEqual([row.split()[:3] for row in rows], [["bcast", size, "5"] for size in ("16", "16", "64", "64")])
        self.assertEqual({row.index("bcast/") for row in rows}, {heads.rindex(" ") + 1})
        self.assertEqual([row.endswith(" (chosen)") for row in rows], [True, False, True, False])
        self.assertEqual([row.split()[-1] for row in rows[1::2]], ["bcast/chain"] * 2)

    def test_a_terminal_gets_json_alone(self):
        """Also where standard error is the same terminal."""
        master, slave = pty.openpty()
        result = bench(*SHORT, "-n", 2, "--min", 16, "--max", 64, "--json", "bcast", stdout=slave, stderr=slave)
        os.close(slave)
        self.assertEqual(result.returncode, 0)
        text = read_until(master, lambda text: "]}" in text)
        self.assertEqual(len(json.loads(text)["results"]), 2)

    def test_mistakes(self):
        for words, says in ((["-n", 2, "bcst"], "there is no operation 'bcst' (did you mean 'bcast'?); there are: sync, bcast, "),
                            (["-n", 1, "pingpong"], "pingpong needs two processes"),
                            (["-n", 2, "--min", 64, "--max", 8, "bcast"], "--max: no less than --min"),
                            (["-n", 2, "--min", 2, "bcast"], "--min: a number of bytes is needed"),
                            (["-n", 2, "--algorithm", "nonsense", "bcast"], "there is no algorithm 'bcast/nonsense'"),
                            (["-n", 2, "--algorithm", "bcast/chain", "reduce"], "is no algorithm for reduce"),
                            (["-n", 2, "--algorithm", "all", "pingpong"], "pingpong has none"),
                            (["-n", os.cpu_count() + 1, "--together", "bcast"], "processes need a core each, and may use "),
                            (["-n", 1, "--together", "--span", "bcast"], "excludes"),
                            (["bcast"], "-n is required")):
            with self.subTest(words=words):
                result = bench(*words)
                self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (2, "", 1), result.stderr)
                self.assertIn(says, result.stderr)


if __name__ == "__main__":
    unittest.main()
