#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs the build tree to a prefix of its own, moves it, and builds and runs a program outside against it: once
through find_package(cohort), once through pkg-config and the compiler alone. Both run as a job of one, and as a job of
three through the installed cohort command. What there is to read is installed, too."""

import argparse
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], text=True, capture_output=True, timeout=240, **options)
    if result.returncode != 0:
        sys.exit(f"failed ({result.returncode}): {shlex.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def through_cmake(prefix, outside, work, arguments):
    build = work / "by-cmake"
    run("cmake", "-S", outside, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={arguments.compiler}", f"-DCMAKE_CXX_FLAGS={arguments.flags}")
    run("cmake", "--build", build)
    return build / "outside"


def through_pkg_config(prefix, outside, work, arguments):
    found = list(prefix.rglob("cohort.pc"))
    assert len(found) == 1, f"one cohort.pc expected in {prefix}, found: {found}"
    path = os.pathsep.join(filter(None, [str(found[0].parent), os.environ.get("PKG_CONFIG_PATH")]))
    flags = run("pkg-config", "--cflags", "--libs", "cohort", env={**os.environ, "PKG_CONFIG_PATH": path})
    program = work / "by-pkg-config"
    run(arguments.compiler, "-std=c++20", *shlex.split(arguments.flags), outside / "main.cpp", "-o", program,
        *shlex.split(flags))
    return program


def expect(output, expected, what):
    if output != expected:
        sys.exit(f"{what}: expected {expected!r}, got {output!r}")


def expect_to_read(prefix):
    """Manual pages, completions, and the manual that `cohort help` shows."""
    share = prefix / "share"
    for path in ("man/man1/cohort.1", "man/man1/cohort-run.1", "bash-completion/completions/cohort", "zsh/site-functions/_cohort",
                 "fish/vendor_completions.d/cohort.fish", "doc/cohort/LICENSE"):
        if not (share / path).is_file():
            sys.exit(f"{path} is not installed")
    expect(run(prefix / "bin/cohort", "help", "two_machines").splitlines()[0], "Run on two machines, from nothing", "cohort help")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--flags", default="", help="what the library was built with: sanitizers")
    arguments = parser.parse_args()

    outside = arguments.source / "tests/install/outside"
    with tempfile.TemporaryDirectory(prefix="cohort-install-") as directory:
        work = pathlib.Path(directory)
        run("cmake", "--install", arguments.build, "--prefix", work / "first")
        prefix = (work / "first").rename(work / "moved")
        for page in ("README.md", "how-to/two_machines.md", *(["html/how-to/two_machines.html"] if shutil.which("mkdocs") else [])):
            if not (prefix / "share/doc/cohort" / page).is_file():
                sys.exit(f"the manual's page {page} is not installed")
        expect_to_read(prefix)

        for build in (through_cmake, through_pkg_config):
            program = build(prefix, outside, work, arguments)
            expect(run(program), "sum 1\n", f"{build.__name__}, a job of one")
            output = run(prefix / "bin/cohort", "run", "-n", 3, program, stdin=subprocess.DEVNULL)
            expect(output, "sum 6\n", f"{build.__name__}, a job of three")


if __name__ == "__main__":
    main()
