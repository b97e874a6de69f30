# SPDX-License-Identifier: Apache-2.0
"""Writes the values of a face, and what else depends on its constants: exported objects, and the list of exports."""

from kinds import HANDLES
from tables import FACES

TRANSLATED = ('rank', 'tag', 'code', 'level', 'order', 'distribution', 'combiner', 'typeclass', 'comparison',
              'topology', 'split', 'keyval')

# Of sections with numbers of the program's own: the numbers after which they begin, here and in the core.
ENDS = {'rank': ('-1', '-1'), 'tag': ('-1', '-1'), 'code': ('{LASTCODE}', 'abi::err_lastcode')}

# The core's kinds of objects, in its order, and in the tables.
OBJECT_KINDS = {'comm': 'communicator', 'group': 'group', 'type': 'datatype', 'op': 'op', 'request': 'request',
                'errhandler': 'errhandler', 'info': 'info', 'message': 'message'}


def pairs(constants, section, face):
    """Numbers here, and the core's. Those that have no number here come last: there, they only count on the way out."""
    own, others = [], []
    numbers = {c.name: c.values[face] for c in constants.section(section)}
    for constant in constants.section(section):
        value = constant.values[face]
        if isinstance(value, str):
            others.append((numbers[value.removeprefix('>')], constant.core))
        elif value is not None:
            own.append((value, constant.core))
    return own + others


def translation(constants, section, face):
    if face == 'standard':
        return f'  static constexpr Same {section}{{}};\n'
    found = pairs(constants, section, face)
    here, core = ENDS.get(section, ('INT_MAX', 'INT_MAX'))
    here = here.replace('{LASTCODE}', str(constants.value('ERR_LASTCODE', face)))
    listed = ',\n      '.join(f'{{{number}, abi::{name}}}' for number, name in found)
    return (f'  static constexpr Translation<{len(found)}> {section}{{{{{{\n      {listed},\n  }}}},\n'
            f'      {{{here}, {core}}}}};\n')


def handle_value(handle, face):
    if face == 'openmpi':
        return f'&{handle.openmpi}' if handle.openmpi else 'nullptr'
    return str(signed(handle.mpich if face == 'mpich' else handle.standard))


def signed(value):
    return value - (1 << 32) if value >= 1 << 31 else value


def exists(handle, face):
    value = {'standard': handle.standard, 'openmpi': handle.openmpi, 'mpich': handle.mpich}[face]
    if handle.second and face != 'openmpi' or value is None:
        return False
    # MPICH gives the null handle to types that it does not have.
    return not (face == 'mpich' and handle.kind == 'type' and value == 0x0c000000 and handle.name != 'DATATYPE_NULL') \
        and not (face == 'standard' and value < 0)


def object_entry(handle, face):
    core_handle = handle.standard
    fields = [f'Kind::{OBJECT_KINDS[handle.kind]}', str(core_handle), handle_value(handle, face)]
    if face == 'openmpi':
        fields += [str(handle.fortran), 'true' if handle.second else 'false']
    return '{' + ', '.join(fields) + '}'


def values_header(constants, face):
    own = [h for h in constants.handles if exists(h, face)]
    absent = {kind: constants.null(kind) for kind in ('win', 'file', 'session')}
    c_handle = {'standard': 'int', 'openmpi': 'void*', 'mpich': 'int'}[face]
    text = '// Made by mpi/faces/generate.py.\n#pragma once\n\n#include <climits>\n#include <cstdint>\n\n'
    text += ''.join(f'#include "{header}"\n' for header in (
        'mpi/constants.hpp', 'mpi/core/object.hpp', 'mpi/faces/common/translation.hpp')) + '\n'
    if face == 'openmpi':
        text += object_declarations(constants)
    text += f'namespace cohort::mpi::faces::{face} {{\n\nstruct Values {{\n'
    text += ''.join(translation(constants, section, face) for section in TRANSLATED)
    text += ''.join(f'  static constexpr int {c.core} = {c.values[face]};\n' for section in ('argument', 'length', 'version')
                    for c in constants.section(section) if c.values[face] is not None)
    text += predefined_members(constants, own, absent, face, c_handle)
    text += '};\n\n' + '}' + f'  // namespace cohort::mpi::faces::{face}\n'
    return text


