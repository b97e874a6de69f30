#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every case of the list of faults, whose numbers are here, has a test named after it, and docs/reference/reliability.md says which.

The rows of its table begin with the number, and name the files of the tests. A test of case 12 is called test_12_... or
Case12...; of several cases, test_1_4_14_..."""

import re

import tree

TABLE = "docs/reference/reliability.md"
SECTION = "## Case by case"
RANGES = ((1, 15), (20, 25), (30, 38), (40, 46), (50, 63), (70, 74), (80, 95))
CASES = {number for first, last in RANGES for number in range(first, last + 1)}
ROW = re.compile(r"\| (\d+) \|")
FILE = re.compile(r"`(tests/[^`]+)`")
NAME = re.compile(r"def test_((?:\d+_)+)|^TEST(?:_[FP])?\(\w+, Case(\d+)", re.MULTILINE)


def cases_of(text):
    """The numbers in the names of a file's tests."""
    return {int(number) for names in NAME.findall(text) for number in re.findall(r"\d+", " ".join(names))}


def check(source, cases=CASES):
    violations, told, rows, section = [], set(), set(), ""
    for line, text in source.lines(TABLE) if source.exists(TABLE) else []:
        section = text if text.startswith("## ") else section
        row = ROW.match(text)
        if section != SECTION or not row:
            continue
        rows.add(int(row.group(1)))
        files = FILE.findall(text)
        if not files:
            violations.append(tree.Violation(TABLE, line, f"case {row.group(1)} has no test: name its file"))
        for file in files:
            told.add((int(row.group(1)), file))
            if not source.exists(file) or int(row.group(1)) not in cases_of(source.text(file)):
                violations.append(tree.Violation(TABLE, line, f"{file} has no test of case {row.group(1)}"))
    violations += [tree.Violation(TABLE, 1, f"there is no row of case {case}") for case in sorted(cases - rows)]
    violations += [tree.Violation(TABLE, 1, f"tests/tidy/cases.py does not know of case {case}") for case in sorted(rows - cases)]
    for path in source.files(".py", ".cpp"):
        if path.startswith("tests/") and not path.startswith("tests/tidy/"):
            for case in sorted(cases_of(source.text(path))):
                if (case, path) not in told:
                    violations.append(tree.Violation(path, 1, f"it tests case {case}: say so in the table of {TABLE}"))
    return violations


if __name__ == "__main__":
    tree.main(check, __doc__)
