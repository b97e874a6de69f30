# SPDX-License-Identifier: Apache-2.0
"""Writes the functions of a face: C++ that translates arguments and calls the core."""

from kinds import HANDLES, KINDS

# Integers for handles of things that are not in Cohort: only their null handles exist.
ABSENT = ('win', 'file', 'session')

PEERS = {'peers': 'Peers::all', 'sources': 'Peers::sources', 'destinations': 'Peers::destinations'}

# C's names of types, in terms of the face.
PREAMBLE = '''using F = Face;

using MPI_Comm = F::Handle;
using MPI_Group = F::Handle;
using MPI_Datatype = F::Handle;
using MPI_Op = F::Handle;
using MPI_Info = F::Handle;
using MPI_Errhandler = F::Handle;
using MPI_Request = F::Handle;
using MPI_Message = F::Handle;
using MPI_Win = F::Handle;
using MPI_Session = F::Handle;
using MPI_File = F::FileHandle;
using MPI_Status = F::Status;
using MPI_Aint = mpi::Aint;
using MPI_Count = cohort::Count;
using MPI_Offset = std::int64_t;
using MPI_Fint = int;

using MPI_Comm_copy_attr_function = CopyFunction<F>;
using MPI_Type_copy_attr_function = CopyFunction<F>;
using MPI_Win_copy_attr_function = CopyFunction<F>;
using MPI_Copy_function = CopyFunction<F>;
using MPI_Comm_delete_attr_function = DeleteFunction<F>;
using MPI_Type_delete_attr_function = DeleteFunction<F>;
using MPI_Win_delete_attr_function = DeleteFunction<F>;
using MPI_Delete_function = DeleteFunction<F>;
using MPI_Comm_errhandler_function = ErrorFunction<F>;
using MPI_Win_errhandler_function = ErrorFunction<F>;
using MPI_File_errhandler_function = ErrorFunction<F>;
using MPI_Session_errhandler_function = ErrorFunction<F>;
using MPI_User_function = UserFunction<F, int>;
using MPI_User_function_c = UserFunction<F, MPI_Count>;
using MPI_Grequest_query_function = GrequestQuery<F>;
using MPI_Grequest_free_function = GrequestFree;
using MPI_Grequest_cancel_function = GrequestCancel;

// Nothing here calls these, or looks into them.
using MPI_Datarep_conversion_function = void();
using MPI_Datarep_conversion_function_c = void();
using MPI_Datarep_extent_function = void();
using MPI_T_event_cb_function = void();
using MPI_T_event_free_cb_function = void();
using MPI_T_event_dropped_cb_function = void();
using MPI_T_enum = void*;
using MPI_T_cvar_handle = void*;
using MPI_T_pvar_handle = void*;
using MPI_T_pvar_session = void*;
using MPI_T_event_registration = void*;
using MPI_T_event_instance = void*;
using MPI_T_cb_safety = int;
using MPI_T_source_order = int;
'''


def c_parameter(function, parameter, named=True):
    kind = KINDS[parameter.kind]
    c_type = kind.large if function.large else kind.c_type
    if '{0}' in c_type:  # the brackets name the type
        c_type = c_type.replace('{0}', parameter.brackets[0])
    return c_type.replace('{}', parameter.name if named else '').rstrip()


def c_parameters(function, named=True, only=()):
    """`only`: the parameters that get names, if not all do."""
    return ', '.join(c_parameter(function, p, named or p.name in only) for p in function.parameters)


def result_type(function):
    if 'handle' in function.options:
        return HANDLES[function.options['handle']][0]
    return function.options.get('returns', 'int')


def argument(function, parameter):
    text = KINDS[parameter.kind].argument
    assert text is not None, f'{function.name}: the core has no {parameter.kind}'
    if parameter.brackets and parameter.brackets[0] in PEERS:
        which, *sent = parameter.brackets
        comm = next(p.name for p in function.parameters if p.kind == 'comm')
        return f'types_of_peers<F>({", ".join([parameter.name, f"in<F, Communicator>({comm})", PEERS[which], *sent])})'
    return text.replace('{n}', parameter.name).format(*parameter.brackets) if text else ''


def core_call(function):
    arguments = [argument(function, p) for p in function.parameters]
    return f'mpi::{function.core}({", ".join(a for a in arguments if a)})'


