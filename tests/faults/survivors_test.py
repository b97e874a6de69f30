# SPDX-License-Identifier: Apache-2.0
"""Jobs that go on without the processes that they lose (--on-failure continue)."""

import os
import random
import re
import signal
import time
import unittest

from fault_driver import SLACK, Faults, descendants, read_lines, run, start, wait_until_gone

GOES_ON = ["--on-failure", "continue"]


class Survivors(Faults):
    def ends(self, output):
        """The group that each rank ended with."""
        return dict(re.findall(r"(?m)^rank (\d+) ends with (.*)$", output))

    def expect(self, ranks, deaths, status=0):
        begin = time.monotonic()
        result = run("-n", ranks, *GOES_ON, "survivors_probe", 100, ",".join(f"{pid}:{call}" for pid, call in deaths))
        output, error = result.stdout.decode(), result.stderr.decode()
        self.assertEqual(result.returncode, status, output + error)
        self.assertNotIn("wrong", output)
        dead = [pid for pid, _ in deaths]
        for pid in dead:
            self.assertRegex(error, rf"(?m)^cohort: rank {pid} \(host \S+, process \d+\) was killed by signal 9 "
                                    r"\(Killed\); the job goes on$")
        self.assertEqual(error.count("\n"), len(dead), error)
        self.assertLess(time.monotonic() - begin, 20 * SLACK)
        return self.ends(output)

    def test_13_one_after_the_other_and_rank_0_at_last(self):
        ends = self.expect(12, [(1, 20), (3, 40), (0, 60)])
        self.assertEqual(sorted(map(int, ends)), [2, *range(4, 12)])
        self.assertEqual(len(set(ends.values())), 1, ends)
        self.assertRegex(ends["2"], r"^2 4 5 6 7 8 9 10 11 as \(0,2\)")

    def test_13_several_at_once(self):
        ends = self.expect(8, [(0, 30), (2, 30), (7, 30)])
        self.assertEqual(sorted(ends), ["1", "3", "4", "5", "6"])
        self.assertEqual(len(set(ends.values())), 1, ends)

    def test_13_all_but_one(self):
        self.assertEqual(list(self.expect(5, [(pid, 10 * pid + 10) for pid in range(4)])), ["4"])

    def test_8_the_agent_of_one_of_two_hosts_that_are_one_machine(self):
        rsh, agent_of = self.remote_shell()
        job = start("-n", 4, "--rsh", rsh, "--hosts", "127.0.0.2:2,127.0.0.3:2", *GOES_ON, "survivors_probe", 1000)
        self.addCleanup(lambda: job.poll() is not None or job.kill())
        read_lines(job.stdout, 4)
        os.kill(agent_of("127.0.0.3"), signal.SIGKILL)
        output, error = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 0, error)
        self.assertEqual(sorted(self.ends(output.decode())), ["0", "1"], error)

    def test_13_killed_at_any_time_also_while_the_others_agree(self):
        seed = int(os.environ.get("COHORT_SEED", random.randrange(1 << 30)))
        print(f"COHORT_SEED={seed}")
        chance = random.Random(seed)
        for _ in range(5):
            job = start("-n", 8, *GOES_ON, "survivors_probe", 1000)
            self.addCleanup(lambda job=job: job.poll() is not None or job.kill())
            lines = read_lines(job.stdout, 8)
            processes = dict(re.findall(r"rank (\d) is process (\d+)", "\n".join(lines)))
            below = descendants(job.pid)
            doomed = chance.sample(range(8), chance.randrange(1, 7))
            for rank in doomed:
                os.kill(int(processes[str(rank)]), signal.SIGKILL)
                if chance.random() < 0.5:
                    lines += read_lines(job.stdout, 1)  # somebody goes on
            output, error = job.communicate(timeout=60)
            text = "\n".join(lines) + "\n" + output.decode()
            ends = self.ends(text)
            self.assertEqual(job.returncode, 0, text + error.decode())
            self.assertEqual(sorted(map(int, ends)), sorted(set(range(8)) - set(doomed)), text + error.decode())
            self.assertEqual(len(set(ends.values())), 1, ends)
            self.assertEqual(wait_until_gone(below), [])

    def test_the_status_is_the_first_cause_where_nobody_is_left(self):
        self.assertEqual(run("-n", 3, *GOES_ON, "survivors_probe", 100, "0:5,1:5,2:5").returncode, 137)

    def test_a_process_that_ends_itself_decides_the_status(self):
        result = run("-n", 4, *GOES_ON, "survivors_probe", 100, "1:20,3:-1")
        self.assertEqual(result.returncode, 3, result.stderr)

    def test_a_death_before_all_have_joined_ends_the_job(self):
        script = f'if [ -p /dev/stdin ]; then exit 3; fi; exec {os.environ["COHORT_BIN"]}/survivors_probe 10'
        self.assertEqual(run("-n", 3, *GOES_ON, "sh", "-c", script).returncode, 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
