#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The messages of proto/ hold text as bytes: protobuf refuses a message with a string that is no UTF-8, and names of files,
arguments and hosts may be anything. And what each process is told by the user's options is one message, Settings, which
others hold whole: none has a field of its own with the same name."""

import re

import tree

STRING = re.compile(r"^\s*(repeated |optional )?string \w+ = \d+;|\bmap<.*\bstring\b")
MESSAGE = re.compile(r"^message (\w+)")
FIELD = re.compile(r"^\s+(?:repeated |optional )?[\w.]+ (\w+) = \d+;")
WHOLE = ("Start", "Welcome")  # the messages on its way, from the launcher to a process


def fields(source):
    """(path, line number, message, field) of every field."""
    for path in source.files(".proto"):
        message = None
        for number, line in source.lines(path):
            if found := MESSAGE.match(line):
                message = found.group(1)
            if found := FIELD.match(line):
                yield path, number, message, found.group(1)


def check(source):
    strings = [tree.Violation(path, number, "a string: say bytes, which hold any text")
               for path in source.files(".proto") for number, line in source.lines(path)
               if STRING.search(line.split("//")[0])]
    settings = {field for _, _, message, field in fields(source) if message == "Settings"}
    copies = [tree.Violation(path, number, f"{field} is one of the Settings: let {message} hold these whole")
              for path, number, message, field in fields(source) if message in WHOLE and field in settings]
    return strings + copies


if __name__ == "__main__":
    tree.main(check, __doc__)
