#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs the build tree to a prefix of its own, moves it, and builds and runs MPI programs against it: by the wrappers, and
through find_package(MPI). All run as a job of one, and as a job of three through the installed cohort command."""

import argparse
import os
import pathlib
import shlex
import subprocess
import tempfile

from install_test import expect, run


def by_wrapper(prefix, name, source, work, flags):
    program = work / f"by-{name}"
    run(prefix / "bin" / name, *flags, source, "-o", program)
    return program


def through_cmake(prefix, outside, work, flags):
    """The folder for PATH holds all that CMake looks for, also where another MPI is installed."""
    usual = prefix / "lib/cohort/mpi/bin"
    environment = {**os.environ, "PATH": os.pathsep.join([str(usual), os.environ["PATH"]])}
    build = work / "by-cmake"
    run("cmake", "-S", outside, "-B", build, "-G", "Ninja", f"-DCMAKE_C_FLAGS={shlex.join(flags)}", env=environment)
    found = [line for line in (build / "CMakeCache.txt").read_text().splitlines() if line.startswith("MPIEXEC_EXECUTABLE:")]
    expect(found[0].partition("=")[2], str(usual / "mpiexec"), "the mpiexec that CMake finds")
    run("cmake", "--build", build)
    run("ctest", "--test-dir", build, "--output-on-failure", stdin=subprocess.DEVNULL)
    return build / "sum"


def shows(prefix):
    """What build systems ask the wrappers for."""
    face = prefix / "lib/cohort/mpi/standard"
    wrapper = prefix / "bin/cohort-mpicc"
    expect(run(wrapper, "-showme:incdirs"), f"{face}/include\n", "-showme:incdirs")
    expect(run(wrapper, "-show", "-c", "a.c"), f"cc -I{face}/include -c a.c\n", "-show of a compilation")
    expect(run(wrapper, "-showme:link").split()[-1], "-lmpi_abi", "-showme:link")
    run(wrapper, "--version")  # the compiler's, which links nothing


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--flags", default="", help="what the library was built with: sanitizers")
    arguments = parser.parse_args()

    flags = shlex.split(arguments.flags)
    outside = arguments.source / "tests/install/outside_mpi"
    with tempfile.TemporaryDirectory(prefix="cohort-mpi-install-") as directory:
        work = pathlib.Path(directory).resolve()
        run("cmake", "--install", arguments.build, "--prefix", work / "first")
        prefix = (work / "first").rename(work / "moved")
        shows(prefix)

        programs = [by_wrapper(prefix, "cohort-mpicc", outside / "sum.c", work, flags),
                    through_cmake(prefix, outside, work, flags)]
        if list(prefix.rglob("mpi.mod")):  # there was a Fortran compiler
            programs.append(by_wrapper(prefix, "cohort-mpifort", outside / "sum.f90", work, flags))
        for program in programs:
            expect(run(program), "sum 1\n", f"{program.name}, a job of one")
            output = run(prefix / "bin/cohort", "run", "-n", 3, program, stdin=subprocess.DEVNULL)
            expect(output, "sum 6\n", f"{program.name}, a job of three")


if __name__ == "__main__":
    main()
