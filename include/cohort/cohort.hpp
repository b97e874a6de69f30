// Cohort: message passing for programs of many processes. This header is all that a program includes.
#pragma once

#include "cohort/error.hpp"
#include "cohort/group.hpp"
#include "cohort/operators.hpp"
#include "cohort/process.hpp"
#include "cohort/request.hpp"
#include "cohort/types.hpp"
