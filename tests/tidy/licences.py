#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every source names the project's licence on its first line, or on the second one behind #!."""

import tree

LICENCE = "SPDX-License-Identifier: Apache-2.0"
MARKS = {  # what begins a comment
    "//": (".hpp", ".cpp", ".h", ".c", ".proto"),
    "#": (".py", ".sh", ".cmake", "CMakeLists.txt"),
    "!": (".f90", ".f"),
}


def marks(source):
    """(path, what begins a comment there) of every source."""
    for mark, suffixes in MARKS.items():
        yield from ((path, mark) for path in source.files(*suffixes))
    yield from ((path, "#") for path in source.scripts())


def check(source, fix=False):
    violations = []
    for path, mark in marks(source):
        lines = source.text(path).splitlines(keepends=True)
        place = 1 if lines and lines[0].startswith("#!") else 0
        line = f"{mark} {LICENCE}\n"
        if lines[place:place + 1] == [line]:
            continue
        if fix:
            (source.root / path).write_text("".join([*lines[:place], line, *lines[place:]]), encoding="utf-8")
        else:
            violations.append(tree.Violation(path, place + 1, f"begins without '{line.strip()}': tools/format adds it"))
    return violations


if __name__ == "__main__":
    tree.main(check, __doc__, [("--fix", {"action": "store_true", "help": "add the lines instead"})])
