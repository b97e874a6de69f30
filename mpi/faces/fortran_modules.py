# SPDX-License-Identifier: Apache-2.0
"""Writes what Fortran programs of the standard interface are compiled with: mpif.h, and the sources of the modules mpi
and mpi_f08. They declare external procedures only, so the compiled modules need no library of their own.
"""

import re
from dataclasses import replace

from fortran import declared, has_error_code, is_large, is_same_in_f08, own_functions
from fortran_extra import OBJECTS, SIZES
from kinds import HANDLES

LOGICALS = ('flag', 'commute', 'reorder', 'high', 'periods', 'remain_dims', 'weighted')

KINDS_OF_INTEGERS = {'MPI_Aint': 'MPI_ADDRESS_KIND', 'MPI_Count': 'MPI_COUNT_KIND', 'MPI_Offset': 'MPI_OFFSET_KIND'}
HANDLE_TYPES = [c for c, _ in HANDLES.values()]
WORDS = {'int': 'integer', 'MPI_Fint': 'integer', 'char': 'character(len=*)', 'double': 'double precision',
         **{c: f'integer(kind={kind})' for c, kind in KINDS_OF_INTEGERS.items()}}

# Callbacks whose interface no bracket names.
CALLBACKS = {'operator': 'User_function', 'query_fn': 'Grequest_query_function', 'free_fn': 'Grequest_free_function',
             'cancel_fn': 'Grequest_cancel_function', 'conversion_fn': 'Datarep_conversion_function'}

# Types of MPI_SIZEOF's specific procedures.
SIZEOF = {'character': 'character', 'logical': 'logical', 'int': 'integer', 'real': 'real', 'complex': 'complex'}


def wrapped(text, width, start, between):
    """One statement on as many lines as it needs. `between`: the end of a line that is continued, the begin of the next."""
    end, begin = between
    lines = []
    while len(text) > width - len(end):
        cut = max(text.rfind(mark, 0, width - len(end)) for mark in (', ', ') ', '= '))
        cut = text.find(' ', cut) + 1
        lines.append(text[:cut].rstrip() + end)
        text = start + begin + text[cut:]
    return '\n'.join(lines + [text])


def free(text, indent):
    return wrapped(' ' * indent + text, 110, ' ' * (indent + 4), (' &', ''))


# Constants.

def numbers(constants):
    """INTEGERs of the same name and value in all three: name, value."""
    for constant in constants.numbers:
        value = constant.values['standard']
        if value is None or constant.section.startswith(('enum', 'tool', 'fortran')) or constant.name.startswith('T_'):
            continue
        if constant.name != 'DISPLACEMENT_CURRENT':  # not a default INTEGER
            # A string of Fortran has no null character.
            yield constant.symbol, value - 1 if constant.name.startswith('MAX_') else value
    yield 'MPI_STATUS_SIZE', constants.value('F_STATUS_SIZE', 'standard')
    for field in ('SOURCE', 'TAG', 'ERROR'):
        yield f'MPI_{field}', constants.value(f'F_{field}', 'standard') + 1


def handles(constants):
    """Name, type, value."""
    known = {}
    for handle in constants.handles:
        if handle.standard is not None and handle.standard >= 0 and not handle.second:
            known[handle.name] = (HANDLES[handle.kind][0], handle.standard)
            yield (f'MPI_{handle.name}', *known[handle.name])
    for name, of in constants.second_names:
        yield (f'MPI_{name}', *known[of])


def constants_of_header(constants):
    for name, value in numbers(constants):
        yield f'      INTEGER {name}\n      PARAMETER ({name}={value})'
    for name, _, value in handles(constants):
        yield f'      INTEGER {name}\n      PARAMETER ({name}={value})'


def constants_of_module(constants, f08):
    fields = ('MPI_SOURCE', 'MPI_TAG', 'MPI_ERROR')
    for name, value in numbers(constants):
        if not f08 or name not in fields:
            yield f'  integer, parameter :: {name} = {value}'
    for name, c_type, value in handles(constants):
        if f08:
            yield f'  type({c_type}), parameter :: {name} = {c_type}({value})'
        else:
            yield f'  integer, parameter :: {name} = {value}'


# Procedures.

def base_of(c_type):
    return re.split(r'[*& ]', c_type.removeprefix('const '))[0]


def shape_of(c_type, base, f08):
    """The declaration's part after the name."""
    first = 'MPI_STATUS_SIZE' if base == 'MPI_Status' and not f08 else ''
    rest = '*' if '[]' in c_type else ''
    if '[3]' in c_type:
        first = '3'
    dimensions = ', '.join(d for d in (first, rest) if d)
    return f'({dimensions})' if dimensions else ''


def intent_of(parameter, c_type):
    if parameter.kind in ('status*', 'statuses', 'weights'):  # these may be constants with a meaning
        return ''
    if parameter.kind.endswith(('&', '&?')) or parameter.kind == 'status_memory*':
        return 'inout'
    return 'in' if 'const' in c_type or not parameter.kind.endswith('*') else 'out'


