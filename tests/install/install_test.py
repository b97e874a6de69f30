#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs the build tree to a prefix of its own, moves it, and builds and runs programs outside against it, in C++ and in C:
once through find_package(cohort), once through pkg-config and the compiler alone. All run as a job of one, and as a job of
three through the installed cohort command. The examples are a project of their own. What there is to read is installed, too."""

import argparse
import itertools
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
    build = work / f"{outside.name}-by-cmake"
    compilers = ["-DCMAKE_C_COMPILER=cc", f"-DCMAKE_C_FLAGS={arguments.flags}"] if outside.name == "outside_c" else [
        f"-DCMAKE_CXX_COMPILER={arguments.compiler}", f"-DCMAKE_CXX_FLAGS={arguments.flags}"]
    run("cmake", "-S", outside, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", *compilers)
    run("cmake", "--build", build)
    return build / "outside"


def pkg_config(prefix, module, *words):
    found = list(prefix.rglob(f"{module}.pc"))
    assert len(found) == 1, f"one {module}.pc expected in {prefix}, found: {found}"
    path = os.pathsep.join(filter(None, [str(found[0].parent), os.environ.get("PKG_CONFIG_PATH")]))
    return shlex.split(run("pkg-config", *words, module, env={**os.environ, "PKG_CONFIG_PATH": path}))


def through_pkg_config(prefix, outside, work, arguments):
    program = work / f"{outside.name}-by-pkg-config"
    flags = shlex.split(arguments.flags)
    if outside.name == "outside_c":
        libraries = pkg_config(prefix, "cohort-c", "--variable=libdir")[0]
        run("cc", "-std=c11", *flags, outside / "sum.c", "-o", program, *pkg_config(prefix, "cohort-c", "--cflags", "--libs"),
            f"-Wl,-rpath,{libraries}")
    else:
        run(arguments.compiler, "-std=c++20", *flags, outside / "main.cpp", "-o", program,
            *pkg_config(prefix, "cohort", "--cflags", "--libs", "--static"))
    return program


def of_the_examples(prefix, examples, work, arguments, name):
    build = work / "examples"
    run("cmake", "-S", examples, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={arguments.compiler}", f"-DCMAKE_CXX_FLAGS={arguments.flags}")
    run("cmake", "--build", build, "--target", name)
    return build / "bin" / name


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

    with tempfile.TemporaryDirectory(prefix="cohort-install-") as directory:
        work = pathlib.Path(directory)
        run("cmake", "--install", arguments.build, "--prefix", work / "first")
        prefix = (work / "first").rename(work / "moved")
        for page in ("README.md", "how-to/two_machines.md", *(["html/how-to/two_machines.html"] if shutil.which("mkdocs") else [])):
            if not (prefix / "share/doc/cohort" / page).is_file():
                sys.exit(f"the manual's page {page} is not installed")
        expect_to_read(prefix)

        for build, outside in itertools.product((through_cmake, through_pkg_config), ("outside", "outside_c")):
            what = f"{outside}, {build.__name__}"
            program = build(prefix, arguments.source / "tests/install" / outside, work, arguments)
            expect(run(program), "sum 1\n", f"{what}, a job of one")
            output = run(prefix / "bin/cohort", "run", "-n", 3, program, stdin=subprocess.DEVNULL)
            expect(output, "sum 6\n", f"{what}, a job of three")

        samplesort = of_the_examples(prefix, arguments.source / "examples", work, arguments, "samplesort")
        output = run(prefix / "bin/cohort", "run", "-n", 3, samplesort, "--random", 1000, stdin=subprocess.DEVNULL)
        expect(output.split(",")[0], "sorted and complete: 1000 items", "an example")


if __name__ == "__main__":
    main()
