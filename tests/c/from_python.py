# SPDX-License-Identifier: Apache-2.0
"""Cohort from Python, by ctypes alone: from_python.py LIBRARY"""

import ctypes
import sys

cohort = ctypes.CDLL(sys.argv[1])
cohort.cohort_process_host.restype = ctypes.c_char_p
BYTE, DOUBLE = ctypes.c_int64(1), ctypes.c_int64(14)  # COHORT_BYTE, COHORT_DOUBLE
SUM = ctypes.c_void_p(1)  # COHORT_SUM


class Arrival(ctypes.Structure):
    _fields_ = [("count", ctypes.c_int64), ("source", ctypes.c_int32), ("tag", ctypes.c_uint32)]


class Id(ctypes.Structure):
    _fields_ = [("counter", ctypes.c_uint32), ("pid", ctypes.c_int32), ("derivation", ctypes.c_uint64)]


class LatestError(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int32), ("rank", ctypes.c_int32), ("pid", ctypes.c_int32), ("group", Id),
                ("operation", ctypes.c_char_p), ("host", ctypes.c_char_p), ("where", ctypes.c_char_p), ("text", ctypes.c_char_p)]


cohort.cohort_last_error.restype = ctypes.POINTER(LatestError)


def must(code):
    if code != 0:
        raise RuntimeError(cohort.cohort_last_error().contents.text.decode())


process, group = ctypes.c_void_p(), ctypes.c_void_p()
must(cohort.cohort_join(ctypes.byref(process)))
must(cohort.cohort_group_all(process, ctypes.byref(group)))
rank, size = cohort.cohort_group_rank(group), cohort.cohort_group_size(group)
print(f"hello from {rank} of {size} on {cohort.cohort_process_host(process).decode()}", flush=True)

mine, total = (ctypes.c_double * 2)(rank, 1), (ctypes.c_double * 2)()
must(cohort.cohort_combine(group, mine, total, ctypes.c_int64(2), DOUBLE, SUM))
assert list(total) == [size * (size - 1) / 2, size]

words = f"words of {rank}".encode()
arrival, request = Arrival(), ctypes.c_void_p()
must(cohort.cohort_start_send(group, words, ctypes.c_int64(len(words)), BYTE, (rank + 1) % size, 5, ctypes.byref(request)))
must(cohort.cohort_probe_any(group, BYTE, 5, ctypes.byref(arrival)))
room = ctypes.create_string_buffer(arrival.count)
must(cohort.cohort_receive(group, room, ctypes.c_int64(arrival.count), BYTE, arrival.source, 5, None))
assert room.raw.decode() == f"words of {(rank - 1) % size}"
must(cohort.cohort_request_wait(request))
cohort.cohort_request_free(request)

try:
    must(cohort.cohort_bcast(group, mine, ctypes.c_int64(2), DOUBLE, size))
    raise AssertionError("there is no such root")
except RuntimeError as error:
    assert "root" in str(error)
cohort.cohort_group_free(group)
must(cohort.cohort_leave(process))
