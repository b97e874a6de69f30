#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every path, command and option that docs/ and the documents beside README.md name exists.

Looked at: links, `code` in a line, and the lines of fenced code that begin with a command. A word in capitals, "..." or
<angle brackets> stands for something else and is not looked up: of `collectives/OPERATION/ALGORITHM.cpp`, only
`collectives/` must exist."""

import fnmatch
import os
import pathlib
import re
import shlex
import subprocess

import tree

PLACEHOLDER = re.compile(r"[A-Z]$|.*<[^>]*>|.*\.\.\.|(?!README)(.*[^A-Za-z])?[A-Z]{2,}([^A-Za-z].*)?$")
OPTION = re.compile(r"--[a-z][a-z-]*")
FILE_SUFFIX = re.compile(r"\.(hpp|cpp|md|py|sh|cmake|proto|svg|txt|json|in)$")
BINARIES = re.compile(r"build/[^/]+/bin/(.+)$")
COMMANDS = re.compile(r"(?:\S*/)?cohort$")
SYSTEM_PROGRAMS = {"sh", "lmp", "hpcc", "hostname", "python3"}
OPTIONS_WITHOUT_VALUE = {"--label", "--mpi", "--no-mpi", "--barrier", "--no-barrier", "--help", "--json", "--simplex", "--ordered"}  # of cohort run and its siblings


class Commands:
    """What the binaries of a build tree offer. Without a build tree nothing is known, and nothing is objected to."""

    def __init__(self, bin_folder):
        self.folder = pathlib.Path(bin_folder) if bin_folder else None
        self.known = bool(self.folder and (self.folder / "cohort").exists())
        self.helps = {}

    def help(self, *words):
        if words not in self.helps:
            result = subprocess.run([self.folder / "cohort", *words, "--help"], text=True, capture_output=True,
                                    stdin=subprocess.DEVNULL, timeout=30)
            self.helps[words] = result.stdout + result.stderr
        return self.helps[words]

    def has_subcommand(self, name):
        return bool(re.search(rf"^\s*(?:cohort\s+)?{re.escape(name)}\b", self.help(), re.MULTILINE))

    def has_option(self, subcommand, option):
        return bool(re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", self.help(subcommand)))

    def has_program(self, name):
        return os.access(self.folder / name, os.X_OK)


def exists(source, path):
    """Whether a path of the tree exists; up to its first placeholder; with * and {a,b}."""
    braces = re.search(r"\{([^{}]*)\}", path)
    if braces:
        return all(exists(source, path[:braces.start()] + word + path[braces.end():])
                   for word in braces.group(1).split(","))
    fixed = []
    for part in path.strip("/").split("/"):
        if PLACEHOLDER.match(part) and not source.exists("/".join([*fixed, part])):
            break
        fixed.append(part)
    path = "/".join(fixed)
    if "*" in path:
        return any(fnmatch.fnmatch(file, path) for file in source.files())
    return source.exists(path)


def looks_like_path(source, word):
    first = word.split("/")[0]
    if re.search(r"[()=;$:]|^[-~/]|^\./|//", word):  # ./program is the reader's
        return False
    if "/" in word:
        return source.exists(first) or bool(FILE_SUFFIX.search(word)) or word.endswith("/")
    return bool(FILE_SUFFIX.search(word)) and source.exists(word)


def judge_cohort(words, commands):
    """What is wrong with the words behind `cohort`, or None."""
    if not commands.known or not words or PLACEHOLDER.match(words[0]) or words[0].startswith("-"):
        return None
    subcommand, rest = words[0], words[1:]
    if not commands.has_subcommand(subcommand):
        return f"`cohort {subcommand}` is no command of cohort"
    program = None
    while rest and program is None:
        word = rest.pop(0).strip("[]")
        if word.startswith("-"):
            option = word.split("=")[0]
            if option.startswith("--") and not commands.has_option(subcommand, option):
                return f"cohort {subcommand} has no option {option}"
            if "=" not in word and option not in OPTIONS_WITHOUT_VALUE and rest:
                rest.pop(0)
        else:
            program = word
    if subcommand == "run" and program and "/" not in program and not PLACEHOLDER.match(program):
        if program not in SYSTEM_PROGRAMS and not commands.has_program(program):
            return f"there is no program `{program}` beside cohort"
    return None


def judge_command(source, text, commands):
    """What is wrong with a command line, or None. What is no command line is fine."""
    try:
        words = shlex.split(text, comments=True)
    except ValueError:
        words = text.split()
    if not words:
        return None
    name, rest = words[0], words[1:]
    built = BINARIES.match(name)
    if built and commands.known and not PLACEHOLDER.match(built.group(1)) and not commands.has_program(built.group(1)):
        return f"{name} is not built"
    if COMMANDS.match(name):
        return judge_cohort(rest, commands)
    if not built and looks_like_path(source, name):
        if not exists(source, name):
            return f"{name} does not exist"
        if source.exists(name) and name in source.scripts():
            for option in OPTION.findall(" ".join(rest)):
                if not re.search(rf"{option}(?![\w-])", source.text(name)):
                    return f"{name} has no option {option}"
    return None


def named(source, path):
    """(line, kind, text) of everything in a document that is a link, code in a line, or a line of code."""
    fence, continued = None, ""
    for number, line in source.lines(path):
        mark = re.match(r"\s*```(\w*)", line)
        if mark:
            fence = None if fence is not None else mark.group(1)
        elif fence in ("", "sh", "bash", "console"):
            text = continued + line.strip().removeprefix("$ ")
            continued = text[:-1] + " " if text.endswith("\\") else ""
            if not continued:
                yield number, "command", text
        elif fence is None:
            for text in re.findall(r"`([^`]+)`", line):
                yield number, "command", text
            for target in re.findall(r"\]\(([^)\s]+)\)", line) + re.findall(r'src="([^"]+)"', line):
                yield number, "link", target


def judge_link(source, path, target):
    target = target.split("#")[0]
    if not target or re.match(r"[a-z]+:", target):
        return None
    resolved = os.path.normpath(pathlib.PurePosixPath(path).parent / target)
    return None if source.exists(resolved) else f"the link {target} leads nowhere"


def check(source, bin_folder=None):
    commands = Commands(bin_folder)
    violations = []
    for path in source.files(".md"):
        if "/" in path and not path.startswith("docs/"):
            continue
        for number, kind, text in named(source, path):
            wrong = judge_link(source, path, text) if kind == "link" else judge_command(source, text, commands)
            if wrong:
                violations.append(tree.Violation(path, number, f"{wrong}: correct the document"))
    return violations


if __name__ == "__main__":
    tree.main(check, __doc__, [("--bin-folder", {"help": "where the cohort command and the examples are"})])
