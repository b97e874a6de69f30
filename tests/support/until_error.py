"""How long it takes until the error is there, by case of the list of faults: at most so long, and kept for tools/fault_times."""

import atexit
import os
import statistics
import subprocess
import sys
import time

# A virtual machine stands still now and then, all of it: then a process that goes before all others oversleeps, too. Says
# until when, and for how long. Only root may go before others; elsewhere nothing is known, and nothing allowed for it.
WATCH = """
import os, time
parent = os.getppid()
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
before = time.monotonic()
while os.getppid() == parent:
    time.sleep(0.01)
    now = time.monotonic()
    if now - before > 0.05:
        print(now, now - before - 0.01, flush=True)
    before = now
"""

_watch = subprocess.Popen([sys.executable, "-c", WATCH], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
os.set_blocking(_watch.stdout.fileno(), False)
_standstills = []  # from when, until when
_seconds = {}  # by case


def expect_within(limit_s, case, since, moments=None):
    """That the error was there at all of these moments (now), so soon after the fault, but for a standstill of the machine."""
    moments = [time.monotonic()] if moments is None else moments
    seconds = [moment - since for moment in moments]
    _seconds.setdefault(case, []).extend(seconds)
    if "COHORT_TIMES" in os.environ:
        with open(os.environ["COHORT_TIMES"], "a") as file:
            file.writelines(f"{case}\t{one:.6f}\n" for one in seconds)
    if max(seconds) <= limit_s:
        return
    stood_still = standstill_s(since, max(moments))
    print(f"case {case}: after {max(seconds):.3f} s, of which this machine stood still for {stood_still:.3f} s", file=sys.stderr)
    assert max(seconds) - stood_still <= limit_s, f"case {case}: after {max(seconds):.3f} s, and not within {limit_s} s"


def standstill_s(begin, end):
    time.sleep(0.05)  # the watch says it when it is over
    for line in iter(_watch.stdout.readline, b""):
        until, seconds = map(float, line.split())
        _standstills.append((until - seconds, until))
    return sum(max(0, min(until, end) - max(since, begin)) for since, until in _standstills)


def _end():
    _watch.kill()
    _watch.communicate()
    for case, seconds in sorted(_seconds.items()):
        print(f"case {case}: {len(seconds)} errors, median {statistics.median(seconds) * 1e3:.1f} ms, "
              f"worst {max(seconds) * 1e3:.1f} ms", file=sys.stderr)


atexit.register(_end)
