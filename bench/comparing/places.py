# SPDX-License-Identifier: Apache-2.0
"""Where a comparison runs: processes on this machine, or on the hosts of the lab; and what bounds it there."""

import os
import pathlib
import re
import subprocess

LAB = pathlib.Path(__file__).resolve().parents[2] / "tools/lab"
PAYLOAD = 1448 / 1514  # of an Ethernet frame's 1,514 bytes, what TCP with timestamps carries
RESTING_BYTES = 2**14  # more than the lab's links let through at once, 12,000


class Local:
    """All processes on this machine, over the loopback interface, or as each of them does by default: through memory."""

    def __init__(self, ranks, memory=False):
        self.ranks = ranks
        self.memory = memory
        self.name = f"{ranks} processes on one machine, " + ("through memory" if memory else "over the loopback interface")
        self.key = f"memory {ranks}" if memory else f"local {ranks}"
        self.bytes_per_us = None
        self.rest_s = 0

    def set_up(self):
        pass


class Hosts:
    """One process on each host of tools/lab/cluster."""

    def __init__(self, hosts, rate):
        self.ranks = hosts
        self.rate = rate
        self.name = f"{hosts} hosts on links of {'unlimited rate' if rate == 'none' else rate}, one process each"
        self.key = f"hosts {hosts} {rate}"
        self.bytes_per_us = None if rate == "none" else bits_per_second(rate) / 8e6 * PAYLOAD
        # what a link needs before it lets through at once again what it can
        self.rest_s = RESTING_BYTES / self.bytes_per_us / 1e6 if self.bytes_per_us else 0

    def set_up(self):
        """Uses the lab that is up if it has as many hosts, or more, on links of this rate."""
        if self.is_up():
            return
        subprocess.run([LAB / "cluster", "up", str(self.ranks), "--rate", self.rate], check=True)

    def is_up(self):
        hosts = subprocess.run([LAB / "cluster", "hosts"], capture_output=True, text=True).stdout.split()
        if len(hosts) < self.ranks:
            return False
        shaping = subprocess.run([LAB / "cluster", "exec", "h0", "tc", "qdisc", "show", "dev", "eth0"],
                                 capture_output=True, text=True).stdout
        shaped = re.search(r"tbf .*rate (\S+)", shaping)
        if self.rate == "none":
            return not shaped
        return bool(shaped) and bits_per_second(shaped.group(1)) == bits_per_second(self.rate)

    def addresses(self):
        every = subprocess.run([LAB / "cluster", "hosts"], capture_output=True, text=True, check=True).stdout.split()
        return every[:self.ranks]


def bits_per_second(rate):
    """Of a rate as tc(8) writes it: "100mbit", "1.5Gbit"."""
    number, unit = re.fullmatch(r"([\d.]+)([kmg]?)bit", rate.lower()).groups()
    return float(number) * {"": 1, "k": 1e3, "m": 1e6, "g": 1e9}[unit]


def bound_us(place, operation, size):
    """The least time in which the data can pass one link, or None where that says nothing."""
    if not place.bytes_per_us or not size:
        return None
    p = place.ranks
    others = (p - 1) / p
    parts = {"combine": 2 * others, "scatter": others, "gather": others, "concat": others, "index": others,
             "reduce_scatter": others}
    return parts.get(operation.removesuffix("_ordered"), 1) * size / place.bytes_per_us


def cores():
    """Of this machine, as many as may be used."""
    return len(os.sched_getaffinity(0))


def machine():
    """What the figures hold for: (what, value) pairs."""
    with open("/proc/cpuinfo") as file:
        models = re.findall(r"^model name\s*: (.+)$", file.read(), re.MULTILINE)
    with open("/proc/meminfo") as file:
        memory_kib = int(re.search(r"MemTotal:\s+(\d+)", file.read()).group(1))
    system = os.uname()
    return [("processor", models[0] if models else system.machine), ("cores", str(cores())),
            ("memory", f"{memory_kib / 2**20:.1f} GiB"), ("kernel", f"{system.sysname} {system.release}")]
