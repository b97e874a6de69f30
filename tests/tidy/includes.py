#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom: the table of the design. A file's home is its own line of the table, or the longest folder that
holds it; it may include what its home's line names: other homes, single files, and outside libraries."""

import pathlib
import re

import tree

CONTRACT = {"standard", "runtime/transport", "include/cohort", "collectives/small_vector.hpp", "runtime/time_source.hpp",
            "runtime/secret.hpp"}
LAUNCHER = {"standard", "fmt", "include/cohort", "launcher"}

MAY_INCLUDE = {
    "include/cohort": {"standard", "include/cohort"},
    "include/cohort/serialized.hpp": {"standard", "include/cohort", "cereal"},
    "proto": set(),
    "collectives": {"standard", "collectives", "collectives/patterns", "include/cohort/types.hpp"},
    "collectives/patterns": {"standard", "include/cohort/types.hpp", "collectives/cost.hpp", "collectives/peers.hpp",
                             "collectives/problem.hpp", "collectives/schedule.hpp", "collectives/small_vector.hpp",
                             "collectives/patterns"},
    "groups": {"standard", "groups", "include/cohort/types.hpp", "include/cohort/error.hpp"},
    "runtime": {"standard", "system", "fmt", "openssl", "include/cohort", "collectives", "groups", "runtime", "runtime/calls",
                "runtime/groups", "runtime/messages", "runtime/develop/develop_mode.hpp", "runtime/control",
                "runtime/transport", "runtime/transport/memory", "runtime/transport/routed", "runtime/transport/shared",
                "runtime/transport/tcp", "runtime/faults",
                "runtime/failures", "runtime/presence", "runtime/drive", "runtime/observe"},
    "runtime/shell": {"standard", "system", "fmt", "runtime", "runtime/calls", "runtime/groups", "runtime/failures", "runtime/presence",
                      "runtime/faults", "runtime/observe"},
    "runtime/calls": {"standard", "fmt", "include/cohort", "collectives", "groups", "runtime", "runtime/calls",
                      "runtime/groups", "runtime/messages", "runtime/failures", "runtime/observe", "runtime/transport",
                      "runtime/drive/ended_requests.hpp"},
    "runtime/groups": {"standard", "fmt", "include/cohort", "groups", "runtime", "runtime/calls", "runtime/groups"},
    "runtime/messages": CONTRACT | {"fmt", "groups", "collectives/problem.hpp", "runtime/failures/fault.hpp",
                                    "runtime/copy_bytes.hpp", "runtime/linked_list.hpp", "runtime/recycled_memory.hpp",
                                    "runtime/require.hpp", "runtime/messages"},
    "runtime/develop": {"standard", "fmt", "include/cohort", "groups", "runtime", "runtime/calls", "runtime/groups",
                        "runtime/develop"},
    "runtime/failures": {"standard", "include/cohort", "groups", "runtime/transport/frame.hpp", "runtime/failures"},
    "runtime/presence": {"standard", "include/cohort", "groups", "runtime/failures", "runtime/transport", "runtime/presence"},
    "runtime/faults": CONTRACT | {"runtime/faults"},
    "runtime/observe": {"standard", "include/cohort", "runtime/linked_list.hpp", "runtime/transport", "runtime/observe"},
    "runtime/drive": {"standard", "system", "include/cohort", "runtime", "runtime/control", "runtime/observe", "runtime/transport", "runtime/drive"},
    "runtime/kernels": {"standard", "system", "include/cohort", "runtime/kernels"},
    "runtime/transport": CONTRACT,
    "runtime/transport/memory": CONTRACT | {"runtime/transport/memory", "runtime/readable.hpp",
                                            "runtime/wakeup.hpp"},
    "runtime/transport/tcp": CONTRACT | {"runtime/transport/tcp", "system", "fmt", "openssl",
                                         "runtime/attended_time.hpp", "runtime/copy_bytes.hpp",
                                         "runtime/frequent_tries.hpp", "runtime/inert.hpp", "runtime/wakeup.hpp"},
    "runtime/transport/shared": CONTRACT | {"runtime/transport/shared", "system", "runtime/inert.hpp",
                                            "runtime/random_number.hpp", "runtime/readable.hpp"},
    "runtime/transport/routed": CONTRACT | {"runtime/transport/routed", "system", "runtime/readable.hpp", "runtime/require.hpp"},
    "runtime/transport/simulated": CONTRACT | {"runtime/transport/simulated", "runtime/require.hpp",
                                               "runtime/faults/planned_fault.hpp"},
    "runtime/control": {"standard", "system", "fmt", "runtime", "runtime/observe", "runtime/control", "runtime/faults", "collectives", "groups", "include/cohort",
                        "protobuf", "messages"},
    "launcher": LAUNCHER | {"toml", "collectives"},
    "launcher/network": LAUNCHER | {"system", "asio", "collectives", "runtime", "runtime/transport/tcp", "launcher/network"},
    "launcher/loop": LAUNCHER | {"system", "asio", "launcher/loop"},
    "launcher/host": LAUNCHER | {"system", "messages", "runtime", "runtime/control", "runtime/faults",
                                 "launcher/network", "launcher/host"},
    "launcher/host/shell": LAUNCHER | {"system", "asio", "messages", "runtime", "runtime/control",
                                       "runtime/transport/shared/host_memory.hpp", "launcher/loop",
                                       "launcher/network", "launcher/host", "launcher/host/shell"},
    "launcher/remote": LAUNCHER | {"system", "asio", "openssl", "services", "grpc", "runtime", "runtime/control",
                                   "launcher/loop", "launcher/network", "launcher/host", "launcher/remote"},
    "launcher/job": LAUNCHER | {"system", "messages", "groups", "runtime", "runtime/control", "runtime/faults",
                                "launcher/network", "launcher/host", "launcher/job"},
    "launcher/job/shell": LAUNCHER | {"system", "asio", "messages", "services", "grpc", "runtime",
                                      "launcher/loop", "launcher/network", "launcher/host", "launcher/host/shell",
                                      "launcher/remote", "launcher/job", "launcher/job/shell"},
    "launcher/manual": LAUNCHER | {"launcher/manual"},
    "launcher/doctor": LAUNCHER | {"system", "asio", "messages", "runtime", "runtime/control", "collectives", "launcher/loop",
                                   "launcher/network", "launcher/host", "launcher/host/shell", "launcher/remote",
                                   "launcher/job", "launcher/doctor"},
    "launcher/commands": LAUNCHER | {"system", "asio", "cli11", "json", "services", "grpc", "collectives", "runtime/control",
                                     "launcher/loop", "launcher/network", "launcher/host", "launcher/host/shell",
                                     "launcher/remote", "launcher/job", "launcher/job/shell", "launcher/manual", "launcher/doctor", "launcher/commands",
                                     "bench/operations.hpp"},
    "mpi/core": {"standard", "system", "fmt", "constants", "include/cohort", "groups", "runtime", "runtime/calls",
                 "runtime/groups", "runtime/transport", "collectives/small_vector.hpp", "mpi/core"},
    "mpi/faces": {"standard", "system", "fmt", "constants", "mpi/core", "mpi/faces"},
    "c": {"standard", "fmt", "include/cohort", "runtime/calls", "c"},
    "examples": {"standard", "include/cohort", "examples", "cli11", "png"},
    "examples/tutorial": {"standard", "include/cohort", "include/cohort/serialized.hpp", "cereal"},
    "bench": {"standard", "system", "include/cohort", "bench"},
    "bench/micro": {"standard", "benchmark", "include/cohort", "collectives", "groups", "runtime",
                    "runtime/messages", "runtime/transport", "runtime/transport/memory", "runtime/transport/tcp",
                    "bench/micro"},
    "tests": None,  # anything
}

