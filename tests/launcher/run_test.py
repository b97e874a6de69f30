# SPDX-License-Identifier: Apache-2.0
"""`cohort run` on the local machine: exit codes and what it says, joining."""

import itertools
import os
import pathlib
import pty
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from job_driver import COHORT, PROBE, SANITIZED, RSH_HERE, SLACK, TWO_HOSTS, descendants, interrupt, link_limit_s, read_lines, run, start
from skips import main
from until_error import expect_within, within


class ExitStatus(unittest.TestCase):
    def expect(self, result, status, pattern=""):
        error = result.stderr.decode()
        self.assertEqual(result.returncode, status, error)
        self.assertRegex(error, pattern or "^$")
        lines = [line for line in error.splitlines() if line.startswith("cohort: ")]
        self.assertEqual(len(lines), 1 if pattern else 0, error)

    def expect_soon(self, case, words, status, pattern, limit_s=1 * SLACK, **options):
        with within(limit_s, f"{case}, the whole job"):
            result = run(*words, **options)
        self.expect(result, status, pattern)

    def test_success(self):
        self.expect(run("-n", 3, "true"), 0)
        self.expect(run("-n", 3, PROBE, "join"), 0)

    def test_any_program_need_not_join(self):
        result = run("-n", 3, "hostname")
        self.expect(result, 0)
        self.assertEqual(len(result.stdout.splitlines()), 3)

    def test_first_failed_status(self):
        self.expect(run("-n", 3, PROBE, "exit-5", 1), 5, r"rank 1 \(host \S+, process \d+\) exited with status 5")

    def test_exit_before_joining(self):
        self.expect(run("-n", 2, PROBE, "exit-before", 3), 3, r"rank [01] .* exited with status 3")

    def test_killed(self):
        self.expect(run("-n", 3, PROBE, "kill", 2), 137,
                    r"rank 2 \(host \S+, process \d+\) was killed by signal 9 \(Killed\); the job was ended")

    def test_abort(self):
        self.expect(run("-n", 3, PROBE, "abort", 0), 134, r"rank 0 .* killed by signal 6 \(Aborted\)")

    def test_exit_0_without_leaving(self):
        self.expect(run("-n", 3, PROBE, "exit-0", 1), 1, r"rank 1 .* status 0 without leaving the job")

    def test_exit_0_without_joining_while_others_wait(self):
        # rank 0 is the one whose standard input is a pipe
        script = f'if [ -p /dev/stdin ]; then exit 0; fi; exec {os.path.dirname(COHORT)}/{PROBE} join'
        self.expect(run("-n", 3, "sh", "-c", script), 1, r"rank 0 .* status 0 without joining the job")

    def test_hello_and_exit(self):
        self.expect(run("-n", 2, PROBE, "hello-and-exit"), 1, r"rank [01] .* status 0 without leaving")

    def test_death_while_the_others_leave(self):
        self.expect(run("-n", 3, PROBE, "leave-and-die", 1), 137, r"rank 1 .* signal 9")

    def test_one_that_is_refused_while_the_job_goes_on_is_killed(self):
        self.expect(run("--on-failure", "continue", "-n", 3, PROBE, "nonsense", 1), 0,
                    r"rank 1 .* was refused: its control link carried .*; the job goes on")

    def test_all_are_told(self):
        error = run("-n", 4, PROBE, "kill", 2).stderr.decode()
        self.assertEqual(error.count("told: pid 2 on"), 3, error)

    def test_44_program_not_found(self):
        self.expect_soon("44", ["-n", 2, "no-such-program"], 127, r"cannot run 'no-such-program'.*host \S+")
        self.expect_soon("44", ["-n", 2, "./no-such-program"], 127, r"cannot run")
        with tempfile.TemporaryDirectory() as folder:
            for name, status, says in (("mine", 127, "there is one in the working directory: "), (PROBE, 126, "beside cohort .*: say /.* or ")):
                os.symlink("/bin/true", os.path.join(folder, name))
                self.expect_soon("44", ["-n", 2, name], status, rf"{says}\./{name} \(host ", cwd=folder)

    def test_44_program_not_executable(self):
        self.expect_soon("44", ["-n", 2, "/etc/passwd"], 126, r"cannot run '/etc/passwd': Permission denied \(host ")
        self.expect_soon("44", ["-n", 2, "/etc"], 126, r"cannot run '/etc'")

    def test_program_that_the_system_cannot_execute(self):
        with tempfile.NamedTemporaryFile(delete=False) as file:
            file.write(b"#!/no/such/interpreter\n")
        os.chmod(file.name, 0o755)
        self.expect(run("-n", 2, file.name), 127, r"cannot run .*: No such file")
        os.unlink(file.name)

    def test_script_without_its_first_line(self):
        with tempfile.NamedTemporaryFile(delete=False) as file:
            file.write(b'echo "script $1"\n')
        os.chmod(file.name, 0o755)
        self.assertEqual(run("-n", 1, file.name, "ran").stdout, b"script ran\n")
        os.unlink(file.name)

    def test_timeout(self):
        before = time.monotonic()
        self.expect(run("--timeout", "0.4", "-n", 3, PROBE, "join-and-hang"), 124,
                    r"timeout: the job did not end within 0.4 s; still running: ranks 0-2")
        # They are asked what they do, for a second.
        expect_within(1 + 1 * SLACK, "74, of processes that do not answer, after the timeout", before + 0.4)

    def test_join_timeout_names_the_missing(self):
        script = f'if [ -p /dev/stdin ]; then exec sleep 1000; fi; exec {os.path.dirname(COHORT)}/{PROBE} join'
        self.expect(run("--join-timeout", "0.4", "-n", 3, "sh", "-c", script), 1, r"rank 0 .* has not joined")

    def test_join_timeout_names_who_has_only_begun(self):
        probe = f"{os.path.dirname(COHORT)}/{PROBE}"
        script = f"if [ -p /dev/stdin ]; then exec {probe} hello-and-hang; fi; exec {probe} join"
        self.expect(run("--join-timeout", "0.4", "-n", 3, "sh", "-c", script), 1, r"rank 0 .* has not joined")

    def test_many(self):
        self.expect(run("-n", 64, PROBE, "join"), 0)

    def test_more_than_the_usual_limit_of_descriptors(self):
        result = run("-n", 300, "sh", "-c", "ulimit -n", preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_NOFILE, (256, 4096)))
        self.expect(result, 0)
        self.assertEqual(result.stdout, b"256\n" * 300)

    def test_7_where_memory_runs_out_processes_go_before_their_launcher(self):
        score = pathlib.Path("/proc/self/oom_score_adj")
        own = int(score.read_text())
        if own > 901:
            self.skipTest(f"this process has a score of {own}, which only root could lower")
        cases = [(901, 901)] + [(low, low + 100) for low in {max(own, 7), 900} if own <= low]
        for (launcher, process), words in itertools.product(cases, [[], TWO_HOSTS]):
            result = run("-n", 2, *words, "cat", str(score), preexec_fn=lambda: score.write_text(str(launcher)))
            self.expect(result, 0)
            self.assertEqual(result.stdout.decode(), f"{process}\n" * 2)
        nobody = {"user": 65534} if os.getuid() == 0 else {}
        if own <= 900 and subprocess.run(["test", "-x", COHORT], **nobody).returncode == 0:
            self.assertEqual(run("-n", 1, "cat", str(score), **nobody).stdout.decode(), f"{own + 100}\n")

    @unittest.skipIf(SANITIZED, "the sanitizer itself needs descriptors to look at an object")
    def test_41_too_few_descriptors(self):
        self.expect_soon("41", ["-n", 100, "true"], 126, r"cannot start rank \d+: .*Too many open files.*host",
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)))

    @unittest.skipIf(SANITIZED, "the sanitizer itself needs descriptors to look at an object")
    def test_41_a_process_with_too_few_descriptors(self):
        """Whatever it is that it can't have: an error that says so, until it has all that it needs."""
        program = os.path.join(os.path.dirname(COHORT), "loop_probe")
        for limit in range(4, 40):
            with self.subTest(limit=limit):
                script = f"if [ -p /dev/stdin ]; then ulimit -n {limit}; fi; exec {program} 10 100"
                began = time.monotonic()
                result = run("-n", 3, "--host-limit", 2, "sh", "-c", script)
                told = result.stdout.decode() + result.stderr.decode()
                if result.returncode == 0:
                    break
                expect_within(link_limit_s(2), "41, of a process, the whole job", began)
                if "error while loading shared libraries" not in told:
                    self.assertRegex(told, r"(what\(\): |rank 0: error after 0: )[^\n]*Too many open files")
        self.assertEqual(told.count(": 10 in"), 3, told)


