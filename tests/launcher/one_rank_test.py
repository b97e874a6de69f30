# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/how-to/debugging.md, as they stand there, here and on hosts with agents."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from job_driver import BIN, RSH_HERE, SANITIZED
from skips import main

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/how-to/debugging.md"
HOSTS = shlex.join([*RSH_HERE, "--hosts", "127.0.0.2,127.0.0.3"])


def command_of(heading):
    section = PAGE.read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
    [command] = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    return command


class OneRank(unittest.TestCase):
    def each(self, heading, program, *arguments, status=0):
        """The folder and the output of its command, here and on two hosts."""
        command = command_of(heading)
        self.assertEqual((command.count("cohort run -n 4 "), command.count("./program")), (1, 1))
        command = command.replace("./program", shlex.join(["./program", *arguments]))
        for hosts in "", HOSTS + " ":
            with tempfile.TemporaryDirectory() as folder:
                os.symlink(shutil.which(program, path=f"{BIN}:{os.environ['PATH']}"), f"{folder}/program")
                result = subprocess.run(["sh", "-c", command.replace("-n 4 ", "-n 4 " + hosts)], cwd=folder, timeout=120,
                                        stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                        env={**os.environ, "PATH": BIN + ":" + os.environ["PATH"]})
                said = f"{hosts}: {result.stdout}{result.stderr}"
                self.assertEqual(result.returncode, status, said)
                yield pathlib.Path(folder), said

    @unittest.skipIf(shutil.which("gdb") is None, "no gdb")
    @unittest.skipIf(SANITIZED, "a sanitizer looks for leaks as a debugger does")
    def test_a_debugger(self):
        for _, said in self.each("A debugger", "hello"):
            self.assertRegex(said, r"(?m)^4 said hello$")
            self.assertEqual(len(re.findall(r"\[Inferior 1 \(process \d+\) exited normally\]", said)), 1, said)
        for _, said in self.each("A debugger", "fault_probe", "1", "segv", "20", status=255):
            self.assertRegex(said, r"received signal SIGSEGV[^$]*\n#0 ")

    @unittest.skipIf(shutil.which("valgrind") is None, "no valgrind")
    @unittest.skipIf(SANITIZED, "valgrind and a sanitizer do not go together")
    def test_valgrind(self):
        for folder, said in self.each("Valgrind", "hello"):
            self.assertRegex(said, r"(?m)^4 said hello$")
            self.assertEqual((folder / "valgrind.log").read_text(), "", said)

    def test_a_log_of_its_own(self):
        for folder, said in self.each("A log of its own", "sh", "-c", "hello; echo to both >&2"):
            self.assertNotIn("hello", said)
            for rank in range(4):
                text = (folder / f"log.{rank}").read_text()
                self.assertIn(f"hello from rank {rank} of 4", text)
                self.assertIn("to both", text)

    def test_a_gpu_of_its_own(self):
        for hosts, (_, said) in zip((1, 2), self.each("A GPU of its own", "sh", "-c", 'echo "$COHORT_HOST_NUMBER: $CUDA_VISIBLE_DEVICES"')):
            taken = [f"{host}: {gpu}" for host in range(hosts) for gpu in (0, 1) for _ in range(2 // hosts)]
            self.assertEqual(sorted(re.findall(r"(?m)\d: \d$", said)), taken)


if __name__ == "__main__":
    main()
