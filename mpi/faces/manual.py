"""Writes the manual's page of functions."""


def status(function):
    if function.chapter.header == 'missing':
        return 'not yet'
    if 'code' in function.options or 'zero' in function.options:
        return 'there are no variables'
    return 'yes'


HEADING = """# Functions of MPI

Made by `mpi/faces/generate.py`: do not edit. [MPI programs](mpi.md) says how to use them.

"""


def page(functions):
    text = HEADING + '| function | with `_c` | in Cohort |\n|---|---|---|\n'
    large = {f.name for f in functions if f.name.endswith('_c')}
    chapter = None
    for function in functions:
        if function.name in large and function.name.removesuffix('_c') in {f.name for f in functions}:
            continue
        if function.chapter is not chapter:
            chapter = function.chapter
            text += f'| **{chapter.title[0].upper() + chapter.title[1:]}** | | |\n'
        prefix = function.prefixes.get('standard') or next(iter(function.prefixes.values()))
        wide = 'yes' if function.name + '_c' in large else ''
        text += f'| `{prefix}{function.name}` | {wide} | {status(function)} |\n'
    return text
