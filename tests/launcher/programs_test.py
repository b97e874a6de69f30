# SPDX-License-Identifier: Apache-2.0
"""Programs that are not what a rank is to run: of another MPI, under another launcher, two after one another in one rank.
Cases 90 and 91 of the list of faults."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from job_driver import BIN, TWO_HOSTS, expect_nothing_left, read_until, run, start
from skips import main

PROBE = os.path.join(BIN, "other_mpi_probe")
HELLO = os.path.join(BIN, "hello")
WARNING = r"^cohort: warning: '{0}' is a program of another MPI \(libmpi\.so\.40\), in whose place Cohort has no library: " \
          r"each of its 2 processes is a job of one\. .* mpirun\n$"

# What these give to each process that they start.
LAUNCHERS = {
    "Open MPI": ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", {"PMIX_RANK": "{rank}", "PMIX_NAMESPACE": "prterun-1"}),
    "MPICH": ("PMI_SIZE", "PMI_RANK", {"PMI_FD": "7"}),
    "srun": ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID", {"SLURM_NTASKS": "{size}", "ENVIRONMENT": "BATCH"}),
    "srun ": ("SLURM_NTASKS", "SLURM_PROCID", {}),
}


def alone(program, **variables):
    return subprocess.run([program], capture_output=True, timeout=60, text=True, env={**os.environ, **variables})


class OtherMpi(unittest.TestCase):
    def test_90_a_program_of_another_mpi(self):
        """Its file tells: one warning, of whatever host."""
        for hosts in ([], TWO_HOSTS):
            result = run("-n", 2, "--no-mpi", *hosts, PROBE)
            self.assertEqual((result.returncode, result.stdout), (0, b"one of 1\n" * 2))
            self.assertRegex(result.stderr.decode(), WARNING.format(PROBE))

    def test_90_below_a_script(self):
        job = start("-n", 2, "--no-mpi", "sh", "-c", f"{PROBE}; exit 0", stdin=subprocess.PIPE)
        self.assertRegex(read_until(job.stderr, "\n"), WARNING.format("sh"))
        job.stdin.close()
        self.assertEqual((job.wait(timeout=60), job.stderr.read()), (0, b""))
        job.stdout.close()
        job.stderr.close()
        expect_nothing_left(job)

    def test_90_where_there_is_nothing_to_warn_of(self):
        for words in (["-n", 1, "--no-mpi", PROBE], ["-n", 2, HELLO], ["-n", 2, "sh", "-c", "exit 0"]):
            self.assertEqual(run(*words).stderr, b"", words)


class OtherLaunchers(unittest.TestCase):
    def test_90_a_cohort_program_under_another_launcher(self):
        for name, (size, rank, others) in LAUNCHERS.items():
            def started(number, count, size=size, rank=rank, others=others):
                also = {key: value.format(rank=number, size=count) for key, value in others.items()}
                return alone(HELLO, **{size: str(count), rank: str(number)}, **also)

            with self.subTest(name):
                first = started(0, 4)
                self.assertEqual(first.returncode, 0)
                self.assertIn("1 said hello\n", first.stdout)
                self.assertRegex(first.stderr, rf"^cohort: warning: [^\n]*{name.strip()}[^\n]* has started 4 processes of this program, "
                                               r"which are as many jobs of one: .* `cohort run -n 4`[^\n]*\n$")
                self.assertEqual([started(rank, 4).stderr for rank in (1, 3)], ["", ""])  # once is enough
                self.assertEqual(started(0, 1).stderr, "")

    def test_90_a_launcher_that_says_no_size(self):
        self.assertEqual(alone(HELLO, PMIX_RANK="0").stderr, "")  # it may be the only one
        self.assertRegex(alone(HELLO, PMIX_RANK="1").stderr, r"^cohort: warning: .*several processes")

    def test_90_where_there_is_nothing_to_warn_of(self):
        for variables in ({}, {"OMPI_COMM_WORLD_SIZE": "four", "OMPI_COMM_WORLD_RANK": "0"}, {"PMI_SIZE": "4"},
                          {"SLURM_NTASKS": "4", "SLURM_PROCID": "0", "ENVIRONMENT": "BATCH"}):  # a script of sbatch
            self.assertEqual(alone(HELLO, **variables).stderr, "", variables)
        inside = {**os.environ, "OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "0"}
        self.assertEqual(run("-n", 2, HELLO, env=inside).stderr, b"")


class OneAfterTheOther(unittest.TestCase):
    def test_91_two_programs_in_one_rank(self):
        for hosts in ([], TWO_HOSTS):
            result = run("-n", 2, *hosts, "sh", "-c", f"{HELLO} && {HELLO}")
            error = result.stderr.decode()
            self.assertEqual(result.stdout.count(b"2 said hello\n"), 1)
            self.assertEqual(result.returncode, 1, error)
            self.assertRegex(error, r"(?m)the job refuses this process: this rank has joined the job and left it already")
            self.assertRegex(error, r"(?m)^cohort: rank \d \(host .*\) was refused: this rank has joined the job and left it already")

    def test_91_only_one_of_the_ranks(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="cohort-twice-"))
        self.addCleanup(shutil.rmtree, folder)
        result = run("-n", 3, "sh", "-c", f"{HELLO}; mkdir {folder}/first 2>/dev/null || exit 0; {HELLO}")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.decode().count("was refused: this rank has joined the job and left it already"), 1)

    def test_91_a_program_that_does_not_join_may_follow(self):
        result = run("-n", 2, "sh", "-c", f"{HELLO} >/dev/null && echo done")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"done\n" * 2, b""))


if __name__ == "__main__":
    main()
