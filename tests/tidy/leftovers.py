#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Nothing is left for later in the sources: what is not done is an issue, not a comment."""

import re

import tree

SUFFIXES = (".hpp", ".cpp", ".py", ".sh", ".md", ".proto", ".txt", ".cmake", ".in", ".json", ".svg")
MARKS = re.compile(r"\b(" + "|".join(("TO" "DO", "FIX" "ME", "X" "XX", "HA" "CK")) + r")\b")


def check(source):
    violations = []
    for path in source.files(*SUFFIXES) + source.scripts():
        for number, line in source.lines(path):
            match = MARKS.search(line)
            if match:
                violations.append(tree.Violation(path, number, f"{match.group(1)} left: do it, or open an issue"))
    return violations


if __name__ == "__main__":
    tree.main(check, __doc__)
