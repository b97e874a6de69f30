# SPDX-License-Identifier: Apache-2.0
"""How long it takes until the error is there, by case of the list of faults: at most so long, and kept for tools/fault_times."""

import atexit
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time

# A virtual machine stands still now and then, all of it: then a process that goes before all others oversleeps, too. It looks
# a hundred times a second, and says when it is asked from when until when that was. Only root may go before others; elsewhere
# nothing is known, and nothing allowed for it.
WATCH = """
import json, os, select, time
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
found, before = [], time.monotonic()
while True:
    asked = select.select([0], [], [], 0.01)[0]
    now = time.monotonic()
    if now - before > 0.05:
        found.append((before + 0.01, now))
    before = now
    if asked and not os.read(0, 1):
        break
    if asked:
        print(json.dumps(found), flush=True)
"""

_watch = subprocess.Popen([sys.executable, "-c", WATCH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
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
    stood_still = _standstill_s(since, max(moments))
    print(f"case {case}: after {max(seconds):.3f} s, of which this machine stood still for {stood_still:.3f} s", file=sys.stderr)
    assert max(seconds) - stood_still <= limit_s, f"case {case}: after {max(seconds):.3f} s, and not within {limit_s} s"


@contextlib.contextmanager
def within(limit_s, case):
    """Of what is done in this context, which begins with the fault."""
    since = time.monotonic()
    yield
    expect_within(limit_s, case, since)


def _standstill_s(begin, end):
    try:
        _watch.stdin.write(b"?")
        _watch.stdin.flush()
    except BrokenPipeError:
        return 0
    found = json.loads(_watch.stdout.readline() or "[]")
    return sum(max(0, min(until, end) - max(since, begin)) for since, until in found)


def _end():
    _watch.kill()
    _watch.wait()
    for case, seconds in sorted(_seconds.items()):
        print(f"case {case}: {len(seconds)} errors, median {statistics.median(seconds) * 1e3:.1f} ms, "
              f"worst {max(seconds) * 1e3:.1f} ms", file=sys.stderr)


atexit.register(_end)
