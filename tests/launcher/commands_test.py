# SPDX-License-Identifier: Apache-2.0
"""`cohort algorithms`, `cohort verify` and `cohort model`: what they print, as text and as JSON, and their exit codes."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from job_driver import BIN, COHORT, SANITIZED

MISTAKEN = os.path.join(BIN, "cohort_with_mistakes")  # cohort with another registry
LIMIT_S = 240 if SANITIZED else 60


def cohort(*words, program=COHORT):
    return subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=LIMIT_S,
                          stdin=subprocess.DEVNULL)


class Case(unittest.TestCase):
    def text(self, *words):
        result = cohort(*words)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def json(self, *words):
        return json.loads(self.text(*words, "--json"))

    def expect_usage_error(self, *words, says):
        result = cohort(*words)
        self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (2, "", 1), result.stderr)
        self.assertTrue(result.stderr.startswith("cohort: "))
        self.assertIn(says, result.stderr)


class Algorithms(Case):
    def test_every_algorithm_has_a_block(self):
        blocks = self.text("algorithms").split("\n\n")
        names = [block.splitlines()[0] for block in blocks]
        self.assertEqual(names, [algorithm["name"] for algorithm in self.json("algorithms")])
        self.assertEqual(len(names), len(set(names)))
        for block in blocks:
            self.assertRegex(block, r"\n  time        .+")
            self.assertRegex(block, r"\n  source      .+")

    def test_of_one_operation(self):
        names = [algorithm["name"] for algorithm in self.json("algorithms", "reduce")]
        self.assertIn("reduce/circulant", names)
        self.assertTrue(all(name.startswith("reduce/") for name in names), names)

    def test_one(self):
        text = self.text("algorithms", "reduce/circulant")
        self.assertIn("  needs       an operator that commutes\n", text)
        self.assertIn("  parameter   blocks: ", text)
        [algorithm] = self.json("algorithms", "reduce/circulant")
        self.assertTrue(algorithm["needs"]["commutative"])
        self.assertEqual([parameter["name"] for parameter in algorithm["parameters"]], ["blocks"])

    def test_mistakes(self):
        self.expect_usage_error("algorithms", "bcst", says="there is no operation 'bcst' (did you mean 'bcast'?); there are: bcast, ")
        self.expect_usage_error("algorithms", "bcast/nosuch", says="there is no algorithm 'bcast/nosuch'; there are: ")
        self.expect_usage_error("algorithms", "bcast/circulant:blocks=4", says="without parameters")


class Verify(Case):
    def test_an_operation_and_an_algorithm(self):
        lines = self.text("verify", "shift", "bcast/binomial", "bcast/binomial", "--ranks", "1-6").splitlines()
        self.assertRegex(lines[-2], r"^bcast/binomial +\d+ cases +\d+\.\d s  ok$")
        self.assertRegex(lines[-1], rf"^{len(lines) - 1} algorithms, 1 to 6 ranks, \d+ cases in .* all right$")

    def test_all(self):
        report = self.json("verify", "--ranks", "3")
        self.assertEqual([algorithm["name"] for algorithm in report["algorithms"]],
                         [algorithm["name"] for algorithm in self.json("algorithms")])
        self.assertTrue(report["ok"] and all(algorithm["ok"] for algorithm in report["algorithms"]))
        self.assertEqual(report["cases"], sum(algorithm["cases"] for algorithm in report["algorithms"]))

    def test_mistaken_algorithms_are_found_and_the_others_are_right(self):
        result = cohort("verify", "--ranks", "1-6", program=MISTAKEN)
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        for line in [r"bcast/binomial .* ok",
                     r"bcast/forgetful .* WRONG\n  bcast/forgetful p=5 root=0 m=1, rank 4",
                     r"bcast/several .* WRONG\n  bcast/several p=3 .* rank 0 sends or receives several messages in round 0",
                     r"bcast/late .* WRONG\n  bcast/late p=2 .* not received in the round in which they are sent",
                     r"bcast/modest .* WRONG\n  bcast/modest p=1 .* costs 0 rounds, .*, not 1 rounds, ",
                     r"5 algorithms, 1 to 6 ranks, \d+ cases in .*: WRONG"]:
            self.assertRegex(result.stdout, line)
        report = json.loads(cohort("verify", "--ranks", "1-6", "--json", program=MISTAKEN).stdout)
        self.assertEqual([algorithm["ok"] for algorithm in report["algorithms"]], [True] + [False] * 4)
        self.assertIn("p=5", report["algorithms"][1]["counterexample"])

    def test_a_mistake_that_is_out_of_range_is_not_found(self):
        result = cohort("verify", "bcast/forgetful", "--ranks", "1-4", program=MISTAKEN)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_output_that_nobody_reads(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([COHORT, "verify", "shift", "--ranks", "2"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual((result.returncode, result.stderr.count(b"\n")), (1, 1), result.stderr)

    def test_mistakes(self):
        for ranks in ["0", "5-3", "1-", "-3", "x", "1-2-3", "1-100000"]:
            self.expect_usage_error("verify", f"--ranks={ranks}", says="--ranks: a whole number from")
        self.expect_usage_error("verify", "bcast", "nosuch", says="'nosuch'")


class Model(Case):
    def rows(self, *words):
        return {row["name"]: row for row in self.json("model", *words)["algorithms"]}

    def test_by_hand(self):
        network = ["--alpha", "1ms", "--beta", "10us", "--gamma", "2us", "--latency", "0.5"]
        [row] = self.rows("bcast", "--ranks", 8, "--bytes", 100, "--algorithm", "binomial", *network).values()
        self.assertEqual((row["rounds"], row["volume"], row["total"], row["messages"], row["combined"]), (3, 300, 700, 7, 0))
        # Of three hops in sequence each takes 1 ms + 100 x 10 us, and the latency.
        self.assertAlmostEqual(row["seconds"], 3 * 0.502)
        self.assertEqual(row["how"], "simulated")
        self.assertGreater(row["schedule_microseconds"], 0)
        [row] = self.rows("reduce", "--ranks", 2, "--bytes", 100, "--algorithm", "recursive_split", *network).values()
        self.assertAlmostEqual(row["seconds"], 0.502 + 0.0002)

    def test_what_all_share_is_busy_with_every_message(self):
        network = ["--alpha", "1us", "--beta", 0, "--shared-alpha", "1ms", "--shared-beta", "10us"]
        [row] = self.rows("bcast", "--ranks", 8, "--bytes", 100, "--algorithm", "binomial", *network).values()
        self.assertAlmostEqual(row["seconds"], 7 * 0.001 + 700 * 10e-6)

    def test_ranks_that_share_hosts(self):
        def seconds(name, *words):
            return self.json("model", "combine", "--ranks", 16, "--bytes", "16MiB", "--hosts", *words,
                             "--algorithm", name)["algorithms"][0]["seconds"]

        bound = 2 * 3 / 4 * 16 * 2**20 * 80e-9  # over each link with 4 hosts
        self.assertTrue(bound < seconds("mesh_rings", 4) < 1.02 * bound)
        self.assertTrue(1.2 * bound < seconds("ring", 4) < 1.3 * bound)
        self.assertAlmostEqual(seconds("mesh_rings", 4, "--beta-within", "80ns"), 2 * bound, delta=0.02 * bound)
        self.assertEqual(seconds("ring", 16), seconds("mesh_rings", 16))  # each has its own
        said = self.text("model", "combine", "--ranks", 16, "--bytes", "16MiB", "--hosts", 4)
        self.assertIn("The runtime takes combine/mesh_rings.", said)
        self.assertIn("4 hosts, within each alpha 400 ns", said.splitlines()[0])

    def test_the_postal_model(self):
        """Cordsen et al., p = 64, s = 1, r = 3: 24 steps by a binomial tree, 15 by the Fibonacci tree, which is chosen."""
        said = self.json("model", "bcast", "--ranks", 64, "--bytes", 8, "--send-gap", 1, "--receive-latency", 3)
        rows = {row["name"]: row for row in said["algorithms"]}
        self.assertAlmostEqual(rows["bcast/binomial"]["seconds"], 24)
        self.assertEqual(said["choice"], "bcast/fibonacci")
        for figure in ("seconds", "price"):
            self.assertAlmostEqual(rows["bcast/fibonacci"][figure], 15)
        self.assertFalse(rows["bcast/fibonacci"]["price_is_estimate"])

    def test_the_choice_is_what_the_table_says(self):
        """The choice has the least price, which without rounds that drift and without bursts is its time; and no other
        algorithm that it may take is faster by more than a hundredth."""
        for operation in ("bcast", "reduce", "combine", "exclusive_prefix", "gather", "concat", "index", "sync"):
            for ranks, latency in ((6, "10us"), (13, "0"), (16, "100us")):
                with self.subTest(operation=operation, ranks=ranks, latency=latency):
                    said = self.json("model", operation, "--ranks", ranks, "--bytes", "4K", "--latency", latency)
                    rows = {row["name"]: row for row in said["algorithms"] if "price" in row}
                    chosen = rows[said["choice"]]
                    self.assertAlmostEqual(chosen["price"], chosen["seconds"], delta=1e-6 * chosen["seconds"])
                    for row in rows.values():
                        self.assertLessEqual(chosen["seconds"], 1.0101 * row["seconds"], row["name"])

    def test_long_messages_of_one_rank_share_its_link(self):
        """As on 8 hosts of 100 Mbit/s, where a broadcast of 1 MiB took 515 ms along a binomial tree and 280 by scatter and
        collect: with headers, which are 5 % of what the links carry."""
        rows = self.rows("bcast", "--ranks", 8, "--bytes", "1MiB", "--beta", "84ns", "--alpha", "10us")
        self.assertAlmostEqual(rows["bcast/binomial"]["seconds"], 0.515, delta=0.026)
        self.assertAlmostEqual(rows["bcast/scatter_collect"]["seconds"], 0.280, delta=0.028)

    def test_formulas_are_the_costs(self):
        """What is printed for people is never less than what the schedules cost, also by ranks that are no power of two."""
        def value(text, names):
            parts = re.findall(r"[A-Za-z]+|[0-9]+|[()+\-/]", text)
            factors = list(parts)
            for i in range(1, len(parts)):
                ends = parts[i - 1] == ")" or parts[i - 1].isalnum()
                factors[i] = ("*" if ends and (parts[i] == "(" or parts[i].isalnum()) else "") + parts[i]
            return eval("".join(factors), {}, names)

        formulas = {}
        for algorithm in self.json("algorithms"):
            whole, _, more = algorithm["time"].replace(", P = 2^Q <= p", "").partition("; if P < p also ")
            if re.fullmatch(r"(?:\d+|alpha|beta|gamma|[pqmPQ]|[ ()+\-/])+", whole):
                formulas[algorithm["name"]] = whole, more.replace("about", "3 / 2")
        self.assertGreater(len(formulas), 30)
        for operation in sorted({name.partition("/")[0] for name in formulas}):
            for ranks in (6, 7, 8):
                largest = ranks.bit_length() - 1
                names = {"p": ranks, "q": (ranks - 1).bit_length(), "P": 2**largest, "Q": largest, "m": ranks * 1680}
                for name, row in self.rows(operation, "--ranks", ranks, "--bytes", names["m"]).items():
                    if name not in formulas or "obstacle" in row:
                        continue
                    for unit, cost in (("alpha", "rounds"), ("beta", "volume"), ("gamma", "combined")):
                        known = {**names, "alpha": 0, "beta": 0, "gamma": 0, unit: 1}
                        whole, more = formulas[name]
                        said = value(whole, known) + (value(more, known) if more and 2**largest < ranks else 0)
                        self.assertLessEqual(row[cost], said * (1 + 1e-9), f"{name}, {ranks} ranks, {cost}")

    def test_blocks_of_unequal_sizes(self):
        """Along a binomial tree the last rank's 16 MB pass three others: which is chosen depends on where they are."""
        once = (16e6 + 7 * 1000) * 80e-9
        for counts in ["7x1000,16000000", "3x1000,16000000,4x1000", ",".join(["1000"] * 7 + ["16000000"])]:
            said = self.json("model", "gather", "--counts", counts)
            seconds = {row["name"]: row["seconds"] for row in said["algorithms"]}
            self.assertLess(seconds[said["choice"]], 1.01 * once)
            self.assertEqual((said["ranks"], sum(said["counts"])), (8, 16_007_000))
        self.assertGreater(seconds["gather/binomial"], 2.9 * once)
        self.assertIn("gather on 8 ranks, root 0, blocks of up to 64 KiB;", self.text("model", "gather", "--counts", "7x1K,64K"))

    def test_signals_of_a_barrier(self):
        """Cordsen et al., p = 64, s = 1, r = 3: 15 steps for the signals, and 15 for the data."""
        postal = ["--ranks", 64, "--bytes", 64, "--send-gap", 1, "--receive-latency", 3]
        for operation in ["bcast", "reduce"]:
            name = f"{operation}/fibonacci"
            self.assertAlmostEqual(self.rows(operation, *postal)[name]["seconds"], 15)
            row = self.rows(operation, "--barrier", *postal)[name]
            self.assertAlmostEqual(row["seconds"], 30)
            self.assertEqual(row["messages"], 2 * 63)
        self.assertEqual(self.rows("combine", *postal).keys(), self.rows("combine", "--barrier", *postal).keys())
        self.assertIn("bcast on 64 ranks, root 0, with a barrier, 64 B;", self.text("model", "bcast", "--barrier", *postal))

    def test_table(self):
        title, empty, heads, *lines = self.text("model", "bcast", "--ranks", 100, "--bytes", "1M").splitlines()
        self.assertRegex(title, "^bcast on 100 ranks, root 0, 1 MiB; alpha 50 µs, .* latency 0, full duplex$")
        self.assertEqual(heads.split(), "algorithm rounds volume total messages combined seconds x best how price schedule us".split())
        end = next(i for i, line in enumerate(lines) if line.startswith("The runtime takes bcast/"))
        seconds = [float(line.split()[6]) for line in lines[:end]]
        self.assertEqual(seconds, sorted(seconds))
        self.assertEqual(lines[0].split()[7], "1.00")

    def test_simplex_takes_longer(self):
        words = ["concat", "--ranks", 9, "--bytes", "9K", "--algorithm", "ring"]
        [duplex], [simplex] = self.rows(*words).values(), self.rows(*words, "--simplex").values()
        self.assertGreater(simplex["seconds"], 1.9 * duplex["seconds"])

    def test_obstacles_are_said(self):
        text = self.text("model", "reduce", "--ranks", 5, "--bytes", "1K", "--ordered")
        self.assertIn("\nreduce/circulant: it needs a commutative operator\n", text)
        alone = cohort("model", "reduce", "--ranks", 5, "--ordered", "--algorithm", "circulant")
        self.assertEqual(alone.returncode, 1)
        self.assertIn("it needs a commutative operator", alone.stdout)

    def test_parameters(self):
        rows = self.rows("bcast", "--ranks", 16, "--bytes", "1M", "--algorithm", "circulant:blocks=8", "--algorithm",
                         "bcast/circulant:blocks=2")
        self.assertEqual(rows["bcast/circulant:blocks=8"]["rounds"], 8 - 1 + 4)
        self.assertEqual(rows["bcast/circulant:blocks=2"]["rounds"], 2 - 1 + 4)

    def test_units(self):
        def bytes_of(text):
            return self.json("model", "shift", "--ranks", 2, "--bytes", text)["bytes"]

        self.assertEqual([bytes_of(text) for text in ["0", "7", "64k", "64KiB", "1.5M", "2 GiB", "1MB", "1mb", "2kB", "8B"]],
                         [0, 7, 65536, 65536, 3 << 19, 2 << 30, 1 << 20, 1 << 20, 2048, 8])

        def alpha_of(text):
            return self.json("model", "shift", "--ranks", 2, "--alpha", text)["network"]["alpha"]

        for text, seconds in [("50us", 50e-6), ("1.5ms", 1.5e-3), ("80ns", 80e-9), ("2", 2), ("3 s", 3), ("1e-5", 1e-5)]:
            self.assertAlmostEqual(alpha_of(text) / seconds, 1)

    def test_a_tuning_file_says_what_network_it_is(self):
        within = "[within_host]\nalpha_us = 3\nbeta_ns_per_byte = 2\nshared_alpha_us = 5\n"
        between = "[between_hosts]\nalpha_us = 20\nbeta_ns_per_byte = 80\n"
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "tuning.toml")

            def model(text, *words):
                file.write_text(text)
                return self.json("model", "bcast", "--ranks", 8, "--bytes", 8, "--tuning", file, *words)

            def alphas(text, *words):
                said = model(text, *words)
                return [round(said[place]["alpha"] * 1e6, 6) for place in ("network", "within_host") if place in said]

            self.assertEqual(alphas(within), [3])
            self.assertEqual(alphas(within + between), [20])
            self.assertEqual(alphas(within + between, "--alpha", "7us"), [7])
            self.assertEqual(alphas(within + between, "--hosts", 1), [3])
            self.assertEqual(alphas(within, "--hosts", 1), [3])
            self.assertEqual(alphas(within + between, "--hosts", 4), [20, 3])
            self.assertEqual(alphas(within + between, "--hosts", 4, "--alpha-within", "9us"), [20, 9])
            file.write_text(within + between)
            self.assertIn("4 hosts, within each alpha 3 µs, beta 2 ns a byte, latency 0, shared alpha 5 µs",
                          self.text("model", "bcast", "--ranks", 8, "--tuning", file, "--hosts", 4).splitlines()[0])
            for text, words, says in [("", [], "has nothing on what goes between hosts"),
                                      (within, ["--hosts", 4], "has nothing on what goes between hosts"),
                                      (between, ["--send-gap", 1], "excludes")]:
                file.write_text(text)
                result = cohort("model", "bcast", "--ranks", 8, "--tuning", file, *words)
                self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (2, "", 1), result.stderr)
                self.assertIn(says, result.stderr)

    def test_too_many_rounds_to_simulate(self):
        rows = self.rows("concat", "--ranks", 100000, "--bytes", "1M", "--algorithm", "ring")
        row = rows["concat/ring"]
        self.assertEqual((row["how"], row["rounds"]), ("closed form", 99999))
        alpha, beta = 50e-6, 80e-9
        self.assertAlmostEqual(row["seconds"], 99999 * (alpha + 11 * beta))  # blocks of 11 bytes

    def test_every_operation(self):
        for operation in sorted({algorithm["operation"] for algorithm in self.json("algorithms")}):
            with self.subTest(operation=operation):
                for row in self.rows(operation, "--ranks", 6, "--bytes", 600).values():
                    self.assertTrue("obstacle" in row or row["seconds"] > 0, row)

    def test_plot(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "bcast.svg")
            self.text("model", "bcast", "--ranks", 8, "--bytes", "64K", "--plot", file)
            root = xml.etree.ElementTree.parse(file).getroot()
            self.assertTrue(root.tag.endswith("svg"))
            words = " ".join("".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text"))
            self.assertIn("bcast on 8 ranks", words)
            self.assertIn("circulant", words)

    def test_mistakes(self):
        for words, says in [(["bcst"], "there is no operation 'bcst'"), ([], "OPERATION"),
                            (["bcast", "--ranks", "16", "--hosts", "3"], "--hosts: 16 ranks are not as many on each of 3"),
                            (["bcast", "--hosts", "17"], "--hosts: a whole number"),
                            (["bcast", "--ranks", "0"], "--ranks: a whole number"),
                            (["bcast", "--bytes", "many"], "--bytes: a number of bytes"),
                            (["bcast", "--bytes", "-1"], "--bytes: a number of bytes"),
                            (["bcast", "--alpha", "5 apples"], "--alpha: a time"),
                            (["bcast", "--root", "16"], "--root: a whole number from 0 to 15"),
                            (["combine", "--root", "3"], "--root: combine has none"),
                            (["bcast", "--algorithm", "nosuch"], "there is no algorithm 'bcast/nosuch'"),
                            (["bcast", "--algorithm", "reduce/circulant"], "no algorithm for bcast"),
                            (["bcast", "--algorithm", "circulant:block=3"], "has no parameter 'block'"),
                            (["bcast", "--receive-latency", "3"], "--send-gap"),
                            (["bcast", "--send-gap", "3", "--alpha", "2"], "--alpha"),
                            (["bcast", "--counts", "1,2"], "--counts: bcast has no blocks"),
                            (["index", "--counts", "1,2"], "--counts: of index, each rank has its own"),
                            (["gather", "--counts", "1,,2"], "--counts: a number of bytes"),
                            (["gather", "--counts", "0x5"], "--counts: a whole number"),
                            (["gather", "--counts", "5,5", "--ranks", "2"], "--ranks"),
                            (["gather", "--counts", "5,5", "--root", "2"], "--root: a whole number from 0 to 1"),
                            (["sync", "--plot", "x.svg"], "--plot: sync has no sizes")]:
            with self.subTest(words=words):
                self.expect_usage_error("model", *words, says=says)

    def test_picture_that_cannot_be_written(self):
        result = cohort("model", "bcast", "--ranks", 4, "--bytes", 64, "--plot", "/no/such/folder/x.svg")
        self.assertEqual((result.returncode, result.stderr.count("\n")), (1, 1), result.stderr)
        self.assertIn("/no/such/folder/x.svg", result.stderr)


class Help(Case):
    def test_teaches(self):
        for command, words in [("algorithms", ["--json", "needs", "source", "Examples:"]),
                               ("verify", ["--ranks", "counterexample", "Exit status", "Examples:"]),
                               ("model", ["--algorithm", "--send-gap", "--plot", "C1", "at most", "Examples:"])]:
            text = self.text(command, "--help")
            for word in words:
                self.assertIn(word, text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
