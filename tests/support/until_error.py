"""How long it takes until the error is there, by case of the list of faults: at most so long, and kept for tools/fault_times."""

import atexit
import os
import statistics
import sys
import threading
import time

LOOK_S = 0.01

_seconds = {}  # by case
_standstills = []  # until when, for how long


def expect_within(limit_s, case, since, moments=None):
    """That the error was there at all of these moments (now), so soon after the fault. This machine may be a virtual one,
    which stands still now and then: for so long nothing was late."""
    seconds = [moment - since for moment in moments or [time.monotonic()]]
    _seconds.setdefault(case, []).extend(seconds)
    if "COHORT_TIMES" in os.environ:
        with open(os.environ["COHORT_TIMES"], "a") as file:
            file.writelines(f"{case}\t{one:.6f}\n" for one in seconds)
    late = max(seconds) - stood_still_s(since) - limit_s
    assert late <= 0, f"case {case}: after {max(seconds):.3f} s, and not within {limit_s} s"


def stood_still_s(since):
    """This machine, all of it: a thread that only sleeps, too, overslept."""
    return sum(seconds for until, seconds in _standstills if until > since)


def _look():
    before = time.monotonic()
    while True:
        time.sleep(LOOK_S)
        now = time.monotonic()
        if now - before > 5 * LOOK_S:
            _standstills.append((now, now - before - LOOK_S))
        before = now


def _tell():
    for case, seconds in sorted(_seconds.items()):
        print(f"case {case}: {len(seconds)} errors, median {statistics.median(seconds) * 1e3:.1f} ms, "
              f"worst {max(seconds) * 1e3:.1f} ms", file=sys.stderr)
    if _standstills:
        print(f"this machine stood still {len(_standstills)} times, for {max(one for _, one in _standstills) * 1e3:.0f} ms at most",
              file=sys.stderr)


threading.Thread(target=_look, daemon=True).start()
atexit.register(_tell)
