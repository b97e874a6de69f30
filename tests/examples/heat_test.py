# SPDX-License-Identifier: Apache-2.0
"""heat: the picture is the same to the last bit whatever the number of processes, and it is a steady state."""

import re
import struct

import jobs


class Heat(jobs.JobTest):
    def picture(self, size, *options):
        """(the lines said, the PNG file's bytes)"""
        result = self.fine(size, "heat", "--output", "heat.png", *options)
        return result.lines, (self.folder / "heat.png").read_bytes()

    def test_result_does_not_depend_on_the_processes(self):
        for options in (["--width", "61", "--height", "43"],
                        ["--width", "97", "--height", "7", "--steps", "25"],
                        ["--width", "30", "--height", "30", "--steps", "1"]):
            lines, picture = self.picture(jobs.ALONE, *options)
            for size in jobs.job_sizes(1, 2, 3, 4, 6, 7)[1:]:
                with self.subTest(size=size, options=options):
                    launched_lines, launched_picture = self.picture(size, *options)
                    self.assertEqual(launched_lines[0], lines[0])
                    self.assertEqual(launched_picture, picture)

    def test_tiles_of_one_point(self):
        for size in jobs.job_sizes(1, 6):
            with self.subTest(size=size):
                lines, picture = self.picture(size, "--width", "3", "--height", "2", "--tolerance", "0.001")
                self.assertEqual(struct.unpack(">II", picture[16:24]), (3, 2))

    def test_picture_has_the_size_asked_for(self):
        _, picture = self.picture(jobs.ALONE, "--width", "50", "--height", "20", "--steps", "1")
        self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", picture[16:24]), (50, 20))

    def test_steady_state(self):
        """Once steady, further steps do not matter; before, they do."""
        def mean(*options):
            said = self.picture(jobs.ALONE, "--width", "60", "--height", "40", *options)[0][0]
            return said.startswith("steady"), float(re.search(r"mean temperature ([0-9.]+)", said).group(1))

        steady, rough = mean("--tolerance", "1e-6")
        still_steady, fine = mean("--tolerance", "1e-12")
        cut_short, early = mean("--tolerance", "1e-6", "--steps", "10")
        self.assertEqual((steady, still_steady, cut_short), (True, True, False))
        self.assertAlmostEqual(rough, fine, delta=1e-5)
        self.assertGreater(abs(early - fine), 1e-3)


if __name__ == "__main__":
    jobs.main()
