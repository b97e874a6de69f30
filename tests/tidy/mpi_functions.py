#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual's page of MPI's functions is the one that the tables make."""

import sys

import tree

PAGE = "docs/reference/mpi_functions.md"


def check(source):
    faces = source.root / "mpi/faces"
    if not faces.exists():
        return []
    sys.path.insert(0, str(faces))
    import manual
    import tables
    if source.text(PAGE) == manual.page(list(tables.functions(faces / "functions.table"))):
        return []
    return [tree.Violation(PAGE, 1, "differs from mpi/faces/functions.table: copy mpi/generated/mpi_functions.md of a build here")]


if __name__ == "__main__":
    tree.main(check, __doc__)
