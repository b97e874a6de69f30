# SPDX-License-Identifier: Apache-2.0
"""Writes the manual's page of functions."""


def status(function):
    if function.chapter.header == 'missing':
        return 'not yet'
    if 'code' in function.options or 'zero' in function.options:
        return 'there are no variables'
    return 'yes'


HEADING = """# Functions of MPI

Made by `mpi/faces/generate.py`: do not edit. [MPI programs](../how-to/mpi_programs.md) says how to use them. A star: there is also the function
with `_c`.

"""


def page(functions):
    names = {function.name for function in functions}
    rows = {}
    for function in functions:
        if function.name.endswith('_c') and function.name.removesuffix('_c') in names:
            continue
        prefix = function.prefixes.get('standard') or next(iter(function.prefixes.values()))
        star = ' *' if function.name + '_c' in names else ''
        title = function.chapter.title[0].upper() + function.chapter.title[1:]
        rows.setdefault((title, status(function)), []).append(f'`{prefix}{function.name}`{star}')
    text = HEADING + '| chapter | in Cohort | functions |\n|---|---|---|\n'
    return text + ''.join(f'| {title} | {there} | {", ".join(found)} |\n' for (title, there), found in rows.items())