class Overrides(unittest.TestCase):
    def choices(self, *options, program=(PROBE,), **variables):
        result = run("-n", 3, *options, *program, "tuning", env={**os.environ, **variables})
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = sorted(result.stdout.decode().splitlines())
        choices = [line.split(":", 1)[1].split(";")[0].strip() for line in lines]
        self.assertEqual(choices, [choices[0]] * 3)
        return choices[0]

    def test_every_process_is_told(self):
        self.assertEqual(self.choices(), "")
        self.assertEqual(self.choices(COHORT_BCAST="two_tree:blocks=64"), "bcast/two_tree:blocks=64")
        self.assertEqual(self.choices(COHORT_COMBINE="combine/mesh_rings:mesh=1x3", COHORT_EXCLUSIVE_PREFIX="chain"),
                         "combine/mesh_rings:mesh=1x3 exclusive_prefix/chain")

    def test_an_option_counts_more_than_the_environment(self):
        self.assertEqual(self.choices("-x", "COHORT_BCAST=chain", COHORT_BCAST="binomial"), "bcast/chain")
        self.assertEqual(self.choices("-x", "COHORT_BCAST=", COHORT_BCAST="binomial"), "")
        self.assertEqual(self.choices("-x", "COHORT_BCAST", COHORT_BCAST="binomial"), "bcast/binomial")

    def test_all_choose_the_same_whatever_a_process_finds_in_its_own_environment(self):
        of_its_own = ["env", "COHORT_BCAST=chain", os.path.join(os.path.dirname(COHORT), PROBE)]
        self.assertEqual(self.choices(program=of_its_own, COHORT_BCAST="binomial"), "bcast/binomial")
        self.assertEqual(self.choices(program=of_its_own), "")

    def test_mistakes(self):
        for value, says in [("tow_tree", "COHORT_BCAST=tow_tree: there is no algorithm 'bcast/tow_tree' (did you mean 'bcast/two_tree'?); there are: bcast/"),
                            ("reduce/chain", "reduce/chain is no algorithm for bcast; there are: bcast/"),
                            ("two_tree:block=3", "bcast/two_tree has no parameter 'block'"),
                            ("two_tree:blocks=many", "'many' in bcast/two_tree:blocks=many is not a number")]:
            for options, variables in [(["-x", "COHORT_BCAST=" + value], {}), ([], {"COHORT_BCAST": value})]:
                result = run("-n", 2, *options, "true", env={**os.environ, **variables})
                error = result.stderr.decode()
                self.assertEqual((result.returncode, error.count("\n")), (2, 1), error)
                self.assertIn(says, error)

    def test_a_variable_of_no_operation_is_a_mistake_if_it_names_an_algorithm(self):
        for value in ["two_tree", "two_tree:blocks=4", "bcast/two_tree", "reduce/chain"]:
            for options, variables in [(["-x", "COHORT_BCST=" + value], {}), ([], {"COHORT_BCST": value})]:
                result = run("-n", 2, *options, "true", env={**os.environ, **variables})
                error = result.stderr.decode()
                self.assertEqual((result.returncode, error.count("\n")), (2, 1), error)
                self.assertIn(f"COHORT_BCST={value}: there is no operation of this name", error)
        self.assertEqual(self.choices(COHORT_NOTE="two_trees", COHORT_BCST="", OTHER_BCST="two_tree",
                                      COHORT_BIN="/two_tree/bin"), "")


