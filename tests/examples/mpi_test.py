# SPDX-License-Identifier: Apache-2.0
"""The examples of MPI: mpi_heat is what a sequential iteration gives, for every number of processes; in mpi_ring everything
comes home."""

import unittest

import jobs


def steady(points, tolerance):
    """The number of steps to the steady state, and the mean temperature."""
    side = points + 2
    now = [1.0 if 0 < column <= points else 0.0 for column in range(side)] + [0.0] * side * (side - 1)
    inner = [row * side + column for row in range(1, points + 1) for column in range(1, points + 1)]
    steps, change = 0, tolerance + 1
    while change > tolerance:
        after = now.copy()
        for i in inner:
            after[i] = (now[i - side] + now[i + side] + now[i - 1] + now[i + 1]) / 4
        change = max(abs(after[i] - now[i]) for i in inner)
        now, steps = after, steps + 1
    return steps, sum(now[i] for i in inner) / len(inner)


class Mpi(jobs.JobTest):
    def test_heat_does_not_depend_on_the_processes(self):
        for points, tolerance in ((1, 1e-3), (7, 1e-5), (20, 1e-4)):
            steps, mean = steady(points, tolerance)
            for size in jobs.job_sizes(1, 2, 3, 4, 6):
                with self.subTest(points=points, size=size):
                    lines = self.fine(size, "mpi_heat", str(points), str(tolerance)).lines
                    self.assertEqual(lines, [f"steady after {steps} steps; mean temperature {mean:.9f}"])

    def test_heat_of_nothing(self):
        for size in jobs.job_sizes(3):
            with self.subTest(size=size):
                self.refused(size, "POINTS and TOLERANCE must be numbers above 0", "mpi_heat", "none")

    @unittest.skipUnless((jobs.BIN / "mpi_ring").exists(), "there is no Fortran compiler")
    def test_ring(self):
        for size in jobs.job_sizes(1, 2, 3, 5):
            with self.subTest(size=size):
                ranks = size or 1
                seen = sum((rank + 1)**2 for rank in range(ranks))
                lines = self.fine(size, "mpi_ring").lines
                self.assertEqual(lines[0], f"a ring of {ranks}: each has seen {seen}, {ranks} are home")
                self.assertTrue(lines[1].startswith("rank 0 runs on "))


if __name__ == "__main__":
    jobs.main()
