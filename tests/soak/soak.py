# SPDX-License-Identifier: Apache-2.0
"""Soaks Cohort: jobs of 8 on two hosts of this machine, under random collectives by random algorithms, random faults, and
strangers at all ports. A job goes on without the processes that it loses; every result is checked.

Prints how many calls, faults, losses and strangers there were, and what grew; exit code 1 if anything was wrong, hung, was
left behind or kept growing."""

import argparse
import collections
import math
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "launcher"))
import hostile  # noqa: E402
from job_driver import COHORT, SANITIZED, TWO_HOSTS, descendants, start, text_of, wait_until_gone  # noqa: E402

RANKS = 8
LOSSES = 4  # of a job: one by one, or a host's; of eight, that leaves enough for every algorithm to have something to do
PATIENCE_S = 15  # for a wait that none of the faults explains
ENDING_S = 60
GROWTH_KIB = 1 << 20 if SANITIZED else 1 << 10  # a sanitizer keeps what is freed
# The system's allocator keeps as well, ten times what is in use here, and more of it the longer it fragments. With these
# it gives back what is of 16 KiB or more, so that what a process holds is what it uses.
GIVE_BACK = {"MALLOC_MMAP_THRESHOLD_": "16384", "MALLOC_TRIM_THRESHOLD_": "16384"}
GROWTH_FILES = 8
FAULTS = {"faults of a process": ["stop", "slow"], "faults of a link": ["delay", "throttle", "black_hole", "refuse"],
          "deadly faults": ["kill", "reset", "corrupt", "agent killed"]}  # the rows of docs/reference/reliability.md


def harmless(chance, living):
    rank, other = chance.sample(living, 2)
    link = [f"from={rank}", f"to={other}"]
    return chance.choice([
        ["stop", f"rank={rank}", f"for_s={chance.uniform(0.05, 0.5):.3f}"],
        ["slow", f"rank={rank}", "share=0.3", f"for_s={chance.uniform(0.1, 1):.3f}"],
        ["delay", *link, f"delay_s={chance.uniform(0.001, 0.02):.4f}", "rate=0.1", f"for_s={chance.uniform(0.1, 2):.3f}"],
        ["throttle", *link, f"bytes_per_second={chance.randrange(1, 20) * 1000000}", f"for_s={chance.uniform(0.1, 2):.3f}"],
        ["black_hole", *link, "both_ways=true", f"for_s={chance.uniform(0.1, 1):.3f}"],
        ["refuse", *link, f"for_s={chance.uniform(0.1, 1):.3f}"],
    ])


def deadly(chance, living):
    rank, other = chance.sample(living, 2)
    return chance.choice([["kill", f"rank={rank}"], ["reset", f"from={rank}", f"to={other}"],
                          ["corrupt", f"from={rank}", f"to={other}"]])


