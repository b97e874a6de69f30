// SPDX-License-Identifier: Apache-2.0
#include "runtime/calls/call_comparison.hpp"

#include <fmt/format.h>

#include <memory>

#include "runtime/messages/transfer.hpp"

namespace cohort::detail {

const MadeCall* CallComparison::find(std::uint64_t number) const {
  const bool known = number > 0 && number <= count_ && number + latest_.size() > count_;
  return known ? &latest_[number % latest_.size()] : nullptr;
}

bool CallComparison::differs(std::uint64_t number, const MadeCall& theirs) const {
  const MadeCall* const ours = find(number);
  return ours != nullptr && ours->differs(theirs);
}

FaultPointer CallComparison::difference(std::uint64_t number, const MadeCall& theirs, const std::string& they,
                                        const std::string& we) const {
  const MadeCall& ours = *find(number);
  const auto with_bytes = [](const MadeCall& call) {
    return fmt::format("{} of {} bytes", to_string(call.kind), call.bytes);
  };
  const std::string words = theirs.kind == ours.kind
                                ? cohort::difference(they, with_bytes(theirs), we, with_bytes(ours))
                                : cohort::difference(they, theirs.kind, we, ours.kind);
  return std::make_shared<const Fault>(Fault{ErrorCode::mismatch, fmt::format("in call #{} {}", number, words)});
}

}  // namespace cohort::detail
