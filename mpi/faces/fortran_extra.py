# SPDX-License-Identifier: Apache-2.0
"""Fortran's functions that have no row in functions.table: those of attributes that MPI defines, MPI_SIZEOF, and what
the modules of Open MPI and MPICH contain. A function is: its names (the first is defined, the others are aliases), its
result, parameters and body, in C++.
"""

OBJECTS = ('comm', 'datatype', 'errhandler', 'file', 'group', 'info', 'message', 'op', 'request', 'win')

# By the names of the types in MPI_SIZEOF's specific procedures, their bytes.
SIZES = {'character': 1, 'logical': 4, 'int8': 1, 'int16': 2, 'int32': 4, 'int64': 8, 'real32': 4, 'real64': 8,
         'real128': 16, 'complex32': 8, 'complex64': 16, 'complex128': 32}
SHAPES = ['scalar'] + [f'r{rank}' for rank in range(1, 16)]

# MPICH's, in its module mpi: v for arrays.
MPICH_SIZES = {'ch': 1, 'cx': 8, 'd': 8, 'i': 4, 'i1': 1, 'i2': 2, 'i8': 8, 'l': 4, 'r': 4}


def manglings(name, face):
    return [name + '_'] if face == 'standard' else [name + '_', name, name + '__', name.upper()]


def attribute_functions(face):
    for prefix, word in (('', 'int'), ('comm_', 'MPI_Aint'), ('type_', 'MPI_Aint'), ('win_', 'MPI_Aint')):
        copy = f'int*, int*, {word}*, {word}* value, {word}* new_value, int* flag, int* ierror'
        functions = {
            'dup_fn': (copy, '  fortran::duplicate(value, new_value, flag, ierror);\n'),
            'null_copy_fn': (copy.replace(' value', '').replace(' new_value', ''),
                             '  fortran::leave_out(flag, ierror);\n'),
            'null_delete_fn': (f'int*, int*, {word}*, {word}*, int* ierror', '  fortran::give(ierror, 0);\n'),
        }
        for name, (parameters, text) in functions.items():
            full = f'mpi_{prefix}{name}'
            also = manglings('p' + full, face) if face == 'mpich' else []
            if prefix and face != 'standard':
                also.append(f'__mpi_f08_callbacks_MOD_{full}')
            yield manglings(full, face) + also, 'void', parameters, text
    name = 'mpi_conversion_fn_null'
    yield manglings(name, face) + ([] if face == 'standard' else [f'__mpi_f08_callbacks_MOD_{name}']), 'void', '', ''


def sizeof(face):
    if face == 'mpich':
        for type_name, size in MPICH_SIZES.items():
            names = [f'__mpi_sizeofs_MOD_mpi_sizeof_{type_name}{shape}' for shape in ('', 'v')]
            yield size, names
        for type_name, size in SIZES.items():
            x = '' if type_name in ('character', 'logical') else 'x'
            yield size, [f'__mpi_f08_types_MOD_mpi_sizeof_{x}{type_name}']
    else:
        for type_name, size in SIZES.items():
            yield size, [f'{p}mpi_sizeof_{type_name}_{shape}_' for p in ('', 'p') for shape in SHAPES]


def comparisons(face):
    parameters = 'const int& a, const int& b'
    for name in OBJECTS + (() if face == 'openmpi' else ('session',)):
        for operator, suffix in (('==', 'eq'), ('!=', 'neq')):
            if face == 'mpich':
                names = [f'__mpi_f08_types_MOD_mpi_{name}_{suffix}', f'__mpi_f08_types_MOD_mpi_{name}_f08_{suffix}_f',
                         f'__mpi_f08_types_MOD_mpi_{name}_f_{suffix}_f08']
                names += [f'__mpi_constants_MOD_{name}{suffix}'] if name != 'session' else []
            elif face == 'openmpi':
                names = [f'__mpi_f08_types_MOD_ompi_{name}_op_{suffix.replace("neq", "ne")}']
            else:
                names = [f'mpi_{name}_{suffix}_f08_']
            yield names, 'int', parameters, f'  return a {operator} b ? 1 : 0;\n'


def conversions(face):
    if face == 'mpich':
        names = [f'__mpi_f08_types_MOD_mpi_{name}_{way}' for name in OBJECTS + ('session',)
                 if name != 'file' for way in ('f2c', 'c2f')]
        yield names, 'int', 'int handle', '  return handle;\n'
        yield (['__mpi_f08_types_MOD_mpi_status_f08_assign_c', '__mpi_f08_types_MOD_mpi_status_c_assign_f08'], 'void',
               'int* to, const int* from', '  fortran::copy_status<F>(from, to, nullptr);\n')
        c_names = [f'{p}MPI_Status_{way}' for p in ('', 'P') for way in ('c2f08', 'f082c')]
        yield (c_names, 'int', 'const int* from, int* to',
               '  fortran::copy_status<F>(from, to, nullptr);\n  return F::code.to_face(abi::success);\n')
        names = [f'__mpi_f08_types_MOD_mpi_status_{way}' for way in ('f2f08', 'f082f')]
    elif face == 'standard':
        names = [f'{p}mpi_status_{way}{ending}' for p in ('', 'p') for way in ('f2f08', 'f082f')
                 for ending in ('_', '_f08_')]
    else:  # Open MPI's module declares the conversions, but its libraries don't have them
        return
    yield names, 'void', 'const int* from, int* to, int* ierror', '  fortran::copy_status<F>(from, to, ierror);\n'


def functions(face):
    yield from attribute_functions(face)
    for size, names in sizeof(face):
        yield names, 'void', 'const void*, int* size, int* ierror', f'  fortran::size_is({size}, size, ierror);\n'
    yield from comparisons(face)
    yield from conversions(face)
    names = manglings('mpi_f_sync_reg', face) + manglings('pmpi_f_sync_reg', face)
    names += ['mpi_f_sync_reg_f08ts_'] if face == 'mpich' else ['mpi_f_sync_reg_f08_', 'pmpi_f_sync_reg_f08_']
    yield names, 'void', 'void*', ''


def definitions(face):
    text = ''
    for (first, *aliases), result, parameters, code in functions(face):
        text += f'{result} {first}({parameters}) {{\n{code}}}\n' if code else f'{result} {first}({parameters}) {{}}\n'
        text += ''.join(f'extern decltype({first}) {alias} __attribute__((weak, alias("{first}")));\n'
                        for alias in aliases)
    return text


def exports(face):
    for names, *_ in functions(face):
        yield from names
    if face == 'standard':
        yield from ('mpi_fortran_argv_null_', 'mpi_fortran_argvs_null_', 'mpi_fortran_bottom_',
                    'mpi_fortran_errcodes_ignore_', 'mpi_fortran_in_place_', 'mpi_fortran_status_ignore_',
                    'mpi_fortran_statuses_ignore_', 'mpi_fortran_unweighted_', 'mpi_fortran_weights_empty_')
    if face == 'mpich':
        yield from ('mpipriv1_', 'mpipriv2_', 'mpiprivc_', 'mpifcmb5_', 'mpifcmb9_')
        yield from (f'__mpi_f08_link_constants_MOD_mpi_{name}'
                    for name in ('unweighted', 'weights_empty', 'errcodes_ignore', 'argv_null', 'argvs_null'))
