# SPDX-License-Identifier: Apache-2.0
"""`cohort run` on several hosts: network namespaces, reached by tools/lab/cluster-rsh and by ssh to a real sshd on each.
Needs root, ip(8) with namespaces, and sshd for the second half; exits with 77 (skipped) where they are missing."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "launcher"))
from job_driver import (COHORT, LIMIT_S, PROBE, SLACK, THREAD_SANITIZED, descendants, interrupt, numbers, read_lines, run, start,
                        wait_until_gone)
from lab_driver import RSH, cluster, hosts_up, namespace_pids
from skips import main
from until_error import expect_within, within

# Each word that gRPC copies is looked at there, which takes minutes for some megabytes.
PATIENT = ["--host-limit", 60] if THREAD_SANITIZED else []

HOSTS = 4
PROBE_PATH = os.path.join(os.path.dirname(COHORT), PROBE)


def on_hosts(count=HOSTS):
    return ["--rsh", RSH, "--hosts", ",".join(f"h{i}" for i in range(count))]


SSHD_PIDS = set()
SSHD_HOSTS = 3


class Hosts(unittest.TestCase):
    def tearDown(self):
        """Whatever happened: nothing of a job is left on any host."""
        left = [pid for host in range(HOSTS) for pid in namespace_pids(host) if pid not in SSHD_PIDS]
        self.assertEqual(wait_until_gone(left, 2.0), [])

    def expect(self, result, status, pattern=None):
        error = result.stderr.decode()
        self.assertEqual(result.returncode, status, error)
        if pattern:
            self.assertRegex(error, pattern)
        return result.stdout.decode(errors="surrogateescape")

    def expect_given_up(self, case, words, status, pattern):
        """At once: the remote shell would say the same again."""
        with within(3 * SLACK, f"{case}, the whole job"):
            result = run(*words)
        self.expect(result, status, pattern)


class OnHosts(Hosts):
    def test_ranks_fill_the_hosts_in_order(self):
        lines = self.expect(run(*on_hosts(3), "-n", 7, PROBE, "join"), 0).splitlines()
        [table] = {line.split(" : ")[1] for line in lines}
        self.assertEqual([entry.split("/")[:2] for entry in table.split()],
                         [["h0", "10.78.0.2"]] * 3 + [["h1", "10.78.0.3"]] * 2 + [["h2", "10.78.0.4"]] * 2)

    def test_addresses_as_names_and_slots(self):
        text = self.expect(run("--rsh", RSH, "--hosts", "10.78.0.2:1,10.78.0.3:2", "-n", 3, PROBE, "join"), 0)
        self.assertIn("10.78.0.2/10.78.0.2/", text)

    def test_each_host_counts_the_cores_that_its_agent_may_use(self):
        lines = self.expect(run("--rsh", f"taskset -c 0 {RSH}", "--hosts", "h0,h1", "-n", 2, PROBE, "join"),
                            0).splitlines()
        self.assertEqual([re.search(r"cores \d+", line).group() for line in lines], ["cores 1"] * 2)

    def test_this_host_among_others(self):
        text = self.expect(run("--rsh", RSH, "--hosts", "10.78.0.2,localhost", "--interface", "10.78.0.0/16", "-n", 2,
                               PROBE, "join"), 0)
        self.assertIn("localhost/10.78.255.254/", text)

    def test_45_interface_by_network_and_none(self):
        self.assertIn("h1/10.78.0.3/", self.expect(run(*on_hosts(2), "--interface", "10.78.0.0/16", "-n", 2, PROBE,
                                                       "join"), 0))
        self.expect_given_up("45", [*on_hosts(2), "--interface", "lo", "-n", 2, PROBE, "join"], 1,
                             r"host h[01]: .*cannot reach the launcher; tried 127.0.0.1:\d+: Connection refused")

    def test_45_of_two_interfaces_the_one_that_the_others_reach(self):
        cluster("exec", "h0", "ip", "link", "add", "elsewhere", "type", "veth", "peer", "name", "nowhere")
        try:
            cluster("exec", "h0", "ip", "addr", "add", "10.99.0.1/24", "dev", "elsewhere")
            for end in "elsewhere", "nowhere":
                cluster("exec", "h0", "ip", "link", "set", end, "up")
            text = self.expect(run(*on_hosts(2), "-n", 2, PROBE, "join"), 0)
            self.assertEqual(text.count("h0/10.78.0.2/"), 2, text)
            self.expect(run(*on_hosts(2), "-n", 2, "--interface", "10.99.0.0/24", PROBE, "join"), 2,
                        r"10\.99\.0\.0/24")
        finally:
            cluster("exec", "h0", "ip", "link", "del", "elsewhere")

    def test_86_arguments_variables_and_directory(self):
        words = ["a b", "", "it's", 'say "x"', "line\nbreak", "$HOME", "*", "no UTF-8: \udce9"]
        with tempfile.TemporaryDirectory(prefix="a dir '\udcff") as folder:
            script = 'echo "$PWD|$A|$B"; for w; do printf "<%s>" "$w"; done; echo'
            text = self.expect(run(*on_hosts(1), "-n", 1, "-x", "A=1 \udc80", "-x", "B", "sh", "-c", script, "sh", *words,
                                   cwd=folder, env={**os.environ, "B": "b"}), 0)
            self.assertEqual(text, f"{folder}|1 \udc80|b\n" + "".join(f"<{word}>" for word in words) + "\n")

    def test_input_and_output(self):
        data = b"".join(b"%d\n" % i for i in range(300000))
        job = start(*on_hosts(3), *PATIENT, "-n", 3, "sh", "-c", "cat", stdin=subprocess.PIPE)
        output, error = job.communicate(data, timeout=LIMIT_S)
        self.assertEqual((job.returncode, output, error), (0, data, b""))

    def test_lines_are_never_torn(self):
        lines_each = 100 if THREAD_SANITIZED else 1000
        output = run(*on_hosts(4), *PATIENT, "-n", 8, PROBE, "lines", lines_each, 3000).stdout
        lines = output.split(b"\n")[:-1]
        self.assertEqual(len(lines), 8 * lines_each)
        for line in lines:
            self.assertEqual(line, line[:1] * 3000)

    def test_a_line_of_megabytes(self):
        size = (1 if THREAD_SANITIZED else 12) << 20
        self.assertEqual(len(run(*on_hosts(1), *PATIENT, "-n", 1, PROBE, "lines", 1, size).stdout), size + 1)

    def test_failures_name_the_host(self):
        self.expect(run(*on_hosts(4), "-n", 4, PROBE, "kill", 2), 137, r"cohort: rank 2 \(host h2, process \d+\) was ki")
        self.expect(run(*on_hosts(4), "-n", 4, PROBE, "exit-5", 3), 5, r"cohort: rank 3 \(host h3, .*status 5")
        self.expect(run(*on_hosts(3), "-n", 3, "no-such-program"), 127, r"cannot run 'no-such-program'.*\(host h\d\)")

    def test_directory_missing_on_a_host(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = os.path.join(parent, "job")
            os.mkdir(folder)
            # h0 sees the parent empty: the directory of the job is not there
            script = f'mount -t tmpfs none {parent} && exec {RSH} "$@"'
            rsh = f"unshare -m sh -c '{script}' rsh"
            result = run("--rsh", rsh, "--hosts", "h0", "-n", 1, "true", cwd=folder)
        if b"Operation not permitted" in result.stderr:
            self.skipTest("no mount namespaces")
        self.expect(result, 126, r"directory.*No such file.*\(host h0\)")

    def test_all_others_are_told(self):
        error = run(*on_hosts(4), "-n", 8, PROBE, "kill", 5).stderr.decode()
        self.assertEqual(error.count("told: pid 5 on h2"), 7, error)

    def test_unreachable_host(self):
        self.expect(run("--rsh", RSH, "--hosts", "h0,10.78.0.77", "-n", 2, "true"), 1, r"cohort: host 10.78.0.77: ")

    def test_remote_shell_missing(self):
        self.expect(run("--rsh", "no-such-rsh", "--hosts", "10.78.0.2", "-n", 1, "true"), 1,
                    r"host 10.78.0.2: cannot run 'no-such-rsh'")

    def networks_told(self, *words):
        """What the processes know of the network between hosts, the same for all: alpha_us, round_us, ..."""
        lines = self.expect(run(*on_hosts(4), "-n", 8, *words, PROBE, "tuning"), 0).splitlines()
        told = {line.split("; between ")[1] for line in lines}
        within_each = {re.search("; each host ([^;]+);", line).group(1) for line in lines}
        self.assertEqual((len(lines), len(told), len(within_each)), (8, 1, 1), lines)
        return {name: float(number) for name, number in re.findall(r"(\w+)=([\d.]+)", told.pop())}

    def test_the_network_is_measured_while_the_processes_start(self):
        def fastest():  # of some jobs: what else the machine does makes it slower only, and hides bursts
            told = [self.networks_told() for _ in range(3)]
            self.assertTrue(all(0 < one["alpha_us"] <= one["round_us"] < 10_000 for one in told), told)
            return {**min(told, key=lambda network: network["beta_ns"]), "burst": max(network["burst"] for network in told)}

        self.assertLess(fastest()["beta_ns"], 20)  # links without a limit
        cluster("rate", "h1", "100mbit")
        try:
            limited = fastest()
            self.assertAlmostEqual(limited["beta_ns"], 87, delta=22)  # 80, and the headers
            self.assertGreater(limited["burst"], 0, limited)  # the first 12 KB pass at once
        finally:
            cluster("rate", "h1", "none")

    def test_a_network_that_is_given_is_not_measured(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write("[between_hosts]\nalpha_us = 4\nlatency_us = 3\nbeta_ns_per_byte = 2\n")
            file.flush()
            told = self.networks_told("--tuning", file.name)
            self.assertEqual(told, {"alpha_us": 4, "round_us": 7, "beta_ns": 2, "burst": 0, "shared_us": 0})

    def test_hosts_of_one_machine_share_its_processors(self):
        usable = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, usable)
        os.sched_setaffinity(0, list(usable)[:2])
        self.assertGreater(self.networks_told()["shared_us"], 0)

    def test_hosts_that_cannot_measure_do_not_hold_up_the_job(self):
        cluster("exec", "h0", "ip", "route", "add", "blackhole", "10.78.0.3/32")
        try:
            with within(5 * SLACK, "the job of hosts that cannot measure"):
                told = self.networks_told()
            turn = told["shared_us"]  # of hosts that are one machine: a hop takes 1.4 of them
            assumed = [8, round(max(8, 1.4 * turn), 2), 80] if turn else [50, 50, 80]
            self.assertEqual([told["alpha_us"], round(told["round_us"], 2), told["beta_ns"]], assumed)
        finally:
            cluster("exec", "h0", "ip", "route", "del", "blackhole", "10.78.0.3/32")

    def test_a_hang_is_told_with_its_hosts(self):
        error = run(*on_hosts(4), "-n", 4, "--patience", "0.4", "--timeout", 3, "hang_probe", "combine").stderr.decode()
        self.assertEqual(error.count("(--patience)"), 1, error)
        for rank in range(3):
            self.assertRegex(error, rf"rank {rank} \(host h{rank}, .*: in combine #2 of group \(1,3\).*, waits for rank")
        self.assertRegex(error, r"rank 3 \(host h3, process \d+\): not in the library for ")

    @unittest.skipIf(THREAD_SANITIZED, "the sanitizer's own thread looks like one that computes")
    def test_a_deadlock_is_told_with_its_hosts(self):
        """Faults, case 63; a process that computes is none."""
        def develop(program, seconds):
            result = run(*on_hosts(4), "-n", 4, "--mode", "develop", "--timeout", seconds, "hang_probe", program)
            return result.returncode, result.stderr.decode(), re.findall(rb"waits from ([\d.]+)", result.stdout)

        status, error, moments = develop("cycle", 30)
        expect_within(1 * SLACK, "63, a deadlock, until all is over", max(map(float, moments)))
        self.assertEqual((status, error.count("cohort: deadlock: ")), (125, 1), error)
        for rank in range(4):
            self.assertRegex(error, rf"rank {rank} \(host h{rank}, .*: in receive of .* waits for rank {(rank + 1) % 4} ")
        self.assertEqual(develop("receive", 2)[0], 124)

    def test_a_member_that_leaves_is_told_with_its_host(self):
        for words, status, said in [([], 3, r"error left: combine #1 on group \(0,0\): pid 3, h3 has left the job"),
                                    (["--mode", "develop"], 1, r"error mismatch: .*h3.* leave")]:  # its status
            result = run(*on_hosts(4), "-n", 4, "--timeout", 30, *words, "hang_probe", "leave-alone")
            error = result.stderr.decode()
            self.assertEqual(result.returncode, status, error)
            self.assertEqual(len(re.findall(said, error)), 3, error)

    def test_interrupted(self):
        job = start(*on_hosts(3), "-n", 3, PROBE, "join-and-hang")
        pids = numbers(read_lines(job.stdout, 3))
        interrupt(job)
        _, error = job.communicate(timeout=60)
        self.assertEqual((job.returncode, error), (130, b"cohort: interrupted\n"))
        self.assertEqual(wait_until_gone(pids), [])

    def test_9_launcher_killed(self):
        job = start(*on_hosts(4), "-n", 4, PROBE, "stubborn")
        pids = numbers(read_lines(job.stdout, 4))
        below = set(descendants(job.pid)) | set(pids)
        self.assertEqual(len(pids), 8)
        job.kill()
        self.assertEqual(wait_until_gone(below, 1.0), [])
        job.communicate(timeout=60)

    def test_8_agent_killed(self):
        """Its processes die with it, and are named."""
        job = start(*on_hosts(3), "-n", 3, PROBE, "stubborn")
        pids = numbers(read_lines(job.stdout, 3))
        agents = [pid for pid in namespace_pids(1)
                  if b"\0agent\0" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
                  and pathlib.Path(f"/proc/{pid}/comm").read_text() == "cohort\n"]
        self.assertEqual(len(agents), 1)
        os.kill(agents[0], signal.SIGKILL)
        _, error = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 1)
        self.assertRegex(error.decode(), r"rank 1 \(host h1, .* was lost with its host: its agent has ended")
        self.assertEqual(wait_until_gone(pids, 1.0), [])

    def test_nothing_secret_shows(self):
        job = start(*on_hosts(2), "-n", 2, PROBE, "join-and-hang")
        read_lines(job.stdout, 2)
        for pid in descendants(job.pid) + namespace_pids(0) + namespace_pids(1):
            words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes() + pathlib.Path(f"/proc/{pid}/environ").read_bytes()
            for secret in [b"PRIVATE KEY", b"CERTIFICATE"]:
                self.assertNotIn(secret, words)
        interrupt(job)
        job.communicate(timeout=60)

    def test_the_launcher_listens_only_where_it_is_asked_to(self):
        job = start("--rsh", RSH, "--hosts", "10.78.0.2", "-n", 1, PROBE, "join-and-hang")
        read_lines(job.stdout, 1)
        text = subprocess.run(["ss", "-ltnpH"], capture_output=True, check=True).stdout.decode()
        own = [line.split()[3] for line in text.splitlines() if f"pid={job.pid}," in line]
        interrupt(job)
        job.communicate(timeout=60)
        self.assertEqual(len(own), 1, text)
        self.assertRegex(own[0], r"^(\[::ffff:)?10\.78\.255\.254\]?:\d+$")

    def test_two_jobs_on_the_same_hosts(self):
        jobs = [start(*on_hosts(3), "-n", 6, PROBE, "join") for _ in range(2)]
        outputs = [job.communicate(timeout=60)[0].decode() for job in jobs]
        self.assertEqual([job.returncode for job in jobs], [0, 0])
        ids = [set(re.findall(r" id (\d+)", output)) for output in outputs]
        self.assertEqual([len(i) for i in ids], [1, 1])
        self.assertNotEqual(*ids)

    def test_timeout_while_a_host_does_not_answer(self):
        self.expect(run("--rsh", "sh -c 'exec sleep 100'", "--hosts", "10.78.0.2", "--timeout", 1, "-n", 1, "true"),
                    124, r"timeout.*could not be reached")


class OverSsh(Hosts):
    """Three hosts with a real sshd each, its own host key, and a client key made for this test."""

    @classmethod
    def setUpClass(cls):
        sshd = shutil.which("sshd", path="/usr/sbin:/usr/bin")
        if sshd is None or shutil.which("ssh") is None:
            raise unittest.SkipTest("no sshd here (Debian: openssh-server)")
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="cohort-ssh-"))
        os.makedirs("/run/sshd", exist_ok=True)
        cls.key("client")
        shutil.copy(cls.folder / "client.pub", cls.folder / "authorized")
        known = ""
        cls.servers = []
        for host in range(SSHD_HOSTS):
            cls.key(f"host{host}")
            config = cls.folder / f"sshd{host}"
            config.write_text(f"ListenAddress 10.78.0.{host + 2}\nPort 22\nHostKey {cls.folder}/host{host}\n"
                              f"AuthorizedKeysFile {cls.folder}/authorized\nUsePAM no\nStrictModes no\n"
                              f"PermitRootLogin prohibit-password\nPasswordAuthentication no\n"
                              f"KbdInteractiveAuthentication no\nPidFile none\nMaxStartups 100\n")
            server = subprocess.Popen(["ip", "netns", "exec", f"cohl-h{host}", sshd, "-D", "-e", "-f", str(config)],
                                      stderr=subprocess.PIPE)
            cls.servers.append(server)
            read_lines(server.stderr, 1)  # "Server listening on ..."
            SSHD_PIDS.add(server.pid)
            known += f"node{host} " + " ".join((cls.folder / f"host{host}.pub").read_text().split()[:2]) + "\n"
        (cls.folder / "known").write_text(known)
        (cls.folder / "config").write_text(
            "".join(f"Host node{host}\n  HostName 10.78.0.{host + 2}\n  HostKeyAlias node{host}\n" for host in range(SSHD_HOSTS)) +
            f"Host *\n  IdentityFile {cls.folder}/client\n  IdentitiesOnly yes\n"
            f"  UserKnownHostsFile {cls.folder}/known\n  GlobalKnownHostsFile /dev/null\n  User root\n")
        cls.ssh = f"ssh -F {cls.folder}/config -o BatchMode=yes"

    @classmethod
    def key(cls, name):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(cls.folder / name)], check=True)

    @classmethod
    def tearDownClass(cls):
        for server in cls.servers:
            server.terminate()
            server.wait(timeout=10)
            server.stderr.close()
        SSHD_PIDS.clear()
        shutil.rmtree(cls.folder)

    def nodes(self, count=SSHD_HOSTS):
        return ["--rsh", self.ssh, "--hosts", ",".join(f"node{i}" for i in range(count))]

    def test_three_hosts(self):
        lines = self.expect(run(*self.nodes(), "-n", 6, PROBE, "join"), 0).splitlines()
        self.assertEqual(len(lines), 6)
        self.assertIn("node2/10.78.0.4/", lines[0])

    def test_every_collective(self):
        output = self.expect(run(*self.nodes(), "-n", 3, os.environ["EVERY_COLLECTIVE"]), 0)
        self.assertIn("every collective on 3 ranks: 0 with failures", output)

    def test_every_collective_with_several_processes_a_host(self):
        output = self.expect(run(*self.nodes(), "-n", 7, os.environ["EVERY_COLLECTIVE"]), 0)
        self.assertIn("every collective on 7 ranks: 0 with failures", output)

    def test_86_arguments_pass_two_shells(self):
        words = ["a b", "", "it's", 'say "x"', "line\nbreak", "$HOME", "*", "`id`", "no UTF-8: \udce9"]
        self.assertEqual(self.expect(run(*self.nodes(1), "-n", 1, PROBE, "argv", *words), 0),
                         "".join(f"<{word}>" for word in words) + "\n")

    def test_exit_status_and_name(self):
        self.expect(run(*self.nodes(), "-n", 3, PROBE, "kill", 1), 137, r"rank 1 \(host node1, .*signal 9")

    def test_input_and_output(self):
        data = b"".join(b"%d\n" % i for i in range(300000))
        job = start(*self.nodes(1), *PATIENT, "-n", 1, "cat", stdin=subprocess.PIPE)
        output, error = job.communicate(data, timeout=LIMIT_S)
        self.assertEqual((job.returncode, output, error), (0, data, b""))

    def test_interrupted(self):
        job = start(*self.nodes(), "-n", 3, PROBE, "stubborn")
        pids = numbers(read_lines(job.stdout, 3))
        interrupt(job)
        interrupt(job)
        job.communicate(timeout=60)
        self.assertEqual(job.returncode, 130)
        self.assertEqual(wait_until_gone(pids), [])

    def test_9_launcher_killed(self):
        job = start(*self.nodes(), "-n", 3, PROBE, "stubborn")
        pids = numbers(read_lines(job.stdout, 3))
        self.assertEqual(len(pids), 6)
        job.kill()
        self.assertEqual(wait_until_gone(pids, 1.0), [])
        job.communicate(timeout=60)

    def test_73_unknown_host_key(self):
        """An error that names the host, and no prompt; also when ssh would ask."""
        for command in [self.ssh, self.ssh.replace("-o BatchMode=yes", "-o StrictHostKeyChecking=ask")]:
            rsh = command + f" -o UserKnownHostsFile={self.folder}/none"
            self.expect_given_up("73", ["--rsh", rsh, "--hosts", "node0,node1", "-n", 2, "true"], 1,
                                 r"cohort: host node[01]: .*Host key verification failed")

    def test_73_password_wanted(self):
        rsh = self.ssh.replace(" -o BatchMode=yes", "") + " -o PubkeyAuthentication=no"
        self.expect_given_up("73", ["--rsh", rsh, "--hosts", "node0", "-n", 1, "true"], 1,
                             r"cohort: host node0: .*Permission denied")


if __name__ == "__main__":
    with hosts_up(HOSTS):
        main()