class Job:
    """One job, from its start to what it leaves behind."""

    def __init__(self, seconds, seed):
        self.seconds, self.chance = seconds, random.Random(seed)
        self.loses_a_host = seed % 2 == 1
        self.counts, self.faults = collections.Counter(), collections.Counter()
        self.lines, self.lost, self.problems = [], set(), []
        self.samples = collections.defaultdict(list)  # process -> (time, KiB, files)
        self.began = time.monotonic()
        self.job = start("-n", RANKS, *TWO_HOSTS, "--patience", PATIENCE_S, "--on-failure", "continue", "soak_probe",
                         seconds, seed)

    def run(self):
        threads = [threading.Thread(target=work) for work in (self.listen, self.attack, self.sample, self.disturb)]
        for thread in threads:
            thread.start()
        try:
            output = self.job.stdout.read().decode()  # to its end, or until someone ends the job
            status = self.job.wait(timeout=ENDING_S)
        except BaseException:  # whatever ends this ends the job
            self.job.kill()
            raise
        finally:
            for thread in threads:
                thread.join()
        self.judge(output, status)

    def over(self):
        return self.job.poll() is not None

    def pause(self, seconds):
        """Until then, or the job's end."""
        try:
            self.job.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            pass

    def listen(self):
        for line in self.job.stderr:
            line = line.decode().rstrip()
            self.lines.append(line)
            if loss := re.match(r"cohort: rank (\d+) .*; the job goes on$", line):
                self.lost.add(int(loss[1]))

    def disturb(self):
        """A harmless fault every moment, and a deadly one now and then: of a process, or of a host's agent."""
        deaths = sorted(self.chance.uniform(0.1, 0.9) * self.seconds for _ in range(1 if self.loses_a_host else LOSSES))
        while not self.over():
            self.pause(self.chance.uniform(0.2, 1))
            running = time.monotonic() - self.began
            if running > self.seconds + ENDING_S:
                self.problems.append(f"hung: still there {ENDING_S} s after its end")
                self.job.kill()
            living = sorted(set(range(RANKS)) - self.lost)
            if running > 0.95 * self.seconds or len(living) < 2:
                continue  # it may end in peace
            die = deaths and deaths[0] < running
            if die:
                deaths.pop(0)
            if die and self.loses_a_host:
                os.kill(self.chance.choice(self.agents()), signal.SIGKILL)
                self.faults["agent killed"] += 1
                continue
            fault = (deadly if die else harmless)(self.chance, living)
            asked = subprocess.run([COHORT, "inject", str(self.job.pid), *fault], capture_output=True, text=True, timeout=60)
            if asked.returncode == 0:
                self.faults[fault[0]] += 1
            elif not self.over() and running > 2:
                self.problems.append(f"cohort inject {' '.join(fault)}: {asked.stderr.strip()}")

    def agents(self):
        """Without their wardens, which have started nothing."""
        return [pid for pid in descendants(self.job.pid)
                if text_of(pid, "cmdline").split("\0")[1:2] == ["agent"] and descendants(pid)]

    def attack(self):
        """Strangers that say nothing, noise, or another protocol, and stay for a while or leave."""
        chance, guests = random.Random(self.seconds), collections.deque()
        greetings = [b"", hostile.HELLO, *hostile.GREETINGS.values()]
        while not self.over():
            for port in hostile.ports_of_job(self.job.pid):
                try:
                    stranger = hostile.connect(port)
                except OSError:
                    continue  # closed by now
                self.counts["strangers"] += 1
                hostile.send(stranger, chance.choice([*greetings, chance.randbytes(chance.randrange(1, 3000))]))
                guests.append(stranger)
                if len(guests) > 30:
                    guests.popleft().close()
            self.pause(0.3)
        for stranger in guests:
            stranger.close()

    def sample(self):
        while not self.over():
            for pid in [self.job.pid, *descendants(self.job.pid)]:
                try:
                    memory = int(re.search(r"VmRSS:\s+(\d+)", text_of(pid, "status"))[1])
                    name = text_of(pid, "comm").strip()
                    files = len(os.listdir(f"/proc/{pid}/fd"))
                except (FileNotFoundError, ProcessLookupError, PermissionError, TypeError):
                    continue
                self.samples[pid, name].append((time.monotonic() - self.began, memory, files))
            self.pause(min(1, self.seconds / 40))

    def growth(self):
        """What each process that came to the job's last quarter has grown by, from the second quarter of its life to the last:
        KiB, and open files. Of memory that is what it has at least: while others stand still, messages wait in it."""
        grown = []
        for samples in self.samples.values():
            life = samples[-1][0]  # one that is lost has a whole quarter, too, not the sample or two of a call that it died in
            early = [sample for sample in samples if 0.25 <= sample[0] / life < 0.5]
            late = [sample for sample in samples if 0.75 <= sample[0] / life]
            if life < 0.75 * self.seconds or not early:
                continue
            grown.append([int(of(one[i] for one in late) - of(one[i] for one in early))
                          for i, of in ((1, min), (2, statistics.median))])
        return grown

    def judge(self, output, status):
        ends = {int(rank): (int(calls), int(failed))
                for rank, calls, failed in re.findall(r"rank (\d+) ends: (\d+) calls, (\d+) failed", output)}
        self.counts.update(jobs=1, calls=max((calls for calls, _ in ends.values()), default=0), losses=len(self.lost),
                           wrong=output.count("wrong:"), hangs=sum("has waited for" in line for line in self.lines))
        self.counts["errors caught"] += sum(failed for _, failed in ends.values())
        if set(ends) != set(range(RANKS)) - self.lost:
            self.problems.append(f"ranks {sorted(ends)} came to the end, ranks {sorted(self.lost)} were lost")
        if (doomed := self.faults["kill"] + LOSSES * self.faults["agent killed"]) > len(self.lost):
            self.problems.append(f"{doomed} ranks were killed, and only {sorted(self.lost)} were lost")
        if len(self.lost) > doomed + self.faults["reset"] + self.faults["corrupt"]:
            self.problems.append(f"ranks {sorted(self.lost)} were lost, more than deadly faults explain")
        if not self.counts["strangers"]:
            self.problems.append("no stranger came: whose ports are open, the system may tell root alone")
        if status != 0:
            self.problems.append(f"exit code {status}")
        if left := wait_until_gone([pid for pid, _ in self.samples]):
            self.problems.append(f"left behind: {left}")
        self.grown = self.growth()
        self.problems += [f"a process grew by {memory} KiB and {files} open files" for memory, files in self.grown
                          if memory > GROWTH_KIB or files > GROWTH_FILES]
        if self.counts["wrong"] or self.counts["hangs"]:
            self.problems.append(output)


def growth_text(grown):
    """Of processes: what grows slowly shows in the one in the middle."""
    return ", ".join(f"{statistics.median(each):g} in the middle, {max(each)} at most {what}"
                     for each, what in zip(zip(*grown), ("KiB", "open files")))


def main():
    parser = argparse.ArgumentParser(prog="tools/soak", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", metavar="SECONDS", type=float)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30), help="of calls and faults")
    parser.add_argument("--longest-job", metavar="SECONDS", type=float, default=300,
                        help=f"each loses {LOSSES} of its processes, every second a host; 300")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    os.environ.update(GIVE_BACK)
    print(f"seed {options.seed}", flush=True)
    counts, faults, grown, bad = collections.Counter(), collections.Counter(), [], False
    jobs = max(1, math.ceil(options.seconds / options.longest_job))
    for number in range(jobs):
        job = Job(options.seconds / jobs, options.seed + number)
        job.run()
        counts.update(job.counts)
        faults.update(job.faults)
        grown += job.grown
        print(f"job {number + 1} of {jobs}: {job.counts['calls']} calls, lost ranks {sorted(job.lost)}, growth of a "
              f"process: {growth_text(job.grown)}", flush=True)
        for problem in job.problems:
            print(f"PROBLEM: {problem}", *job.lines[-40:], sep="\n  ")
            bad = True
    print(*(f"{name}: {counts[name]}" for name in ("jobs", "calls", "losses", "errors caught", "strangers", "wrong", "hangs")),
          *(f"{name}: " + ", ".join(f"{kind} {faults.pop(kind, 0)}" for kind in kinds) for name, kinds in FAULTS.items()),
          f"growth of a process: {growth_text(grown)}", sep="\n")
    assert not faults, f"{faults} are in no row"
    sys.exit(bad)


if __name__ == "__main__":
    main()
