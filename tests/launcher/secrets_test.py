# SPDX-License-Identifier: Apache-2.0
"""The job's secret, and the key of the launcher and its agents: nowhere to be seen, also by who has the same machine."""

import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import unittest

import hostile
from attacked_job import RANKS, Case
from job_driver import BIN, COHORT, SANITIZED, read_lines, start
from skips import main


WAITING_RSH = """#!/usr/bin/env python3
# A remote shell that starts the agent here, and writes down by which signal it ended, and whether its core was dumped.
import os, sys
agent = os.fork()
if agent == 0:
    os.execv("/bin/sh", ["sh", "-c", "exec " + " ".join(sys.argv[3:])])
_, status = os.waitpid(agent, 0)
with open(sys.argv[1], "w") as file:
    file.write(f"{os.WTERMSIG(status)} {os.WCOREDUMP(status)}")
"""


@unittest.skipIf(SANITIZED, "a sanitizer does not let a process look through its own memory")
class Secrets(Case):
    def test_they_are_nowhere_to_be_seen(self):
        """The job's secret, as a process knows it, and the key of the launcher and its agents: in no argument, variable
        or open file of any process of the job, in no output, and in no file that the job leaves where it runs."""
        for options in ([], self.remote):
            with self.subTest(remote=bool(options)), tempfile.TemporaryDirectory() as place:
                job = start("-n", RANKS, *options, "--mode", "develop", "--record", os.path.join(place, "record"),
                            os.path.join(BIN, "secret_probe"), stdin=subprocess.PIPE, cwd=place,
                            env={**os.environ, "ORDERS": str(self.folder / "orders")})
                [line] = read_lines(job.stdout, 1)  # on this line only, for us
                secret = bytes.fromhex(line)
                forms = [secret, secret.hex().encode(), b"PRIVATE KEY"]
                for pid in [job.pid, *hostile.descendants(job.pid)]:
                    of_process = pathlib.Path(f"/proc/{pid}")
                    opened = [file for file in (of_process / "fd").iterdir()
                              if file.is_file() and self.folder not in file.resolve().parents]  # our shell's own record
                    for file in [*(of_process / name for name in ("cmdline", "environ", "comm")), *opened]:
                        self.expect_none_of(forms, file)
                output, error = job.communicate(b"\n", timeout=60)
                self.assertEqual(job.returncode, 0, error)
                for form in forms:
                    self.assertNotIn(form, output + error)
                for file in pathlib.Path(place).rglob("*"):
                    self.expect_none_of(forms, file)

    def expect_none_of(self, forms, file):
        text = file.read_bytes()
        for form in forms:
            self.assertNotIn(form, text, file)

    def test_no_core_dump_holds_them(self):
        """Of the launcher and its agents there is none; of a process the system writes all but the secret. Each process
        looks for it in its own memory."""
        job = start("-n", RANKS, *self.remote, os.path.join(BIN, "secret_probe"), stdin=subprocess.PIPE,
                    env={**os.environ, "ORDERS": str(self.folder / "orders")})
        read_lines(job.stdout, 1)
        output, error = job.communicate(b"\n", timeout=60)
        self.assertEqual((job.returncode, output), (0, b"0 copies\n" * RANKS), error)

        def begin(*words):
            process = subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (-1, -1)))
            read_lines(process.stdout, 1)
            return process

        def dumps_core(*words):
            process = begin(*words)
            process.send_signal(signal.SIGABRT)
            _, status = os.waitpid(process.pid, 0)
            process.returncode = -signal.SIGABRT
            process.stdout.close()
            self.assertTrue(os.WIFSIGNALED(status))
            return os.WCOREDUMP(status)

        if not dumps_core("/bin/sh", "-c", "echo; exec sleep 60"):
            self.skipTest("this system writes no core dumps")
        self.assertFalse(dumps_core(COHORT, "run", "-n", "1", "sh", "-c", "echo; exec sleep 60"))

        rsh, ending = self.folder / "waiting_rsh", self.folder / "ending"
        rsh.write_text(WAITING_RSH)
        rsh.chmod(0o755)
        job = begin(COHORT, "run", "-n", "1", "--rsh", f"{rsh} {ending}", "--hosts", "127.0.0.2",
                    "sh", "-c", "echo; exec sleep 60")
        [agent] = [pid for pid in hostile.descendants(job.pid)
                   if pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[1:2] == [b"agent"]
                   and pathlib.Path(f"/proc/{pid}/comm").read_text() == "cohort\n"]
        os.kill(agent, signal.SIGABRT)
        job.communicate(timeout=60)
        self.assertEqual(ending.read_text(), f"{signal.SIGABRT} False")


if __name__ == "__main__":
    main()
