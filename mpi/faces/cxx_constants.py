# SPDX-License-Identifier: Apache-2.0
"""Writes the objects that Open MPI's C++ interface has for MPI's predefined handles: MPI::INT, MPI::COMM_WORLD, ..."""

# By the class: the name of its virtual table, and the names of its objects. "A=B": A is MPI_B.
CLASSES = {
    '9Comm_Null': 'COMM_NULL',
    '9Intracomm': 'COMM_WORLD COMM_SELF',
    '5Group': 'GROUP_NULL GROUP_EMPTY',
    '4Info': 'INFO_NULL',
    '7Request': 'REQUEST_NULL',
    '3Win': 'WIN_NULL',
    '4File': 'FILE_NULL',
    '10Errhandler': 'ERRHANDLER_NULL ERRORS_ARE_FATAL ERRORS_RETURN',
    '2Op': 'OP_NULL MAX MIN SUM PROD LAND BAND LOR BOR LXOR BXOR MAXLOC MINLOC REPLACE',
    '8Datatype': '''DATATYPE_NULL CHAR SHORT INT LONG SIGNED_CHAR UNSIGNED_CHAR UNSIGNED_SHORT UNSIGNED UNSIGNED_LONG
        FLOAT DOUBLE LONG_DOUBLE BYTE PACKED WCHAR LONG_LONG LONG_LONG_INT=LONG_LONG UNSIGNED_LONG_LONG
        FLOAT_INT DOUBLE_INT LONG_INT TWOINT=2INT SHORT_INT LONG_DOUBLE_INT
        BOOL=CXX_BOOL COMPLEX=CXX_FLOAT_COMPLEX DOUBLE_COMPLEX=CXX_DOUBLE_COMPLEX
        LONG_DOUBLE_COMPLEX=CXX_LONG_DOUBLE_COMPLEX
        INTEGER REAL DOUBLE_PRECISION F_COMPLEX=COMPLEX F_DOUBLE_COMPLEX=DOUBLE_COMPLEX LOGICAL CHARACTER
        TWOREAL=2REAL TWODOUBLE_PRECISION=2DOUBLE_PRECISION TWOINTEGER=2INTEGER
        INTEGER1 INTEGER2 INTEGER4 REAL2 REAL4 REAL8''',
}

FUNCTIONS = '''
_ZN3MPI16Register_datarepEPKcPFiPvP15ompi_datatype_tiS2_xS2_EPFvS2_RNS_8DatatypeEiS2_xS2_EPFvRKS7_RlS2_ES2_
_ZN3MPI16Register_datarepEPKcPFiPvP15ompi_datatype_tiS2_xS2_ES6_PFvRKNS_8DatatypeERlS2_ES2_
_ZN3MPI16Register_datarepEPKcPFvPvRNS_8DatatypeEiS2_xS2_EPFiS2_P15ompi_datatype_tiS2_xS2_EPFvRKS3_RlS2_ES2_
_ZN3MPI16Register_datarepEPKcPFvPvRNS_8DatatypeEiS2_xS2_ES6_PFvRKS3_RlS2_ES2_
_ZN3MPI20InitializeInterceptsEv
_ZN3MPI3Win16do_create_keyvalEPFiP10ompi_win_tiPvS3_S3_PiEPFiS2_iS3_S3_EPFiRKS0_iS3_S3_S3_RbEPFiRS0_iS3_S3_ES3_Ri
_ZN3MPI3Win17Create_errhandlerEPFvRS0_PizE
_ZN3MPI3Win4FreeEv
_ZN3MPI4Comm16do_create_keyvalEPFiP19ompi_communicator_tiPvS3_S3_PiEPFiS2_iS3_S3_EPFiRKS0_iS3_S3_S3_RbEPFiRS0_iS3_S3_ES3_Ri
_ZN3MPI4Comm17Create_errhandlerEPFvRS0_PizE
_ZN3MPI4CommC1ERKNS_9Comm_NullE
_ZN3MPI4CommC1Ev
_ZN3MPI4CommC2ERKNS_9Comm_NullE
_ZN3MPI4CommC2Ev
_ZN3MPI4File17Create_errhandlerEPFvRS0_PizE
_ZN3MPI4File5CloseEv
_ZN3MPI8Datatype16do_create_keyvalEPFiP15ompi_datatype_tiPvS3_S3_PiEPFiS2_iS3_S3_EPFiRKS0_iS3_PKvS3_RbEPFiRS0_iS3_S3_ES3_Ri
_ZN3MPI8Datatype4FreeEv
ompi_mpi_cxx_op_intercept
ompi_op_set_cxx_callback
ompi_mpi_cxx_grequest_query_fn_intercept
ompi_mpi_cxx_grequest_free_fn_intercept
ompi_mpi_cxx_grequest_cancel_fn_intercept
'''.split()

TEMPLATE = '''// Made by mpi/faces/generate.py.
#include <cstdio>

#include "mpi/core/errhandler.hpp"
#include "mpi/faces/cxx/objects.hpp"
#include "openmpi/values.hpp"

#pragma GCC visibility push(default)
namespace MPI {{

{objects}
Object ERRORS_THROW_EXCEPTIONS;

extern void* const BOTTOM;
extern void* const IN_PLACE;
extern const char ompi_libcxx_version_string[];
void* const BOTTOM = nullptr;
void* const IN_PLACE = reinterpret_cast<void*>(1);
const char** ARGV_NULL = nullptr;
const char*** ARGVS_NULL = nullptr;
const char ompi_libcxx_version_string[] = "4.1.4";
int mpi_errno = 0;

}}  // namespace MPI
#pragma GCC visibility pop

namespace cohort::mpi::faces::cxx {{
namespace {{

// Debian's library throws no exceptions either.
void keep_error(void* /*function*/, mpi::Object& /*object*/, int code) {{
  MPI::mpi_errno = openmpi::Values::code.to_face(code);
  std::fprintf(stderr, "MPI::ERRORS_THROW_EXCEPTIONS throws no exception: MPI::mpi_errno is the error code\\n");
}}

// The objects may be copies in the program.
[[gnu::constructor]] void set_constants() {{
{settings}
  auto& errhandler = make_predefined<Errhandler>(Errhandler::Action::call, UserErrorHandler{{nullptr, keep_error}});
  errhandler.handle = reinterpret_cast<std::uintptr_t>(&errhandler.self);
  MPI::ERRORS_THROW_EXCEPTIONS = object(_ZTVN3MPI10ErrhandlerE, reinterpret_cast<void*>(errhandler.handle));
}}

}}  // namespace
}}  // namespace cohort::mpi::faces::cxx
'''


def constants_of(constants):
    """Name, table, C's object."""
    objects = {h.name: h.openmpi for h in constants.handles if h.openmpi and not h.second}
    for table, names in CLASSES.items():
        for word in names.split():
            name, _, of = word.partition('=')
            yield name, f'_ZTVN3MPI{table}E', objects[of or name]


def source(constants):
    found = list(constants_of(constants))
    settings = '\n'.join(f'  MPI::{name} = object({table}, &{c_object});' for name, table, c_object in found)
    return TEMPLATE.format(objects='\n'.join(f'Object {name};' for name, *_ in found), settings=settings)


def exports(constants):
    names = [name for name, *_ in constants_of(constants)]
    names += ['ERRORS_THROW_EXCEPTIONS', 'BOTTOM', 'IN_PLACE', 'ARGV_NULL', 'ARGVS_NULL', 'ompi_libcxx_version_string',
              'mpi_errno']
    return FUNCTIONS + [f'_ZN3MPI{len(name)}{name}E' for name in names]
