// A call of a collective, as far as members compare it when one waits in vain.
#pragma once

#include <cstdint>

#include "runtime/transport/frame.hpp"

namespace cohort::detail {

struct MadeCall {
  CallKind kind;
  std::uint64_t bytes = 0;  // of the vector, or of all blocks; 0: members may differ in it, or it is not known

  bool differs(const MadeCall& other) const {
    return kind != other.kind || (bytes != 0 && other.bytes != 0 && bytes != other.bytes);
  }
};

}  // namespace cohort::detail
