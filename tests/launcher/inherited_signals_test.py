# SPDX-License-Identifier: Apache-2.0
"""A launcher, or an agent, that is started with signals blocked or ignored: the job is as without, and its processes have
what the launcher was started with."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

from job_driver import (LIMIT_S, PROBE, TWO_HOSTS, expect_nothing_left, interrupt, numbers, read_lines, run, start, wait_until_stopped)
from skips import main

# A sanitizer would handle these itself.
for sanitizer in ("ASAN_OPTIONS", "TSAN_OPTIONS"):
    os.environ[sanitizer] = ":".join([*filter(None, [os.environ.get(sanitizer)]), "handle_segv=0:handle_sigbus=0:handle_sigfpe=0"])
ALL = signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}
WITH = """
import os, signal, sys
blocked, ignored = ({int(word) for word in words.split(",") if word} for words in sys.argv[1:3])
for number in ignored:
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
os.execvp(sys.argv[3], sys.argv[3:])
"""


class Kind:
    def __init__(self, name, blocked=(), ignored=()):
        self.name, self.blocked, self.ignored = name, set(blocked), set(ignored)

    def apply(self):
        """In a child, before it begins a program."""
        for number in self.ignored:
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, self.blocked)

    def words(self):
        """A command that begins another one so."""
        return [sys.executable, "-c", WITH, *(",".join(str(int(number)) for number in sorted(numbers))
                                              for numbers in (self.blocked, self.ignored))]


KINDS = [Kind("SIGCHLD blocked", blocked=[signal.SIGCHLD]), Kind("SIGCHLD ignored", ignored=[signal.SIGCHLD]),
         Kind("SIGTERM blocked", blocked=[signal.SIGTERM]), Kind("SIGTERM ignored", ignored=[signal.SIGTERM]),
         Kind("as nohup does", ignored=[signal.SIGHUP]), Kind("as a shell in the background does", ignored=[signal.SIGINT, signal.SIGQUIT]),
         Kind("SIGPIPE ignored", ignored=[signal.SIGPIPE]), Kind("all blocked", blocked=ALL), Kind("all ignored", ignored=ALL)]
NONE = Kind("none")
HARDEST = [kind for kind in KINDS if "SIGCHLD" in kind.name or "all" in kind.name]  # for agents, too
EACH = [(kind, []) for kind in KINDS] + [(kind, TWO_HOSTS) for kind in HARDEST]


class InheritedSignals(unittest.TestCase):
    def begin(self, kind, *words):
        """A job whose processes run; their process numbers."""
        job = start(*words, "-n", 2, PROBE, "join-and-hang", preexec_fn=kind.apply)
        self.addCleanup(lambda: job.poll() is not None or job.kill())
        return job, numbers(read_lines(job.stdout, 2))

    def end(self, job, kind):
        """By a request; by a second one, where the processes do not hear the first."""
        interrupt(job, signal.SIGTERM)
        if signal.SIGTERM in kind.blocked | kind.ignored:
            job.send_signal(signal.SIGTERM)
        _, error = job.communicate(timeout=LIMIT_S)
        self.assertEqual(job.returncode, 128 + signal.SIGTERM, error)
        expect_nothing_left(job)

    def test_81_a_job_ends_by_itself(self):
        for kind, hosts in EACH:
            with self.subTest(kind.name, hosts=hosts):
                result = run(*hosts, "-n", 5, "hello", preexec_fn=kind.apply, timeout=20)
                self.assertEqual((result.returncode, result.stderr), (0, b""))
                self.assertIn(b"\n5 said hello\n", result.stdout)

    def test_81_a_request_to_end_and_a_limit_are_heard(self):
        for kind, hosts in EACH:
            with self.subTest(kind.name, hosts=hosts):
                self.end(self.begin(kind, *hosts)[0], kind)
        stubborn = run("-n", 1, "--timeout", 0.2, "sleep", 600, preexec_fn=KINDS[0].apply, timeout=20)
        self.assertEqual(stubborn.returncode, 124, stubborn.stderr)

    def test_81_what_nohup_and_a_shell_ignore_stays_ignored(self):
        for kind in KINDS:
            for number in kind.ignored & {signal.SIGHUP, signal.SIGINT}:
                with self.subTest(kind.name, number=number):
                    job, _ = self.begin(kind)
                    job.send_signal(number)
                    with self.assertRaises(subprocess.TimeoutExpired):
                        job.wait(0.2)
                    self.end(job, kind)

    def test_81_a_suspended_job_is_woken(self):
        for kind in (Kind("blocked", blocked=ALL), Kind("SIGCONT ignored", ignored=[signal.SIGCONT])):
            with self.subTest(kind.name):
                job, pids = self.begin(kind, *TWO_HOSTS)
                job.send_signal(signal.SIGTSTP)
                os.waitid(os.P_PID, job.pid, os.WSTOPPED)
                wait_until_stopped(pids)
                job.send_signal(signal.SIGCONT)
                os.waitid(os.P_PID, job.pid, os.WCONTINUED)
                self.end(job, kind)

    def signals_of(self, *words, **options):
        """What each of two processes begins with: the masks of those that are blocked, and ignored."""
        result = run("-n", 2, *words, "cat", "/proc/self/status", timeout=20, **options)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        masks = [int(mask, 16) for mask in re.findall(r"(?m)^Sig(?:Blk|Ign):\s+(\w+)$", result.stdout.decode())]
        self.assertEqual(masks[:2], masks[2:])
        return [{number for number in ALL if mask >> (number - 1) & 1} for mask in masks[:2]]

    def test_81_processes_have_what_the_launcher_was_started_with(self):
        for kind, hosts in EACH:
            with self.subTest(kind.name, hosts=hosts):
                self.assertEqual(self.signals_of(*hosts, preexec_fn=kind.apply), [kind.blocked, kind.ignored])

    def test_81_so_they_have_wherever_an_agent_was_started_with_others(self):
        with tempfile.TemporaryDirectory() as folder:
            for kind in HARDEST:
                with self.subTest(kind.name):
                    shell = os.path.join(folder, "rsh")
                    with open(shell, "w") as file:
                        file.write("#!/bin/sh\nshift\nexec " + " ".join(f"'{word}'" for word in kind.words()) + ' sh -c "$*"\n')
                    os.chmod(shell, 0o700)
                    hosts = ["--rsh", shell, "--hosts", "127.0.0.2,127.0.0.3"]
                    self.assertEqual(self.signals_of(*hosts, preexec_fn=NONE.apply), [set(), set()])
                    result = run(*hosts, "-n", 2, PROBE, "kill", 1, timeout=20)
                    self.assertEqual(result.returncode, 137, result.stderr)
                    self.end(self.begin(NONE, *hosts)[0], NONE)


if __name__ == "__main__":
    main()
