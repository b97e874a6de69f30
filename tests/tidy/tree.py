# SPDX-License-Identifier: Apache-2.0
"""What the checks share: the files of a source tree, violations, and how a check is run."""

import argparse
import os
import pathlib
import sys
from dataclasses import dataclass

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))

UNTRACKED_FOLDERS = {"build", ".git", ".cache", "__pycache__"}


@dataclass(frozen=True, order=True)
class Violation:
    path: str
    line: int
    message: str  # what is wrong and what to do

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message}"


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()

    def files(self, *suffixes):
        """The paths of all files (or those with one of the suffixes), relative to the root, sorted."""
        found = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(name for name in folders if name not in UNTRACKED_FOLDERS)
            for name in sorted(names):
                if not suffixes or name.endswith(suffixes):
                    found.append((pathlib.Path(folder) / name).relative_to(self.root).as_posix())
        return found

    def scripts(self):
        """Files without a suffix that begin with #!"""
        return [path for path in self.files() if "." not in pathlib.Path(path).name and self.text(path)[:2] == "#!"]

    def exists(self, path):
        return (self.root / path).exists()

    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8", errors="replace")

    def lines(self, path):
        """(number, line) pairs."""
        return enumerate(self.text(path).splitlines(), start=1)


def report(violations):
    """Prints every violation; returns the exit code."""
    for violation in sorted(violations):
        print(violation)
    print(f"{len(violations)} violations")
    return 1 if violations else 0


def main(check, description, options=()):
    """Runs check(tree, **options) on the tree named on the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("root", help="of the source tree")
    for name, keywords in options:
        parser.add_argument(name, **keywords)
    arguments = vars(parser.parse_args())
    sys.exit(report(check(Tree(arguments.pop("root")), **arguments)))
