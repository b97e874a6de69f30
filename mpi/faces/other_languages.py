# SPDX-License-Identifier: Apache-2.0
"""What generate.py makes for Fortran, and for Open MPI's C++ interface."""

import cxx_constants
import fortran
import fortran_modules
from tables import FACES

UNITS = 4  # sources for each face; other_languages.cmake has the number, too


def files(here, functions, constants):
    """`here`: this folder. Yields path below the output folder, text."""
    for face in FACES:
        for name, text in fortran.sources(functions, face, UNITS):
            yield f'{face}/{name}', text
    for name, text in fortran_modules.files(here / 'fortran', functions, constants):
        yield f'standard/{name}', text
    yield 'openmpi/cxx_constants.cpp', cxx_constants.source(constants)


def exports(functions, constants, face):
    """Names that the library of a face exports besides C's."""
    yield from fortran.exports(functions, face)
    if face == 'openmpi':
        yield from cxx_constants.exports(constants)
