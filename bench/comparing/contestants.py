# SPDX-License-Identifier: Apache-2.0
"""Who is compared: how each is built and started, and how its lines are read."""

import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import uuid

from . import places

PEERS = pathlib.Path(__file__).resolve().parents[1] / "peers"
MARK = "COHORT_COMPARE_RUN"  # in the environment of all that one run starts
OUT_OF_TIME = "not done"  # what went wrong begins with it
LEAVING_S = 5  # some peers hang when all is said
COLUMNS = ("contestant", "operation", "ranks", "bytes", "repetitions", "min_us", "median_us", "algorithm")


class Cohort:
    name = "cohort"

    def __init__(self, program, tuning=None, barrier=False):
        for needed in (program, str(pathlib.Path(program).parents[1] / "lib/cohort/cohort_bench")):
            if not os.access(needed, os.X_OK):
                raise SystemExit(f"{needed} can't be run: cmake --build --preset release makes it")
        self.program, self.tuning, self.barrier = program, tuning, barrier

    def version(self):
        """With the commit, if the program was built in a clone."""
        commit = ["git", "-C", os.path.dirname(self.program), "describe", "--always", "--dirty"]
        told = [first_line([self.program, "--version"]).removeprefix("cohort "),
                first_line(commit) if shutil.which("git") else ""]
        return ", commit ".join(filter(None, told))

    def measures(self, operation):
        return True

    def command(self, place, operation, amounts):
        words = [*self.start(place, "bench"), "--barrier" if self.barrier else "--no-barrier"]
        if self.tuning:
            words.append(f"--tuning={self.tuning}")
        return [*words, *amounts, operation]

    def start(self, place, command):
        words = [self.program, command, "-n", str(place.ranks)]
        if isinstance(place, places.Hosts):
            return [*words, "--rsh", str(places.LAB / "cluster-rsh"), "--hosts", ",".join(place.addresses())]
        return words if place.memory else [*words, "--transport", "tcp"]

    def tune(self, place, path):
        """Measures the network there, into a file: its path."""
        subprocess.run([*self.start(place, "tune"), "-o", path], check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL)
        return path


class Mpi:
    """An MPI library; kept on TCP, except where all may use memory."""

    def __init__(self, name, folder):
        self.name = name
        self.program = str(folder / f"mpi.{name}")
        self.launcher = f"mpirun.{name}"
        self.folder = folder

    @classmethod
    def installed(cls, name):
        return shutil.which(f"mpicc.{name}") and shutil.which(f"mpirun.{name}")

    def build(self):
        subprocess.run([f"mpicc.{self.name}", "-O2", "-w", "-o", self.program, PEERS / "mpi.c"], check=True)

    def version(self):
        return first_line([self.launcher, "--version"], r"\d+\.\d[\w.]*")

    def measures(self, operation):
        return True

    def command(self, place, operation, amounts):
        return [*self.start(place), self.program, self.name, *amounts, operation]

    def host_file(self, place, suffix=""):
        path = self.folder / f"hosts.{self.name}"
        path.write_text("".join(f"{address}{suffix}\n" for address in place.addresses()))
        return str(path)


class OpenMpi(Mpi):
    def start(self, place):
        # A folder of its own: runs that follow each other would clean up each other's.
        files = tempfile.mkdtemp(prefix="openmpi-", dir=self.folder)
        words = [self.launcher, "-n", str(place.ranks), "--oversubscribe", "--mca", "orte_tmpdir_base", files]
        if not uses_memory(place):
            words += ["--mca", "btl", "tcp,self"]
        if place.ranks > places.cores():
            words += ["--mca", "mpi_yield_when_idle", "1"]
        if isinstance(place, places.Local):
            return words
        net = f"{place.addresses()[0].rsplit('.', 2)[0]}.0.0/16"
        return [str(places.LAB / "cluster"), "exec", "h0", *words, "--hostfile", self.host_file(place, " slots=1"),
                # One agent after the other: on one machine they trip over each other's folders.
                "--mca", "plm_rsh_no_tree_spawn", "1", "--mca", "plm_rsh_num_concurrent", "1",
                "--mca", "plm_rsh_agent", str(places.LAB / "cluster-rsh"),
                "--mca", "btl_tcp_if_include", net, "--mca", "oob_tcp_if_include", net]


