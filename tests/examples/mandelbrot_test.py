# SPDX-License-Identifier: Apache-2.0
"""mandelbrot: the picture is the same for every number of workers, and whichever of them die."""

import subprocess

import jobs

PICTURE = ["--width", "61", "--height", "40", "--output", "set.png"]
QUICK, SLOW = ["--depth", "200"], ["--depth", "100000"]  # slow: each worker gets some of the tasks
DEATHS = """
[[fault]]
kind = "kill"
rank = 1
at_call = 1

[[fault]]
kind = "kill"
rank = {second}
operation = "send"
at_call = 6
"""


class Mandelbrot(jobs.JobTest):
    def picture(self, size, depth=QUICK):
        result = self.fine(size, "mandelbrot", *PICTURE, *depth)
        return result.lines, (self.folder / "set.png").read_bytes()

    def test_result_does_not_depend_on_the_workers(self):
        wanted = self.picture(jobs.ALONE)
        self.assertEqual(wanted[1][:8], b"\x89PNG\r\n\x1a\n")
        for size in jobs.job_sizes(1, 2, 5)[1:]:
            with self.subTest(size=size):
                self.assertEqual(self.picture(size), wanted)

    def test_tasks_of_dead_workers_are_done(self):
        """One dies before it has a task; another one, or the last one, with its answer half given."""
        wanted = self.picture(jobs.ALONE, SLOW)
        for size, second in ((4, 3), (3, 2)):
            with self.subTest(size=size):
                faults = self.file("deaths.toml", DEATHS.format(second=second))
                run = subprocess.run(
                    [jobs.BIN / "cohort", "run", "-n", str(size), "--on-failure", "continue", "--faults", faults, "--timeout",
                     "60", jobs.BIN / "mandelbrot", *PICTURE, *SLOW],
                    cwd=self.folder, capture_output=True, text=True, timeout=90)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual(run.stderr.count("was killed by signal 9"), 2, run.stderr)
                self.assertEqual((run.stdout.splitlines(), (self.folder / "set.png").read_bytes()), wanted)


if __name__ == "__main__":
    jobs.main()
