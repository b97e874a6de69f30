# SPDX-License-Identifier: Apache-2.0
"""Writes the functions of a face for Fortran: C++ with the names and arguments that gfortran's programs use.

All arguments are passed by reference: those that C passes by value are references to constants here. So the core's
arguments are those of C's functions, but for the kinds below. The last argument is the error code; after it come the
lengths of the strings.
"""

import re
from dataclasses import replace

import fortran_descriptors
import fortran_extra
from functions_cpp import PEERS, PREAMBLE, owner
from kinds import KINDS, Kind
from tables import Function, Parameter

# For C only.
C_ONLY = re.compile(r'T_.*|.*_(c2f|f2c|fromint|toint)|Abi_set_fortran_info|Abi_[gs]et_fortran_booleans')
# In Open MPI, macros in C.
ALSO_IN_OPENMPI = ('Aint_add', 'Aint_diff')

DROPPED = ('argc', 'main_argv', '...')

# Kinds of parameters that differ from C's. In an argument {l} is the length of the string.
FORTRAN = {
    'in': Kind('const void* {}', 'fortran::choice<F>({n})'),
    'out': Kind('void* {}', 'fortran::choice<F>({n})'),
    'place': Kind('const void* {}', 'fortran::choice<F>({n})'),
    'pointer': Kind('const MPI_Aint& {}', 'fortran::extra_state({n})'),
    'state': Kind('const MPI_Aint& {}', 'fortran::kept_state({n})'),
    'weights': Kind('const int {}[]', 'fortran::weights<F>({n})'),
    'weights*': Kind('int {}[]', 'fortran::weights<F>({n})'),
    'string': Kind('const char* {}', 'fortran::trimmed({n}, {l})'),
    'key': Kind('const char* {}', 'fortran::stripped({n}, {l})'),
    'name*': Kind('char* {}', 'fortran::padded({n}, {l}, {1})'),
    'key*': Kind('char* {}', 'fortran::padded({n}, {l})'),
    'value*': Kind('char* {}', 'fortran::padded({n}, {l})'),
    'room_value*': Kind('char* {}', 'fortran::padded({n}, {l})'),
    'room': Kind('int* {}', 'fortran::RoomForText(out({n}))'),
    'index*': Kind('int* {}', 'fortran::IndexOut(out({n}))'),
    'indices*': Kind('int {}[]', 'fortran::IndicesOut({n}, out(outcount))'),
    'attribute': Kind('const MPI_Aint& {}', 'fortran::attribute_in({n})'),
    'attribute*': Kind('MPI_Aint* {}', 'fortran::attribute_out<F>({n}, {0})'),
    'copy_fn': Kind('fortran::CopyFunction<MPI_Aint>* {}', 'fortran::copy_function<F>({n})'),
    'delete_fn': Kind('fortran::DeleteFunction<MPI_Aint>* {}', 'fortran::delete_function<F>({n})'),
    'error_fn': Kind('ErrorFunction<F>* {}', 'error_function<F>({n})'),
    'query_fn': Kind('fortran::QueryFunctionOf<F>* {}', 'fortran::query_function<F>({n})'),
    'free_fn': Kind('fortran::FreeFunctionOf* {}', 'fortran::free_function<F>({n})'),
    'cancel_fn': Kind('fortran::CancelFunctionOf* {}', 'fortran::cancel_function<F>({n})'),
    'conversion_fn': Kind('void* {}', None),
    'fn': Kind('void* {}', None),
    'argv': Kind('const char* {}', None),
    'argvs': Kind('const char* {}', None),
}

