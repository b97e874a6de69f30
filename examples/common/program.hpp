// SPDX-License-Identifier: Apache-2.0
// What the examples have around their work: arguments, and input errors that all processes learn of together.
#pragma once

#include <cohort/cohort.hpp>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "arguments.hpp"
#include "bad_input.hpp"

namespace examples {

// Joins the job, reads the arguments and does the work. Returns the exit code: 0; 2 for bad arguments and bad input,
// with one line from rank 0; 1 for everything else that goes wrong.
int run(Arguments& arguments, int argc, char** argv, const std::function<void(const cohort::Process&)>& work);

// Collective. Throws the BadInput of the lowest rank that has one, at all ranks; returns if none has.
void agree(const cohort::Process& self, const std::string& complaint);

// Collective. Does a step that looks at the outside world (reads, writes a file). If it throws BadInput at any rank all
// ranks throw it, so nobody goes on and waits for those that gave up.
template <class Step>
auto together(const cohort::Process& self, Step step) {
  using Result = std::invoke_result_t<Step>;
  std::optional<std::conditional_t<std::is_void_v<Result>, bool, Result>> result;
  std::string complaint;
  try {
    if constexpr (std::is_void_v<Result>) {
      step();
    } else {
      result = step();
    }
  } catch (const BadInput& error) {
    complaint = error.what();
  }
  agree(self, complaint);
  if constexpr (!std::is_void_v<Result>) return std::move(*result);
}

}  // namespace examples
