// SPDX-License-Identifier: Apache-2.0
// The three forms of a collective, as one call.
#pragma once

#include "check.h"

enum Form { BLOCKING, STARTED, KEPT };

#if MPI_VERSION >= 4
enum { FORMS = 3 };
#define CALL_KEPT(Name, request, ...) (MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, request) || MPI_Start(request))
#else
enum { FORMS = 2 };
#define CALL_KEPT(Name, request, ...) abort()
#endif

// MPI_Name(arguments), or MPI_Iname(arguments, request), or MPI_Name_init and a start. `finish_call` ends all of them.
#define CALL(form, request, Name, name, ...)                         \
  do {                                                               \
    *(request) = MPI_REQUEST_NULL;                                   \
    if ((form) == BLOCKING) MPI_##Name(__VA_ARGS__);                 \
    if ((form) == STARTED) MPI_I##name(__VA_ARGS__, request);        \
    if ((form) == KEPT) (void)CALL_KEPT(Name, request, __VA_ARGS__); \
  } while (0)

static inline void finish_call(MPI_Request* request) {
  MPI_Wait(request, MPI_STATUS_IGNORE);
  if (*request != MPI_REQUEST_NULL) MPI_Request_free(request);
}
