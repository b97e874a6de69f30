# SPDX-License-Identifier: Apache-2.0
"""`bench/compare`: a tiny comparison on this machine, with the peers that are installed."""

import argparse
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))
from comparing import contestants, drawing, places, report

COHORT = os.path.join(os.environ["COHORT_BIN"], "cohort")
TINY = ["--min", "16", "--max", "64", "--seconds", "0", "--repetitions", "1", "--rounds", "2", "--limit", "20",
        "--cohort", COHORT]


def compare(folder, *words):
    return subprocess.run([BENCH / "compare", *TINY, *words, "-o", folder], capture_output=True, text=True, timeout=240,
                          stdin=subprocess.DEVNULL)


def compare_script():
    script = importlib.machinery.SourceFileLoader("compare_script", str(BENCH / "compare"))
    program = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare_script", script))
    script.exec_module(program)
    return program


def doubting(**given):
    """Options of a comparison of one round, and three of what is lost."""
    usual = {"ops": "bcast", "min": 16, "max": 16, "seconds": 0, "repetitions": 1, "warm_up": 0, "rounds": 1, "calls": 1, "pause": 0,
             "timing": "own", "limit": 30, "doubt": 1}
    return argparse.Namespace(**{**usual, **given})


class Scripted:
    """A contestant of which each start says the same, but those that hang."""

    def __init__(self, name, us, hangs=()):
        self.name, self.us, self.hangs, self.starts = name, us, hangs, 0

    def measures(self, operation):
        return True

    def command(self, place, operation, amounts):
        self.starts += 1
        if self.starts in self.hangs:
            return ["sleep", "1000"]
        line = "\\t".join([self.name, operation, str(place.ranks), "16", "1", str(self.us), str(self.us), "-"])
        return ["printf", f"{line}\\n"]


def row(name, operation, size, us):
    return contestants.row_of(f"{name}\t{operation}\t4\t{size}\t5\t{us}\t{us}\tbcast/binomial")


