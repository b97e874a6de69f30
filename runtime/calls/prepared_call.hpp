// SPDX-License-Identifier: Apache-2.0
// A persistent call: it can be begun again and again.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace cohort::detail {

class Pending;

struct PreparedCall {
  std::function<std::shared_ptr<Pending>()> begin;
  std::function<void(const std::string& what)> refuse;  // throws Error(argument) of this call
  std::weak_ptr<Pending> last;
};

}  // namespace cohort::detail
