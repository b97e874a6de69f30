# SPDX-License-Identifier: Apache-2.0
"""Names, arguments and variables of any bytes: they arrive as they are, here and on other hosts, and are shown escaped.
Case 86 of the list of faults."""

import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import unittest

from job_driver import BIN, COHORT, PROBE, RSH_HERE, interrupt, read_until, run, start, status_when
from skips import main

SEED = int(os.environ.get("COHORT_SEED", random.randrange(1 << 32)))
HERE = []
THERE = [*RSH_HERE, "--hosts", "127.0.0.2"]  # by an agent
SOURCE = b"hang_probe.cpp"  # as the library says where a call stands


def drawn(draw, length, without=b"/"):
    """A name that is no UTF-8, with all that a file's name may hold."""
    allowed = sorted(set(range(1, 256)) - set(without))
    return bytes([draw.choice(allowed) for _ in range(length - 1)] + [draw.randrange(0x80, 0x100)])


def as_word(name):
    return os.fsdecode(name)


def shown(name):
    """How a name appears in what is said, as a pattern: whatever is UTF-8 by chance is itself."""
    text = ""
    for part in re.findall(rb"[\x20-\x7e]+|[^\x20-\x7e]+", name):
        if 0x20 <= part[0] <= 0x7e:
            text += re.escape(part.decode())
        else:
            text += r"(?:[^\x00-\x1f]|\\x[0-9a-f]{2}|\\n|\t)+"
    return text


class Bytes(unittest.TestCase):
    def setUp(self):
        self.draw = random.Random(SEED)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cohort-bytes-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def expect_clean(self, data):
        """Text for a terminal: UTF-8, and no control character that could move its cursor or change its colours."""
        self.assertNotRegex(data.decode(), r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", f"seed {SEED}")
        return data.decode()

    def test_86_arguments_variables_the_directory_and_the_program(self):
        directory = os.fsencode(self.folder) + b"/" + drawn(self.draw, 20)
        os.mkdir(directory)
        program = drawn(self.draw, 20)
        os.symlink(os.fsencode(os.path.join(BIN, PROBE)), directory + b"/" + program)
        words = [drawn(self.draw, length, b"") for length in (1, 2, 30, 3000)] + [bytes(range(1, 256))]
        value = drawn(self.draw, 200, b"")
        for where in (HERE, THERE):
            with self.subTest(seed=SEED, remote=bool(where)):
                result = run("-n", 1, *where, "-x", as_word(b"COHORT_TEST_BYTES=" + value), as_word(b"./" + program), "bytes",
                             *map(as_word, words), cwd=directory)
                self.assertEqual((result.returncode, result.stderr), (0, b""))
                self.assertEqual(result.stdout.split(b"\0"), [*words, directory, value, b""])

    def test_86_the_path_of_cohort_itself(self):
        directory = os.fsencode(self.folder) + b"/" + drawn(self.draw, 20)
        os.mkdir(directory)
        own = shutil.copy(COHORT, directory + b"/cohort")
        result = subprocess.run([own, "run", "-n", "1", *THERE, os.path.join(BIN, PROBE), "argv", "a"], capture_output=True, timeout=60)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"<a>\n", b""), f"seed {SEED}")

    def test_86_the_name_of_a_host(self):
        host = drawn(self.draw, 12, b"/:,[-# \t\n")
        result = run("-n", 1, *RSH_HERE, "--hosts", as_word(host), PROBE, "join")
        self.assertEqual(result.returncode, 0, (SEED, result.stderr))
        self.assertIn(b" " + host + b"/", result.stdout)
        result = run("-n", 1, *RSH_HERE, "--hosts", as_word(host), PROBE, "exit-before", 3)
        self.assertEqual(result.returncode, 3)
        self.assertRegex(self.expect_clean(result.stderr), rf"rank 0 \(host {shown(host)}, process")

    def test_86_what_the_command_refuses(self):
        name = drawn(self.draw, 20) + b"\n\x1b[2J\xc2\x9b"
        for words, status in [(["-n", 1, *HERE, as_word(b"./" + name)], 127), (["-n", 1, *THERE, as_word(b"./" + name)], 127),
                              (["-n", as_word(name), "true"], 2), (["-n", 1, "--faults", as_word(name), "true"], 2),
                              (["-n", 1, "--rsh", "sh -c 'cat \"$1\" >&2; exit 7' rsh", "--hosts", as_word(b"-" + name), "true"], 2),
                              (["-n", 1, "-x", as_word(name.replace(b"=", b"")), "true"], 2)]:
            with self.subTest(seed=SEED, words=words):
                result = run(*words)
                self.assertEqual(result.returncode, status, result.stderr)
                self.assertEqual(len(self.expect_clean(result.stderr).splitlines()), 1, result.stderr)
        noise = self.folder / "noise"
        noise.write_bytes(name)
        result = run("-n", 1, "--rsh", f"sh -c 'cat {noise}; exit 7' rsh", "--hosts", "127.0.0.2", "true")
        self.assertEqual(result.returncode, 1)
        self.expect_clean(result.stderr)

    def test_86_a_source_file_s_name_in_reports(self):
        """Of whoever waits: by --patience, cohort status and --timeout. Nobody is refused for it."""
        for where, mode in ((HERE, "run"), (THERE, "run"), (HERE, "develop")):
            name = drawn(self.draw, len(SOURCE))
            with self.subTest(seed=SEED, name=name, where=where, mode=mode):
                probe = self.folder / "probe"
                probe.write_bytes(pathlib.Path(BIN, "hang_probe").read_bytes().replace(SOURCE, name))
                probe.chmod(0o755)
                job = start("-n", 2, *where, "--mode", mode, "--patience", "0.2", "--timeout", 60, probe, "receive", "\x1b[31m")
                self.addCleanup(job.communicate)
                told = self.expect_clean(read_until(job.stderr, r"in receive of group \(0,0\).*\n.*\n").encode())
                line = rf"in receive of group \(0,0\) with tag 7 for \S+ s, waits for rank 1 \({shown(name)}:\d+\)"
                self.assertRegex(told, line)
                answer = status_when(job, line)
                self.expect_clean(answer.encode())
                self.assertIn(r" receive \x1b[31m, for", answer)
                listed = subprocess.run([COHORT, "status"], capture_output=True, check=True).stdout
                self.assertIn(r"\x1b[31m", self.expect_clean(listed))
                interrupt(job)
                _, error = job.communicate(timeout=60)
                self.assertEqual((job.returncode, error), (130, b"cohort: interrupted\n"))

    def test_86_megabytes_of_arguments(self):
        """The job is listed, and its processes are described."""
        job = start("-n", 1, "sh", "-c", "echo begins; read end", "sh", *["x" * 100_000] * 18, stdin=subprocess.PIPE)
        self.addCleanup(job.communicate)
        read_until(job.stdout, "begins")
        status_when(job, "rank 0")
        listed = subprocess.run([COHORT, "status"], capture_output=True, check=True, text=True).stdout
        self.assertEqual(listed.count("x" * 100_000), 18)


if __name__ == "__main__":
    main()
