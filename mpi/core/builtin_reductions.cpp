// SPDX-License-Identifier: Apache-2.0
// The predefined operators: which values each is defined for, and the kernels. Those of the library do the work where
// it has them; MPI's pairs and Fortran's REAL*16 have theirs here.
//
// MPI_CHAR counts as an integer, as in other implementations, although the standard leaves it out.
#include <complex>
#include <functional>
#include <optional>

#include "mpi/core/mistake.hpp"
#include "mpi/core/op.hpp"

namespace cohort::mpi {

// MPI's pairs, of C and of Fortran.
template <class Value, class Index>
struct Pair {
  Value value;
  Index index;
};

namespace {

using MaybeReduction = std::optional<ReductionOfType>;

template <class T, class Operator>
ReductionOfType kernel(Operator operation) {
  return {detail::erase<T>(operation), sizeof(T), detail::code_of_type<T>()};
}

template <class Operator>
MaybeReduction on_integers(Operator operation, Basic basic) {
  switch (basic) {
    case Basic::character:
    case Basic::int8:
      return kernel<std::int8_t>(operation);
    case Basic::int16:
      return kernel<std::int16_t>(operation);
    case Basic::int32:
      return kernel<std::int32_t>(operation);
    case Basic::int64:
      return kernel<std::int64_t>(operation);
    case Basic::uint8:
      return kernel<std::uint8_t>(operation);
    case Basic::uint16:
      return kernel<std::uint16_t>(operation);
    case Basic::uint32:
      return kernel<std::uint32_t>(operation);
    case Basic::uint64:
      return kernel<std::uint64_t>(operation);
    default:
      return std::nullopt;
  }
}

template <class Operator>
MaybeReduction on_real_numbers(Operator operation, Basic basic) {
  switch (basic) {
    case Basic::float32:
      return kernel<float>(operation);
    case Basic::float64:
      return kernel<double>(operation);
    case Basic::float80:
      return kernel<long double>(operation);
#ifdef __SIZEOF_FLOAT128__
    case Basic::float128:
      return kernel<__float128>(operation);
#endif
    default:
      return on_integers(operation, basic);
  }
}

template <class Operator>
MaybeReduction on_numbers(Operator operation, Basic basic) {
  switch (basic) {
    case Basic::complex32:
      return kernel<std::complex<float>>(operation);
    case Basic::complex64:
      return kernel<std::complex<double>>(operation);
    case Basic::complex80:
      return kernel<std::complex<long double>>(operation);
#ifdef __SIZEOF_FLOAT128__
    case Basic::complex128:
      return kernel<std::complex<__float128>>(operation);
#endif
    default:
      return on_real_numbers(operation, basic);
  }
}

template <class Operator>
MaybeReduction on_bits(Operator operation, Basic basic) {
  return basic == Basic::byte ? kernel<std::uint8_t>(operation) : on_integers(operation, basic);
}

// Fortran's true is any number but 0; the result is 1, as its compilers have it.
template <class Operator>
MaybeReduction on_truths(Operator operation, Basic basic) {
  switch (basic) {
    case Basic::boolean:
      return kernel<bool>(operation);
    case Basic::logical1:
      return kernel<std::int8_t>(operation);
    case Basic::logical2:
      return kernel<std::int16_t>(operation);
    case Basic::logical4:
      return kernel<std::int32_t>(operation);
    case Basic::logical8:
      return kernel<std::int64_t>(operation);
    default:
      return on_integers(operation, basic);
  }
}

// The better value, with its index; of equal ones, and of NaNs, the one with the lower index.
template <class Better>
struct BetterPair {
  static constexpr bool commutative = true;
  template <class Value, class Index>
  constexpr Pair<Value, Index> operator()(const Pair<Value, Index>& a, const Pair<Value, Index>& b) const {
    if (detail::is_nan(a.value) != detail::is_nan(b.value)) return detail::is_nan(a.value) ? a : b;
    if (Better{}(a.value, b.value)) return a;
    if (Better{}(b.value, a.value)) return b;
    return a.index <= b.index ? a : b;
  }
};

template <class Better>
MaybeReduction on_pairs(Basic basic) {
  constexpr BetterPair<Better> better;
  switch (basic) {
    case Basic::float_int:
      return kernel<Pair<float, int>>(better);
    case Basic::double_int:
      return kernel<Pair<double, int>>(better);
    case Basic::long_int:
      return kernel<Pair<long, int>>(better);
    case Basic::two_integer:
    case Basic::two_int:
      return kernel<Pair<int, int>>(better);
    case Basic::short_int:
      return kernel<Pair<short, int>>(better);
    case Basic::long_double_int:
      return kernel<Pair<long double, int>>(better);
    case Basic::two_float:
      return kernel<Pair<float, float>>(better);
    case Basic::two_double:
      return kernel<Pair<double, double>>(better);
    default:
      return std::nullopt;
  }
}

MaybeReduction find(int abi_handle, Basic basic) {
  switch (abi_handle) {
    case abi::op_sum:
      return on_numbers(Sum{}, basic);
    case abi::op_prod:
      return on_numbers(Product{}, basic);
    case abi::op_min:
      return on_real_numbers(Minimum{}, basic);
    case abi::op_max:
      return on_real_numbers(Maximum{}, basic);
    case abi::op_band:
      return on_bits(BitAnd{}, basic);
    case abi::op_bor:
      return on_bits(BitOr{}, basic);
    case abi::op_bxor:
      return on_bits(BitXor{}, basic);
    case abi::op_land:
      return on_truths(LogicalAnd{}, basic);
    case abi::op_lor:
      return on_truths(LogicalOr{}, basic);
    case abi::op_lxor:
      return on_truths(LogicalXor{}, basic);
    case abi::op_minloc:
      return on_pairs<std::less<>>(basic);
    case abi::op_maxloc:
      return on_pairs<std::greater<>>(basic);
    default:
      return std::nullopt;
  }
}

const char* domain_of(int abi_handle) {
  switch (abi_handle) {
    case abi::op_sum:
    case abi::op_prod:
      return "MPI_SUM and MPI_PROD are defined for integers, floating-point and complex numbers";
    case abi::op_min:
    case abi::op_max:
      return "MPI_MIN and MPI_MAX are defined for integers and floating-point numbers";
    case abi::op_band:
    case abi::op_bor:
    case abi::op_bxor:
      return "MPI_BAND, MPI_BOR and MPI_BXOR are defined for integers and MPI_BYTE";
    case abi::op_land:
    case abi::op_lor:
    case abi::op_lxor:
      return "MPI_LAND, MPI_LOR and MPI_LXOR are defined for integers and logical values";
    default:
      return "MPI_MINLOC and MPI_MAXLOC are defined for pairs (MPI_DOUBLE_INT, MPI_2REAL, ...)";
  }
}

}  // namespace

ReductionOfType builtin_reduction(int abi_handle, Basic basic) {
  MaybeReduction found = find(abi_handle, basic);
  if (!found) throw Mistake(abi::err_op, std::string(domain_of(abi_handle)) + "; the datatype is another one");
  return *std::move(found);
}

}  // namespace cohort::mpi
