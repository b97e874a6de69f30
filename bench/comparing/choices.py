# SPDX-License-Identifier: Apache-2.0
"""How good the runtime's choice of algorithms is: every algorithm measured, and what the model said of it."""

import dataclasses
import json
import math
import statistics
import subprocess
import tomllib

from . import drawing, places, report

# An operation is never slower than others that do the same together.
TOGETHER = [("combine", ("reduce", "bcast")), ("concat", ("gather", "bcast")), ("bcast", ("scatter", "concat")),
            ("reduce_scatter", ("reduce", "scatter"))]

GOOD = 1.05  # times the best's time: the choice is as good
MOST_DOUBTED = 3  # algorithms that seem better


@dataclasses.dataclass
class Case:
    """One operation of one size on so many ranks: the medians of the choice, and of every algorithm."""

    operation: str
    ranks: int
    size: int
    chosen: str
    chosen_us: float
    measured_us: dict
    predicted_us: dict

    @property
    def best(self):
        return min(self.measured_us, key=self.measured_us.get)

    @property
    def regret(self):
        """The choice's time by that of the best; the choice itself may be the best."""
        return max(1, self.chosen_us / self.measured_us[self.best]) if self.best != self.chosen else 1


def confirm(case, measure):
    """Measures again, by measure(names) -> Case, what seems better than the choice, those alone and in turn with it: the
    least of many is so partly by luck. What is measured last counts."""
    doubted = []
    while case.regret > GOOD and case.best not in doubted and len(doubted) < MOST_DOUBTED:
        doubted.append(case.best)
        again = measure([case.chosen, *doubted])
        if again is None:
            return
        case.chosen_us = again.chosen_us
        case.measured_us.pop(case.chosen, None)
        case.measured_us.update(again.measured_us)


def cases_of(rows):
    """The first row of each size is the choice's."""
    cases = {}
    for row in rows:
        key = (row["operation"], row["ranks"], row["bytes"])
        if key not in cases:
            cases[key] = Case(*key, row["algorithm"], row["median_us"], {}, {})
        else:
            cases[key].measured_us[row["algorithm"]] = row["median_us"]
    return [case for case in cases.values() if case.measured_us]


def joined(cases, of):
    """One case of several measurements, by of(times) -> time."""
    common = set.intersection(*(set(case.measured_us) for case in cases))
    measured_us = {name: of([case.measured_us[name] for case in cases]) for name in common}
    return dataclasses.replace(cases[0], chosen_us=of([case.chosen_us for case in cases]), measured_us=measured_us)


def costs_of(tuning, section):
    with open(tuning, "rb") as file:
        return tomllib.load(file)[section]


def seconds_to_rest(costs):
    """What links need to let a whole burst through again, with something to spare."""
    return 2e-9 * costs.get("burst_bytes", 0) * costs.get("beta_ns_per_byte", 0)


def predict(program, operation, ranks, size, network, algorithms=("all",)):
    """What the model says of the algorithms that can do it: {name: microseconds}. `network` are options of cohort model."""
    collective = operation.removesuffix("_ordered")
    words = [program, "model", collective, "--ranks", str(ranks), "--bytes", str(size), "--element-bytes", "4",
             *(["--ordered"] if collective != operation else []), *network, "--json"]
    for name in algorithms:
        words += ["--algorithm", name]
    result = subprocess.run(words, capture_output=True, text=True)
    if not result.stdout:
        raise SystemExit(result.stderr.strip())
    algorithms = json.loads(result.stdout)["algorithms"]
    return {one["name"]: one["seconds"] * 1e6 for one in algorithms if "seconds" in one}


def promising(predicted_us, within):
    """The algorithms that are worth a measurement: predicted to take at most so many times the best one's time."""
    least = min(predicted_us.values(), default=0)
    return [name for name, us in predicted_us.items() if us <= within * least]


def share_within(cases, limit):
    return sum(case.regret <= limit for case in cases) / len(cases) if cases else 1


def inconsistencies(cases, noise):
    """What a better choice would have avoided, whatever the algorithms: (what, ratio)."""
    times = {(case.operation, case.ranks, case.size): case.chosen_us for case in cases}
    found = []
    for (operation, ranks, size), us in times.items():
        where = f"{ranks} ranks, {drawing.bytes_text(size)}"
        for whole, parts in TOGETHER:
            together = [times.get((part, ranks, size)) for part in parts]
            if operation == whole and all(together) and us > noise * sum(together):
                found.append((f"{whole} is slower than {' and '.join(parts)}: {where}", us / sum(together)))
        larger = times.get((operation, ranks, size * 4))
        if larger and us > noise * larger:
            found.append((f"{operation} is slower than of four times the size: {where}", us / larger))
    return sorted(found, key=lambda entry: -entry[1])


