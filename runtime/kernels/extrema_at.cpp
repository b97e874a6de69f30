// SPDX-License-Identifier: Apache-2.0
// Minima and maxima with their location. The kernels compute the operators' results without branches and field by
// field, so that the loops can be vectorised.
#include "runtime/kernels/loops.hpp"

namespace cohort::detail {
namespace {

struct Below {
  template <class T>
  static int before(T a, T b) {
    return static_cast<int>(a < b) | (static_cast<int>(is_nan(a)) & static_cast<int>(!is_nan(b)));
  }
};

struct Above {
  template <class T>
  static int before(T a, T b) {
    return static_cast<int>(a > b) | (static_cast<int>(is_nan(a)) & static_cast<int>(!is_nan(b)));
  }
};

template <class T, class Order>
struct FirstOf {
  [[gnu::always_inline]] static inline void run(const std::byte* left, const std::byte* right, std::byte* result,
                                                std::size_t count) {
    constexpr std::size_t stride = sizeof(Located<T>);
    constexpr std::size_t location = offsetof(Located<T>, location);
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (std::size_t i = 0; i < count * stride; i += stride) {
      const T a = load<T>(left + i);
      const T b = load<T>(right + i);
      const auto a_at = load<std::int64_t>(left + i + location);
      const auto b_at = load<std::int64_t>(right + i + location);
      const bool take_b =
          Order::before(b, a) | (static_cast<int>(!Order::before(a, b)) & static_cast<int>(b_at < a_at));
      store<T>(take_b ? b : a, result + i);
      store<std::int64_t>(take_b ? b_at : a_at, result + i + location);
    }
  }
};

}  // namespace

template <class T>
struct LoopOf<Located<T>, MinimumAt> {
  using Loop = FirstOf<T, Below>;
};

template <class T>
struct LoopOf<Located<T>, MaximumAt> {
  using Loop = FirstOf<T, Above>;
};

template struct Kernels<MinimumAt, Located<std::int8_t>, Located<std::int16_t>, Located<std::int32_t>,
                        Located<std::int64_t>, Located<std::uint8_t>, Located<std::uint16_t>, Located<std::uint32_t>,
                        Located<std::uint64_t>, Located<bool>, Located<float>, Located<double>, Located<long double>>;
template struct Kernels<MaximumAt, Located<std::int8_t>, Located<std::int16_t>, Located<std::int32_t>,
                        Located<std::int64_t>, Located<std::uint8_t>, Located<std::uint16_t>, Located<std::uint32_t>,
                        Located<std::uint64_t>, Located<bool>, Located<float>, Located<double>, Located<long double>>;

}  // namespace cohort::detail
