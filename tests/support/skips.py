# SPDX-License-Identifier: Apache-2.0
"""What a test program does where something is missing that its tests need: it says so to CTest. Where COHORT_NO_SKIPS is set,
as by .ci/run, nothing may be missing."""

import os
import sys
import unittest

SKIPPED = 77  # CTest's SKIP_RETURN_CODE
NO_SKIPS = bool(os.environ.get("COHORT_NO_SKIPS"))


def skip_all(reason):
    print("skipped:", reason)
    sys.exit(1 if NO_SKIPS else SKIPPED)


def main():
    """Like unittest.main()."""
    exit_for(unittest.main(verbosity=2, exit=False).result)


def exit_for(result):
    """With the status that tells CTest how the tests went."""
    sanitized = bool(os.environ.get("COHORT_SANITIZE"))  # some tests are not for them, whatever is there
    if result.skipped and NO_SKIPS and not sanitized:
        print("skipped, where nothing may be (COHORT_NO_SKIPS):", *(f"{test}: {why}" for test, why in result.skipped),
              sep="\n  ", file=sys.stderr)
        sys.exit(1)
    if result.wasSuccessful() and result.skipped and len(result.skipped) >= result.testsRun:
        sys.exit(SKIPPED)
    sys.exit(not result.wasSuccessful())
