// SPDX-License-Identifier: Apache-2.0
// Functions of Open MPI's C++ interface that programs don't contain. Each has the name that C++ gives to it.
#include "mpi/core/attribute_functions.hpp"
#include "mpi/core/errhandler_functions.hpp"
#include "mpi/core/op.hpp"
#include "mpi/core/type_functions.hpp"
#include "mpi/faces/common/guard.hpp"
#include "mpi/faces/cxx/callbacks.hpp"
#include "mpi/faces/cxx/objects.hpp"
#include "mpi/faces/openmpi/face.hpp"

#ifdef __clang__
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"  // the names are C++'s, so who calls knows the class
#endif

namespace MPI {

// Returned in memory, as a class with a destructor is.
struct Errhandler : Object {
  ~Errhandler() {}  // NOLINT: that it is there is what counts
};

}  // namespace MPI

namespace cohort::mpi::faces::cxx {
namespace {

using F = openmpi::Face;

template <class Create>
int create_keyval(const char* name, const Create& create, const KeyFunctions& functions, void* extra_state,
                  int& keyval) {
  return call<F>(name, no_communicator, [&] {
    const CopyAttribute copy = copy_attribute(functions, extra_state);
    int made = abi::keyval_invalid;
    create(copy, delete_attribute(copy), made, extra_state);
    keyval = F::keyval.to_face(made);
  });
}

template <class Create>
MPI::Errhandler create_errhandler(const char* name, const Create& create, ErrorFunction* function) {
  Errhandler* made = nullptr;
  call<F>(name, no_communicator, [&] { create(error_handler(function), made); });
  return {object(_ZTVN3MPI10ErrhandlerE, handle_of<F, Errhandler>(made))};
}

// A status of the program: a virtual table, and C's status.
struct StatusObject {
  const void* table;
  F::Status status;
};

struct GrequestState {
  void* extra_state;
  int (*query)(void* extra_state, StatusObject& status);
  int (*free)(void* extra_state);
  int (*cancel)(void* extra_state, bool complete);
};

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier)
#pragma GCC visibility push(default)
extern "C" {

void _ZN3MPI20InitializeInterceptsEv() {}

void _ZN3MPI4CommC1Ev(MPI::Object* self) { *self = object(_ZTVN3MPI4CommE, &ompi_mpi_comm_null); }
void _ZN3MPI4CommC2Ev(MPI::Object* self) __attribute__((alias("_ZN3MPI4CommC1Ev")));
void _ZN3MPI4CommC1ERKNS_9Comm_NullE(MPI::Object* self, const MPI::Object& other) {
  *self = object(_ZTVN3MPI4CommE, other.handle);
}
void _ZN3MPI4CommC2ERKNS_9Comm_NullE(MPI::Object* self, const MPI::Object& other)
    __attribute__((alias("_ZN3MPI4CommC1ERKNS_9Comm_NullE")));

void _ZN3MPI8Datatype4FreeEv(MPI::Object* self) {
  call<F>("MPI::Datatype::Free", no_communicator, [&] { type_free(changed<F, Datatype>(&self->handle)); });
}
void _ZN3MPI3Win4FreeEv(MPI::Object*) {
  call<F>("MPI::Win::Free", no_communicator, [] { refuse_missing("one-sided communication"); });
}
void _ZN3MPI4File5CloseEv(MPI::Object*) { missing_in_files("MPI::File::Close"); }

// do_create_keyval() of MPI::Comm, MPI::Datatype and MPI::Win.
int _ZN3MPI4Comm16do_create_keyvalEPFiP19ompi_communicator_tiPvS3_S3_PiEPFiS2_iS3_S3_EPFiRKS0_iS3_S3_S3_RbEPFiRS0_iS3_S3_ES3_Ri(
    decltype(KeyFunctions::c_copy) c_copy, decltype(KeyFunctions::c_delete) c_delete,
    decltype(KeyFunctions::cxx_copy) cxx_copy, decltype(KeyFunctions::cxx_delete) cxx_delete, void* extra_state,
    int& keyval) {
  return create_keyval("MPI::Comm::Create_keyval", comm_create_keyval, {c_copy, c_delete, cxx_copy, cxx_delete},
                       extra_state, keyval);
}
int _ZN3MPI8Datatype16do_create_keyvalEPFiP15ompi_datatype_tiPvS3_S3_PiEPFiS2_iS3_S3_EPFiRKS0_iS3_PKvS3_RbEPFiRS0_iS3_S3_ES3_Ri(
    decltype(KeyFunctions::c_copy) c_copy, decltype(KeyFunctions::c_delete) c_delete,
    decltype(KeyFunctions::cxx_copy) cxx_copy, decltype(KeyFunctions::cxx_delete) cxx_delete, void* extra_state,
    int& keyval) {
  return create_keyval("MPI::Datatype::Create_keyval", type_create_keyval, {c_copy, c_delete, cxx_copy, cxx_delete},
                       extra_state, keyval);
}
int _ZN3MPI3Win16do_create_keyvalEPFiP10ompi_win_tiPvS3_S3_PiEPFiS2_iS3_S3_EPFiRKS0_iS3_S3_S3_RbEPFiRS0_iS3_S3_ES3_Ri(
    void*, void*, void*, void*, void*, int&) {
  return call<F>("MPI::Win::Create_keyval", no_communicator, [] { refuse_missing("one-sided communication"); });
}

MPI::Errhandler _ZN3MPI4Comm17Create_errhandlerEPFvRS0_PizE(ErrorFunction* function) {
  return create_errhandler("MPI::Comm::Create_errhandler", comm_create_errhandler, function);
}
MPI::Errhandler _ZN3MPI3Win17Create_errhandlerEPFvRS0_PizE(ErrorFunction* function) {
  return create_errhandler("MPI::Win::Create_errhandler", win_create_errhandler, function);
}
MPI::Errhandler _ZN3MPI4File17Create_errhandlerEPFvRS0_PizE(ErrorFunction* function) {
  return create_errhandler("MPI::File::Create_errhandler", file_create_errhandler, function);
}

// MPI::Register_datarep(), with functions of C or C++ to read and to write.
void _ZN3MPI16Register_datarepEPKcPFvPvRNS_8DatatypeEiS2_xS2_ES6_PFvRKS3_RlS2_ES2_(const char*, void*, void*, void*,
                                                                                   void*) {
  missing_in_files("MPI::Register_datarep");
}
void _ZN3MPI16Register_datarepEPKcPFiPvP15ompi_datatype_tiS2_xS2_EPFvS2_RNS_8DatatypeEiS2_xS2_EPFvRKS7_RlS2_ES2_(
    const char*, void*, void*, void*, void*)
    __attribute__((alias("_ZN3MPI16Register_datarepEPKcPFvPvRNS_8DatatypeEiS2_xS2_ES6_PFvRKS3_RlS2_ES2_")));
void _ZN3MPI16Register_datarepEPKcPFiPvP15ompi_datatype_tiS2_xS2_ES6_PFvRKNS_8DatatypeERlS2_ES2_(const char*, void*,
                                                                                                 void*, void*, void*)
    __attribute__((alias("_ZN3MPI16Register_datarepEPKcPFvPvRNS_8DatatypeEiS2_xS2_ES6_PFvRKS3_RlS2_ES2_")));
void _ZN3MPI16Register_datarepEPKcPFvPvRNS_8DatatypeEiS2_xS2_EPFiS2_P15ompi_datatype_tiS2_xS2_EPFvRKS3_RlS2_ES2_(
    const char*, void*, void*, void*, void*)
    __attribute__((alias("_ZN3MPI16Register_datarepEPKcPFvPvRNS_8DatatypeEiS2_xS2_ES6_PFvRKS3_RlS2_ES2_")));

// MPI::Op::Init() makes an operator with this function; then it names its own, which becomes the last argument.
void ompi_mpi_cxx_op_intercept(void* in, void* inout, int* length, void** type,
                               void (*function)(const void*, void*, int, const MPI::Object&)) {
  function(in, inout, *length, object(_ZTVN3MPI8DatatypeE, *type));
}
void ompi_op_set_cxx_callback(void* op, void* function) {
  call<F>("MPI::Op::Init", no_communicator, [&] {
    UserOperator& user = in<F, Op>(op).user_function();
    user = user_operator(user, function);
  });
}

// MPI::Grequest::Start() starts a request with these, and with a state that it allocates.
int ompi_mpi_cxx_grequest_query_fn_intercept(void* state, F::Status* status) {
  const auto& request = *static_cast<const GrequestState*>(state);
  StatusObject here{table_of(_ZTVN3MPI6StatusE), *status};
  const int code = request.query(request.extra_state, here);
  *status = here.status;
  return code;
}
int ompi_mpi_cxx_grequest_free_fn_intercept(void* state) {
  auto* const request = static_cast<GrequestState*>(state);
  const int code = request->free(request->extra_state);
  delete request;
  return code;
}
int ompi_mpi_cxx_grequest_cancel_fn_intercept(void* state, int complete) {
  const auto& request = *static_cast<const GrequestState*>(state);
  return request.cancel(request.extra_state, complete != 0);
}
}
#pragma GCC visibility pop
// NOLINTEND(bugprone-reserved-identifier)

}  // namespace cohort::mpi::faces::cxx
