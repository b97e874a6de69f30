#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The ABI of libcohort.so.0 is what programs were linked with: abi/ holds the symbols, the constants, and the types of the
functions as abidw writes them. What is new belongs into abi/, too: abi_test.py --record writes it."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
HEADER = HERE.parent.parent / "include/cohort/cohort.h"
sys.path.insert(0, str(HERE.parent / "support"))
import skips  # noqa: E402

LIBRARY = pathlib.Path(os.environ.get("COHORT_BIN", "build/release/bin")).parent / "lib/libcohort.so.0"
COMPILER = os.environ.get("CC", "cc")
SYMBOLS, CONSTANTS, TYPES = (HERE / "abi" / name for name in ("symbols", "constants", "types.xml"))


def said_by(*words):
    return subprocess.run([*map(str, words)], check=True, capture_output=True, text=True, timeout=60).stdout


def exported(library):
    return sorted(line.split()[-1] for line in said_by("nm", "-D", "--defined-only", library).splitlines()
                  if " A " not in line)


def constants(text):
    """NAME VALUE of the enumerations and macros that programs are compiled with."""
    found = re.findall(r"^ +(COHORT_\w+) = (\d+)", text, re.MULTILINE)
    found += [(name, value) for name, value in
              re.findall(r"^#define (COHORT_\w+(?:\((?:type|number)\))?) (\S.*?)(?: *//.*)?$", text, re.MULTILINE)
              if not value.startswith("__attribute__")]
    return [" ".join(line) for line in found]


def described(header_text, folder):
    """A library with the functions of this header, for abidw: they do nothing, and have the types of the real ones."""
    header = pathlib.Path(folder, "cohort.h")
    header.write_text(header_text)
    declared = [line for line in said_by(COMPILER, "-std=c11", "-E", "-P", header).split(";")]
    functions = [text.strip() for text in declared if re.search(r"\bcohort_\w+\([^*]", text) and "typedef" not in text]
    source = header.with_suffix(".c")
    source.write_text('#include "cohort.h"\n' + "".join(f"{text} {{ __builtin_trap(); }}\n" for text in functions))
    library = header.with_name("libcohort.so.0")
    said_by(COMPILER, "-std=c11", "-g", "-shared", "-fPIC", "-Wl,-soname,libcohort.so.0", source, "-o", library)
    return library


def types(header_text, folder):
    """What abidw says, without the places of declarations."""
    library = described(header_text, folder)
    xml = said_by("abidw", "--no-show-locs", "--no-corpus-path", "--no-comp-dir-path", "--type-id-style", "hash", library)
    return re.sub(r" (path|comp-dir-path|name)='[^']*/[^']*'", "", xml)


class Abi(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="cohort-abi-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.header = HEADER.read_text()

    def test_symbols(self):
        self.assertEqual(exported(LIBRARY), SYMBOLS.read_text().split())

    def declared(self, header):
        return {f"{name}@@COHORT_0" for name in exported(described(header, self.folder))}

    def test_the_header_declares_what_is_exported(self):
        self.assertEqual(self.declared(self.header), set(exported(LIBRARY)))
        renamed = self.header.replace("int cohort_leave(", "int cohort_depart(")
        self.assertNotEqual(self.declared(renamed), set(exported(LIBRARY)))

    def test_soname(self):
        self.assertIn("Library soname: [libcohort.so.0]", said_by("readelf", "-d", LIBRARY))

    def test_constants(self):
        self.assertEqual(constants(self.header), CONSTANTS.read_text().splitlines())
        changed = self.header.replace("COHORT_DOUBLE = 14", "COHORT_DOUBLE = 15")
        self.assertNotEqual(constants(changed), CONSTANTS.read_text().splitlines())

    def differences(self, header):
        """What abidiff says of a library with this header; none for functions that are new."""
        if shutil.which("abidiff") is None:
            self.skipTest("there is no abidiff; tools/setup installs it on Debian 12")
        ended = subprocess.run(["abidiff", "--no-added-syms", TYPES, described(header, self.folder)], capture_output=True,
                               text=True, timeout=60)
        self.assertIn(ended.returncode, (0, 4, 8, 12), ended.stderr)
        return ended.stdout if ended.returncode != 0 else ""

    def test_types(self):
        self.assertEqual(self.differences(self.header), "")

    def test_changes_are_found(self):
        for old, new in ((" int32_t root)", " int64_t root)"), ("  int32_t source;", "  int64_t source;"),
                         ("  int32_t commutative;", "  int32_t padding, commutative;"),
                         ("COHORT_API int cohort_leave(", "COHORT_API int cohort_depart("),
                         ("COHORT_API int32_t cohort_group_rank(", "COHORT_API int64_t cohort_group_rank(")):
            with self.subTest(change=new):
                self.assertIn(old, self.header)
                self.assertNotEqual(self.differences(self.header.replace(old, new, 1)), "")

    def test_additions_are_fine(self):
        added = self.header.replace("COHORT_API int cohort_leave(", "COHORT_API int cohort_new(void);\nCOHORT_API int cohort_leave(")
        self.assertEqual(self.differences(added), "")


def record():
    SYMBOLS.write_text("\n".join(exported(LIBRARY)) + "\n")
    CONSTANTS.write_text("\n".join(constants(HEADER.read_text())) + "\n")
    with tempfile.TemporaryDirectory() as folder:
        TYPES.write_text(types(HEADER.read_text(), folder))


if __name__ == "__main__":
    record() if sys.argv[1:] == ["--record"] else skips.main()
