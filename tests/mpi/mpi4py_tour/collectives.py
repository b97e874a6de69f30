# SPDX-License-Identifier: Apache-2.0
"""Collectives of NumPy's arrays."""

import numpy as np
from checks import check, rank, ranks, same, size, world
from mpi4py import MPI


@check
def array_bcast():
    data = np.arange(30_000, dtype="d") if rank == size // 2 else np.empty(30_000)
    world.Bcast(data, root=size // 2)
    same(data, np.arange(30_000.0))


@check
def rows_scattered_and_gathered():
    table = np.arange(size * 5, dtype="i").reshape(size, 5) if rank == 0 else None
    row, back = np.empty(5, dtype="i"), np.empty((size, 5), dtype="i") if rank == 0 else None
    world.Scatter(table, row, root=0)
    same(row, np.arange(rank * 5, rank * 5 + 5))
    world.Gather(row, back, root=0)
    if rank == 0:
        same(back, table)


@check
def blocks_of_any_size():
    counts, places = ranks + 1, 2 * np.cumsum(np.arange(size))  # with gaps
    got = np.full(places[-1] + counts[-1], -1, dtype="i")
    world.Allgatherv(np.full(rank + 1, rank, dtype="i"), [got, (counts, places), MPI.INT])
    wanted = np.full_like(got, -1)
    for peer in range(size):
        wanted[places[peer]:places[peer] + counts[peer]] = peer
    same(got, wanted)


@check
def blocks_all_to_all():
    got = np.empty(size * 3, dtype="i")
    world.Alltoall(np.repeat(rank * size + ranks, 3).astype("i"), got)
    same(got, np.repeat(ranks * size + rank, 3))
    received = np.empty(size * rank, dtype="i")
    world.Alltoallv([np.repeat(rank, np.sum(ranks)).astype("i"), ranks], [received, np.full(size, rank)])
    same(received, np.repeat(ranks, rank))


@check
def arrays_reduced():
    mine, total = np.arange(70_000.0) % 97 + rank, np.empty(70_000)
    world.Allreduce(mine, total, op=MPI.SUM)
    same(total, np.arange(70_000.0) % 97 * size + size * (size - 1) / 2)
    world.Allreduce(MPI.IN_PLACE, mine, op=MPI.MIN)
    same(mine, np.arange(70_000.0) % 97)


@check
def arrays_reduced_and_scattered():
    got = np.empty(2, dtype="q")
    world.Reduce_scatter_block(np.arange(2 * size, dtype="q"), got, op=MPI.SUM)
    same(got, size * np.array([2 * rank, 2 * rank + 1]))
    part = np.empty(rank + 1, dtype="q")
    world.Reduce_scatter(np.full(size * (size + 1) // 2, 1 << rank, dtype="q"), part, ranks + 1, op=MPI.BOR)
    same(part, np.full(rank + 1, (1 << size) - 1))


@check
def arrays_of_prefixes():
    got = np.zeros(3)
    world.Scan(np.full(3, rank + 1.0), got, op=MPI.PROD)
    same(got, np.full(3, float(np.prod(np.arange(1.0, rank + 2)))))
    world.Exscan(np.full(3, 1.0), got)
    if rank:
        same(got, np.full(3, float(rank)))


@check
def collectives_started():
    total, all_ranks = np.empty(1), np.empty(size, dtype="i")
    mine = np.array([rank], dtype="i")
    MPI.Request.Waitall([world.Ibarrier(), world.Iallreduce(np.array([rank + 1.0]), total), world.Iallgather(mine, all_ranks)])
    same((total[0], all_ranks.tolist()), (size * (size + 1) / 2, ranks.tolist()))


@check
def matrix_times_vector():
    """By rows: each process has some rows of the matrix and the same part of the vector."""
    whole = np.arange(16.0 * size * size).reshape(4 * size, 4 * size) % 7
    part, vector = np.arange(4.0) + 4 * rank, np.empty(4 * size)
    world.Allgather(part, vector)
    result = np.empty(4 * size)
    world.Allgather(whole[4 * rank:4 * rank + 4] @ vector, result)
    same(result, whole @ np.arange(4.0 * size))
