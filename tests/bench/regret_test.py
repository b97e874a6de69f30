# SPDX-License-Identifier: Apache-2.0
"""`bench/regret`: the choice of algorithms is judged rightly; and a tiny run on this machine."""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))
from comparing import choices, contestants

COHORT = os.path.join(os.environ["COHORT_BIN"], "cohort")


def case(operation, size, chosen_us, **measured_us):
    return choices.Case(operation, 4, size, "a", chosen_us, measured_us, {})


class Regret(unittest.TestCase):
    def test_of_the_rows_of_a_size_the_first_is_the_choice(self):
        lines = [f"cohort\tbcast\t4\t{size}\t5\t1.00\t{us}\t{name}" for size in (16, 64)
                 for us, name in ((4, "bcast/b"), (2, "bcast/a"), (5, "bcast/b"))]
        first, second = choices.cases_of(map(contestants.row_of, lines))
        self.assertEqual((first.size, first.chosen, first.chosen_us, first.best), (16, "bcast/b", 4, "bcast/a"))
        self.assertEqual(second.measured_us, {"bcast/a": 2, "bcast/b": 5})
        self.assertEqual(second.regret, 2)

    def test_there_is_no_regret_where_the_choice_is_the_best(self):
        self.assertEqual(case("bcast", 16, 3, a=2, b=4).regret, 1)
        self.assertEqual(case("bcast", 16, 3, a=4, b=4).regret, 1)
        self.assertEqual(case("bcast", 16, 3, a=4, b=2).regret, 1.5)
        self.assertEqual(choices.share_within([case("bcast", 16, us, b=100) for us in (101, 104, 109, 120)], 1.05), 0.5)

    def test_what_seems_better_is_measured_again(self):
        def measured(names):
            asked.append(names)
            return choices.Case("bcast", 4, 16, names[0], 10.0, {name: {"b": 12.0, "c": 9.9}[name] for name in names[1:]}, {})

        asked, lucky = [], case("bcast", 16, 10, a=11, b=8, c=9, d=10)
        choices.confirm(lucky, measured)
        self.assertEqual(asked, [["a", "b"], ["a", "b", "c"]])
        self.assertEqual((lucky.regret, lucky.measured_us), (10 / 9.9, {"b": 12, "c": 9.9, "d": 10}))

        asked, really_worse = [], case("bcast", 16, 20, b=8)
        choices.confirm(really_worse, lambda names: asked.append(names) or case("bcast", 16, 18, b=9))
        self.assertEqual((asked, really_worse.regret), ([["a", "b"]], 2))

        choices.confirm(good := case("bcast", 16, 10, b=9.9), None)  # is not measured again
        self.assertEqual(good.chosen_us, 10)
        choices.confirm(unknown := case("bcast", 16, 10, b=5), lambda names: None)
        self.assertEqual(unknown.regret, 2)

    def test_several_measurements_are_one_of_what_all_have(self):
        cases = [case("bcast", 16, 10, b=4, c=9), case("bcast", 16, 20, b=12, d=3)]
        mean = choices.joined(cases, statistics.mean)  # of two ways to call
        self.assertEqual((mean.chosen, mean.chosen_us, mean.measured_us), ("a", 15, {"b": 8}))
        middle = choices.joined([*cases, case("bcast", 16, 11, b=5)], statistics.median)  # of several starts
        self.assertEqual((middle.chosen, middle.chosen_us, middle.measured_us), ("a", 11, {"b": 5}))

    def test_operations_are_not_slower_than_others_that_do_the_same(self):
        cases = [case("reduce", 16, 10), case("bcast", 16, 10), case("combine", 16, 26), case("bcast", 64, 8)]
        self.assertEqual(choices.inconsistencies(cases, 1.1),
                         [("combine is slower than reduce and bcast: 4 ranks, 16 B", 1.3),
                          ("bcast is slower than of four times the size: 4 ranks, 16 B", 1.25)])
        self.assertEqual(choices.inconsistencies(cases, 1.4), [])

    def test_only_what_may_be_good_is_measured(self):
        self.assertEqual(choices.promising({"a": 10.0, "b": 25.0, "c": 20.0}, 2), ["a", "c"])

    def test_foresight_is_what_the_best_of_another_time_is_worth(self):
        earlier = [case("bcast", size, 9, b=5, c=7) for size in (16, 64, 256)] + [case("reduce", 16, 9, b=5)]
        now = [case("bcast", 16, 6, b=4, c=9), case("bcast", 64, 6, b=5.6, c=5), case("bcast", 256, 6, c=5), case("bcast", 1024, 6)]
        text = choices.foresight_text(now, earlier)  # b is the best, 1.12 times the best, not measured, not known
        self.assertIn(" (2 cases)", text)
        self.assertIn("in 50.0%, 50.0%, 100.0%.", text)
        self.assertEqual(choices.foresight_text(now, []), "")

    def test_a_tiny_run(self):
        with tempfile.TemporaryDirectory(prefix="cohort-regret-test-") as folder:
            for ranks, words in (("2", []), ("3", ["--tuning", os.path.join(folder, "tuning-2.toml"), "--against", folder, "--both-ways"])):
                result = subprocess.run(
                    [BENCH / "regret", "--local", "--ranks", ranks, "--ops", "sync,bcast", "--min", "16", "--max", "64",
                     "--seconds", "0", "--repetitions", "1", "--cohort", COHORT, "--barrier", "-o", folder, *words],
                    capture_output=True, text=True, timeout=200, stdin=subprocess.DEVNULL)
                self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
            lines = [line.split("\t") for line in pathlib.Path(folder, "algorithms.tsv").read_text().splitlines()[1:]]
            self.assertEqual(sorted({tuple(line[:3]) for line in lines}),
                             sorted((operation, ranks, size) for ranks in "23"
                                    for operation, size in (("sync", "0"), ("bcast", "16"), ("bcast", "64"))))
            self.assertEqual(sum(line[4] == "yes" for line in lines), 6)
            self.assertTrue(all(float(line[5]) > 0 and float(line[6]) > 0 for line in lines), lines)
            page = pathlib.Path(folder, "README.md").read_text()
            self.assertIn("loopback interface, with barriers\n", page)
            self.assertIn("6 cases. Within 5 % of the best algorithm: ", page)
            self.assertIn("in an earlier measurement, where it was measured this time (3 cases), is within", page)
            xml.etree.ElementTree.parse(pathlib.Path(folder, "regret.svg"))


if __name__ == "__main__":
    unittest.main()
