# SPDX-License-Identifier: Apache-2.0
"""Writes the standard's mpi.h."""

from functions_cpp import c_parameters, result_type
from kinds import HANDLES


def number_lines(constants):
    section = None
    for constant in constants.numbers:
        if constant.section.startswith('enum ') or constant.values['standard'] is None:
            continue
        if constant.section != section:
            section = constant.section
            yield ''
        value = constant.values['standard']
        yield f'#define {constant.symbol:<32} {f"({value})" if value < 0 else value}'


def enum_lines(constants):
    for section in dict.fromkeys(c.section for c in constants.numbers if c.section.startswith('enum ')):
        name = 'MPI_' + section.removeprefix('enum ')
        values = ',\n'.join(f'  {c.symbol} = {c.values["standard"]}' for c in constants.section(section))
        yield f'typedef enum {name} {{\n{values}\n}} {name};'


def handle_lines(constants):
    for handle in constants.handles:
        if handle.standard >= 0 and not handle.second:
            yield f'#define MPI_{handle.name:<28} (({HANDLES[handle.kind][0]}){handle.standard:#010x})'
    for name, known in constants.second_names:
        yield f'#define MPI_{name:<28} MPI_{known}'


def address_lines(constants):
    for address in constants.addresses:
        yield f'#define MPI_{address.name:<28} (({address.c_type}){address.values["standard"]})'


def prototype_lines(functions):
    for prefix in ('', 'P'):
        for function in functions:
            if 'standard' in function.prefixes:
                parameters = c_parameters(function) or 'void'
                yield f'{result_type(function)} {prefix}{function.symbol("standard")}({parameters});'
        yield ''


def standard_header(template, functions, constants):
    parts = {
        '@numbers@': number_lines(constants),
        '@enums@': enum_lines(constants),
        '@handles@': handle_lines(constants),
        '@addresses@': address_lines(constants),
        '@functions@': prototype_lines(functions),
    }
    text = template
    for mark, lines in parts.items():
        text = text.replace(mark, '\n'.join(lines).strip('\n'))
    return text