# The functions of MPI 1 have INTEGERs for what is an INTEGER(KIND=MPI_ADDRESS_KIND) later.
INTEGERS = {
    'aint': Kind('const int& {}', '{n}'),
    'aint*': Kind('int* {}', 'fortran::ShortAddress({n})'),
    'aints': Kind('const int {}[]', 'Numbers({n})'),
    'pointer': Kind('const int& {}', 'fortran::extra_state({n})'),
    'attribute': Kind('const int& {}', 'fortran::attribute_in({n})'),
    'attribute*': Kind('int* {}', 'fortran::attribute_out<F>({n}, {0})'),
    'copy_fn': Kind('fortran::CopyFunction<int>* {}', 'fortran::copy_function<F>({n})'),
    'delete_fn': Kind('fortran::DeleteFunction<int>* {}', 'fortran::delete_function<F>({n})'),
}
WITH_INTEGERS = ('Address', 'Type_extent', 'Type_lb', 'Type_ub', 'Type_hvector', 'Type_hindexed', 'Type_struct',
                 'Keyval_create', 'Attr_put', 'Attr_get')
# Not in the module mpi_f08.
DEPRECATED = WITH_INTEGERS + ('Attr_delete', 'Keyval_free', 'Errhandler_create', 'Errhandler_get', 'Errhandler_set')

# Further names of a function.
ALSO = {'alloc_mem': 'alloc_mem_cptr', 'win_allocate': 'win_allocate_cptr',
        'win_allocate_shared': 'win_allocate_shared_cptr', 'win_shared_query': 'win_shared_query_cptr'}


def kind_of(function, parameter):
    if function.name in WITH_INTEGERS and parameter.kind in INTEGERS:
        return INTEGERS[parameter.kind]
    return FORTRAN.get(parameter.kind) or KINDS[parameter.kind]


def is_large(function):
    return function.large or function.name.endswith('_c')


def is_string(parameter):
    return parameter.kind in ('string', 'key', 'name*', 'key*', 'value*', 'room_value*')


def in_fortran(function):
    """The function with Fortran's parameters, but for the error code."""
    parameters = [p for p in function.parameters if p.kind not in DROPPED]
    name = function.name
    if name == 'Info_create_env':
        parameters = [p for p in parameters if p.kind == 'info*']
    for i, p in enumerate(parameters):
        if p.kind == 'string' and function.chapter.title == 'Info':
            parameters[i] = replace(p, kind='key')
        if p.name == 'indx' and p.kind == 'int*' and name.endswith('any'):
            parameters[i] = replace(p, kind='index*')
        if p.name == 'array_of_indices':
            parameters[i] = replace(p, kind='indices*')
    return replace(function, parameters=parameters)


def own_functions(functions, face):
    """A face's functions that Fortran has."""
    for function in functions:
        if function.name in ALSO_IN_OPENMPI and 'openmpi' not in function.prefixes:
            function = replace(function, prefixes=function.prefixes | {'openmpi': 'MPI_'})
        if face in function.prefixes and not C_ONLY.fullmatch(function.name):
            yield in_fortran(function)


def declared(function, parameter):
    if parameter.kind == 'described':
        return 'const fortran::Descriptor& {}'
    kind = kind_of(function, parameter)
    c_type = kind.large if function.large else kind.c_type
    if '*' not in c_type and '[' not in c_type and '&' not in c_type:  # C passes it by value
        c_type = 'const ' + c_type.replace(' {}', '& {}')
    return c_type


def argument(function, parameter):
    text = kind_of(function, parameter).argument
    assert text is not None, f'{function.name}: the core has no {parameter.kind}'
    name = parameter.name
    if parameter.brackets and parameter.brackets[0] in PEERS:
        which, *sent = parameter.brackets
        comm = next(p.name for p in function.parameters if p.kind == 'comm')
        return f'types_of_peers<F>({", ".join([name, f"in<F, Communicator>({comm})", PEERS[which], *sent])})'
    return text.replace('{n}', name).replace('{l}', name + '_length').format(*parameter.brackets) if text else ''


def core_call(function, replaced=None):
    """`replaced`: by the names of parameters, arguments that are not as usual."""
    arguments = [(replaced or {}).get(p.name) or argument(function, p) for p in function.parameters]
    if function.name == 'Info_create_env':
        arguments = ['0', 'nullptr'] + arguments
    return f'mpi::{function.core}({", ".join(a for a in arguments if a)})'