class Usage(unittest.TestCase):
    """One line, exit status 2."""

    def test_72_one_line_and_2(self):
        with tempfile.TemporaryDirectory() as folder:
            empty = os.path.join(folder, "empty")
            twice = os.path.join(folder, "twice")
            bad = os.path.join(folder, "bad")
            for name, text in [(empty, "# nothing\n\n"), (twice, "a\nb\na\n"), (bad, "a slots=none\n")]:
                pathlib.Path(name).write_text(text)
            for words in [["-n", "0", "true"], ["-n", "-1", "true"], ["-n", "x", "true"], ["-n", "2.5", "true"],
                          ["-n", "99999999999999999999", "true"], ["-n", "2"], ["-n", "2", "--"], ["true"],
                          ["-n"], ["--", "true"],
                          ["-n", "2", "--hostfile", empty, "true"], ["-n", "2", "--hostfile", twice, "true"],
                          ["-n", "2", "--hostfile", bad, "true"], ["-n", "2", "--hostfile", "/no/such", "true"],
                          ["-n", "2", "--hosts", "a,a", "true"], ["-n", "2", "--hosts", "a,,b", "true"],
                          ["-n", "2", "--hosts", "localhost,127.0.0.1", "true"],
                          ["-n", "2", "--hosts", "a:0", "true"], ["-n", "5", "--hosts", "a:2,b:2", "true"],
                          ["-n", "2", "--hosts", "a", "--hostfile", twice, "true"],
                          ["-n", "2", "--unknown", "true"], ["-n", "2", "-q", "true"],
                          ["-n", "2", "--timeout", "soon", "true"], ["-n", "2", "--timeout", "-1", "true"],
                          ["-n", "2", "--mode", "fast", "true"], ["-n", "2", "--interface", "nosuch0", "true"],
                          ["-n", "2", "--interface", "10.0.0.0/99", "true"], ["-n", "2", "--rsh", "'ssh", "true"],
                          ["-n", "2", "-x", "NO_SUCH_VARIABLE_HERE", "true"], ["-n", "2", "-x", "=3", "true"],
                          ["-n", "2", "--hosts", "", "true"], ["-n", "2", "-x", "COHORT_CONTROL_FD=3", "true"],
                          ["-n", "2", "--ports", "5004-5000", "true"], ["-n", "2", "--ports", "-", "true"],
                          ["-n", "2", "--ports", "0-9", "true"], ["-n", "3", "--ports", "5000-5001", "true"]]:
                with self.subTest(words=words):
                    result = run(*words)
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertRegex(result.stderr, rb"\Acohort: .* \(cohort run --help tells more\)\n\Z")
                    self.assertEqual(result.stdout, b"")

    def test_unknown_command_is_named(self):
        result = subprocess.run([COHORT, "walk"], capture_output=True)
        self.assertEqual((result.returncode, result.stderr.count(b"\n")), (2, 1))
        self.assertIn(b"'walk' (cohort --help tells more)", result.stderr)

    def test_help(self):
        self.assertEqual(subprocess.run([COHORT, "--help"], capture_output=True).returncode, 0)
        text = run("--help").stdout.decode()
        for option in ["[OPTIONS] [--] PROGRAM", "--hosts", "--hostfile", "--rsh", "--interface", "--label", "--timeout", "--mode", "--barrier"]:
            self.assertIn(option, text)


