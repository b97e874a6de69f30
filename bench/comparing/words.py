# SPDX-License-Identifier: Apache-2.0
"""What the command lines of bench/ share."""

import argparse
import signal
import sys


def end_by_signal():
    """SIGTERM ends the program as Ctrl-C does: by an exception, so that what it has started is ended, too."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))


def size(text):
    """A number of bytes: 65536, 64K, 16MiB."""
    number = text.rstrip("iBKMG")
    unit = text[len(number):].rstrip("iB")
    try:
        return int(float(number) * {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}[unit])
    except (KeyError, ValueError):
        raise argparse.ArgumentTypeError(f"a number of bytes is needed, not '{text}'") from None


def sizes_between(least, most):
    """Each four times the one before."""
    sizes = []
    while least <= most:
        sizes.append(least)
        least *= 4
    return sizes