class Folder:
    """What has been measured so far. A later measurement of the same takes the place of the earlier."""

    def __init__(self, path, place, barrier=False):
        place += ", with barriers" if barrier else ""
        self.path, self.cases = path, {}
        self.facts = {"place": place, "machine": places.machine(), "commands": []}
        path.mkdir(parents=True, exist_ok=True)
        if (path / "facts.json").exists():
            self.facts = json.loads((path / "facts.json").read_text())
            for line in (path / "algorithms.tsv").read_text().splitlines()[1:]:
                self.read(line.split("\t"))
        if self.facts["place"] != place:
            raise SystemExit(f"regret: {path} is about {self.facts['place']}: take another folder")

    def read(self, cells):
        operation, ranks, size, name, chosen, measured, predicted = cells
        key = (operation, int(ranks), int(size))
        if chosen == "yes":
            self.cases[key] = Case(*key, name, float(measured), {}, {})
        else:
            self.cases[key].measured_us[name] = float(measured)
        if predicted != "-":
            self.cases[key].predicted_us[name] = float(predicted)

    def add(self, case):
        self.cases[case.operation, case.ranks, case.size] = case

    def save(self, noise, earlier=()):
        """Writes it, and how good the best of earlier cases, of another measurement, are here."""
        operations = list(dict.fromkeys(operation for operation, _, _ in self.cases))
        cases = sorted(self.cases.values(), key=lambda case: (operations.index(case.operation), case.ranks, case.size))
        lines = [["operation", "ranks", "bytes", "algorithm", "chosen", "measured", "predicted"]]
        regrets = {}
        for case in cases:
            for chosen, times in (("yes", {case.chosen: case.chosen_us}), ("-", case.measured_us)):
                lines += [[case.operation, case.ranks, case.size, name, chosen, f"{us:.2f}",
                           report.number(case.predicted_us.get(name))] for name, us in times.items()]
            regrets.setdefault(f"{case.operation}, {case.ranks}", {})[case.size] = case.regret
        (self.path / "facts.json").write_text(json.dumps(self.facts, indent=1) + "\n")
        (self.path / "algorithms.tsv").write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))
        (self.path / "regret.svg").write_text(drawing.ratio_picture(
            ["The chosen algorithm's time by that of the best", self.facts["place"],
             "operation and ranks; white: the best was chosen"], regrets))
        (self.path / "README.md").write_text(page(self.facts, cases, noise, foresight_text(cases, earlier)))


def noise_text(cases):
    """How much two measurements of one algorithm differ, which were made in turn: the choice's, and its own."""
    pairs = sorted(max(us, case.chosen_us) / min(us, case.chosen_us) - 1
                   for case in cases if (us := case.measured_us.get(case.chosen)))
    if not pairs:
        return "No choice was measured twice."
    return (f"What seemed better was measured again, longer, with the choice alone. "
            f"The same algorithm, measured twice in turn, differs by {pairs[len(pairs) // 2]:.1%} in half of the cases, and "
            f"by {pairs[len(pairs) * 9 // 10]:.1%} or more in a tenth.")


def foresight_text(cases, earlier):
    """What a choice is worth that knows which algorithm was the best another time: how far one measurement tells of the next."""
    best = {(case.operation, case.ranks, case.size): case.best for case in earlier}
    regrets = []
    for case in cases:
        times = {case.chosen: case.chosen_us, **case.measured_us}
        if known := times.get(best.get((case.operation, case.ranks, case.size))):
            regrets.append(known / min(times.values()))
    if not regrets:
        return ""
    shares = ", ".join(f"{sum(regret <= limit for regret in regrets) / len(regrets):.1%}" for limit in (GOOD, 1.1, 1.2))
    return (f" For comparison: the algorithm that was the best in an earlier measurement, where it was measured this time ("
            f"{len(regrets)} cases), is within 5, 10 and 20 % of the best of this one in {shares}.")


def page(facts, cases, noise, foresight):
    text = [f"# The choice of algorithms: {facts['place']}", "",
            *(f"- {what}: {value}" for what, value in facts["machine"]), "",
            f"{len(cases)} cases. Within 5 % of the best algorithm: {share_within(cases, GOOD):.1%}; within 10 %: "
            f"{share_within(cases, 1.1):.1%}. {noise_text(cases)}{foresight}", "", "![Regret](regret.svg)", "", "## By operation", ""]
    table = [["operation", "within 5 %", "within 10 %", "worst", "measured by predicted", "its spread"]]
    for operation in dict.fromkeys(case.operation for case in cases):
        these = [case for case in cases if case.operation == operation]
        table.append([operation, f"{share_within(these, GOOD):.0%}", f"{share_within(these, 1.1):.0%}",
                      f"{max(case.regret for case in these):.2f}", *model_error(these)])
    text += report.markdown(table)
    text += ["", "\"Measured by predicted\" is the geometric mean over all algorithms, its spread the geometric standard "
             "deviation: a choice needs the second to be small, not the first to be 1.", "", "## The worst choices", ""]
    worst = sorted((case for case in cases if case.regret > GOOD), key=lambda case: -case.regret)[:40]
    text += report.markdown([["operation", "ranks", "bytes", "chosen", "µs", "best", "µs", "regret"],
                             *([case.operation, case.ranks, case.size, case.chosen, f"{case.chosen_us:.2f}", case.best,
                                f"{case.measured_us[case.best]:.2f}", f"{case.regret:.2f}"] for case in worst)])
    text += ["", "## Operations slower than what does the same", "",
             f"By more than the noise, taken as {noise - 1:.0%}.", ""]
    text += [f"- {what}: {ratio:.2f} times" for what, ratio in inconsistencies(cases, noise)] or ["None."]
    return "\n".join([*text, "", "## Commands", "", "```text", *facts["commands"], "```", ""])


def model_error(cases):
    logs = [math.log(us / case.predicted_us[name]) for case in cases for name, us in case.measured_us.items()
            if case.predicted_us.get(name)]
    if not logs:
        return "-", "-"
    return f"{math.exp(statistics.fmean(logs)):.2f}", f"{math.exp(statistics.pstdev(logs)):.2f}"
