# SPDX-License-Identifier: Apache-2.0
"""What the launcher's tests share: running `cohort run`, and looking for what it left behind."""

import os
import pathlib
import re
import secrets
import select
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))

BIN = os.environ["COHORT_BIN"]
COHORT = os.path.join(BIN, "cohort")
PROBE = "control_probe"  # beside cohort
RSH_HERE = ["--rsh", """sh -c 'shift; exec sh -c "$*"' rsh"""]  # hosts are all this machine, each with an agent
TWO_HOSTS = [*RSH_HERE, "--hosts", "127.0.0.2:4,127.0.0.3:4"]
LIMIT_S = 60  # for what must end by itself
SANITIZED = bool(os.environ.get("COHORT_SANITIZE"))
THREAD_SANITIZED = "thread" in os.environ.get("COHORT_SANITIZE", "")
SLACK = 4 if SANITIZED else 1
MARK = "COHORT_TEST_MARK"  # in the environment of a launcher, and so of all that comes of it


def link_limit_s(host_limit_s):
    """Within so long all know of a cut link on which something was sent: docs/reference/failures.md."""
    return max(host_limit_s, 0.8 * host_limit_s + 0.9 * SLACK)


def with_a_session_too(*program):
    """The words to start it, and those by which a shell starts it in a session of its own."""
    return program, ("sh", "-c", f"setsid {' '.join(map(str, program))}; exit")


def run(*words, timeout=LIMIT_S, **options):
    """Runs `cohort run ...` to its end, of which nothing is left."""
    with start(*words, **options) as job:
        try:
            output, error = job.communicate(timeout=timeout)
        except BaseException:
            job.kill()
            raise
    expect_nothing_left(job)
    return subprocess.CompletedProcess(job.args, job.returncode, output, error)


def start(*words, env=os.environ, **options):
    """Starts `cohort run ...`; its output and error can be read."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    mark = secrets.token_hex(8)
    job = subprocess.Popen([COHORT, "run", *map(str, words)], env={**env, MARK: mark}, **options)
    job.mark = f"{MARK}={mark}".encode()
    return job


def expect_nothing_left(job, below=()):
    """No process that comes of a launcher, nor of these, so none of their sockets either, and not the file that it is asked
    at. Whose environment may be read: root sees agents, too."""
    left = wait_until_gone({*marked(job.mark), *below}, SLACK)
    assert not left, f"{left} are left of {job.args}"
    assert not os.path.exists(f"/tmp/cohort-{os.getuid()}/{job.pid}"), job.args


def status(*words):
    return subprocess.run([COHORT, "status", *map(str, words)], capture_output=True, timeout=60)


def status_when(job, *patterns):
    """The status once it says all this: that a process has said it goes on does not mean that it is there yet."""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        text = status(job.pid).stdout.decode()
        if all(re.search(pattern, text) for pattern in patterns):
            return text
    raise AssertionError(f"not {patterns} in {text}")


def inject(job, *words):
    return subprocess.run([COHORT, "inject", str(job), *map(str, words)], capture_output=True, text=True, timeout=60)


def read_lines(stream, count):
    """The next lines of a stream, awaited for at most LIMIT_S."""
    data = b""
    end = time.monotonic() + LIMIT_S
    while data.count(b"\n") < count:
        ready, _, _ = select.select([stream], [], [], max(0, end - time.monotonic()))
        if not ready:
            raise AssertionError(f"no output for {LIMIT_S} s; so far {data!r}")
        chunk = os.read(stream.fileno(), 65536)
        if not chunk:
            break
        data += chunk
    return data.decode().splitlines()


def read_until(stream, pattern):
    """What a stream says, awaited for at most LIMIT_S, up to where the pattern matches."""
    data = b""
    end = time.monotonic() + LIMIT_S
    while not re.search(pattern, data.decode(errors="replace")):
        ready, _, _ = select.select([stream], [], [], max(0, end - time.monotonic()))
        chunk = os.read(stream.fileno(), 65536) if ready else b""
        if not chunk:
            raise AssertionError(f"no {pattern!r} in {data.decode(errors='replace')}")
        data += chunk
    return data.decode()


def text_of(pid, name):
    """A file of /proc."""
    with open(f"/proc/{pid}/{name}") as file:
        return file.read()


def marked(mark):
    """The processes that have this in their environment."""
    pids = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                pids.append(int(folder.name))
        except OSError:
            pass  # it has ended, or is another user's
    return pids


def alive(pid):
    """Whether a process exists and is no zombie."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until_stopped(pids):
    """Signals are there when a process is next on a processor; of that nobody is told."""
    end = time.monotonic() + LIMIT_S
    while any(text_of(pid, "stat").rsplit(")", 1)[1].split()[0] != "T" for pid in pids):
        if time.monotonic() > end:
            raise AssertionError(f"not all of {pids} have stopped within {LIMIT_S} s")
        time.sleep(0.01)


def wait_until_gone(pids, limit_s=5.0):
    """Those that are still there after the limit."""
    end = time.monotonic() + limit_s
    left = list(pids)
    while left and time.monotonic() < end:
        for pid in left:
            try:  # event, not a guess: the descriptor is readable when the process has ended
                descriptor = os.pidfd_open(pid)
            except ProcessLookupError:
                continue
            select.select([descriptor], [], [], max(0, end - time.monotonic()))
            os.close(descriptor)
        left = [pid for pid in left if alive(pid)]
    return left


def descendants(pid):
    """All processes below one, by /proc."""
    children = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as stat:
                parent = int(stat.read().rsplit(")", 1)[1].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        children.setdefault(parent, []).append(int(name))
    result, todo = [], [pid]
    while todo:
        below = children.get(todo.pop(), [])
        result += below
        todo += below
    return result


def numbers(lines):
    return [int(n) for line in lines for n in re.findall(r"\d+", line)]


def interrupt(job, number=signal.SIGINT):
    """Sends a signal and waits until the launcher has taken it: a second one while it is pending would be lost."""
    job.send_signal(number)
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        pending = [int(line.split()[1], 16) for line in text_of(job.pid, "status").splitlines()
                   if line.startswith(("SigPnd", "ShdPnd"))]
        if not any(mask >> (number - 1) & 1 for mask in pending):
            return
