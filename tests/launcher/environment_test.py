"""What the processes of `cohort run` are given: words, variables, a directory, descriptors, signals."""

import os
import tempfile
import unittest

from job_driver import PROBE, run
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