def declaration(function, parameter, f08):
    """What declares a dummy argument: lines."""
    kind, name = parameter.kind, parameter.name
    if kind in CALLBACKS or kind in ('copy_fn', 'delete_fn', 'error_fn', 'fn'):
        interface = 'MPI_' + (parameter.brackets[0] if parameter.brackets else CALLBACKS[kind])
        large = '_c' if is_large(function) and kind in ('operator', 'conversion_fn') else ''
        return [f'procedure({interface}{large}) :: {name}' if f08 else f'external :: {name}']
    c_type = declared(function, parameter)
    base = base_of(c_type)
    if kind in ('argv', 'argvs'):
        count = 'count' if kind == 'argvs' else ''
        return [f'character(len=*), intent(in) :: {name}({", ".join(d for d in (count, "*") if d)})']
    if kind == 'pointer*':
        word = 'type(C_PTR)' if f08 else 'integer(kind=MPI_ADDRESS_KIND)'
        return [f'{word}, intent(out) :: {name}']
    if base == 'void':
        return [f'!GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}', f'type(*) :: {name}(*)']
    is_derived = base in HANDLE_TYPES or base == 'MPI_Status'
    word = (f'type({base})' if f08 else 'integer') if is_derived else WORDS[base]
    if word == 'integer' and name in LOGICALS and function.name != 'Comm_agree':
        word = 'logical'
    intent = intent_of(parameter, c_type)
    return [word + (f', intent({intent})' if intent else '') + f' :: {name}{shape_of(c_type, base, f08)}']


def procedure(function, name, f08, c_pointer=False):
    """An interface's body. `c_pointer`: with a TYPE(C_PTR) for the address that it returns."""
    error = has_error_code(function)
    parameters = ', '.join([p.name for p in function.parameters] + (['ierror'] if error else []))
    result = function.options.get('returns')
    what = f'{WORDS[result]} function' if result else 'subroutine'
    yield free(f'{what} {name}({parameters})', 4)
    yield '      import'
    for p in function.parameters:
        for line in declaration(function, p, f08 or c_pointer and p.kind == 'pointer*'):
            yield '      ' + line
    if error:
        yield f'      integer, {"optional, " if f08 else ""}intent(out) :: ierror'
    yield f'    end {what.split()[-1]} {name}'


def prefixed(function):
    symbol = function.symbol('standard')
    return [symbol, 'P' + symbol]


def procedures_of_mpi(functions):
    for function in own_functions(functions, 'standard'):
        if is_large(function):
            continue
        if function.name == 'Buffer_detach':  # its first argument means nothing
            address, *rest = function.parameters
            function = replace(function, parameters=[replace(address, kind='memory'), *rest])
        with_pointer = any(p.kind == 'pointer*' for p in function.parameters)
        for name in prefixed(function):
            yield f'  interface {name if with_pointer else ""}'.rstrip()
            yield from procedure(function, name, False)
            if with_pointer:
                yield from procedure(function, name + '_cptr', False, True)
            yield '  end interface'


def distinguishing(function):
    """The types of the arguments by which generic procedures differ."""
    lines = [line for p in function.parameters for line in declaration(function, p, True)]
    return [re.sub(r'MPI_(ADDRESS|COUNT|OFFSET)_KIND', '8', line) for line in lines if not line.startswith('procedure')]


def procedures_of_f08(functions):
    own = {f.name: f for f in own_functions(functions, 'standard')
           if is_large(f) or f.name == 'Buffer_detach' or is_same_in_f08(f, 'standard')}
    for function in own.values():
        if is_large(function):
            continue
        large = own.get(function.name + '_c')
        joins = large is not None and distinguishing(large) != distinguishing(function)
        for name in prefixed(function):
            yield f'  interface {name}'
            yield from procedure(function, name + '_f08', True)
            if joins:
                yield from procedure(large, name + '_c_f08', True)
            yield '  end interface'
            if large is not None:
                yield f'  interface {name}_c'
                yield from [] if joins else procedure(large, name + '_c_f08', True)
                yield from [f'    procedure :: {name}_c_f08'] if joins else []
                yield '  end interface'


def comparisons():
    for operator, suffix in (('==', 'eq'), ('/=', 'neq')):
        yield f'  interface operator({operator})'
        for name in OBJECTS + ('session',):
            yield f'    logical function MPI_{name}_{suffix}_f08(a, b)'
            yield '      import'
            yield f'      type(MPI_{name.capitalize()}), intent(in) :: a, b'
            yield '    end function'
        yield '  end interface'


def sizeofs():
    for prefix in ('', 'P'):
        yield f'  interface {prefix}MPI_Sizeof'
        for name, size in SIZES.items():
            word = SIZEOF[name.rstrip('0123456789')]
            of_kind = {'character': '(len=*)', 'logical': '', 'complex': f'(kind={size // 2})'}
            procedure_name = f'{prefix}MPI_Sizeof_{name}_scalar'
            yield f'    subroutine {procedure_name}(x, size, ierror)'
            yield f'      {word}{of_kind.get(word, f"(kind={size})")}, intent(in) :: x(..)'
            yield '      integer, intent(out) :: size'
            yield '      integer, optional, intent(out) :: ierror'
            yield '    end subroutine'
        yield '  end interface'


def handle_types():
    for c_type in HANDLE_TYPES:
        yield f'  type, bind(C) :: {c_type}\n    integer :: MPI_VAL\n  end type'


def filled(template, parts):
    for mark, lines in parts.items():
        template = template.replace(mark, '\n'.join(lines).strip('\n'))
    return template


def files(folder, functions, constants):
    """`folder`: of the templates. Yields name, text."""
    displacement = constants.value('DISPLACEMENT_CURRENT', 'standard')
    parts = {
        'mpif.h': {'@constants@': lambda: constants_of_header(constants)},
        'mpi.f90': {'@constants@': lambda: constants_of_module(constants, False),
                    '@procedures@': lambda: procedures_of_mpi(functions), '@sizeof@': sizeofs},
        'mpi_f08.f90': {'@types@': handle_types, '@constants@': lambda: constants_of_module(constants, True),
                        '@procedures@': lambda: procedures_of_f08(functions), '@sizeof@': sizeofs,
                        '@comparisons@': comparisons},
    }
    for name, marks in parts.items():
        template = (folder / f'{name}.in').read_text(encoding='ascii')
        lines = {mark: make() for mark, make in marks.items()}
        yield name, filled(template, lines | {'@displacement@': [str(displacement)]})
