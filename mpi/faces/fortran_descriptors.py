# SPDX-License-Identifier: Apache-2.0
"""The functions of MPICH's module mpi_f08 that differ from those of its mpif.h: choice buffers come as descriptors of
arrays, which need not be contiguous, and counts may be MPI_Counts.
"""

from dataclasses import replace

# Kinds of choice buffers.
CHOICE = ('in', 'out', 'place', 'memory')


def has_choice(function):
    return any(p.kind in CHOICE for p in function.parameters)


def names(function):
    """The first is the one that is defined. Empty: the function is the one of mpif.h."""
    large = function.large or function.name.endswith('_c')
    if not large and not has_choice(function):
        return []
    prefix = function.prefixes['mpich'].lower().rstrip('_')
    name = function.name.lower()
    if large:
        name = name.removesuffix('_c')
    ending = ('_f08ts' if has_choice(function) else '_f08') + ('_large_' if large else '_')
    return [f'p{prefix}r_{name}{ending}', f'{prefix}_{name}{ending}']


def described(function):
    return replace(function, parameters=[replace(p, kind='described') if p.kind in CHOICE else p
                                         for p in function.parameters])


def body(function, core_call):
    """The statements in the call; None if it is as usual."""
    if not has_choice(function):
        return None
    statements = ''
    replaced = {}
    for p, *after in zip(function.parameters, function.parameters[1:] + [None], function.parameters[2:] + [None] * 2):
        if p.kind not in CHOICE:
            continue
        is_section = [q and q.kind.rstrip('?') for q in after] == ['count', 'type']
        if not is_section:
            replaced[p.name] = f'fortran::contiguous<F>({p.name})'
            continue
        count, datatype = after
        section = f'{p.name}_section'
        statements += f'const fortran::Section<F> {section}({p.name}, {count.name}, {datatype.name}); '
        replaced[p.name] = f'{section}.address()'
        replaced[count.name] = f'{section}.count()'
        replaced[datatype.name] = f'{section}.type{"_or_null" if datatype.kind.endswith("?") else ""}()'
    call = core_call(function, replaced)
    sent = next(p.name for p in function.parameters if p.kind in CHOICE)
    return f'{statements}{call.replace(f"Peers::all, {sent})", f"Peers::all, fortran::sent<F>({sent}))")};'
