# SPDX-License-Identifier: Apache-2.0
"""What the tests on several hosts share: a cluster of their own in network namespaces, which need root. A program that can't
have one exits with 77 (skipped)."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from skips import skip_all  # noqa: E402

LAB = pathlib.Path(__file__).resolve().parents[2] / "tools" / "lab"
RSH = str(LAB / "cluster-rsh")


def cluster(*words):
    return subprocess.run([LAB / "cluster", *map(str, words)], check=True, capture_output=True, timeout=60).stdout.decode()


def namespace(host):
    """Of a host of the cluster that is up."""
    return f"{os.environ['COHORT_LAB']}-h{host}"


def address(host):
    words = ["ip", "-n", namespace(host), "-j", "address", "show", "scope", "global"]
    [device] = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    return device["addr_info"][0]["local"]


def namespace_pids(host):
    """Of all processes there."""
    words = ["ip", "netns", "pids", namespace(host)]
    return [int(pid) for pid in subprocess.run(words, capture_output=True, check=True).stdout.split()]


@contextlib.contextmanager
def hosts_up(count, rate="none", lab="cohl", net="10.78"):
    """They are up within the block, beside other clusters, not among them."""
    os.environ.update(COHORT_LAB=lab, COHORT_LAB_NET=net)
    if os.geteuid() != 0 or shutil.which("ip") is None or \
            subprocess.run(["ip", "netns", "list"], capture_output=True).returncode != 0:
        skip_all("network namespaces need root and iproute2")
    try:
        cluster("up", count, "--rate", rate)
    except subprocess.CalledProcessError as error:
        skip_all(f"no network namespaces here: {error.stderr.decode()}")
    try:
        yield
    finally:
        cluster("down")
