# SPDX-License-Identifier: Apache-2.0
"""hello: every process speaks once, and rank 0 says how many there are."""

import jobs


class Hello(jobs.JobTest):
    def test_everybody_speaks(self):
        for size in jobs.job_sizes(1, 2, 5, 16):
            with self.subTest(size=size):
                processes = size or 1
                lines = self.fine(size, "hello").lines
                said = sorted(line.split(" on ")[0] for line in lines if " on " in line)
                self.assertEqual(said, sorted(f"hello from rank {rank} of {processes}" for rank in range(processes)))
                self.assertEqual([line for line in lines if " on " not in line], [f"{processes} said hello"])


if __name__ == "__main__":
    jobs.main()
