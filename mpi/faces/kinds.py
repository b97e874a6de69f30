# SPDX-License-Identifier: Apache-2.0
"""What the kinds of parameters in functions.table are: in C, and as arguments of the core's functions.

A kind is: the type in C, with {} for the parameter's name; the argument of the core's function, in the C++ of common/,
where F is the face; the type in functions with _c, if it differs. In an argument {n} is the parameter's name. In both,
{0}, {1}, ... are what stands in the brackets after the kind. No argument: no function of the core has the kind.
"""

HANDLES = {
    'comm': ('MPI_Comm', 'Communicator'),
    'group': ('MPI_Group', 'ProcessGroup'),
    'type': ('MPI_Datatype', 'Datatype'),
    'op': ('MPI_Op', 'Op'),
    'info': ('MPI_Info', 'Info'),
    'errhandler': ('MPI_Errhandler', 'Errhandler'),
    'request': ('MPI_Request', 'Request'),
    'message': ('MPI_Message', 'Message'),
    'win': ('MPI_Win', 'Window'),
    'file': ('MPI_File', 'File'),
    'session': ('MPI_Session', 'Session'),
}


class Kind:
    def __init__(self, c_type, argument, large=None):
        self.c_type = c_type
        self.large = large or c_type
        self.argument = argument


def handle_kinds():
    kinds = {}
    for name, (c, core) in HANDLES.items():
        kinds[name] = Kind(c + ' {}', f'in<F, {core}>({{n}})')
        kinds[name + '?'] = Kind(c + ' {}', f'optional<F, {core}>({{n}})')
        kinds[name + '*'] = Kind(c + '* {}', f'made<F, {core}>({{n}})')
        kinds[name + '&'] = Kind(c + '* {}', f'changed<F, {core}>({{n}})')
        kinds[name + '&?'] = Kind(c + '* {}', f'changed_or_null<F, {core}>({{n}})')
        kinds[name + 's'] = Kind(f'const {c} {{}}[]', f'handles_in<F, {core}>({{n}}, {{0}})')
        kinds[name + 's&'] = Kind(c + ' {}[]', f'handles_changed<F, {core}>({{n}}, {{0}})')
        kinds[name + 's*'] = Kind(c + ' {}[]', f'handles_made<F, {core}>({{n}}, {{0}})')
    kinds['info!'] = kinds['info']  # hints are the handles that may be null everywhere else
    kinds['info'] = kinds['info?']
    kinds['type?!'] = kinds['type?']  # null or a type
    # Arguments that MPI ignores at some processes need not be handles there.
    kinds['type?'] = Kind('MPI_Datatype {}', 'ignorable<F, Datatype>({n})')
    kinds['types?'] = Kind('const MPI_Datatype {}[]', 'types_of_peers<F>({n}, {0})')
    kinds['at_request'] = Kind('MPI_Request* {}', 'in_at<F, Request>({n})')
    return kinds


def translated(name):
    """A number whose values differ between faces: the section of constants.table."""
    return {
        name: Kind('int {}', f'F::{name}.to_core({{n}})'),
        name + '*': Kind('int* {}', f'number_out(F::{name}, {{n}})'),
        name + '&': Kind('int* {}', f'number_changed(F::{name}, {{n}})'),
    }


