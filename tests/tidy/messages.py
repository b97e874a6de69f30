#!/usr/bin/env python3
"""The messages of proto/ hold text as bytes: protobuf refuses a message with a string that is no UTF-8, and names of files,
arguments and hosts may be anything."""

import re

import tree

STRING = re.compile(r"^\s*(repeated |optional )?string \w+ = \d+;|\bmap<.*\bstring\b")


def check(source):
    return [tree.Violation(path, number, "a string: say bytes, which hold any text")
            for path in source.files(".proto") for number, line in source.lines(path) if STRING.search(line.split("//")[0])]


if __name__ == "__main__":
    tree.main(check, __doc__)
