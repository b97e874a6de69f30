#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the sources of MPI's three interfaces from the tables: generate.py OUTPUT_FOLDER."""

import pathlib
import sys

import functions_cpp
import header
import manual
import other_languages
import tables
import values_cpp
from kinds import HANDLES

HERE = pathlib.Path(__file__).parent
UNITS = 8  # sources for each face; CMakeLists.txt has the number, too


def write(path, text):
    """Leaves a file with the same text as it is, so that nothing is compiled again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding='ascii') != text:
        path.write_text(text, encoding='ascii')


def main(folder):
    output = pathlib.Path(folder)
    functions = list(tables.functions(HERE / 'functions.table'))
    constants = tables.constants(HERE / 'constants.table', HANDLES)

    write(output / 'mpi/constants.hpp', values_cpp.constants_header(constants))
    template = (HERE / 'standard/mpi.h.in').read_text(encoding='ascii')
    write(output / 'standard/mpi.h', header.standard_header(template, functions, constants))
    write(output / 'mpi_functions.md', manual.page(functions))
    write(output / 'openmpi/objects.cpp', values_cpp.objects_source(constants))
    for face in tables.FACES:
        write(output / face / 'values.hpp', values_cpp.values_header(constants, face))
        own_exports = (HERE / face / 'exports').read_text(encoding='ascii').split()
        own_exports += other_languages.exports(functions, constants, face)
        write(output / face / 'exports.map', values_cpp.export_list(functions, constants, face, own_exports))
        for name, text in functions_cpp.units(functions, face, constants, UNITS):
            write(output / face / name, text)
    for path, text in other_languages.files(HERE, functions, constants):
        write(output / path, text)


if __name__ == '__main__':
    main(*sys.argv[1:])