class Compare(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="cohort-compare-test-")
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name) / "results"

    def test_a_comparison_and_more_into_the_same_folder(self):
        for operations in ("sync,bcast", "pingpong,bcast"):
            result = compare(self.folder, "--local", "2", "--ops", operations)
            self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        table = [line.split("\t") for line in (self.folder / "ratios.tsv").read_text().splitlines()]
        self.assertEqual([line[:2] for line in table[1:]],
                         [["sync", "0"], ["bcast", "16"], ["bcast", "64"], ["pingpong", "16"], ["pingpong", "64"]])
        self.assertTrue(all(float(line[table[0].index("cohort")]) > 0 for line in table[1:]))
        self.assertTrue(all(float(line[table[0].index("sockets-spin")]) > 0 for line in table[4:]))
        for picture in ("sync", "bcast", "pingpong", "ratios"):
            xml.etree.ElementTree.parse(self.folder / f"{picture}.svg")
        page = (self.folder / "README.md").read_text()
        self.assertRegex(page, r"- cohort: \d+\.\d+")
        self.assertEqual(page.count("bench/compare --min"), 2)
        troubles = page.partition("## What went wrong")[2].partition("## All figures")[0]
        self.assertNotIn("cohort: ", troubles)  # a peer may have some

        elsewhere = compare(self.folder, "--local", "3", "--ops", "sync")
        self.assertEqual(elsewhere.returncode, 1)
        self.assertIn("holds a comparison on 'local 2'", elsewhere.stderr)
        otherwise = compare(self.folder, "--local", "2", "--ops", "sync", "--span")
        self.assertEqual(otherwise.returncode, 1)
        self.assertIn("the times in", otherwise.stderr)

    def test_the_floor_of_memory_is_a_ring(self):
        result = compare(self.folder, "--memory", "2", "--ops", "pingpong")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        titles, *lines = [line.split("\t") for line in (self.folder / "ratios.tsv").read_text().splitlines()]
        self.assertNotIn("sockets-spin", titles)
        self.assertTrue(lines and all(float(line[titles.index("ring")]) > 0 for line in lines))

    def test_spans(self):
        ways = {"span": "the last one's end", "together": "where all start at an instant that they agree on"}
        if len(os.sched_getaffinity(0)) < 2:
            del ways["together"]
        for way, told in ways.items():
            folder = self.folder / way
            result = compare(folder, "--local", "2", "--ops", "bcast", f"--{way}")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(told, (folder / "README.md").read_text())
            self.assertEqual({line.split("\t")[0] for line in (folder / "results.tsv").read_text().splitlines()},
                             {"cohort", *filter(contestants.Mpi.installed, report.PEERS)})

    def test_what_cohort_loses_is_told(self):
        folder = report.Folder(self.folder, places.Local(4))
        for size, ours, theirs in ((16, 10, 20), (64, 30, 20), (2048, 20.08, 20), (65536, 20.2, 20)):
            folder.add([row("cohort", "bcast", size, us) for us in (ours, 9 * ours, ours / 9)])  # three rounds
            folder.add([row("mpich", "bcast", size, theirs)])
            folder.add([row("openmpi", "bcast", size, 2 * theirs)] if size < 65536 else [])
        folder.heard("mpich", "combine", [16, 64], "not done after 5 s", 0.5)
        folder.save()
        page = (self.folder / "README.md").read_text()
        self.assertIn("no slower than the faster peer in 2 of 4 cases", page)
        self.assertIn("## Where Cohort is slower\n\n| operation | bytes | by the faster peer |\n|---|---|---|\n"
                      "| bcast | 64 | 1.50 |\n| bcast | 65536 | 1.01 |\n\n", page)
        self.assertIn("| sizes | cases | no slower | by the faster peer | by openmpi, cases | by mpich, cases |\n|---|---|---|---|---|---|\n"
                      "| to 1 KiB | 2 | 1 | 0.87 | 0.43, 2 | 0.87, 2 |\n| to 16 KiB | 1 | 1 | 1.00 | 0.50, 1 | 1.00, 1 |\n"
                      "| above | 1 | 0 | 1.01 | -, 0 | 1.01, 1 |\n| all | 4 | 2 | 0.93 | 0.45, 3 | 0.93, 4 |\n", page)
        self.assertIn("- mpich: combine, 16 B to 64 B: not done after 5 s\n", page)

    def test_the_folder_of_a_place(self):
        folder = compare_script().default_folder
        self.assertEqual(str(folder(places.Hosts(4, "100mbit"), "own")), "comparison-hosts-4-100mbit")
        self.assertEqual(str(folder(places.Local(4), "span")), "comparison-local-4-span")

    def test_one_that_was_done_once_stays_when_it_is_doubted_and_not_done_again(self):
        program = compare_script()
        everyone = [Scripted("cohort", 10), Scripted("mpich", 5, hangs=(2, 3, 4, 5))]
        options = doubting(max=64, limit=0.5)
        program.CLASSES = [16]  # 64 bytes are measured by a run of their own
        program.compare(options, places.Local(2), everyone, report.Folder(self.folder, places.Local(2)))
        # once, again, and of the larger vector once; who hangs, twice
        self.assertEqual([one.starts for one in everyone], [5, 5])

    def test_one_that_hangs_once_is_started_again(self):
        program = compare_script()
        everyone = [Scripted("cohort", 10), Scripted("mpich", 20, hangs=(1,))]
        options = doubting(limit=0.5)
        folder = report.Folder(self.folder, places.Local(2))
        program.compare(options, places.Local(2), everyone, folder)
        self.assertEqual(([one.starts for one in everyone], folder.facts["troubles"]), ([1, 2], []))
        self.assertEqual(folder.ratios_above(0, "bcast", [16]), {16: 0.5})

    def test_what_is_doubted_is_measured_again(self):
        program = compare_script()
        for peer_us, starts in ((20, 1), (5, 4)):
            everyone = [Scripted("cohort", 10), Scripted("mpich", peer_us)]
            options = doubting()
            folder = report.Folder(self.folder / f"{peer_us}", places.Local(2))
            program.compare(options, places.Local(2), everyone, folder)
            self.assertEqual([one.starts for one in everyone], [starts, starts])
            self.assertEqual(folder.facts["again"], {"bcast, 16 B": (2, 2)} if starts > 1 else {})

    def test_what_was_measured_again_is_told(self):
        folder = report.Folder(self.folder / "told", places.Local(4))
        folder.add([row("cohort", "bcast", size, 30) for size in (16, 64)])
        folder.add([row("mpich", "bcast", 16, 20), row("mpich", "bcast", 64, 40)])
        doubted = folder.ratios_above(1, "bcast", [16, 64, 256])
        self.assertEqual(doubted, {16: 1.5})
        folder.add([row("cohort", "bcast", 16, us) for us in (10, 18, 90)])
        folder.measured_again("bcast", doubted)
        folder.save()
        told = "| bcast, 16 B | 1.50 | 0.90 |\n"
        self.assertIn(told, (self.folder / "told/README.md").read_text())
        folder = report.Folder(self.folder / "told", places.Local(4))  # as a second comparison finds it
        folder.save()
        self.assertIn(told, (self.folder / "told/README.md").read_text())
        folder.add([row("cohort", "bcast", 16, 11)])
        folder.save()
        self.assertNotIn("Measured again", (self.folder / "told/README.md").read_text())

    def test_a_folder_of_before_the_ways_to_time_holds_own_times(self):
        folder = report.Folder(self.folder, places.Local(4))
        folder.save()
        facts = json.loads((self.folder / "facts.json").read_text())
        del facts["time"], facts["again"]
        (self.folder / "facts.json").write_text(json.dumps(facts))
        report.Folder(self.folder, places.Local(4)).save()
        facts = json.loads((self.folder / "facts.json").read_text())
        del facts["time"]
        (self.folder / "facts.json").write_text(json.dumps(facts))
        with self.assertRaises(SystemExit):
            report.Folder(self.folder, places.Local(4), "span")

    def test_a_contestant_that_hangs_is_ended_with_all_that_it_started(self):
        script = f"printf 'mpich\\tsync\\t2\\t0\\t5\\t1.00\\t2.00\\t-\\n'; setsid sleep {987_654} & sleep {987_654}"
        begin = time.monotonic()
        rows, wrong = contestants.run(["sh", "-c", script], 0.5)
        self.assertLess(time.monotonic() - begin, 30)
        self.assertEqual([each["median_us"] for each in rows], [2])
        self.assertEqual(wrong, "not done after 0.5 s")
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                self.assertNotIn(b"987654", pathlib.Path(f"/proc/{pid}/cmdline").read_bytes())
            except OSError:
                pass

    def test_one_that_has_said_all_may_hang(self):
        contestants.LEAVING_S, before = 0.2, contestants.LEAVING_S
        self.addCleanup(setattr, contestants, "LEAVING_S", before)
        script = "printf 'mpich\\tsync\\t2\\t0\\t5\\t1.00\\t2.00\\t-\\n'; sleep 1000"
        rows, wrong = contestants.run(["sh", "-c", script], 60, 1)
        self.assertEqual((len(rows), wrong), (1, None))

    def test_bounds(self):
        place = places.Hosts(16, "100mbit")
        self.assertAlmostEqual(place.bytes_per_us * 8, 95.64, places=2)
        vector = places.bound_us(place, "bcast", 2**24)
        self.assertAlmostEqual(vector / 1e6, 1.403, places=3)
        self.assertAlmostEqual(places.bound_us(place, "combine_ordered", 2**24), 2 * vector * 15 / 16)
        self.assertAlmostEqual(places.bound_us(place, "index", 2**24), vector * 15 / 16)
        self.assertIsNone(places.bound_us(place, "sync", 0))
        self.assertIsNone(places.bound_us(places.Local(4), "bcast", 2**24))

    def test_pictures_of_one_point_and_of_many(self):
        for times in ({"cohort": [(1, 5.0)]},
                      {"cohort": [(16, 5.0), (2**26, 9e6)], "mpich": [(16, 5.0)], "openmpi": []}):
            for bounds in ([], [(2**26, 5e6)]):
                xml.etree.ElementTree.fromstring(drawing.operation_picture("bcast", "4 < 5", times, bounds))
        xml.etree.ElementTree.fromstring(drawing.ratio_picture(["here"], {"bcast": {16: 0.1, 64: 9.0}, "sync": {0: 1.0}}))


if __name__ == "__main__":
    unittest.main()
