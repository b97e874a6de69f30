// SPDX-License-Identifier: Apache-2.0
// What the handles of the C interface point to.
#pragma once

#include <string>

#include "cohort/cohort.h"
#include "cohort/group.hpp"
#include "cohort/process.hpp"
#include "cohort/request.hpp"

struct cohort_process {
  cohort::Process process;
  std::string host;
};

struct cohort_group {
  cohort::detail::Handle handle;

  cohort::Group group() const { return cohort::Group(handle.group, handle.algorithm); }
};

struct cohort_request {
  cohort::Request request;
  bool over = false;  // it was waited for, or cancelled
};

struct cohort_persistent {
  cohort::Persistent call;
};
