"""`cohort run` on the local machine: exit codes, what it says, output, input, signals, and that nothing is left."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from job_driver import (COHORT, PROBE, SANITIZED, alive, descendants, interrupt, numbers, read_lines, run, start, text_of,
                        wait_until_gone)


class ExitStatus(unittest.TestCase):
    def expect(self, result, status, pattern=""):
        error = result.stderr.decode()
        self.assertEqual(result.returncode, status, error)
        self.assertRegex(error, pattern or "^$")
        lines = [line for line in error.splitlines() if line.startswith("cohort: ")]
        self.assertEqual(len(lines), 1 if pattern else 0, error)

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

    def test_all_are_told(self):
        error = run("-n", 4, PROBE, "kill", 2).stderr.decode()
        self.assertEqual(error.count("told: pid 2 on"), 3, error)

    def test_program_not_found(self):
        self.expect(run("-n", 2, "no-such-program"), 127, r"cannot run 'no-such-program'.*host \S+")
        self.expect(run("-n", 2, "./no-such-program"), 127, r"cannot run")

    def test_program_not_executable(self):
        self.expect(run("-n", 2, "/etc/passwd"), 126, r"cannot run '/etc/passwd': Permission denied \(host ")
        self.expect(run("-n", 2, "/etc"), 126, r"cannot run '/etc'")

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
        self.assertLess(time.monotonic() - before, 3)

    def test_join_timeout_names_the_missing(self):
        script = f'if [ -p /dev/stdin ]; then exec sleep 1000; fi; exec {os.path.dirname(COHORT)}/{PROBE} join'
        self.expect(run("--join-timeout", "0.4", "-n", 3, "sh", "-c", script), 1, r"rank 0 .* has not joined")

    def test_many(self):
        self.expect(run("-n", 64, PROBE, "join"), 0)


class Usage(unittest.TestCase):
    """Faults, case 72: one line, exit status 2."""

    def test_one_line_and_2(self):
        with tempfile.TemporaryDirectory() as folder:
            empty = os.path.join(folder, "empty")
            twice = os.path.join(folder, "twice")
            bad = os.path.join(folder, "bad")
            for name, text in [(empty, "# nothing\n\n"), (twice, "a\nb\na\n"), (bad, "a slots=none\n")]:
                pathlib.Path(name).write_text(text)
            for words in [["-n", "0", "true"], ["-n", "-1", "true"], ["-n", "x", "true"], ["-n", "2.5", "true"],
                          ["-n", "99999999999999999999", "true"], ["-n", "2"], ["true"], ["-n"],
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
                          ["-n", "2", "-x", "NO_SUCH_VARIABLE_HERE", "true"], ["-n", "2", "-x", "=3", "true"]]:
                with self.subTest(words=words):
                    result = run(*words)
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertEqual(result.stderr.count(b"\n"), 1, result.stderr)
                    self.assertTrue(result.stderr.startswith(b"cohort: "), result.stderr)
                    self.assertEqual(result.stdout, b"")

    def test_help(self):
        self.assertEqual(subprocess.run([COHORT, "--help"], capture_output=True).returncode, 0)
        text = run("--help").stdout.decode()
        for option in ["--hosts", "--hostfile", "--rsh", "--interface", "--label", "--timeout", "--mode", "--barrier"]:
            self.assertIn(option, text)


class Joining(unittest.TestCase):
    def test_table_is_the_same_for_all(self):
        lines = run("-n", 5, PROBE, "join").stdout.decode().splitlines()
        self.assertEqual(sorted(int(line.split()[1]) for line in lines), [0, 1, 2, 3, 4])
        self.assertEqual(len({line.split(" id ")[1] for line in lines}), 1)
        self.assertIn("listens 127.0.0.1 here 5", lines[0])

    def test_modes_arrive(self):
        self.assertIn(b" barrier run ", run("-n", 1, PROBE, "join").stdout)
        self.assertIn(b" no-barrier develop ",
                      run("-n", 1, "--no-barrier", "--mode", "develop", PROBE, "join").stdout)

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

    def test_two_jobs_do_not_meet(self):
        jobs = [start("-n", 4, PROBE, "join") for _ in range(2)]
        outputs = [job.communicate(timeout=60)[0].decode() for job in jobs]
        ids = [set(re.findall(r" id (\d+)", output)) for output in outputs]
        self.assertEqual([len(i) for i in ids], [1, 1])
        self.assertNotEqual(*ids)
        self.assertEqual([job.returncode for job in jobs], [0, 0])

    def test_nothing_secret_shows(self):
        job = start("-n", 2, PROBE, "join-and-hang")
        read_lines(job.stdout, 2)
        for pid in [job.pid] + descendants(job.pid):
            for name in ["environ", "cmdline"]:
                with open(f"/proc/{pid}/{name}", "rb") as file:
                    text = file.read()
                for setting in text.split(b"\0"):
                    if setting.startswith(b"COHORT") and not setting.startswith((b"COHORT_BIN", b"COHORT_SAN")):
                        self.assertRegex(setting, rb"^COHORT_CONTROL_FD=\d+$")
                self.assertNotIn(b"secret", text.lower())
        interrupt(job, signal.SIGTERM)
        job.communicate(timeout=60)


class Environment(unittest.TestCase):
    def test_arguments_arrive_as_they_are(self):
        words = ["a b", "", "it's", 'say "x"', "line\nbreak", "$HOME", "*", "\\", "--label", "-n", "--", "é"]
        self.assertEqual(run("-n", 1, PROBE, "argv", *words).stdout.decode(),
                         "".join(f"<{word}>" for word in words) + "\n")

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


class Output(unittest.TestCase):
    def test_labels(self):
        lines = run("-n", 3, "--label", PROBE, "join").stdout.decode().splitlines()
        for line in lines:
            self.assertEqual(line.split()[0].strip("[]"), line.split()[2])
        self.assertEqual(len(lines), 3)

    def test_lines_are_never_torn(self):
        for length in [1, 80, 5000, 70000]:
            count = 2000 if length < 1000 else 100
            text = run("-n", 6, PROBE, "lines", count, length).stdout
            lines = text.split(b"\n")[:-1]
            self.assertEqual(len(lines), 6 * count)
            for line in lines:
                self.assertEqual(line, line[:1] * length)

    def test_labelled_lines_are_never_torn(self):
        lines = run("-n", 4, "--label", PROBE, "lines", 2000, 100).stdout.decode().splitlines()
        of_rank = {}
        for line in lines:
            rank, text = re.fullmatch(r"\[(\d)\] ((.)\3{99})", line).group(1, 2)
            of_rank.setdefault(rank, []).append(text)
        self.assertEqual({rank: len(texts) for rank, texts in of_rank.items()}, {str(r): 2000 for r in range(4)})

    def test_last_line_without_newline(self):
        self.assertEqual(run("-n", 1, "printf", "no newline").stdout, b"no newline")
        self.assertEqual(run("-n", 1, "--label", "printf", "no newline").stdout, b"[0] no newline\n")

    def test_standard_error_stays_apart(self):
        result = run("-n", 2, "sh", "-c", "echo out; echo err >&2")
        self.assertEqual((result.stdout, result.stderr), (b"out\n" * 2, b"err\n" * 2))

    def test_any_bytes(self):
        result = run("-n", 1, "printf", r"\000\377\r\n")
        self.assertEqual(result.stdout, b"\0\xff\r\n")

    def test_closed_pipe(self):
        """Faults, case 71."""
        job = start("-n", 2, "yes")
        job.stdout.close()
        self.assertEqual(job.wait(timeout=60), 141)
        self.assertEqual(job.stderr.read(), b"")
        job.stderr.close()

    def test_slow_reader_holds_back_the_writer_but_not_control(self):
        job = start("-n", 2, "yes")
        time_limit = time.monotonic() + 10
        size = lambda: int(re.search(r"VmRSS:\s+(\d+)", text_of(job.pid, "status")).group(1))
        read_lines(job.stdout, 1)
        written = lambda: [int(re.search(r"wchar: (\d+)", text_of(pid, "io")).group(1))
                           for pid in descendants(job.pid) if "yes" in text_of(pid, "comm")]
        before, now = None, written()
        while before != now and time.monotonic() < time_limit:  # until nothing moves any more
            before = now
            time.sleep(0.2)
            now = written()
        self.assertEqual(before, now)
        self.assertLess(sum(now), 8 << 20)
        if not SANITIZED:
            self.assertLess(size(), 64 << 10)
        interrupt(job)
        self.assertEqual(job.wait(timeout=60), 130)
        job.stdout.close()
        job.stderr.close()


class Input(unittest.TestCase):
    def test_all_of_it_goes_to_rank_0(self):
        megabytes = 32 if SANITIZED else 256
        block = bytes(range(256)) * 4096
        job = start("-n", 2, "--label", PROBE, "count-stdin", stdin=subprocess.PIPE)
        for _ in range(megabytes):
            job.stdin.write(block)
        lines = sorted(job.communicate(timeout=120)[0].decode().splitlines())
        self.assertEqual(lines[1], "[1] 0 0")
        self.assertTrue(lines[0].startswith(f"[0] {megabytes << 20} "), lines)
        self.assertEqual(job.returncode, 0)
        expected = self.sum_of(block, megabytes)
        self.assertEqual(int(lines[0].split()[2]), expected)

    @staticmethod
    def sum_of(block, count):
        """What the probe computes: sum = sum * 31 + byte, modulo 2^64; block by block in logarithmic time."""
        modulus, value = 1 << 64, 0
        for byte in block:
            value = (value * 31 + byte) % modulus
        factor, total = pow(31, len(block), modulus), 0
        for _ in range(count):
            total = (total * factor + value) % modulus
        return total

    def test_never_read(self):
        block = b"x" * (1 << 20)
        job = start("-n", 2, "sleep", "0.5", stdin=subprocess.PIPE)
        written = 0
        try:
            for _ in range(64):
                job.stdin.write(block)
                written += len(block)
        except BrokenPipeError:
            pass
        self.assertLess(written, 8 << 20)
        try:
            job.stdin.close()
        except BrokenPipeError:
            pass
        self.assertEqual(job.wait(timeout=60), 0)
        job.stdout.close()
        job.stderr.close()

    def test_from_a_file(self):
        with open("/etc/passwd", "rb") as file:
            self.assertEqual(run("-n", 1, "cat", stdin=file).stdout, pathlib.Path("/etc/passwd").read_bytes())

    def test_closed_standard_input(self):
        result = subprocess.run(["sh", "-c", 'exec "$0" run -n 2 cat <&-', COHORT], capture_output=True, timeout=60)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"", b""))


class Signals(unittest.TestCase):
    def test_interrupted_once(self):
        job = start("-n", 3, PROBE, "join-and-hang")
        pids = numbers(read_lines(job.stdout, 3))
        interrupt(job)
        output, error = job.communicate(timeout=60)
        self.assertEqual((job.returncode, error), (130, b"cohort: interrupted\n"))
        self.assertEqual(wait_until_gone(pids), [])

    def test_interrupted_twice(self):
        """The first is ignored by these processes; the second ends them at once."""
        job = start("-n", 2, PROBE, "stubborn")
        pids = numbers(read_lines(job.stdout, 2))
        interrupt(job)
        time.sleep(0.1)  # two signals at the same moment are one
        before = time.monotonic()
        interrupt(job)
        job.communicate(timeout=60)
        self.assertEqual(job.returncode, 130)
        self.assertLess(time.monotonic() - before, 2)
        self.assertEqual(len(pids), 4)
        self.assertEqual(wait_until_gone(pids), [])

    def test_terminated_and_hung_up(self):
        for number in [signal.SIGTERM, signal.SIGHUP]:
            job = start("-n", 2, PROBE, "join-and-hang")
            pids = numbers(read_lines(job.stdout, 2))
            interrupt(job, number)
            job.communicate(timeout=60)
            self.assertEqual(job.returncode, 128 + number)
            self.assertEqual(wait_until_gone(pids), [])

    def test_forwarded(self):
        job = start("-n", 2, PROBE, "signals")
        read_lines(job.stdout, 2)
        for number in [signal.SIGUSR1, signal.SIGUSR2]:
            job.send_signal(number)
            self.assertEqual(read_lines(job.stdout, 2), [f"signal {int(number)}"] * 2)
        interrupt(job)
        output, _ = job.communicate(timeout=60)
        self.assertEqual(output, b"signal 2\n" * 2)

    def test_stopped_and_continued(self):
        job = start("-n", 2, PROBE, "join-and-hang")
        pids = numbers(read_lines(job.stdout, 2))
        job.send_signal(signal.SIGTSTP)
        os.waitpid(job.pid, os.WUNTRACED)
        states = [text_of(pid, "stat").rsplit(")", 1)[1].split()[0] for pid in pids]
        self.assertEqual(states, ["T", "T"])
        job.send_signal(signal.SIGCONT)
        interrupt(job)
        job.communicate(timeout=60)
        self.assertEqual(job.returncode, 130)
        self.assertEqual(wait_until_gone(pids), [])


class NothingLeft(unittest.TestCase):
    def test_launcher_killed(self):
        """Faults, case 9, on one host: grandchildren too, though they ignore every polite signal."""
        job = start("-n", 3, PROBE, "stubborn")
        pids = numbers(read_lines(job.stdout, 3))
        below = set(descendants(job.pid)) | set(pids)
        self.assertEqual(len(pids), 6)
        self.assertGreaterEqual(len(below), 7)  # and the warden
        job.kill()
        job.communicate(timeout=60)  # whoever reads its output sees the end
        self.assertEqual(wait_until_gone(below, 1.0), [])

    def test_grandchildren_after_a_job_in_order(self):
        job = start("-n", 2, "sh", "-c", "sleep 1000 & echo $!")
        output, _ = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 0)
        self.assertEqual(wait_until_gone(numbers(output.decode().splitlines()), 1.0), [])

    def test_grandchild_in_another_session_does_not_hold_the_job(self):
        job = start("-n", 1, "sh", "-c", "setsid sleep 20 & echo $!")
        output, _ = job.communicate(timeout=15)
        self.assertEqual(job.returncode, 0)
        for pid in numbers(output.decode().splitlines()):
            if alive(pid):
                os.kill(pid, signal.SIGKILL)

    def test_stubborn_after_a_failure(self):
        script = (f'if [ -p /dev/stdin ]; then exec {os.path.dirname(COHORT)}/{PROBE} stubborn; fi; '
                  "sleep 0.2; exit 4")
        job = start("-n", 2, "sh", "-c", script)
        pids = numbers(read_lines(job.stdout, 1))
        job.communicate(timeout=60)
        self.assertEqual(job.returncode, 4)
        self.assertEqual(wait_until_gone(pids, 1.0), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
