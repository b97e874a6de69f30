# SPDX-License-Identifier: Apache-2.0
"""Hosts and links that are cut: three hosts in network namespaces. Needs root; exits with 77 (skipped) elsewhere."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "cluster"))
from fault_driver import (DEFAULT_HOST_LIMIT_S, HOST, HOST_LIMIT_S, LATE, LIMIT_S, SLACK, Faults, expect_nothing_left, expect_within, link_limit_s,  # noqa: E402
                          moments, read_lines, read_until, run, start, status_when, wait_until_gone)
from lab_driver import RSH, address, cluster, hosts_up, namespace, namespace_pids  # noqa: E402
import at_once  # noqa: E402
from until_error import within  # noqa: E402

HOSTS = ["--rsh", RSH, "--hosts", "h0,h1,h2"]

class Hosts(Faults):
    def tearDown(self):
        for host in range(3):
            cluster("heal", f"h{host}")
            cluster("lose", f"h{host}", 0)
            cluster("rate", f"h{host}", "none")
            cluster("swallow", f"h{host}", 0)

    def pids_on_all_hosts(self):
        return [pid for host in range(3) for pid in namespace_pids(host)]

    def expect_host(self, record, error, host, ranks):
        """The record and the launcher's line name the host; that names all of its ranks."""
        self.assertEqual((record["host"], record["seen_by"]), (host, "the launcher"))
        for rank in ranks:
            self.assertRegex(error, rf"rank {rank} \(host {host}, process \d+\) was lost with its host: ")

    def test_8_an_agent_that_is_killed(self):
        job = self.begin(6, [], "wait", 0, *HOSTS)
        agents = [pid for pid in namespace_pids(1) if pathlib.Path(f"/proc/{pid}/comm").read_text() == "cohort\n"]
        os.kill(agents[0], 9)
        killed_at = time.monotonic()
        said, error = self.end(job)
        self.assertEqual(job.returncode, 1, error)
        self.expect_host(self.expect_record(said, [0, 1, 4, 5], [2, 3], HOST), error, "h1", [2, 3])
        expect_within(1 * SLACK, "8", killed_at, moments(said["pending"]))

    def test_9_the_launcher_is_killed(self):
        job = self.begin(6, [], "wait", 0, *HOSTS)
        pids = self.pids_on_all_hosts()
        self.assertGreaterEqual(len(pids), 9)  # on each host the agent and its two processes
        job.kill()
        killed_at = time.monotonic()
        job.communicate(timeout=60)
        self.assertEqual(wait_until_gone(pids, 1 * SLACK), [])
        expect_within(1 * SLACK, "9, until nothing is left", killed_at)
        expect_nothing_left(job, self.below)

    def test_10_a_host_that_is_cut_off(self):
        for _ in range(2):
            job = self.begin(6, [], "wait", 0, *HOSTS, "--host-limit", HOST_LIMIT_S)
            cluster("cut", "h2")
            cut_at = time.monotonic()
            self.assertEqual(wait_until_gone([self.processes[4], self.processes[5]], HOST_LIMIT_S + 1 * SLACK), [])  # fenced
            said, error = self.end(job)
            cluster("heal", "h2")
            self.assertEqual(job.returncode, 1, error)
            told = {what: {rank: line for rank, line in lines.items() if rank < 4} for what, lines in said.items()}
            record = self.expect_record(told, [0, 1, 2, 3], [4, 5], HOST)
            self.assertIn(f"nothing was heard of it for {HOST_LIMIT_S * 0.9:.1f} s (--host-limit)", record["words"])
            self.expect_host(record, error, "h2", [4, 5])
            expect_within(HOST_LIMIT_S, f"10, a host (limit {HOST_LIMIT_S} s)", cut_at, moments(told["pending"]))

    def expect_survivors(self, job, lists):
        """The job goes on to its end, with one of these lists of processes. Returns what it has complained of."""
        output, error = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 0, error)
        expect_nothing_left(job)
        ends = re.findall(r" ends with (.*) as ", output.decode())
        self.assertEqual(len(set(ends)), 1, output)
        self.assertIn(ends[0], lists)
        self.assertEqual(len(ends), len(ends[0].split()), output)
        return error.decode()

    def test_10_the_others_go_on(self):
        job = start("-n", 6, *HOSTS, "--host-limit", 2, "--on-failure", "continue", "survivors_probe", 100)
        self.addCleanup(lambda: job.poll() is not None or job.kill())
        read_lines(job.stdout, 6)
        cluster("cut", "h1")
        self.expect_survivors(job, {"0 1 4 5"})

    def expect_broken_link(self, job, since, words, within_s, case):
        """That between the ranks on h1 and h2: one of them, which tells of the other, had to go."""
        said, error = self.end(job)
        self.assertEqual(job.returncode, 1, error)
        record, told = self.expect_link(said, 3, [1, 2])
        other = 3 - record["pid"]
        self.assertRegex(record["words"], rf"^lost its link to pid {other} on h{other}: {words}")
        expect_within(within_s, case, since, moments(told["pending"]))

    def test_10_a_link_between_two_hosts(self):
        """What h1 sends to h2 is lost; the launcher hears both, and they hear h0."""
        job = self.begin(3, [], "wait", 0, *HOSTS)
        cluster("mute", "h1", "h2")
        cut_at = time.monotonic()
        self.expect_broken_link(job, cut_at, "", link_limit_s(DEFAULT_HOST_LIMIT_S), f"10, a link (limit {DEFAULT_HOST_LIMIT_S} s)")

    def test_10_a_link_on_which_nothing_is_sent(self):
        """Each of its ends waits for the other; only the system asks."""
        job = self.begin(3, [], "wait", 0, *HOSTS, calls=["idle"])
        status_when(job, r"rank 1 .* for [1-9]\S* s, waits for rank 2 ", r"rank 2 .* for [1-9]\S* s, waits for rank 1 ")
        for host, other in ((1, 2), (2, 1)):  # in the first second they ask each other whether they are there
            self.assertEqual(self.established_link(host, other)[1], "0", "something is on its way")
        cluster("mute", "h1", "h2")
        cluster("mute", "h2", "h1")
        cut_at = time.monotonic()
        self.expect_broken_link(job, cut_at, "it does not answer", link_limit_s(DEFAULT_HOST_LIMIT_S),
                                f"10, an idle link (limit {DEFAULT_HOST_LIMIT_S} s)")

    def test_10_of_a_cut_link_one_end_goes_and_the_others_go_on(self):
        job = start("-n", 6, *HOSTS, "--host-limit", 2, "--on-failure", "continue", "survivors_probe", 100)
        self.addCleanup(lambda: job.poll() is not None or job.kill())
        read_lines(job.stdout, 6)
        cluster("mute", "h1", "h2")
        self.expect_survivors(job, {"0 1 2 3", "0 1 4 5", "0 1 2", "0 1 3", "0 1 4", "0 1 5"})  # no two that are apart

    def test_85_a_host_to_which_large_packets_vanish(self):
        """From the start, or later. Small packets pass, and are answered: with them all begins."""
        for early in (True, False):
            with self.subTest(early=early):
                if early:
                    cluster("swallow", "h1", 600)
                job = self.begin(3, [], "wait", 0, *HOSTS)
                cluster("swallow", "h1", 600)
                since = time.monotonic()
                said, error = self.end(job)
                cluster("swallow", "h1", 0)
                self.assertEqual(job.returncode, 1, error)
                record, told = self.expect_link(said, 3, [0, 1])
                self.assertEqual((record["pid"], record["host"]), (1, "h1"))
                self.assertRegex(record["words"], r"^lost its link to pid [02] on h[02]: it does not answer")
                expect_within(link_limit_s(DEFAULT_HOST_LIMIT_S), f"85, large packets (limit {DEFAULT_HOST_LIMIT_S} s)", since,
                              moments(told["pending"]))

    def test_93_cuts_of_less_than_two_fifths_of_the_limit(self):
        """Of a host, and of a link between two."""
        job = start("-n", 3, *HOSTS, "loop_probe", 0, 1000)
        self.addCleanup(lambda: job.poll() is not None or job.kill())
        read_until(job.stdout, "begins")
        for way, seconds in [(["cut", "h2"], 0.5), (["mute", "h1", "h2"], 1.2), (["cut", "h1"], 1.5), (["mute", "h2", "h1"], 1.9), (["cut", "h2"], 1.9)]:
            cluster(*way)
            time.sleep(seconds)
            self.assertIsNone(job.poll(), way)
            cluster("heal", way[1])
            job.send_signal(signal.SIGUSR2)  # rank 0 says so in a later call, for which it needs all
            read_until(job.stdout, r"so far: .*\n")
        job.send_signal(signal.SIGUSR1)
        output, error = job.communicate(timeout=60)
        self.assertEqual((job.returncode, error.decode()), (0, ""))

    def test_45_two_hosts_that_do_not_reach_each_other(self):
        """The launcher hears both. Nobody there says where h2 is, which the system finds within 3 s; or it knows no way."""
        def block(how):
            for host, other in [(1, 2), (2, 1)]:
                cluster("exec", f"h{host}", "ip", "route", how, "unreachable", address(other))

        for cut, heal in [(lambda: cluster("part", "h1", "h2"), lambda: [cluster("heal", host) for host in ["h1", "h2"]]),
                          (lambda: block("add"), lambda: block("del"))]:
            cut()
            try:
                job = start("-n", 3, *HOSTS, "--host-limit", 5, "--on-failure", "continue", "survivors_probe", 15)
                self.addCleanup(lambda: job.poll() is not None or job.kill())
                read_lines(job.stdout, 3)
                with within(5 + 1 * SLACK, "45, no way between two hosts, until the job has ended"):
                    error = self.expect_survivors(job, {"0 1", "0 2"})
            finally:
                heal()
            self.assertRegex(error, r"lost its link to pid [12] on h[12]: cannot connect to \S+ port \d+ \(h[12]\): No route to host")

    def established_link(self, host, other):
        """Of the process on one host with that on the other, once there is one: as ss has it."""
        sockets = ["ip", "netns", "exec", namespace(host), "ss", "-Htnp", "state", "established", "dst", address(other)]
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            lines = subprocess.run(sockets, check=True, capture_output=True, text=True).stdout.splitlines()
            for line in lines:
                if f"pid={self.processes[host]}," in line:
                    return line.split()
        self.fail(f"no link from host {host} to host {other}")

    def test_20_a_connection_that_the_kernel_resets(self):
        """That between the ranks on h1 and h2: the two ends are told different things, and both are a reset."""
        job = self.begin(3, [], "wait", 0, *HOSTS)
        status_when(job, "rank 0 ")  # whoever is asked answers later than a handshake takes
        for _ in range(2):  # where both have dialled at once, one of the two may just go
            link = self.established_link(1, 2)
            reset_at = time.monotonic()
            closed = subprocess.run(["ip", "netns", "exec", namespace(1), "ss", "-HKt", "src", link[2], "dst", link[3]], check=True,
                                    capture_output=True, text=True)
            if closed.stdout:
                break
        self.assertIn(link[2], closed.stdout)  # else the kernel does not do it
        self.expect_broken_link(job, reset_at, "connection reset$", 1 * SLACK, "20, by the kernel")

    def test_21_the_others_go_on_after_a_black_hole_of_two_seconds(self):
        job = start("-n", 6, *HOSTS, "--on-failure", "continue", "survivors_probe", 600)  # in two seconds
        self.addCleanup(lambda: job.poll() is not None or job.kill())
        read_lines(job.stdout, 6)
        cluster("mute", "h1", "h2")
        time.sleep(2)
        self.assertIsNone(job.poll())  # held up
        cluster("heal", "h1")
        self.expect_survivors(job, {"0 1 2 3 4 5"})

    def test_22_five_percent_of_the_packets_are_lost(self):
        for host in range(3):
            cluster("rate", f"h{host}", "100mbit")
            cluster("lose", f"h{host}", 5)
        before = self.sent_again()
        job = start("-n", 3, *HOSTS, "survivors_probe", 15)  # to 64 KiB
        self.addCleanup(lambda: job.poll() is not None or job.kill())
        self.assertRegex(self.expect_survivors(job, {"0 1 2"}), rf"^({LATE})*$")
        self.assertGreater(self.sent_again(), before)

    def sent_again(self):
        """Segments, by the kernels of all hosts, because they were lost."""
        return sum(int(subprocess.run(["ip", "netns", "exec", namespace(host), "awk", "/^Tcp: [0-9]/ { print $13 }", "/proc/net/snmp"],
                                      check=True, capture_output=True).stdout) for host in range(3))

    def test_21_a_black_hole_of_two_seconds(self):
        job = start("-n", 6, *HOSTS, "survivors_probe", 600)  # in two seconds
        self.addCleanup(lambda: job.poll() is not None or job.kill())
        read_lines(job.stdout, 6)
        cluster("cut", "h2")
        time.sleep(2)
        self.assertIsNone(job.poll())  # held up
        cluster("heal", "h2")
        output, error = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 0, error)
        self.assertRegex(error.decode(), rf"^({LATE})*$")

    def test_44_a_program_that_is_missing_on_one_host(self):
        """The host is named; the processes of the others go, too."""
        with tempfile.TemporaryDirectory(prefix="cohort-missing-") as folder:
            program, shell = pathlib.Path(folder, "bin", "program"), pathlib.Path(folder, "rsh")
            program.parent.mkdir()
            shutil.copy(shutil.which("sleep"), program)
            shell.write_text(f"""#!/bin/sh
if [ "$1" = h1 ]; then exec unshare -m sh -c 'mount -t tmpfs none {program.parent} && exec "$@"' sh {RSH} "$@"; fi
exec {RSH} "$@"
""")
            shell.chmod(0o755)
            with within(1 * SLACK, "44, missing on one host, the whole job"):
                result = run("--rsh", shell, *HOSTS[2:], "-n", 3, program, 1000)
        self.assertEqual(result.returncode, 127, result.stderr)
        self.assertRegex(result.stderr.decode(), rf"cannot run '{program}': No such file or directory \(host h1")
        self.assertEqual(wait_until_gone(self.pids_on_all_hosts(), 1 * SLACK), [])


if __name__ == "__main__":
    at_once.main(3, lambda worker: hosts_up(3, lab=f"coh{worker}", net=f"10.{80 + worker}"))
