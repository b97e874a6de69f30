#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nothing counts by the wall clock, which may be wrong, and may be set at any time: limits, orders and certificates know
another one. Only when a failure was seen is told by it, to people, and cohort doctor compares those of hosts."""

import re

import tree

WALL = re.compile(r"\b(system_clock|high_resolution_clock|utc_clock|gettimeofday|CLOCK_REALTIME\w*|GPR_CLOCK_REALTIME|X509_gmtime_adj|"
                  r"X509_time_adj\w*|timespec_get|localtime\w*|gmtime\w*|strftime|mktime)\b|\b(std::)?time\((nullptr|NULL|0)\)")
TELL_WHEN = {"include/cohort/failure.hpp", "launcher/doctor/examination.cpp", "launcher/host/shell/examine.cpp",
             "launcher/job/job_events.hpp", "launcher/job/shell/job_shell.cpp",
             "runtime/control/failure_message.cpp", "runtime/shell/failures.cpp"}


def check(source):
    violations = []
    for path in source.files(".hpp", ".cpp"):
        if path in TELL_WHEN or path.startswith("tests/"):
            continue
        for number, line in source.lines(path):
            found = WALL.search(line.split("//")[0])
            if found:
                violations.append(tree.Violation(path, number, f"{found.group()}: take a clock that nobody sets"))
    return violations


if __name__ == "__main__":
    tree.main(check, __doc__)
