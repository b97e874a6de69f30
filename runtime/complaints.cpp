// SPDX-License-Identifier: Apache-2.0
#include "runtime/complaints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "cohort/error.hpp"

namespace cohort::detail {

void Complaints::check() const {
  constexpr std::size_t most = 50;  // the text names this many
  if (all_.empty()) return;
  const std::span<const std::string> told = std::span(all_).first(std::min(all_.size(), most));
  std::string words = fmt::format("{}", fmt::join(told, "; "));
  if (told.size() < all_.size()) words += fmt::format("; and {} more", all_.size() - told.size());
  throw Error(ErrorCode::mismatch, words);
}

}  // namespace cohort::detail