def owner(function):
    """A statement before the call, and the expression for the communicator whose error handler is called."""
    for p in function.parameters:
        if p.kind in ('comm', 'comm?'):
            return '', f'[&] {{ return communicator_of<F>({p.name}); }}'
        if p.kind == 'comm&':
            return '', f'[&] {{ return communicator_of<F>(*{p.name}); }}'
        if p.kind in ('request&', 'at_request'):
            return '', f'[&] {{ return communicator_of_request<F>({p.name}); }}'
        if p.kind == 'message&':
            return (f'  const auto on = communicator_of_message<F>({p.name});\n', '[&] { return on.get(); }')
    return '', 'no_communicator'


def missing_body(function, symbol):
    title = function.chapter.title
    if title == 'files':
        return (f'  if (!is_active()) refuse_inactive("{symbol}");\n'
                f'  return F::code.to_face(missing_in_files("{symbol}"));\n'), ()
    _, on = owner(function)
    used = [p.name for p in function.parameters if p.kind in ('comm', 'comm&')][:1]
    if not used:
        on = 'no_communicator'
    return f'  return call<F>("{symbol}", {on}, [] {{ refuse_missing("{title}"); }});\n', used


def body(function, symbol, constants):
    """The function's body, and the parameters that it uses; None: all."""
    options = function.options
    names = [p.name for p in function.parameters if p.kind != '...']
    if function.chapter.header == 'missing':
        return missing_body(function, symbol)
    if 'hand' in options:
        arguments = ', '.join([f'"{symbol}"'] + names)
        return f'  return by_hand::{function.core}<F>({arguments});\n', None
    if 'code' in options:
        return f'  return F::code.to_face(abi::{options["code"].lower()});\n', ()
    if 'zero' in options:
        results = [p.name for p in function.parameters if p.kind.endswith('int*')]
        return ''.join(f'  *{name} = 0;\n' for name in results) + '  return 0;\n', results
    if 'integer' in options:
        return integer_body(function.parameters[0], constants), None
    if 'handle' in options:
        kind = options['handle']
        if kind in ABSENT:
            return f'  return F::null_{kind}();\n', ()
        return f'  return handle_of_integer<F, {HANDLES[kind][1]}>({names[0]});\n', None
    if 'returns' in options:
        return f'  return {core_call(function)};\n', None
    before, on = owner(function)
    how = 'call_any_time' if 'any' in options else 'call'
    return f'{before}  return {how}<F>("{symbol}", {on}, [&] {{ {core_call(function)}; }});\n', None


def integer_body(parameter, constants):
    if parameter.kind in ABSENT:
        return f'  return {parameter.name} == F::null_{parameter.kind}() ? F::number_of_null_{parameter.kind} : -1;\n'
    return f'  return integer_of<F, {HANDLES[parameter.kind][1]}>({parameter.name});\n'


def definition(function, face, constants):
    symbol = function.symbol(face)
    text, used = body(function, symbol, constants)
    c_result = result_type(function)
    parameters = c_parameters(function) if used is None else c_parameters(function, False, used)
    alias = c_parameters(function, False)
    return (f'{c_result} P{symbol}({parameters}) {{\n{text}}}\n'
            f'{c_result} {symbol}({alias}) __attribute__((weak, alias("P{symbol}")));\n')


def unit(functions, face, constants):
    """One source file."""
    headers = sorted({f.chapter.header for f in functions} - {'missing', 'none'})
    lines = ['// Made by mpi/faces/generate.py.']
    lines += [f'#include "mpi/core/{header}"' for header in headers]
    lines += [f'#include "mpi/faces/common/{name}.hpp"'
              for name in ('by_hand', 'callbacks', 'guard', 'statuses', 'values')]
    lines += [f'#include "mpi/faces/{face}/face.hpp"', '', f'namespace cohort::mpi::faces::{face} {{', '', PREAMBLE,
              '#pragma GCC visibility push(default)', 'extern "C" {', '']
    text = '\n'.join(lines) + '\n'
    text += '\n'.join(definition(f, face, constants) for f in functions)
    return text + f'\n}}\n#pragma GCC visibility pop\n\n}}  // namespace cohort::mpi::faces::{face}\n'


def units(functions, face, constants, number):
    """The sources of a face: name, text. All have about as many functions."""
    own = [f for f in functions if face in f.prefixes]
    size = -(-len(own) // number)
    for i in range(number):
        yield f'functions_{i + 1}.cpp', unit(own[i * size:(i + 1) * size], face, constants)