def predefined_members(constants, own, absent, face, c_handle):
    openmpi = face == 'openmpi'
    text = '\n  struct Predefined {\n    Kind kind;\n    int core;\n'
    text += f'    {c_handle} handle;\n'
    if openmpi:
        text += '    std::int32_t number;  // in Fortran\n    bool is_second_name;\n'
    text += '  };\n'
    entries = [h for h in own if h.kind in OBJECT_KINDS and not h.name.endswith("_NULL")]
    listed = ',\n      '.join(object_entry(h, face) for h in entries)
    storage = 'inline' if openmpi else 'constexpr'
    qualifier = 'static inline const' if openmpi else 'static constexpr'
    text += f'  {qualifier} Predefined predefined_objects[] = {{\n      {listed},\n  }};\n'
    nulls = ', '.join(handle_value(constants.null(kind), face) for kind in OBJECT_KINDS)
    element = 'void* const' if openmpi else 'int'
    text += f'  {"static inline" if openmpi else "static constexpr"} {element} null_handles[] = {{{nulls}}};\n'
    for kind, handle in absent.items():
        if not exists(handle, face):
            continue
        is_address = face != 'mpich' or kind == 'file'
        value = handle_value(handle, face)
        returned = value if face == 'openmpi' else f'reinterpret_cast<void*>({value})' if is_address else value
        text += f'  static {"void*" if is_address else "int"} null_{kind}() {{ return {returned}; }}\n'
        number = 0 if openmpi else signed(handle.mpich if face == 'mpich' else handle.standard)
        text += f'  static constexpr int number_of_null_{kind} = {number};\n'
    if face == 'mpich':
        for name, member in (('COMM_WORLD', 'world_handle'), ('COMM_SELF', 'self_handle')):
            handle = next(h for h in own if h.name == name)
            text += f'  static constexpr int {member} = {signed(handle.mpich)};\n'
    return text


def exported_objects(constants):
    """Open MPI's: name, bytes."""
    return [(h.openmpi, constants.object_bytes[h.kind]) for h in constants.handles if h.openmpi]


def object_declarations(constants):
    text = '''namespace cohort::mpi::faces::openmpi {

// An object of Open MPI, whose address is a handle. The core's object is in its first word.
template <std::size_t bytes>
struct Exported {
  Object* object;
  char rest[bytes - sizeof(Object*)];
};

}  // namespace cohort::mpi::faces::openmpi

// Programs may hold copies of these, and then the addresses are those of the copies: so the library, too, must look the
// addresses up when it is loaded.
#pragma GCC visibility push(default)
extern "C" {
'''
    text += ''.join(f'extern cohort::mpi::faces::openmpi::Exported<{size}> {name};\n'
                    for name, size in exported_objects(constants))
    return text + '}\n#pragma GCC visibility pop\n\n'


def objects_source(constants):
    text = '// Made by mpi/faces/generate.py.\n#include "openmpi/values.hpp"\n\nextern "C" {\n'
    text += ''.join(f'cohort::mpi::faces::openmpi::Exported<{size}> {name};\n'
                    for name, size in exported_objects(constants))
    return text + '}\n'


def export_list(functions, constants, face, by_hand):
    """A linker's version script. `by_hand`: the data and functions that the face's own sources define."""
    names = [prefix + f.symbol(face) for f in functions if face in f.prefixes for prefix in ('', 'P')]
    if face == 'openmpi':
        names += [name for name, _ in exported_objects(constants)]
    listed = ''.join(f'    {name};\n' for name in sorted(set(names) | set(by_hand)))
    return f'{{\n  global:\n{listed}  local:\n    *;\n}};\n'


def constants_header(constants):
    text = "// Made by mpi/faces/generate.py: the numbers of MPI 5.0's ABI.\n#pragma once\n\n"
    text += 'namespace cohort::mpi::abi {\n\n'
    for constant in constants.numbers:
        text += f'inline constexpr int {constant.core} = {constant.values["standard"]};\n'
    for handle in constants.handles:
        if handle.standard is not None and handle.standard >= 0 and not handle.second:
            prefix = handle.kind + '_' if handle.kind in ('type', 'op') else ''
            text += f'inline constexpr int {prefix}{handle.name.lower()} = {handle.standard};\n'
    return text + '\n}  // namespace cohort::mpi::abi\n'
