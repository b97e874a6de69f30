# SPDX-License-Identifier: Apache-2.0
"""What a page of the tutorial says, and a folder in which its commands are run as they stand."""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import a_build

PAGES = ROOT / "docs/tutorial"
PROGRAMS = ROOT / "examples/tutorial"
LIMIT_S = 120
MARK = "-- next command --"
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
VARYING = ((r"rank \d+ has waited", "rank 0 has waited"), (r"process \d+", "process 0"), (r"\b\d+(\.\d+)?(e-\d+)? s\b", "0 s"))


class Page:
    def __init__(self, path):
        self.path, self.text = path, path.read_text()
        self.program = re.search(r"`examples/tutorial/(\w+\.cpp)`", self.text).group(1)

    def program_text(self):
        """As the page shows it: without the line of the licence."""
        return (PROGRAMS / self.program).read_text().removeprefix("// SPDX-License-Identifier: Apache-2.0\n")

    def blocks(self, language):
        return re.findall(rf"^```{language}\n(.*?)^```$", self.text, re.DOTALL | re.MULTILINE)

    def files(self):
        """The files of faults, by the names that the page gives them."""
        return dict(zip(re.findall(r"`(\w+\.toml)`", self.text), self.blocks("toml"), strict=True))

    def sessions(self):
        """Of each block of commands: (command, the lines that it prints)."""
        for block in self.blocks("console"):
            yield [(command, shown.splitlines()) for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)]

    def refusals(self):
        """(call, words of the compiler) of the table of what does not compile."""
        return re.findall(r"^\| `([^`]+)` \| (.+) \|$", self.text.split("the compiler says |")[-1].split("\n\n")[0], re.MULTILINE)


def pages():
    return [Page(path) for path in sorted(PAGES.glob("[0-9]*.md"))]


def plain(lines, hosts=()):
    """What varies is made alike. The lines of different ranks come in any order. `hosts`: (pattern, the page's name)"""
    def line_of(line):
        for pattern, name in (*VARYING, *hosts, (rf"\b{re.escape(socket.gethostname())}\b", "node")):
            line = re.sub(pattern, name, line)
        return line
    return sorted(line_of(line) for line in lines)


class Folder:
    """With the page's files. `build` takes the place of an installed Cohort, the compiler that of g++."""

    def __init__(self, path, page, build, compiler="c++", flags=()):
        self.path, self.compiler, self.flags = path, [shutil.which(compiler), *WARNINGS, *flags], list(flags)
        (path / page.program).write_text(page.program_text())
        for name, text in page.files().items():
            (path / name).write_text(text)
        (path / "bin").mkdir()
        (path / "bin/g++").write_text(f'#!/bin/sh\nexec {" ".join(self.compiler)} "$@"\n')
        (path / "bin/g++").chmod(0o755)
        (path / "cohort.pc").write_text(f"Name: cohort\nDescription: the build\nVersion: 0\nRequires: libcrypto protobuf-lite fmt\n"
                                        f"Libs: {build}/libcohort.a -pthread\nCflags: -I{ROOT}/include\n")
        self.environment = {**os.environ, "PATH": f"{path}/bin:{build}/bin:{os.environ['PATH']}", "PKG_CONFIG_PATH": str(path)}

    def run(self, commands):
        """The lines that each command prints, as in one terminal."""
        script = "\n".join(f"status=$?; echo '{MARK}'; (exit $status)\n{command}" for command in commands)
        result = subprocess.run(["bash", "-c", script], cwd=self.path, env=self.environment, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=LIMIT_S)
        return [lines.splitlines() for lines in result.stdout.split(MARK + "\n")[1:]]

    def refused(self, calls):
        """The compiler's words for each call, or "" for one that compiles."""
        begin = ["#include <cohort/cohort.hpp>", "#include <functional>", "#include <string_view>", "#include <tuple>",
                 "void calls(const cohort::Group& all, std::vector<double>& x, std::vector<double>& y) {"]
        (self.path / "calls.cpp").write_text("\n".join([*begin, *(f"{call};" for call in calls), "}\n"]))
        made = subprocess.run([*self.compiler, "-std=c++20", "-fsyntax-only", f"-I{ROOT}/include", "calls.cpp"], cwd=self.path, text=True,
                              capture_output=True, timeout=LIMIT_S)
        errors = a_build.errors_by_line(made.stderr, "calls.cpp")
        return ["".join(errors.get(number, [])) for number in range(len(begin) + 1, len(begin) + 1 + len(calls))]
