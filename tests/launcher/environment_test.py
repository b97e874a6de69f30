# SPDX-License-Identifier: Apache-2.0
"""What the processes of `cohort run` are given: words, variables, a directory, descriptors, signals."""

import os
import tempfile
import unittest

from job_driver import BIN, COHORT, PROBE, RSH_HERE, TWO_HOSTS, run
from skips import main


class Environment(unittest.TestCase):
    def test_arguments_arrive_as_they_are(self):
        words = ["a b", "", "it's", 'say "x"', "line\nbreak", "$HOME", "*", "\\", "--label", "-n", "--", "é"]
        for dashes in [[], ["--"]]:
            with self.subTest(dashes=dashes):
                self.assertEqual(run("-n", 1, *dashes, PROBE, "argv", *words).stdout.decode(),
                                 "".join(f"<{word}>" for word in words) + "\n")

    def test_behind_dashes_is_the_program_whatever_its_name(self):
        for name in ["--label", "--", "bench"]:  # an option, dashes again, a command of cohort's
            with self.subTest(name=name):
                result = run("-n", 1, "--", name)
                self.assertEqual(result.returncode, 127)
                self.assertIn(f"cannot run '{name}'", result.stderr.decode())

    def test_program_with_an_odd_name(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "a 'b'\n$c")
            os.symlink("/bin/echo", name)
            self.assertEqual(run("-n", 1, name, "ran").stdout, b"ran\n")

    def test_variables(self):
        result = run("-n", 1, "-x", "A=1=2 3", "-x", "B", "-x", "C=", "sh", "-c", 'echo "$A|$B|$C|$D"',
                     env={**os.environ, "B": "two", "D": "inherited", "A": "other"})
        self.assertEqual(result.stdout, b"1=2 3|two||inherited\n")

    def test_directory(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run("-n", 1, "pwd", "-P", cwd=folder).stdout.decode().strip(), os.path.realpath(folder))

    def test_path_of_the_child_is_searched(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink("/bin/echo", os.path.join(folder, "my-echo"))
            self.assertEqual(run("-n", 1, "-x", f"PATH={folder}", "my-echo", "x").stdout, b"x\n")

    SAY_PLACE = 'echo "$COHORT_RANK $COHORT_RANKS $COHORT_LOCAL_RANK $COHORT_LOCAL_RANKS $COHORT_HOST $COHORT_HOST_NUMBER $COHORT_JOB"'

    def places(self, *words, **options):
        """What each process is told of its own, and the numbers of the jobs."""
        result = run(*words, "sh", "-c", self.SAY_PLACE, **options)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        lines = sorted(line.rsplit(" ", 1) for line in result.stdout.decode().splitlines())
        return [line[0] for line in lines], {int(line[1]) for line in lines}

    def test_each_process_is_told_its_place(self):
        here = os.uname().nodename
        places, jobs = self.places("-n", 3)
        self.assertEqual(places, [f"{rank} 3 {rank} 3 {here} 0" for rank in range(3)])
        self.assertEqual(len(jobs), 1)
        places, others = self.places("-n", 5, *RSH_HERE, "--hosts", "127.0.0.2:1,localhost:2,127.0.0.3:2")
        self.assertEqual(places, ["0 5 0 1 127.0.0.2 0", "1 5 0 2 localhost 1", "2 5 1 2 localhost 1", "3 5 0 2 127.0.0.3 2",
                                  "4 5 1 2 127.0.0.3 2"])
        self.assertEqual(len(others | jobs), 2)

    def test_the_place_is_the_same_that_the_library_tells(self):
        text = run("-n", 4, *TWO_HOSTS, "sh", "-c", f'echo "pid $COHORT_RANK of $COHORT_RANKS id $COHORT_JOB"; exec {BIN}/{PROBE} join').stdout.decode()
        told = [line for line in text.splitlines() if "listens" not in line]
        self.assertEqual(len(told), 4, text)
        for line in told:
            self.assertIn(line + " listens", text)

    def test_the_place_is_that_in_the_innermost_job(self):
        result = run("-n", 1, "-x", "COHORT_NOTE=kept", COHORT, "run", "-n", 2, "sh", "-c", self.SAY_PLACE + "; echo $COHORT_NOTE",
                     env={**os.environ, "COHORT_RANK": "7", "COHORT_HOST": "two_tree"})
        places = sorted(line.split()[:4] for line in result.stdout.decode().splitlines() if line != "kept")
        self.assertEqual(places, [["0", "2", "0", "2"], ["1", "2", "1", "2"]], result.stderr)

    def test_the_place_is_not_for_the_user_to_say(self):
        for name in ["RANK", "RANKS", "LOCAL_RANK", "LOCAL_RANKS", "HOST", "HOST_NUMBER", "JOB"]:
            result = run("-n", 1, "-x", f"COHORT_{name}=0", "true")
            self.assertEqual((result.returncode, result.stderr.count(b"\n")), (2, 1), result.stderr)

    def test_no_descriptor_is_inherited(self):
        reading, writing = os.pipe()
        os.set_inheritable(writing, True)
        text = run("-n", 1, "sh", "-c", "ls /proc/$$/fd; exit 0", pass_fds=[writing]).stdout.decode()
        os.close(reading)
        os.close(writing)
        descriptors = [int(n) for n in text.split()]
        self.assertLessEqual(len([n for n in descriptors if n > 2]), 1, descriptors)  # the control link

    def test_signals_are_as_a_shell_gives_them(self):
        text = run("-n", 1, "sh", "-c", "grep -E 'Sig(Blk|Ign)' /proc/self/status").stdout.decode()
        for line in text.splitlines():
            self.assertEqual(int(line.split()[1], 16) & ~(1 << 24), 0, text)  # SIGXFSZ: python ignores it


if __name__ == "__main__":
    main()
