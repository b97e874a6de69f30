# SPDX-License-Identifier: Apache-2.0
"""What programs of mpi4py do, in small checks: each compares with what a process can work out by itself.

  mpiexec -n P python3 tests/mpi/mpi4py_tour

The last line is the same for every right MPI."""

import sys
import zlib

import collectives  # these three add their checks to the list
import messages
import objects
from checks import checks, rank, size, world


def main():
    for function in checks:
        try:
            function()
        except Exception as error:
            print(f"rank {rank}: {function.__name__}: {error!r}", file=sys.stderr, flush=True)
            world.Abort(1)
    mine = zlib.crc32(" ".join(function.__name__ for function in checks).encode())
    marks = world.gather(mine)
    if rank == 0:
        assert marks == [mine] * size
        print(f"{size} processes: {len(checks)} checks, {mine:08x}")


main()