class Mpich(Mpi):
    def start(self, place):
        words = [self.launcher, "-n", str(place.ranks)]
        if not uses_memory(place):
            words += ["-genv", "UCX_TLS", "tcp,self"]
        if isinstance(place, places.Local):
            return words
        return [str(places.LAB / "cluster"), "exec", "h0", *words, "-ppn", "1", "-f", self.host_file(place),
                "-localhost", place.addresses()[0], "-launcher", "ssh",
                "-launcher-exec", str(places.LAB / "cluster-rsh"), "-genv", "UCX_NET_DEVICES", "eth0"]


class Floor:
    """What no library is below, for two processes: a program in C, of the name of its source."""

    def __init__(self, name, folder, source):
        self.name = name
        self.program = str(folder / source)
        self.source = PEERS / f"{source}.c"

    def build(self):
        subprocess.run(["cc", "-O2", "-o", self.program, self.source], check=True)

    def version(self):
        return None

    def measures(self, operation):
        return operation == "pingpong"


class Sockets(Floor):
    """TCP sockets alone."""

    def __init__(self, name, folder):
        super().__init__(name, folder, "sockets")
        self.mode = name.removeprefix("sockets-")

    def command(self, place, operation, amounts):
        words = [self.program, self.mode, *amounts]
        if isinstance(place, places.Local):
            return words
        port, last = 40404, place.ranks - 1
        cluster, address = places.LAB / "cluster", place.addresses()[-1]
        return ["sh", "-c", f"{cluster} exec h{last} {self.program} {self.mode} --listen={port} & "
                            f"{cluster} exec h0 {' '.join(words)} --connect={address}:{port}; status=$?; wait; "
                            "exit $status"]


class Ring(Floor):
    """Shared memory: a ring each way, and nothing else."""

    def __init__(self, folder):
        super().__init__("ring", folder, "ring")

    def command(self, place, operation, amounts):
        return [self.program, *amounts]


def floors(place):
    return ("ring",) if uses_memory(place) else ("sockets-spin", "sockets-block")


def uses_memory(place):
    return isinstance(place, places.Local) and place.memory


def first_line(command, pattern=None):
    text = subprocess.run(command, capture_output=True, text=True).stdout
    found = re.search(pattern, text) if pattern else None
    return found.group() if found else text.partition("\n")[0].strip()


def run(command, limit_s, expected=None):
    """Runs one contestant: (rows, what went wrong or None). One that does not end in time is killed, with all that it
    started; so is one that has printed as many rows as are expected, and then does not leave."""
    mark = uuid.uuid4().hex
    environment = {**os.environ, MARK: mark, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    with tempfile.TemporaryFile() as error:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=error,
                                   env=environment)
        try:
            rows, in_time = read_rows(process, time.monotonic() + limit_s, expected)
        finally:
            end_marked(mark)
        process.stdout.close()
        process.wait()
        if not in_time:
            return rows, f"{OUT_OF_TIME} after {limit_s:g} s"
        if process.returncode != 0 and len(rows) != expected:
            error.seek(0)
            return rows, f"exit status {process.returncode}: {error.read().decode(errors='replace').strip()[:300]}"
        return rows, None


def read_rows(process, deadline, expected):
    """(rows, whether they came in time): until the process ends, or could have."""
    rows, rest = [], b""
    while (left_s := deadline - time.monotonic()) > 0:
        if not select.select([process.stdout], [], [], min(left_s, 0.1))[0]:
            continue
        chunk = os.read(process.stdout.fileno(), 65536)
        if not chunk:
            break
        *lines, rest = (rest + chunk).split(b"\n")
        rows += [row for line in lines if (row := row_of(line.decode(errors="replace")))]
        if len(rows) == expected:
            deadline = min(deadline, time.monotonic() + LEAVING_S)
    try:
        process.wait(max(0.1, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return rows, len(rows) == expected
    return rows, True


def row_of(line):
    cells = line.split("\t")
    if len(cells) < len(COLUMNS) or not cells[3].isdigit():
        return None
    row = dict(zip(COLUMNS, cells))
    row.update(ranks=int(row["ranks"]), bytes=int(row["bytes"]), repetitions=int(row["repetitions"]),
               min_us=float(row["min_us"]), median_us=float(row["median_us"]))
    return row


def end_marked(mark):
    """Kills the processes of one run by what only their environment holds, until none is left."""
    for _ in range(50):
        marked = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if has_mark(pid, mark)]
        if not marked:
            return
        for pid in marked:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.1)


def has_mark(pid, mark):
    try:
        return f"{MARK}={mark}".encode() in pathlib.Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
