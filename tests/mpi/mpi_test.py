# SPDX-License-Identifier: Apache-2.0
"""Programs written for the MPI standard (programs/), each the properties of one chapter, through each of the interfaces; and
what is left when an MPI program fails. COHORT_MPI_FACE chooses one of the interfaces."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "launcher"))
from job_driver import BIN, SANITIZED, numbers, read_lines, run, start  # noqa: E402
import at_once  # noqa: E402
import skips  # noqa: E402

PROGRAMS = HERE / "programs"
LIBRARIES = pathlib.Path(BIN).parent / "lib/cohort/mpi"
RANKS = (1, 2, 3, 4, 5, 8)
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-stringop-overflow", "-Wno-stringop-overread"]  # headers have arrays where there may be none
C = ["-std=c11", "-D_DEFAULT_SOURCE", "-O1", "-g", *WARNINGS]
CXX = ["-std=c++20", "-O1", "-g", "-rdynamic", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", *WARNINGS]
FORTRAN = ["-O1", "-g", "-w", "-fallow-argument-mismatch"]  # buffers of several types, by mpif.h

# What each program is linked with.
CHECK, WAITS, TYPES, REDUCTIONS = ["check.c"], ["check.c", "waits.c"], ["check.c", "types.c"], ["check.c", "reduction_calls.c"]
CHAPTERS = {
    "matching": WAITS, "matching_any": WAITS, "point_to_point": WAITS, "truncation": CHECK, "completion": WAITS,
    "generalized": WAITS, "datatypes": TYPES, "type_contents": CHECK, "collectives": TYPES, "in_place": CHECK,
    "reductions": [*REDUCTIONS, "numbers.c"], "user_reductions": REDUCTIONS, "neighbourhoods": CHECK,
    "communicators": CHECK, "groups": CHECK, "attributes": CHECK, "intercommunicators": CHECK, "topologies": CHECK,
    "errors": CHECK, "threads": CHECK, "environment": CHECK, "any_order": CHECK,
}
FORTRAN_PROGRAMS = ("fortran_mpif.f", "fortran.f90", "fortran_f08.f90")


class Face:
    """One of the interfaces, and the compilers of those who write for it."""

    def __init__(self, name, library, exported):
        self.name = name
        self.library = LIBRARIES / name / library
        self.exported = re.compile(exported)

    def compiler(self, language):
        name = {"c": "mpicc", "c++": "mpicxx", "fortran": "mpifort"}[language]
        if self.name == "standard":
            return shutil.which(f"cohort-{name}", path=BIN)
        return shutil.which(f"{name}.{self.name}")


# MPI's names in C and, as compilers decorate them, in Fortran and C++; then the interface's own, which programs are bound to.
NAMES = r"P?MPIX?_\w+|p?mpix?_\w+|__p?mpi\w*_MOD_\w+|_ZT?[A-Z]*3MPI\w+"
FACES = [
    Face("standard", "libmpi_abi.so.1", NAMES),
    Face("openmpi", "libmpi.so.40", NAMES + r"|ompi_(mpi|request|message|op|win|file)_\w+|OMPI_C_MPI_\w+"),
    Face("mpich", "libmpich.so.12", NAMES + r"|MPIR_(C|F08)_MPI_\w+|MPIR_Dup_fn|p?mpix?r_\w+|mpifcmb\d_|mpipriv\w_"),
]


class Programs(unittest.TestCase):
    """Of one interface: what inherits from this has a `face`."""

    face = None

    def setUp(self):
        if not self.face.library.exists():
            self.skipTest(f"{self.face.library} is not there")
        folder = tempfile.TemporaryDirectory(prefix="cohort-mpi-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def build(self, language, *words):
        compiler = self.face.compiler(language)
        if compiler is None:
            self.skipTest(f"no compiler of {language} for the interface {self.face.name}")
        result = subprocess.run([compiler, *map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)

    def program(self, name, sources=()):
        self.build("c", *C, *(PROGRAMS / source for source in (f"{name}.c", *sources)), "-o", name, "-lpthread", "-lm")
        return self.folder / name

    def expect_ok(self, path, name, ranks=RANKS, launcher=()):
        for count in ranks:
            result = run("-n", count, *launcher, path, timeout=240)
            said = result.stdout.decode() + result.stderr.decode()
            self.assertEqual((result.returncode, result.stdout.decode()), (0, f"ok {name}\n"), f"{count} ranks: {said}")

    def exported(self, library=None):
        command = ["nm", "-D", "--defined-only", library or self.face.library]
        listed = subprocess.run(command, capture_output=True, text=True, check=True)
        return {line.split()[2].split("@")[0] for line in listed.stdout.splitlines()}

    def test_nothing_but_mpi_is_visible(self):
        for library in {path.resolve() for path in self.face.library.parent.glob("lib*.so*")}:
            others = [name for name in self.exported(library) if not self.face.exported.fullmatch(name)]
            self.assertEqual(sorted(others), [], library)
        names = self.exported()
        for name in ("MPI_Send", "PMPI_Send", "MPI_Ialltoallw", "PMPI_Ialltoallw"):
            self.assertIn(name, names)

    def test_every_function_has_its_profiling_name(self):
        names = self.exported()
        functions = {name for name in names if re.fullmatch(r"MPIX?_[A-Z]\w*[a-z]\w*", name)}
        data = {name for name in functions if name.startswith(("MPI_F_", "MPI_F08_"))}
        self.assertEqual(sorted(name for name in functions - data if "P" + name not in names), [])

    def test_the_library_is_ours(self):
        path = self.program("environment", CHECK)
        listed = run("-n", 1, "ldd", path).stdout.decode()
        self.assertIn(str(self.face.library.parent), listed)

    def test_a_profiling_library(self):
        path = self.program("counted", CHECK)
        self.build("c", *C, "-shared", "-fPIC", PROGRAMS / "pmpi_counter.c", "-o", "libcounter.so")
        result = run("-n", 3, "env", f"LD_PRELOAD={self.folder}/libcounter.so", path)
        lines = sorted(result.stdout.decode().splitlines())
        counts = "3 MPI_Send, 3 MPI_Irecv, 2 MPI_Allreduce, 1 MPI_Barrier"
        self.assertEqual(lines, ["ok counted", *(f"rank {rank}: {counts}" for rank in range(3))], result.stderr)

    def test_a_program_that_brings_its_own_libraries(self):
        self.build("c++", *CXX, PROGRAMS / "brings_its_own.cpp", "-o", "brings_its_own")
        self.expect_ok(self.folder / "brings_its_own", "brings_its_own", (1, 3))

    def test_abort(self):
        path = self.program("mpi_abort")
        for ranks, code in ((1, 9), (3, 9), (3, 77)):
            self.assertEqual(run("-n", ranks, path, code).returncode, code)
        self.assertEqual(run("-n", 3, path, -1).returncode, 255)

    def test_abort_ends_a_job_that_goes_on_without_lost_processes(self):
        path = self.program("mpi_abort")
        result = run("-n", 3, "--on-failure", "continue", path, 9, "world")
        self.assertEqual(result.returncode, 9)
        self.assertIn("; the job was ended", result.stderr.decode())
        result = run("-n", 3, "--on-failure", "continue", path, 9, "self")
        self.assertEqual(result.returncode, 9)  # of the one that has ended itself
        self.assertNotIn("; the job was ended", result.stderr.decode())

    def test_abort_ends_its_communicator_and_the_others_go_on(self):
        path = self.program("mpi_abort")
        for way, reason in (("half", "called MPI_Abort with the code 9"), ("error", "MPI_(Send|Abort)")):
            result = run("-n", 4, "--on-failure", "continue", path, 9, way)
            self.assertNotEqual(result.returncode, 0)  # of the one that has ended itself
            self.assertEqual(result.stdout.decode(), "the others go on, sum 2\n", result.stderr.decode())
            self.assertRegex(result.stderr.decode(), rf"rank 1 .* was ended with its communicator: rank 3 .*{reason}")
            self.assertNotIn("; the job was ended", result.stderr.decode())
            result = run("-n", 4, path, 9, way)
            self.assertIn("; the job was ended", result.stderr.decode())

    def test_a_death_is_told_by_rank_call_and_host(self):
        path = self.program("death")
        for mode in ("abort", "continue"):
            job = start("-n", 3, "--on-failure", mode, "--timeout", 60, path)
            processes = dict(numbers([line]) for line in read_lines(job.stdout, 3))
            os.kill(processes[1], signal.SIGKILL)
            _, error = job.communicate(timeout=60)
            self.assertNotEqual(job.returncode, 0)
            for rank in (0, 2):
                self.assertRegex(error.decode(), rf"rank {rank} \(.*MPI_Allreduce: .*: rank 1 \(.*{os.uname().nodename}.*\) was killed by signal 9")

    def test_a_hang_is_told_by_call(self):
        result = run("-n", 3, "--patience", 1, "--timeout", 4, self.program("deadlock"))
        self.assertEqual(result.returncode, 124)
        for rank in range(3):
            self.assertRegex(result.stderr.decode(), rf"rank {rank} \(host \S+, process \d+\): in .* with tag 7 for \S+ s, "
                                                     rf"waits for rank {(rank + 1) % 3} .*MPI_Recv")


def chapter_test(name, sources):
    return lambda self: self.expect_ok(self.program(name, sources), name)


def fortran_test(source):
    def test(self):
        name = source.split(".")[0]
        self.build("fortran", *FORTRAN, PROGRAMS / source, "-o", name)
        self.expect_ok(self.folder / name, name, (1, 2, 4))
    return test


def tests_of(face):
    tests = {"face": face}
    tests |= {f"test_chapter_{name}": chapter_test(name, sources) for name, sources in CHAPTERS.items()}
    tests |= {f"test_{source.replace('.', '_')}": fortran_test(source) for source in FORTRAN_PROGRAMS}
    return type(f"Programs_{face.name}", (Programs,), tests)


for each in FACES:
    if os.environ.get("COHORT_MPI_FACE", each.name) == each.name:
        globals()[f"Programs_{each.name}"] = tests_of(each)
del Programs  # no tests of no interface


if __name__ == "__main__":
    if SANITIZED:
        skips.skip_all("the programs are not compiled with sanitizers")
    at_once.main(2)
