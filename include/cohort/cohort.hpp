// SPDX-License-Identifier: Apache-2.0
// Cohort: message passing for programs of many processes. A program includes only this header.
#pragma once

#if __cplusplus < 202002L
#error "Cohort needs C++20: compile with -std=c++20"
#endif

#include "cohort/error.hpp"
#include "cohort/grid.hpp"
#include "cohort/group.hpp"
#include "cohort/operators.hpp"
#include "cohort/process.hpp"
#include "cohort/request.hpp"
#include "cohort/types.hpp"
