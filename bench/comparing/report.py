# SPDX-License-Identifier: Apache-2.0
"""The folder that a comparison leaves behind: every line measured, a table of ratios, pictures, and a page on all that."""

import json
import math
import statistics

from . import contestants, drawing, places

PEERS = ("openmpi", "mpich")
FLOOR = ("sockets-spin", "sockets-block", "ring")
SPAN = "from the first process's start to the last one's end"
TIMES = {"own": "the slowest process's own", "span": SPAN, "together": f"{SPAN}, where all start at an instant that they agree on"}
SUMMED_UP = {"to 1 KiB": (0, 2**10), "to 16 KiB": (2**10 + 1, 2**14), "above": (2**14 + 1, math.inf), "all": (0, math.inf)}
SETTLED_US = 2000  # below, a bound says little: start-up costs set the time, not the links


class Folder:
    """What has been measured so far. A later measurement of the same takes the place of the earlier."""

    def __init__(self, path, place, timing="own"):
        self.path, self.place = path, place
        path.mkdir(parents=True, exist_ok=True)
        self.facts = {"place": place.key, "time": TIMES[timing], "machine": places.machine(), "versions": {},
                      "commands": [], "troubles": [], "idle": {}, "again": {}}
        self.rows = {}
        if (path / "facts.json").exists():
            self.add(filter(None, map(contestants.row_of, (path / "results.tsv").read_text().splitlines())))
            self.facts = {"time": TIMES["own"], "again": {}, **json.loads((path / "facts.json").read_text())}
        if self.facts["place"] != place.key:
            raise SystemExit(f"compare: {path} holds a comparison on '{self.facts['place']}': take another folder")
        if self.facts["time"] != TIMES[timing]:
            raise SystemExit(f"compare: the times in {path} are {self.facts['time']}: take another folder")

    def add(self, rows):
        """Of rows of the same, one from each round, the one in the middle is kept."""
        rounds = {}
        for row in rows:
            rounds.setdefault((row["contestant"], row["operation"], row["bytes"]), []).append(row)
        for key, same in rounds.items():
            self.rows[key] = sorted(same, key=lambda row: row["median_us"])[len(same) // 2]
            self.facts["again"].pop(case_text(*key[1:]), None)

    def heard(self, name, operation, sizes, wrong, idle):
        """How a run went: a contestant that failed is told of, and so is how idle the processors were."""
        what = f"{name}: {operation}, {drawing.bytes_text(sizes[0])} to {drawing.bytes_text(sizes[-1])}"
        self.facts["troubles"] = [line for line in self.facts["troubles"] if not line.startswith(what + ": ")]
        if wrong:
            self.facts["troubles"].append(f"{what}: {wrong}")
        self.facts["idle"].setdefault(what.partition(": ")[2], {})[name] = round(idle, 3)

    def ratios_above(self, limit, operation, sizes):
        """Of these sizes, where Cohort takes more than so many times the faster peer's time: {size: ratio}."""
        told = Report(self)
        return {size: ratio for size in sizes if (ratio := told.ratio(operation, size)) and ratio > limit}

    def measured_again(self, operation, before):
        """What is there now was measured because of ratios before: {size: ratio}."""
        told = Report(self)
        for size, ratio in before.items():
            self.facts["again"][case_text(operation, size)] = (ratio, told.ratio(operation, size))

    def save(self):
        (self.path / "facts.json").write_text(json.dumps(self.facts, indent=1) + "\n")
        lines = ["\t".join(str(row[column]) for column in contestants.COLUMNS) for row in self.rows.values()]
        (self.path / "results.tsv").write_text("".join(line + "\n" for line in lines))
        Report(self).write()


class Report:
    def __init__(self, folder):
        self.folder, self.place, self.rows = folder, folder.place, folder.rows
        self.operations = list(dict.fromkeys(row["operation"] for row in self.rows.values()))
        self.names = [name for name in ("cohort", *PEERS, *FLOOR) if any(key[0] == name for key in self.rows)]

    def median(self, name, operation, size):
        row = self.rows.get((name, operation, size))
        return row and row["median_us"]

    def sizes(self, operation):
        return sorted({size for _, measured, size in self.rows if measured == operation})

    def best_peer(self, operation, size):
        return min(filter(None, (self.median(name, operation, size) for name in PEERS)), default=None)

    def ratio(self, operation, size):
        """Cohort's time by the faster peer's, or None."""
        ours, best = self.median("cohort", operation, size), self.best_peer(operation, size)
        return ours / best if ours and best else None

    def lines(self):
        """The table: a list of cells for each operation and size."""
        for operation in self.operations:
            for size in self.sizes(operation):
                bound = places.bound_us(self.place, operation, size)
                ours = self.median("cohort", operation, size)
                ratio = self.ratio(operation, size)
                row = self.rows.get(("cohort", operation, size))
                yield [operation, size, number(bound), *(number(self.median(name, operation, size)) for name in self.names),
                       f"{ratio:.2f}" if ratio else "-", f"{ours / bound:.3f}" if ours and bound else "-",
                       row["algorithm"] if row else "-"]

    def header(self):
        return ["operation", "bytes", "bound", *self.names, "by the faster peer", "times the bound", "algorithm"]

    def write(self):
        table = [self.header(), *self.lines()]
        path = self.folder.path
        (path / "ratios.tsv").write_text("".join("\t".join(map(str, line)) + "\n" for line in table))
        for operation in self.operations:
            (path / f"{operation}.svg").write_text(self.picture(operation))
        ratios = {operation: {size: self.ratio(operation, size) for size in self.sizes(operation)
                              if self.ratio(operation, size)} for operation in self.operations}
        (path / "ratios.svg").write_text(drawing.ratio_picture(
            ["Cohort's time by that of the faster peer", self.place.name,
             "blue: cohort is faster; orange: slower; the medians"], {o: r for o, r in ratios.items() if r}))
        (path / "README.md").write_text(self.page(table, ratios))

    def summary(self, ratios):
        """Of each class of sizes: in how many cases is Cohort no slower than the faster peer, and how many times as long does
        it take (geometric means)? A peer that was not done in time has no case."""
        table = [["sizes", "cases", "no slower", "by the faster peer", *(f"by {name}, cases" for name in PEERS)]]
        for what, (least, most) in SUMMED_UP.items():
            those = [(operation, size) for operation, row in ratios.items() for size in row if least <= size <= most]
            faster = [ratios[operation][size] for operation, size in those]
            line = [what, len(those), sum(not is_slower(ratio) for ratio in faster), mean_text(faster)]
            for name in PEERS:
                by_one = [self.median("cohort", *case) / us for case in those if (us := self.median(name, *case))]
                line.append(f"{mean_text(by_one)}, {len(by_one)}")
            table.append(line)
        return table

    def picture(self, operation):
        sized = [size for size in self.sizes(operation) if size]
        if not sized:  # sync: one time, drawn as if it had a size
            sized = [0]
        times = {name: [(max(size, 1), us) for size in sized if (us := self.median(name, operation, size))]
                 for name in self.names}
        bounds = [(size, bound) for size in sized
                  if (bound := places.bound_us(self.place, operation, size)) and bound >= SETTLED_US]
        return drawing.operation_picture(operation, self.place.name, times, bounds)

    def page(self, table, ratios):
        facts = self.folder.facts
        every = [(ratio, operation, size) for operation, row in ratios.items() for size, ratio in row.items()]
        lost = sorted((entry for entry in every if is_slower(entry[0])), reverse=True)
        text = [f"# Cohort beside its peers: {self.place.name}", "",
                f"Microseconds; a call's time is {facts['time']}. Medians, in the middle one of the rounds; `bench/compare` says "
                "how they are measured.", "",
                *(f"- {what}: {value}" for what, value in [*facts["machine"], *facts["versions"].items()]), "",
                f"Cohort is no slower than the faster peer in {len(every) - len(lost)} of {len(every)} cases, to two decimals.", "",
                *markdown(self.summary(ratios)), "", "![All ratios](ratios.svg)", "", "## Where Cohort is slower", ""]
        if lost:
            text += markdown([["operation", "bytes", "by the faster peer"],
                              *([operation, size, f"{ratio:.2f}"] for ratio, operation, size in lost)])
        else:
            text.append("Nowhere.")
        if facts["again"]:
            text += ["", "## Measured again, for it was in doubt", "",
                     *markdown([["", "before", "now"],
                                *([what, *(f"{ratio:.2f}" if ratio else "-" for ratio in ratios)]
                                  for what, ratios in facts["again"].items())])]
        text += ["", "## What went wrong", "", *([f"- {line}" for line in facts["troubles"]] or ["Nothing."]), "",
                 "## All figures", "", *markdown(table), "", "## Pictures", "",
                 *(f"![{operation}]({operation}.svg)" for operation in self.operations), "", "## Commands", "",
                 "```text", *facts["commands"], "```", "", "## Idle processors while it ran", "",
                 *markdown([["", *self.names], *([what, *(percent(shares.get(name)) for name in self.names)]
                                                 for what, shares in facts["idle"].items())]), ""]
        return "\n".join(text)


def is_slower(ratio):
    """To two decimals, as pages tell it."""
    return round(ratio, 2) > 1


def mean_text(ratios):
    return f"{statistics.geometric_mean(ratios):.2f}" if ratios else "-"


def case_text(operation, size):
    return f"{operation}, {drawing.bytes_text(size)}"


def number(us):
    return f"{us:.2f}" if us else "-"


def percent(share):
    return "-" if share is None else f"{share:.0%}"


def markdown(table):
    rows = ["| " + " | ".join(map(str, line)) + " |" for line in table]
    return [rows[0], "|" + "---|" * len(table[0]), *rows[1:]]
