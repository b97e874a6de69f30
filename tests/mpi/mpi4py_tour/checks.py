# SPDX-License-Identifier: Apache-2.0
"""What the checks share: who this process is, and how a result is compared."""

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
right, left = (rank + 1) % size, (rank - 1) % size
ranks = np.arange(size)
checks = []


def check(function):
    """A check is a function that raises an error; all processes call it."""
    checks.append(function)
    return function


def same(got, wanted):
    equal = np.array_equal(got, wanted) if isinstance(wanted, np.ndarray) else got == wanted
    if not equal:
        raise AssertionError(f"got {got!r}, wanted {wanted!r}")
