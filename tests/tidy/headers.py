#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every header compiles alone, and twice in a row: it includes what it needs, and begins with #pragma once. Where a unit of
the build includes a header before all else, the build has compiled the header: what the header lacks in spite of that, it
lacks at the end of this unit only."""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

import tree

DROPPED = {"-c", "-MD", "-MMD", "-g"}
TOGETHER = re.compile(r'#include "([^"]+)"')  # of the unit that CMake writes for sources that it compiles together
FIRST_INCLUDE = re.compile(r'(?:(?://.*)?\n)*#include ["<]([^">]+)[">]')  # behind comments only


def flags_from(command, directory):
    """A compiler and its flags, from a line of compile_commands.json: without the file, output and optimisation."""
    words = shlex.split(command)
    if pathlib.Path(words[0]).name == "ccache":
        words = words[1:]
    kept, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT", "-MQ"):
            skip = True
        elif word not in DROPPED and not word.startswith("-O") and not word.endswith((".cpp", ".cxx")):
            kept.append(word)
    return kept, directory


def sources_of(unit):
    """The sources that a unit of the build compiles, in order."""
    if unit.parent.name != "Unity":
        return [unit]
    return [pathlib.Path(path) for path in TOGETHER.findall(unit.read_text())]


def commands_of(source, build):
    """path of a source -> (compiler and flags, working directory), and the paths of those that come first in their unit"""
    commands, firsts = {}, set()
    if build:
        for entry in json.loads((pathlib.Path(build) / "compile_commands.json").read_text()):
            paths = [file.relative_to(source.root).as_posix()
                     for file in sources_of(pathlib.Path(entry["directory"], entry["file"])) if file.is_relative_to(source.root)]
            firsts.update(paths[:1])
            for path in paths:
                commands[path] = flags_from(entry["command"], entry["directory"])
    return commands, firsts


def nearest(header, commands):
    """The source that shares most of the header's path: its flags are the header's."""
    in_tests = header.startswith("tests/")
    sources = [path for path in commands if path.startswith("tests/") == in_tests] or list(commands)
    return max(sources, key=lambda path: (len(os.path.commonprefix([path, header])), path))


def compile_alone(source, header, commands):
    if commands:
        command, directory = commands[nearest(header, commands)]
    else:
        command, directory = ["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror"], str(source.root)
    path = str(source.root / header)
    # To an object, for ccache keeps nothing of -fsyntax-only.
    compiler = ["ccache"] if shutil.which("ccache") else []
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            [*compiler, *command, f"-I{source.root}", f"-I{source.root / 'include'}", "-x", "c++", "-c", "/dev/null",
             "-include", path, "-include", path, "-o", f"{folder}/alone.o"],
            text=True, capture_output=True, cwd=directory, timeout=120)
    if result.returncode == 0:
        return None
    errors = [line for line in result.stderr.splitlines() if "error" in line] or result.stderr.splitlines()
    return tree.Violation(header, 1, f"does not compile alone: {errors[0] if errors else 'no message'}")


def compiled_with_the_build(source, sources):
    """The headers that come first in one of the sources."""
    firsts = [first.group(1) for path in sources
              if source.exists(path) and (first := FIRST_INCLUDE.match(source.text(path)))]
    return {*firsts, *(f"include/{path}" for path in firsts)}


def check(source, build=None):
    headers = source.files(".hpp")
    commands, firsts = commands_of(source, build)
    compiled = compiled_with_the_build(source, firsts)
    violations = [tree.Violation(header, 1, "has no #pragma once: add it below the opening comment")
                  for header in headers if "#pragma once\n" not in source.text(header)]
    done = compiled | {violation.path for violation in violations}
    left = [header for header in headers if header not in done]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda header: compile_alone(source, header, commands), left)
        return violations + [violation for violation in results if violation]


if __name__ == "__main__":
    tree.main(check, __doc__, [("--build", {"help": "the build tree, for compile_commands.json"})])
