# SPDX-License-Identifier: Apache-2.0
"""What a test is told of the build whose library it compiles programs with, and what the compiler says of a program."""

import argparse
import re
import sys


def arguments(description):
    """Takes --build FOLDER, --compiler and --flags A;B from the command line: (build, compiler, flags as a list)."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--build", required=True, help="the folder of a build")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--flags", default="", help="with ; between them", type=lambda flags: [*filter(None, flags.split(";"))])
    taken, sys.argv[1:] = parser.parse_known_args()
    return taken


def errors_by_line(said, source):
    """The words of each error, by the line of the source that it is about; `said` is what GCC has said."""
    errors, line = {}, None
    for text in said.splitlines():
        place = re.match(rf"{re.escape(str(source))}:(\d+):", text)
        line = int(place[1]) if place else line
        if "error:" in text and line is not None:
            errors.setdefault(line, []).append(text.split("error:", 1)[1])
    return errors