def by_hand_arguments(function):
    if function.name in ('Init', 'Init_thread'):
        yield from ('nullptr', 'nullptr')
    for p in function.parameters:
        old = function.name in WITH_INTEGERS and p.kind == 'aint*'
        yield argument(function, p) if old else p.name


def call_of(function, symbol, statements):
    before, on = owner(function)
    how = 'call_any_time' if 'any' in function.options else 'call'
    return before, f'{how}<F>("{symbol}", {on}, [&] {{ {statements} }})'


def body(function, symbol):
    """Statements before the call, and the expression for the error code, or for the result."""
    options = function.options
    if function.chapter.header == 'missing':
        if function.chapter.title == 'files':
            return (f'  if (!is_active()) refuse_inactive("{symbol}");\n',
                    f'F::code.to_face(missing_in_files("{symbol}"))')
        on = next((f'[&] {{ return communicator_of<F>({p.name}); }}' for p in function.parameters if p.kind == 'comm'),
                  'no_communicator')
        return '', f'call<F>("{symbol}", {on}, [] {{ refuse_missing("{function.chapter.title}"); }})'
    if function.name == 'Address':
        return '', f'fortran::address<F>("{symbol}", location, address)'
    if function.name == 'Buffer_detach':
        return '', f'fortran::buffer_detach<F>("{symbol}", size)'
    if 'hand' in options:
        arguments = ', '.join([f'"{symbol}"', *by_hand_arguments(function)])
        hand = 'type_create_struct' if function.name == 'Type_struct' else function.core
        return '', f'by_hand::{hand}<F>({arguments})'
    if 'zero' in options:
        return ''.join(f'  *{p.name} = 0;\n' for p in function.parameters if p.kind == 'int*'), '0'
    if 'returns' in options:
        return '', core_call(function)
    return call_of(function, symbol, f'{core_call(function)};')


def has_error_code(function):
    return 'returns' not in function.options and function.name != 'Pcontrol'


def parameter_list(function, text):
    """Only the parameters that the text uses have names."""
    declarations = [(p.name, declared(function, p)) for p in function.parameters]
    if has_error_code(function):
        declarations.append(('ierror', 'int* {}'))
    declarations += [(f'{p.name}_length', 'std::size_t {}') for p in function.parameters if is_string(p)]
    return ', '.join(c_type.replace('{}', name if re.search(rf'\b{name}\b', text) else '').replace(' []', '[]').rstrip()
                     for name, c_type in declarations)


def manglings(name, face):
    """How compilers change the name of an external procedure. gfortran's first."""
    return [name + '_'] if face == 'standard' else [name + '_', name, name + '__', name.upper()]


def mpif_name(function, face):
    return function.symbol(face).lower()


def names(function, face):
    """The names of a function. The first is the one that is defined, the others are aliases."""
    name = mpif_name(function, face)
    if is_large(function):  # in the module mpi_f08 only
        return [f'p{name}_f08_', f'{name}_f08_'] if face == 'standard' else []
    found = manglings('p' + name, face) + manglings(name, face)
    short = function.name.lower()
    if short in ALSO and face != 'mpich':
        also = name.replace(short, ALSO[short])
        found += manglings('p' + also, face) + manglings(also, face)
    return found + (f08_names(function, name, face) if is_same_in_f08(function, face) else [])


def is_same_in_f08(function, face):
    """Whether the module mpi_f08 has the function, with the same arguments."""
    if function.name in DEPRECATED + ('Buffer_detach',):
        return False
    if face == 'mpich':
        return not any(p.kind in fortran_descriptors.CHOICE for p in function.parameters)
    return face == 'standard' or function.symbol(face).startswith('MPI_') or function.name.endswith('_init')


def f08_names(function, name, face):
    profiling = name.replace('_', 'r_', 1) if face == 'mpich' else name
    return [f'p{profiling}_f08_', f'{name}_f08_']