# Outside libraries, by how their headers are named. The first that matches counts.
LIBRARIES = [
    ("services", r".*\.grpc\.pb\.h$"),  # generated from proto/
    ("messages", r".*\.pb\.h$"),
    ("constants", r"(mpi/constants|(standard|openmpi|mpich)/values)\.hpp$"),  # generated from mpi/faces/
    ("protobuf", r"google/protobuf/"),
    ("grpc", r"grpc(pp|\+\+)?/"),
    ("asio", r"asio[./]"),
    ("openssl", r"openssl/"),
    ("fmt", r"fmt/"),
    ("spdlog", r"spdlog/"),
    ("cli11", r"CLI/"),
    ("json", r"nlohmann/"),
    ("toml", r"toml\+\+/"),
    ("png", r"png\.h$"),
    ("benchmark", r"benchmark/"),
    ("cereal", r"cereal/"),
    ("gtest", r"g(test|mock)/"),
    ("standard", r"[a-z_0-9]+$"),
    ("system", r"([a-z0-9_]+/)*[a-z0-9_]+\.h$"),
]

INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


def home_of(path):
    homes = [home for home in MAY_INCLUDE if path == home or path.startswith(home + "/")]
    return max(homes, key=len, default=None)


def resolve(source, path, included):
    """The file of the tree that is included, or None."""
    for folder in (pathlib.PurePosixPath(path).parent.as_posix(), ".", "include"):
        candidate = pathlib.PurePosixPath(folder, included).as_posix()
        if source.exists(candidate):
            return candidate
    return None


def library_of(included):
    return next((name for name, pattern in LIBRARIES if re.match(pattern, included)), None)


def judge(source, path, included):
    """What is wrong with this include, or None."""
    home = home_of(path)
    if home is None:
        return "this folder has no line in the table of tests/tidy/includes.py: add one, as the design says"
    allowed = MAY_INCLUDE[home]
    target = resolve(source, path, included)
    if target:
        named = home_of(target) or target
        fine = allowed is None or named in allowed or target in allowed
    else:
        named = library_of(included)
        fine = named is not None and (allowed is None or named in allowed)
    if fine:
        return None
    if named is None:
        return f'"{included}" is neither in the tree nor a library in the table of tests/tidy/includes.py'
    if allowed is not None:
        others = ", ".join(sorted(allowed)) or "nothing"
        return f'{home}/ may not include "{included}" ({named}); it may include: {others}'
    return None


def check(source):
    violations = []
    for path in source.files(".hpp", ".cpp"):
        for number, line in source.lines(path):
            match = INCLUDE.match(line)
            if not match:
                continue
            wrong = judge(source, path, match.group(1) or match.group(2))
            if wrong:
                violations.append(tree.Violation(path, number, wrong))
    return violations


if __name__ == "__main__":
    tree.main(check, __doc__)
