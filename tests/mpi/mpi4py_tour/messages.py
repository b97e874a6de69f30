# SPDX-License-Identifier: Apache-2.0
"""Messages: Python's objects, which travel pickled, and NumPy's arrays."""

import numpy as np
from checks import check, left, rank, ranks, right, same, size, world
from mpi4py import MPI


@check
def object_to_a_neighbour():
    request = world.isend({"from": rank, "squares": [rank**2, right**2]}, dest=right, tag=11)
    same(world.recv(source=left, tag=11), {"from": left, "squares": [left**2, rank**2]})
    request.wait()


@check
def objects_by_sendrecv():
    same(world.sendrecv(("token", rank), dest=left, sendtag=1, source=right, recvtag=1), ("token", right))


@check
def objects_by_irecv():
    requests = [world.irecv(1 << 16, source=peer, tag=peer) for peer in range(size)]
    for peer in range(size):
        world.send("x" * (rank + peer), dest=peer, tag=rank)
    same(MPI.Request.waitall(requests), ["x" * (rank + peer) for peer in range(size)])


@check
def object_of_unknown_size():
    request = world.issend(list(range(1000 + rank)), dest=right, tag=3)
    message = world.mprobe(source=MPI.ANY_SOURCE, tag=3)
    same(message.recv(), list(range(1000 + left)))
    request.wait()


@check
def object_bcast():
    wanted = {"key": [7, 2.5, 1j], "word": ("a", None)}
    same(world.bcast(wanted if rank == 0 else None), wanted)


@check
def objects_scattered_and_gathered():
    root = size - 1
    mine = world.scatter([{"for": peer} for peer in range(size)] if rank == root else None, root=root)
    same(mine, {"for": rank})
    same(world.gather(mine, root=0), [{"for": peer} for peer in range(size)] if rank == 0 else None)


@check
def objects_of_all_to_all():
    same(world.allgather(chr(97 + rank)), [chr(97 + peer) for peer in range(size)])
    same(world.alltoall([rank * 100 + peer for peer in range(size)]), [peer * 100 + rank for peer in range(size)])


@check
def objects_reduced():
    same(world.allreduce([rank]), list(range(size)))  # + of lists keeps the order
    same(world.reduce({rank}, op=MPI.BOR, root=0), set(range(size)) if rank == 0 else None)
    same(world.scan(f"{rank},"), "".join(f"{peer}," for peer in range(rank + 1)))
    same(world.exscan(rank + 1), rank * (rank + 1) // 2 if rank else None)


@check
def objects_reduced_with_places():
    values = [(peer * 3 + 1) % size for peer in range(size)]
    same(world.allreduce((values[rank], rank), op=MPI.MAXLOC), (max(values), values.index(max(values))))


@check
def array_to_a_neighbour():
    got = np.empty(1000)
    world.Sendrecv(np.arange(1000.0) + rank, right, recvbuf=got, source=left)
    same(got, np.arange(1000.0) + left)


@check
def array_with_its_type_named():
    got = np.full(100, -1, dtype="i")
    receive = world.Irecv([got, 50, MPI.INT], source=left, tag=77)
    requests = [receive, world.Isend([np.arange(50, dtype="i"), MPI.INT], right, tag=77)]
    MPI.Request.Waitall(requests)
    same(got, np.concatenate([np.arange(50), np.full(50, -1)]))


@check
def array_from_anybody():
    if rank == 0:
        seen, value, status = [], np.empty(1, dtype="q"), MPI.Status()
        for _ in range(size - 1):
            world.Recv(value, MPI.ANY_SOURCE, MPI.ANY_TAG, status)
            same((status.Get_tag(), status.Get_count(MPI.INT64_T)), (status.Get_source() + 5, 1))
            seen.append((status.Get_source(), int(value[0])))
        same(sorted(seen), [(peer, peer**3) for peer in range(1, size)])
    else:
        world.Send(np.array([rank**3], dtype="q"), 0, tag=rank + 5)
    world.Barrier()


@check
def array_probed_first():
    request = world.Isend(np.arange(rank + 10, dtype="h"), right, tag=4)
    status = MPI.Status()
    world.Probe(left, 4, status)
    got = np.empty(status.Get_count(MPI.SHORT), dtype="h")
    world.Recv(got, left, 4)
    same(got, np.arange(left + 10))
    request.Wait()


@check
def iprobe_of_nothing():
    same(world.Iprobe(source=MPI.ANY_SOURCE, tag=12321), False)
    world.Barrier()


@check
def arrays_synchronous_and_ready():
    got = np.zeros((2, 3))
    requests = [world.Irecv(got[0], left, 1), world.Irecv(got[1], left, 2)]
    world.Barrier()  # so the receives are there
    world.Rsend(np.full(3, float(rank)), right, 1)
    world.Ssend(np.full(3, rank + 0.5), right, 2)
    MPI.Request.Waitall(requests)
    same(got, np.array([[left] * 3, [left + 0.5] * 3]))


@check
def arrays_buffered():
    MPI.Attach_buffer(bytearray(8 * 100 + MPI.BSEND_OVERHEAD))
    world.Bsend(np.arange(100.0), right, 6)
    got = np.empty(100)
    world.Recv(got, left, 6)
    MPI.Detach_buffer()
    same(got, np.arange(100.0))


@check
def arrays_persistent():
    mine, got = np.zeros(4), np.zeros(4)
    requests = [world.Send_init(mine, right, 8), world.Recv_init(got, left, 8)]
    for step in range(5):
        mine[:] = rank * 10 + step
        MPI.Prequest.Startall(requests)
        MPI.Request.Waitall(requests)
        same(got, np.full(4, left * 10.0 + step))
    for request in requests:
        request.Free()


@check
def requests_one_by_one():
    got = np.empty((size, 1))
    requests = [world.Irecv(got[peer], peer, 9) for peer in range(size)]
    sent = [world.Isend(np.array([float(rank)]), peer, 9) for peer in range(size)]
    same(sorted(MPI.Request.Waitany(requests) for _ in range(size)), list(range(size)))
    same(MPI.Request.Waitany(requests), MPI.UNDEFINED)
    MPI.Request.Waitall(sent)
    same(got.ravel(), ranks.astype(float))


@check
def nobody_as_a_peer():
    got, status = np.full(3, 4.0), MPI.Status()
    world.Sendrecv(np.zeros(3), MPI.PROC_NULL, recvbuf=got, source=MPI.PROC_NULL, status=status)
    same((got.tolist(), status.Get_source(), status.Get_count(MPI.DOUBLE)), ([4.0] * 3, MPI.PROC_NULL, 0))


@check
def receive_cancelled():
    request = world.Irecv(np.empty(1), MPI.ANY_SOURCE, 31)
    request.Cancel()
    status = MPI.Status()
    request.Wait(status)
    same(status.Is_cancelled(), True)
