// SPDX-License-Identifier: Apache-2.0
// All ways to complete requests.
#pragma once

#include "check.h"

enum { WAIT_FORMS = 8 };

// Completes all of them, and states their statuses.
void complete(int form, int count, MPI_Request* requests, MPI_Status* statuses);

void expect_empty(MPI_Status* status);  // and leaves an error in it that the next call is to take away
