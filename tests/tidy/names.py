#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A class that a header defines has its name to itself in its namespace: the linker takes two of one name for one."""

import re

import tree

SUFFIXES = (".hpp", ".h")
NAMESPACE = re.compile(r"(?:inline )?namespace ([\w:]+) \{$")
END_OF_NAMESPACE = re.compile(r"\}  // namespace ([\w:]+)$")
CLASS = re.compile(r"(?:class|struct|union|enum class) (?:\[\[\w+\]\] )?(\w+)(?: final)?(?: :.*)? ?\{")


def classes(source, path):
    """(number, qualified name) of what the header defines outside of other classes."""
    namespaces = []
    for number, line in source.lines(path):
        if begun := NAMESPACE.match(line):
            namespaces.append(begun.group(1))
        elif END_OF_NAMESPACE.match(line) and namespaces:
            namespaces.pop()
        elif found := CLASS.match(line):
            yield number, "::".join([*namespaces, found.group(1)])


def check(source):
    first, violations = {}, []
    for path in source.files(*SUFFIXES):
        for number, name in classes(source, path):
            place = first.setdefault(name, f"{path}:{number}")
            if place != f"{path}:{number}":
                violations.append(tree.Violation(path, number, f"{name} is a class of {place}, too: rename one"))
    return violations


if __name__ == "__main__":
    tree.main(check, __doc__)
