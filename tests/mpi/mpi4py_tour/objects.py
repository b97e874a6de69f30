# SPDX-License-Identifier: Apache-2.0
"""Operators, types, groups, communicators, topologies, and errors."""

import numpy as np
from checks import check, left, rank, right, same, size, world
from mpi4py import MPI


@check
def operator_in_order():
    def matrices(a, b, _):  # of two by two integers modulo 1009; the product does not commute
        left_one, right_one = (np.frombuffer(memory, dtype="q").reshape(-1, 2, 2) for memory in (a, b))
        right_one[:] = left_one @ right_one % 1009

    operator = MPI.Op.Create(matrices, commute=False)
    of = [np.array([[peer + 1, 1], [2, peer]], dtype="q") for peer in range(size)]
    got = np.empty((2, 2), dtype="q")
    world.Allreduce([of[rank], MPI.BYTE], [got, MPI.BYTE], op=operator)
    wanted = of[0]
    for matrix in of[1:]:
        wanted = wanted @ matrix % 1009
    same(got, wanted % 1009 if size > 1 else wanted)
    operator.Free()


@check
def column_of_a_matrix():
    column = MPI.DOUBLE.Create_vector(6, 1, 8).Commit()
    mine, got = np.arange(48.0).reshape(6, 8) + 1000 * rank, np.zeros(6)
    world.Sendrecv([mine.ravel()[2:], 1, column], right, recvbuf=[got, 6, MPI.DOUBLE], source=left)
    same(got, np.arange(2.0, 48, 8) + 1000 * left)
    column.Free()


@check
def block_of_a_matrix():
    block = MPI.INT.Create_subarray([5, 6], [2, 3], [1, 2]).Commit()
    got = np.zeros((5, 6), dtype="i")
    world.Sendrecv([np.arange(6, dtype="i") + rank, MPI.INT], left, recvbuf=[got, 1, block], source=right)
    same(got[1:3, 2:5], np.arange(6).reshape(2, 3) + right)
    same(int(got.sum()), 15 + 6 * right)
    block.Free()


@check
def records():
    layout = np.dtype([("id", "i4"), ("place", "f8", 3), ("kind", "S1")], align=True)
    lengths, kinds = [1, 3, 1], [MPI.INT, MPI.DOUBLE, MPI.CHAR]
    plain = MPI.Datatype.Create_struct(lengths, [layout.fields[name][1] for name in layout.names], kinds)
    record = plain.Create_resized(0, layout.itemsize).Commit()
    mine = np.array([(rank, (rank, 0.5, i), b"a") for i in range(3)], dtype=layout)
    got = np.zeros(3, dtype=layout)
    world.Sendrecv([mine, 3, record], right, recvbuf=[got, 3, record], source=left)
    same([(one["id"], *one["place"], one["kind"]) for one in got], [(left, left, 0.5, i, b"a") for i in range(3)])
    plain.Free()
    record.Free()


@check
def packed():
    memory = bytearray(MPI.INT.Pack_size(4, world) + MPI.DOUBLE.Pack_size(2, world))
    end = MPI.INT.Pack(np.arange(4, dtype="i") + rank, memory, 0, world)
    end = MPI.DOUBLE.Pack(np.array([0.25, rank]), memory, end, world)
    other = bytearray(len(memory))
    world.Sendrecv([memory, end, MPI.PACKED], right, recvbuf=[other, len(other), MPI.PACKED], source=left)
    integers, reals = np.empty(4, dtype="i"), np.empty(2)
    MPI.DOUBLE.Unpack(other, MPI.INT.Unpack(other, 0, integers, world), reals, world)
    same((integers.tolist(), reals.tolist()), ([left, left + 1, left + 2, left + 3], [0.25, left]))


@check
def halves():
    half = world.Split(color=rank % 2, key=-rank)
    same(half.allgather(rank), [peer for peer in reversed(range(size)) if peer % 2 == rank % 2])
    half.Free()


@check
def groups():
    group = world.Get_group()
    even, late = group.Incl(range(0, size, 2)), group.Range_incl([(size // 2, size - 1, 1)])
    both, either = MPI.Group.Intersection(even, late), MPI.Group.Union(even, late)
    same(both.Get_size() + either.Get_size(), even.Get_size() + late.Get_size())
    same(MPI.Group.Translate_ranks(even, list(range(even.Get_size())), group), list(range(0, size, 2)))
    made = world.Create(even)
    same(made.allreduce(rank) if made else None, sum(range(0, size, 2)) if rank % 2 == 0 else None)
    if made:
        made.Free()


@check
def grid():
    dimensions = MPI.Compute_dims(size, 2)
    cart = world.Create_cart(dimensions, periods=[True, False])
    row, column = cart.Get_coords(cart.Get_rank())
    same(cart.Get_cart_rank([row + dimensions[0], column]), cart.Get_rank())
    source, target = cart.Shift(1, 1)
    same(target == MPI.PROC_NULL, column == dimensions[1] - 1)
    line = cart.Sub([False, True])
    same(line.allgather(column), list(range(dimensions[1])))
    same(cart.sendrecv(column, dest=target, source=source), column - 1 if column else None)
    line.Free()
    cart.Free()


@check
def neighbours():
    ring = world.Create_dist_graph_adjacent([left, right], [right, left])
    same(ring.neighbor_allgather(rank), [left, right])
    got = np.empty(2, dtype="i")
    ring.Neighbor_alltoall(np.array([rank, -rank], dtype="i"), got)
    same(got.tolist(), [left, -right])
    ring.Free()


@check
def two_sides():
    if size == 1:
        return
    side = rank % 2
    local = world.Split(side, rank)
    inter = local.Create_intercomm(0, world, 1 - side, tag=2)
    others = [peer for peer in range(size) if peer % 2 != side]
    same((inter.Get_remote_size(), inter.allgather(rank)), (len(others), others))
    merged = inter.Merge(high=side == 1)
    same(merged.allgather(rank), [*range(0, size, 2), *range(1, size, 2)])
    for comm in (merged, inter, local):
        comm.Free()


@check
def attributes_and_names():
    copy = world.Dup()
    keyval = MPI.Comm.Create_keyval(copy_fn=lambda comm, key, value: value + 1)
    copy.Set_attr(keyval, rank)
    copy.Set_name("a copy")
    second = copy.Dup()
    same((copy.Get_attr(keyval), second.Get_attr(keyval), copy.Get_name()), (rank, rank + 1, "a copy"))
    same(MPI.Comm.Compare(copy, second), MPI.CONGRUENT)
    second.Free()
    copy.Free()


@check
def hints():
    info = MPI.Info.Create()
    info["color"], info["size"] = "green", "12"
    same((info.Get_nkeys(), info["color"], sorted(info.keys())), (2, "green", ["color", "size"]))
    info.Free()


@check
def mistakes_are_exceptions():
    for mistake, expected in ((lambda: world.Send(np.zeros(1), size + 3), MPI.ERR_RANK),
                              (lambda: world.Bcast(np.zeros(1), root=size), MPI.ERR_ROOT),
                              (lambda: world.Send(np.zeros(1), 0, tag=-5), MPI.ERR_TAG)):
        try:
            mistake()
        except MPI.Exception as error:
            same(error.Get_error_class(), expected)
        else:
            raise AssertionError("no exception")


@check
def message_that_is_too_long():
    request = world.Isend(np.zeros(20), right, 15)
    try:
        world.Recv(np.zeros(10), left, 15)
    except MPI.Exception as error:
        same(error.Get_error_class(), MPI.ERR_TRUNCATE)
    else:
        raise AssertionError("no exception")
    request.Wait()
