// SPDX-License-Identifier: Apache-2.0
// Minima and maxima.
#include "runtime/kernels/float16.hpp"
#include "runtime/kernels/loops.hpp"

namespace cohort::detail {

template struct Kernels<Minimum, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                        std::uint32_t, std::uint64_t, bool, float, double, long double, float16, bfloat16>;
template struct Kernels<Maximum, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                        std::uint32_t, std::uint64_t, bool, float, double, long double, float16, bfloat16>;

}  // namespace cohort::detail
