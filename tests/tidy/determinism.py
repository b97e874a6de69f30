#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""receive_any is nondeterministic: it is declared in the public headers, performed by the runtime, and called by tests only."""

import re

import tree

CALL = re.compile(r"\breceive_any(<[^>]*>)?\(")
DECLARE = ("include/cohort/channels.hpp", "include/cohort/any_size.hpp")


def check(source):
    violations = []
    for path in source.files(".hpp", ".cpp"):
        if path in DECLARE or path.startswith("tests/"):
            continue
        for number, line in source.lines(path):
            if CALL.search(line.split("//")[0]):
                violations.append(tree.Violation(path, number, "receive_any is called: name the source instead"))
    return violations


if __name__ == "__main__":
    tree.main(check, __doc__)
