#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/setup installs what is missing and nothing else, and says so when it can't. The package tools are stubs here."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SETUP = pathlib.Path(__file__).parents[2] / "tools/setup"

# Lists all that is asked for as installed, but for the packages in $MISSING.
DPKG_QUERY = """#!/bin/bash
for package in "${@:4}"; do [[ " $MISSING " == *" $package "* ]] || echo "installed $package"; done
"""
APT_GET = '#!/bin/bash\necho "$*" >>"$CALLS"\n[[ -z ${APT_FAILS:-} ]] || { echo "no network" >&2; exit 100; }\n'
SUDO = '#!/bin/bash\n[[ $1 != -n ]] || shift\nexec "$@"\n'


class Setup(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.directory.name)
        for name, text in (("dpkg-query", DPKG_QUERY), ("apt-get", APT_GET), ("sudo", SUDO)):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)

    def tearDown(self):
        self.directory.cleanup()

    def run_setup(self, *options, **variables):
        calls = self.folder / "calls"
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "CALLS": str(calls), "MISSING": ""}
        result = subprocess.run([SETUP, *options], env={**environment, **variables}, text=True, capture_output=True,
                                stdin=subprocess.DEVNULL, timeout=60)
        return result, calls.read_text().splitlines() if calls.exists() else []

    def test_nothing_missing(self):
        for options in ([], ["--build"], ["--documents"], ["--all"], ["--check"]):
            result, calls = self.run_setup(*options)
            self.assertEqual((result.returncode, result.stdout, result.stderr, calls), (0, "", "", []))

    def test_installs_what_is_missing_only(self):
        result, calls = self.run_setup(MISSING="cmake libpng-dev openssh-server")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(calls), 2, calls)
        self.assertTrue(calls[0].endswith(" update"))
        self.assertTrue(calls[1].endswith("install -y --no-install-recommends cmake libpng-dev"), calls)
        self.assertIn("cmake libpng-dev", result.stdout)

    def test_documents_are_asked_for(self):
        self.assertEqual(self.run_setup(MISSING="mkdocs")[1], [])
        _, calls = self.run_setup("--documents", MISSING="mkdocs valgrind")
        self.assertTrue(calls[-1].endswith("install -y --no-install-recommends mkdocs"), calls)

    def test_check_installs_nothing(self):
        result, calls = self.run_setup("--check", MISSING="cmake")
        self.assertEqual((result.returncode, calls), (1, []))
        self.assertIn("cmake", result.stdout)

    def test_failure_is_said(self):
        result, _ = self.run_setup(MISSING="cmake", APT_FAILS="yes")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no network", result.stderr)
        self.assertIn("tools/setup: 'apt-get update' failed", result.stderr)

    def test_unknown_option(self):
        result, calls = self.run_setup("--everything")
        self.assertEqual((result.returncode, calls), (1, []))
        self.assertIn("--everything", result.stderr)


if __name__ == "__main__":
    unittest.main()
