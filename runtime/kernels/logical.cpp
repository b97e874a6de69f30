// SPDX-License-Identifier: Apache-2.0
// And, or, exclusive or: of bits, and of truth values (nonzero or zero).
#include "runtime/kernels/loops.hpp"

namespace cohort::detail {

template struct Kernels<BitAnd, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool>;
template struct Kernels<BitOr, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool>;
template struct Kernels<BitXor, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool>;
template struct Kernels<LogicalAnd, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool, float, double,
                        long double>;
template struct Kernels<LogicalOr, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool, float, double,
                        long double>;
template struct Kernels<LogicalXor, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, bool, float, double,
                        long double>;

}  // namespace cohort::detail
