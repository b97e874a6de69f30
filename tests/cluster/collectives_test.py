# SPDX-License-Identifier: Apache-2.0
"""Every collective, right on hosts with links of 100 Mbit/s, started through the lab's remote shell: one process on each
of 3 and 16, two on each of 4, and on hosts that have not as many.

Needs root and ip(8) with namespaces; exits with 77 (skipped) where they are missing.
"""

import os
import subprocess
import sys

from lab_driver import LAB, RSH, cluster, hosts_up

HOSTS = 16


def main():
    cohort, program = os.environ["COHORT_BIN"] + "/cohort", os.environ["EVERY_COLLECTIVE"]
    for slots in ([1] * 3, [1] * HOSTS, [2] * 4, [3, 1, 2]):
        ranks = sum(slots)
        hosts = ",".join(f"{host}:{slot}" for host, slot in zip(cluster("hosts").split(), slots))
        job = subprocess.run([LAB / "cluster", "exec", "h0", cohort, "run", "-n", str(ranks), "--hosts", hosts, "--rsh", RSH,
                              "--timeout", "200", program], timeout=250, capture_output=True)
        print(job.stdout.decode()[-2000:], job.stderr.decode()[-2000:])
        if job.returncode != 0 or f"every collective on {ranks} ranks: 0 with failures" not in job.stdout.decode():
            print(f"failed on {hosts}: exit status {job.returncode}")
            return 1
    return 0


if __name__ == "__main__":
    with hosts_up(HOSTS, rate="100mbit"):
        sys.exit(main())