def with_aliases(result, name, parameters, text, aliases):
    code = f'{result} {name}({parameters}) {{\n{text}}}\n'
    return code + ''.join(f'extern decltype({name}) {alias} __attribute__((weak, alias("{name}")));\n'
                          for alias in aliases)


def definition(function, face, all_names, replaced_body=None):
    before, expression = replaced_body or body(function, function.symbol(face))
    result = function.options.get('returns', 'void')
    if has_error_code(function):
        text = f'{before}  fortran::give(ierror, {expression});\n'
    else:
        text = f'{before}  {"return " if result != "void" else ""}{expression};\n'
    first, *aliases = all_names
    return with_aliases(result, first, parameter_list(function, text), text, aliases)


def f08_buffer_detach(function, face):
    """The module mpi_f08 tells the address, as a TYPE(C_PTR)."""
    replaced = ('', f'call<F>("{function.symbol(face)}", no_communicator, [&] {{ {core_call(function)}; }})')
    return f08_names(function, 'mpi_buffer_detach', face), replaced


def preamble(headers, face):
    lines = ['// Made by mpi/faces/fortran.py.']
    lines += [f'#include "mpi/core/{header}"' for header in headers]
    lines += [f'#include "mpi/faces/fortran/{name}.hpp"' for name in ('by_hand', 'callbacks', 'values', face)]
    lines += ['', f'namespace cohort::mpi::faces::{face}::in_fortran {{', '', PREAMBLE,
              '#pragma GCC visibility push(default)', 'extern "C" {', '']
    return '\n'.join(lines) + '\n'


END = '\n}  // extern "C"\n#pragma GCC visibility pop\n\n}\n'


def unit(functions, face):
    headers = sorted({f.chapter.header for f in functions} - {'missing', 'none'})
    text = preamble(headers, face)
    for function in functions:
        if names(function, face):
            text += definition(function, face, names(function, face)) + '\n'
        if function.name == 'Buffer_detach' and not function.large:
            text += definition(function, face, *f08_buffer_detach(function, face)) + '\n'
    return text + END


def descriptors_unit(functions, face):
    """MPICH's module mpi_f08 passes descriptors of choice buffers, and has the functions with MPI_Count."""
    headers = sorted({f.chapter.header for f in functions} - {'missing', 'none'} | {'type_functions.hpp'})
    include = '#include "mpi/faces/fortran/descriptors.hpp"\n'
    text = preamble(headers, face).replace('\nnamespace', include + '\nnamespace', 1)
    for function in functions:
        found = fortran_descriptors.names(function)
        if found and function.chapter.header == 'missing':
            text += definition(fortran_descriptors.described(function), face, found) + '\n'
        elif found:
            inner = fortran_descriptors.body(function, core_call)
            symbol = function.symbol(face)
            body_of = body(function, symbol) if inner is None else call_of(function, symbol, inner)
            text += definition(fortran_descriptors.described(function), face, found, body_of) + '\n'
    return text + END


def sources(functions, face, number):
    """The sources of a face for Fortran: name, text."""
    own = list(own_functions(functions, face))
    size = -(-len(own) // number)
    for i in range(number):
        yield f'fortran_{i + 1}.cpp', unit(own[i * size:(i + 1) * size], face)
    if face == 'mpich':
        for i in range(number):
            part = own[i * size:(i + 1) * size]
            yield f'fortran_descriptors_{i + 1}.cpp', descriptors_unit(part, face)
    yield 'fortran_extra.cpp', preamble([], face) + fortran_extra.definitions(face) + END


def exports(functions, face):
    """What the library exports for Fortran."""
    for function in own_functions(functions, face):
        yield from names(function, face)
        if function.name == 'Buffer_detach' and not function.large:
            yield from f08_buffer_detach(function, face)[0]
        if face == 'mpich':
            yield from fortran_descriptors.names(function)
    yield from fortran_extra.exports(face)