class Joining(unittest.TestCase):
    def test_table_is_the_same_for_all(self):
        lines = run("-n", 5, PROBE, "join").stdout.decode().splitlines()
        self.assertEqual(sorted(int(line.split()[1]) for line in lines), [0, 1, 2, 3, 4])
        self.assertEqual(len({line.split(" id ")[1] for line in lines}), 1)
        self.assertIn("listens 127.0.0.1 cores ", lines[0])

    def test_crowded_is_where_a_machine_has_fewer_cores_than_processes(self):
        cores = int(re.search(r" cores (\d+)", run("-n", 1, PROBE, "join").stdout.decode())[1])
        some = max(1, cores)
        more = os.cpu_count() // 2 + 1  # on each of two hosts
        for words, crowded in [(["-n", some], some > cores), (["-n", some + 1], True),
                               (["-n", 2 * more, *RSH_HERE, "--hosts", f"127.0.0.2:{more},127.0.0.3:{more}"], True)]:
            with self.subTest(words=words):
                lines = run(*words, PROBE, "join").stdout.decode().splitlines()
                self.assertEqual({" crowded " in line for line in lines}, {crowded})

    def test_a_remote_shell_has_no_terminal_and_stays_in_the_session(self):
        with tempfile.TemporaryDirectory() as folder:
            shell = os.path.join(folder, "rsh")
            with open(shell, "w") as file:
                file.write(f"""#!/bin/sh
shift
if (: < /dev/tty) 2> /dev/null; then echo terminal; else echo none; fi > {folder}/$$.terminal
cut -d" " -f6 /proc/$$/stat > {folder}/$$.session
exec sh -c "$*"
""")
            os.chmod(shell, 0o700)
            launcher, terminal = pty.fork()
            if launcher == 0:
                os.execv(COHORT, [COHORT, "run", "-n", "2", "--rsh", shell, "--hosts", "127.0.0.2,127.0.0.3", PROBE, "join"])
            said = b""
            try:
                while chunk := os.read(terminal, 65536):
                    said += chunk
            except OSError:  # how a terminal ends
                pass
            self.assertEqual(os.waitpid(launcher, 0)[1], 0, said)
            found = {file.suffix: file.read_text().strip() for file in pathlib.Path(folder).glob("*.*")}
            self.assertEqual(found, {".terminal": "none", ".session": str(launcher)}, said)

    def test_modes_arrive(self):
        self.assertIn(b" barrier run :", run("-n", 1, PROBE, "join").stdout)
        self.assertIn(b" no-barrier develop progress-thread :",
                      run("-n", 1, "--no-barrier", "--mode", "develop", "--progress-thread", PROBE, "join").stdout)

    def test_alone(self):
        probe = os.path.join(os.path.dirname(COHORT), PROBE)
        self.assertEqual(subprocess.run([probe, "join"], capture_output=True).stdout, b"alone\n")

    def test_link_is_hidden_from_what_a_process_starts(self):
        self.assertEqual(run("-n", 2, PROBE, "half").stdout, b"hidden\n" * 2)

    def test_broken_link_is_an_error(self):
        probe = os.path.join(os.path.dirname(COHORT), PROBE)
        for value in ["77", "x", "", "1"]:
            result = subprocess.run([probe, "join"], capture_output=True, env={"COHORT_CONTROL_FD": value})
            self.assertEqual(result.returncode, 9)
            self.assertIn(b"COHORT_CONTROL_FD", result.stderr)

    def test_a_job_within_a_job(self):
        result = run("-n", 2, COHORT, "run", "-n", 2, PROBE, "join")
        self.assertEqual((result.returncode, result.stdout.count(b"\n")), (0, 4), result.stderr)

    def test_two_jobs_do_not_meet(self):
        jobs = [start("-n", 4, PROBE, "join") for _ in range(2)]
        outputs = [job.communicate(timeout=60)[0].decode() for job in jobs]
        ids = [set(re.findall(r" id (\d+)", output)) for output in outputs]
        self.assertEqual([len(i) for i in ids], [1, 1])
        self.assertNotEqual(*ids)
        self.assertEqual([job.returncode for job in jobs], [0, 0])

    def test_nothing_secret_shows(self):
        job = start("-n", 2, PROBE, "join-and-hang")
        self.addCleanup(lambda: job.poll() is not None or job.kill())
        ours = {os.fsencode(f"{name}={value}") for name, value in os.environ.items()}
        read_lines(job.stdout, 2)
        for pid in [job.pid] + descendants(job.pid):
            for name in ["environ", "cmdline"]:
                text = pathlib.Path(f"/proc/{pid}/{name}").read_bytes()
                for setting in text.split(b"\0"):
                    if setting.startswith(b"COHORT") and setting not in ours:
                        self.assertRegex(setting, rb"^COHORT_(CONTROL_FD=\d+|STARTED_BY=[0-9a-f]{24}|TEST_MARK=[0-9a-f]{16}|HOST=.*"
                                         rb"|(LOCAL_)?RANKS?=\d+|HOST_NUMBER=\d+|JOB=\d+)$")
                self.assertNotIn(b"secret", text.lower())
        interrupt(job, signal.SIGTERM)
        job.communicate(timeout=60)


