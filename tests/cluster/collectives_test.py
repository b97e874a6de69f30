"""Every collective, right on hosts with links of 100 Mbit/s, started through the lab's remote shell: one process on each
of 3 and 16, two on each of 4, and on hosts that have not as many.

Needs root and ip(8) with namespaces; exits with 77 (skipped) where they are missing.
"""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LAB = HERE.parents[1] / "tools" / "lab"
HOSTS = 16
os.environ.update(COHORT_LAB="cohl", COHORT_LAB_NET="10.78")  # beside other clusters, not among them


def cluster(*words):
    return subprocess.run([LAB / "cluster", *map(str, words)], check=True, capture_output=True, timeout=120).stdout.decode()


def main():
    if os.geteuid() != 0 or not shutil.which("ip"):
        print("skipped: needs root and ip(8)")
        return 77
    cohort, program = os.environ["COHORT_BIN"] + "/cohort", os.environ["EVERY_COLLECTIVE"]
    try:
        cluster("up", HOSTS, "--rate", "100mbit")
    except subprocess.CalledProcessError as error:
        print("skipped: no network namespaces here:", error.stderr.decode())
        return 77
    try:
        for slots in ([1] * 3, [1] * HOSTS, [2] * 4, [3, 1, 2]):
            ranks = sum(slots)
            hosts = ",".join(f"{host}:{slot}" for host, slot in zip(cluster("hosts").split(), slots))
            job = subprocess.run([LAB / "cluster", "exec", "h0", cohort, "run", "-n", str(ranks), "--hosts", hosts, "--rsh",
                                  LAB / "cluster-rsh", "--timeout", "200", program], timeout=250, capture_output=True)
            print(job.stdout.decode()[-2000:], job.stderr.decode()[-2000:])
            if job.returncode != 0 or f"every collective on {ranks} ranks: 0 with failures" not in job.stdout.decode():
                print(f"failed on {hosts}: exit status {job.returncode}")
                return 1
    finally:
        cluster("down")
    return 0


if __name__ == "__main__":
    sys.exit(main())
