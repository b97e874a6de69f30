#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every whole program in README.md and docs/ compiles: a block of C++ that has a main(). Those of the tutorial are compiled
by the test documents_tutorial, which runs them, too."""

import re
import subprocess

import tree

BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def check(source, compiler="g++"):
    violations = []
    for path in source.files(".md"):
        if path.startswith("docs/tutorial/"):
            continue
        text = source.text(path)
        for block in BLOCK.finditer(text):
            if not re.search(r"\bmain\s*\(", block.group(1)):
                continue
            result = subprocess.run(
                [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{source.root / 'include'}", "-fsyntax-only",
                 "-x", "c++", "-"], input=block.group(1), text=True, capture_output=True, timeout=120)
            if result.returncode != 0:
                error = next((line for line in result.stderr.splitlines() if "error" in line), "no message")
                line = text.count("\n", 0, block.start()) + 1
                violations.append(tree.Violation(path, line, f"the program does not compile: {error}"))
    return violations


if __name__ == "__main__":
    tree.main(check, __doc__, [("--compiler", {"default": "g++"})])