class Nonsense(unittest.TestCase):
    """A process that says on its control link what no library of ours says: the job ends, the launcher does not."""

    SCRIPT = ("import os, socket, sys\n"
              "link = socket.socket(fileno=int(os.environ['COHORT_CONTROL_FD'])); link.setblocking(True)\n"
              "link.sendall(bytes.fromhex(sys.argv[1]))\n"
              "while data := link.recv(4096): sys.stderr.write(repr(data) + chr(10))\n")

    def expect(self, message, pattern):
        result = run("-n", 2, sys.executable, "-c", self.SCRIPT, message.hex())
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr.decode(), r"cohort: rank [01] \(host \S+, process \d+\) was refused: .*" + pattern)
        return result.stderr.decode()

    def test_44_another_version_of_the_library(self):
        """Both versions are named, here and there."""
        error = self.expect(b"\x07\0\0\0\x0a\x05\x0a\x039.9", r"version 9\.9 .*version \d+\.\d+\.\d+")
        self.assertRegex(error, r"the job refuses this process: .*version 9\.9")

    def test_a_length_of_4_gigabytes(self):
        self.expect(b"\xff\xff\xff\xff", "claims 4294967295 bytes")

    def test_random_bytes(self):
        self.expect(b"\x08\0\0\0" + b"\xff" * 8, "makes no sense")

    def test_a_field_longer_than_its_message(self):
        self.expect(b"\x04\0\0\0\x0a\xff\xff\x7f", "makes no sense")

    def test_leaving_before_hello(self):
        self.expect(b"\x02\0\0\0\x1a\0", "before it said hello")

    @staticmethod
    def framed(field, message):
        """A short FromProcess with this one in it."""
        return bytes([len(message) + 2, 0, 0, 0, field << 3 | 2, len(message)]) + message

    def hello(self):
        version = subprocess.run([COHORT, "--version"], capture_output=True).stdout.split()[1]
        return self.framed(1, b"\x0a" + bytes([len(version)]) + version)

    def test_hello_twice(self):
        self.expect(self.hello() * 2, "second process")

    def test_an_answer_that_refers_to_nothing(self):
        """Nobody asked: it is impatient. It waits for a call, or for a process, that there is not."""
        for waits in (b"\x22\x02\x18\x05", b"\x1a\x04\x52\x02\x08\x09"):
            with self.subTest(waits):
                self.expect(self.hello() + self.framed(4, b"\x08\x02" + waits), "its answer names calls or ranks that do not exist")


if __name__ == "__main__":
    main()