KINDS = {
    # The program's data.
    'in': Kind('const void* {}', 'data_at<F>({n})'),
    'out': Kind('void* {}', 'data_at<F>({n})'),
    'memory': Kind('void* {}', '{n}'),
    'place': Kind('const void* {}', '{n}'),
    'pointer': Kind('void* {}', '{n}'),
    'state': Kind('void* {}', '{n}'),
    'pointer*': Kind('void* {}', 'pointer_out({n})'),  # in truth void**
    # Numbers.
    'int': Kind('int {}', '{n}'),
    'int*': Kind('int* {}', 'out({n})'),
    'int&': Kind('int* {}', 'out({n})'),
    'ints': Kind('const int {}[]', '{n}'),
    'ints*': Kind('int {}[]', '{n}'),
    'triples': Kind('int {}[][3]', 'triples({n})'),
    'count': Kind('int {}', '{n}', 'MPI_Count {}'),
    'count*': Kind('int* {}', 'count_out({n})', 'MPI_Count* {}'),
    'count&': Kind('int* {}', 'count_changed({n})', 'MPI_Count* {}'),
    'counts': Kind('const int {}[]', 'Numbers({n})', 'const MPI_Count {}[]'),
    'displs': Kind('const int {}[]', 'Numbers({n})', 'const MPI_Aint {}[]'),
    'address': Kind('MPI_Aint {}', '{n}', 'MPI_Count {}'),
    'address*': Kind('MPI_Aint* {}', 'out({n})', 'MPI_Count* {}'),
    'address&': Kind('MPI_Aint* {}', 'out({n})', 'MPI_Count* {}'),
    'addresses': Kind('const MPI_Aint {}[]', 'Numbers({n})', 'const MPI_Count {}[]'),
    'aint': Kind('MPI_Aint {}', '{n}'),
    'aint*': Kind('MPI_Aint* {}', 'out({n})'),
    'aints': Kind('const MPI_Aint {}[]', 'Numbers({n})'),
    'aints*': Kind('MPI_Aint {}[]', '{n}'),
    'wide': Kind('MPI_Count {}', '{n}'),
    'wide*': Kind('MPI_Count* {}', 'out({n})'),
    'wides*': Kind('MPI_Count {}[]', '{n}'),
    'unit': Kind('int {}', '{n}', 'MPI_Aint {}'),
    'unit*': Kind('int* {}', 'out({n})', 'MPI_Aint* {}'),
    'offset': Kind('MPI_Offset {}', '{n}'),
    'offset*': Kind('MPI_Offset* {}', 'out({n})'),
    # Numbers and arrays with values of each face.
    **translated('rank'),
    **translated('tag'),
    **translated('code'),
    **translated('level'),
    **translated('order'),
    **translated('typeclass'),
    **translated('split'),
    **translated('keyval'),
    **translated('combiner'),
    **translated('comparison'),
    **translated('topology'),
    'ranks': Kind('const int {}[]', 'numbers_in(F::rank, {n}, {0})'),
    'ranks*': Kind('int {}[]', 'numbers_out(F::rank, {n}, {0})'),
    'distributions': Kind('const int {}[]', 'numbers_in(F::distribution, {n}, {0})'),
    'arguments': Kind('const int {}[]', 'numbers_in(Arguments<F>(), {n}, {0})'),
    'weights': Kind('const int {}[]', 'weights_at<F>({n})'),
    'weights*': Kind('int {}[]', 'weights_at<F>({n})'),
    # Handles.
    **handle_kinds(),
    'raw_type*': Kind('MPI_Datatype* {}', None),
    'raw_types': Kind('const MPI_Datatype {}[]', None),
    'raw_types*': Kind('MPI_Datatype {}[]', None),
    'raw_info*': Kind('MPI_Info* {}', None),
    # Statuses.
    'status': Kind('const MPI_Status* {}', 'status_in<F>({n})'),
    'status*': Kind('MPI_Status* {}', 'status_out<F>({n})'),
    'status&': Kind('MPI_Status* {}', 'status_changed<F>({n})'),
    'statuses': Kind('MPI_Status {}[]', 'statuses_out<F>({n}, {0})'),
    'status_memory': Kind('const MPI_Status* {}', '{n}'),
    'status_memory*': Kind('MPI_Status* {}', '{n}'),
    'fints': Kind('const MPI_Fint* {}', '{n}'),
    'fint*': Kind('MPI_Fint* {}', '{n}'),
    # Texts. A text's length is a part of the text.
    'string': Kind('const char* {}', 'text({n})'),
    'name*': Kind('char* {}', 'text_out({n}, F::{0}, {1})'),
    'key*': Kind('char* {}', 'text_out({n}, F::{0})'),
    'value*': Kind('char* {}', 'text_out({n}, {0} + 1)'),
    'room_value*': Kind('char* {}', 'text_out({n}, *{0})'),
    'length*': Kind('int* {}', ''),
    'room': Kind('int* {}', 'out({n})'),
    'chars': Kind('char* {}', None),
    'argc': Kind('int* {}', None),
    'main_argv': Kind('char*** {}', None),
    'argv': Kind('char* {}[]', '{n}'),
    'argvs': Kind('char** {}[]', None),
    '...': Kind('...', ''),
    # Attributes and callbacks.
    'attribute': Kind('void* {}', 'attribute_in({n})'),
    'attribute*': Kind('void* {}', 'attribute_out<F>({n}, {0})'),
    'copy_fn': Kind('MPI_{0}* {}', 'copy_function<F>({n})'),
    'delete_fn': Kind('MPI_{0}* {}', 'delete_function<F>({n})'),
    'error_fn': Kind('MPI_{0}* {}', 'error_function<F>({n})'),
    'operator': Kind('MPI_User_function* {}', 'user_operator<F>({n})', 'MPI_User_function_c* {}'),
    'query_fn': Kind('MPI_Grequest_query_function* {}', 'query_function<F>({n})'),
    'free_fn': Kind('MPI_Grequest_free_function* {}', 'free_function<F>({n})'),
    'cancel_fn': Kind('MPI_Grequest_cancel_function* {}', 'cancel_function<F>({n})'),
    'conversion_fn': Kind('MPI_Datarep_conversion_function* {}', None, 'MPI_Datarep_conversion_function_c* {}'),
    'fn': Kind('MPI_{0}* {}', None),
    'opaque': Kind('MPI_{0} {}', None),
    'opaque*': Kind('MPI_{0}* {}', None),
}
