#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every C++ source is formatted, by clang-format 14: another version would format differently."""

import os
import re
import shutil
import subprocess

import tree
from skips import skip_all

VERSION = "14"


def clang_format():
    """The program, or None."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        program = shutil.which(name)
        if program:
            version = subprocess.run([program, "--version"], text=True, capture_output=True).stdout
            if re.search(rf"version {VERSION}\.", version):
                return program
    return None


def check(source, fix=False):
    program = clang_format()
    if program is None:
        skip_all(f"there is no clang-format {VERSION}; tools/setup installs it on Debian 12")
    paths = source.files(".hpp", ".cpp")
    mode = ["-i"] if fix else ["--dry-run", "-Werror", "--ferror-limit=1"]
    violations = []
    for start in range(0, len(paths), 50):
        result = subprocess.run([program, "--style=file", *mode, *paths[start:start + 50]], cwd=source.root, text=True,
                                capture_output=True)
        for path, line in re.findall(r"^(.+?):(\d+):\d+: error:", result.stderr, re.MULTILINE):
            violations.append(tree.Violation(os.path.normpath(path), int(line), "not formatted: run tools/format"))
        if result.returncode != 0 and not violations:
            violations.append(tree.Violation(paths[start], 1, f"clang-format failed: {result.stderr.strip()}"))
    return violations


if __name__ == "__main__":
    tree.main(check, __doc__, [("--fix", {"action": "store_true", "help": "format instead"})])
