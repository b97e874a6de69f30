// SPDX-License-Identifier: Apache-2.0
// Objects of Open MPI's C++ interface (MPI::Comm, MPI::Datatype, ...), which the standard removed in MPI 3.
//
// Programs contain nearly all of the classes as inline functions, with their virtual tables. Here, an object is the
// address of a virtual table, and a handle; the tables are the program's. A program that has no table of a class makes
// no virtual calls to it.
#pragma once

// NOLINTBEGIN(bugprone-reserved-identifier)
#pragma GCC visibility push(default)
extern "C" {
// The names are those that C++ gives to the tables.
extern const void* _ZTVN3MPI4CommE[] __attribute__((weak));
extern const void* _ZTVN3MPI9Comm_NullE[] __attribute__((weak));
extern const void* _ZTVN3MPI9IntracommE[] __attribute__((weak));
extern const void* _ZTVN3MPI9IntercommE[] __attribute__((weak));
extern const void* _ZTVN3MPI8CartcommE[] __attribute__((weak));
extern const void* _ZTVN3MPI9GraphcommE[] __attribute__((weak));
extern const void* _ZTVN3MPI8DatatypeE[] __attribute__((weak));
extern const void* _ZTVN3MPI10ErrhandlerE[] __attribute__((weak));
extern const void* _ZTVN3MPI4FileE[] __attribute__((weak));
extern const void* _ZTVN3MPI5GroupE[] __attribute__((weak));
extern const void* _ZTVN3MPI4InfoE[] __attribute__((weak));
extern const void* _ZTVN3MPI2OpE[] __attribute__((weak));
extern const void* _ZTVN3MPI7RequestE[] __attribute__((weak));
extern const void* _ZTVN3MPI6StatusE[] __attribute__((weak));
extern const void* _ZTVN3MPI3WinE[] __attribute__((weak));
}

namespace MPI {

// An object of any class but Status.
struct Object {
  const void* table;
  void* handle;
};

}  // namespace MPI
#pragma GCC visibility pop
// NOLINTEND(bugprone-reserved-identifier)

namespace cohort::mpi::faces::cxx {

// What an object holds of its class's table: the address of the first function.
inline const void* table_of(const void* const* table) { return table != nullptr ? table + 2 : nullptr; }

inline MPI::Object object(const void* const* table, void* handle) { return {table_of(table), handle}; }

}  // namespace cohort::mpi::faces::cxx
