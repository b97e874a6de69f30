// SPDX-License-Identifier: Apache-2.0
// The rate at which vectors are combined, by type and operator, for vectors that fit the caches and one that does not.
// The bytes per second are those that pass the memory: two operands and a result. For comparison the machine's own
// rates: the "triad" a = b + s c, and copies, which have one operand fewer, to two places in a page.
#include <benchmark/benchmark.h>

#include <complex>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cohort/cohort.hpp"
#include "runtime/copy_bytes.hpp"

namespace {

using namespace cohort;
using benchmark::State;

void at_all_sizes(benchmark::internal::Benchmark* timed) {
  for (const std::int64_t bytes : {4 << 10, 256 << 10, 16 << 20}) timed->Arg(bytes);
}

void passed(State& state, std::int64_t vectors) {
  state.SetBytesProcessed(state.iterations() * vectors * state.range(0));
}

// From the beginning of a page to a place so many bytes behind the beginning of another page.
void copy(State& state, void (*call)(std::byte* to, const std::byte* from, std::size_t bytes), std::size_t behind) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  constexpr std::size_t page = 4096;
  const auto pages = [bytes] { return static_cast<std::byte*>(std::aligned_alloc(page, bytes + page)); };
  const std::unique_ptr<std::byte, decltype(&std::free)> from(pages(), std::free), to(pages(), std::free);
  std::memset(from.get(), 1, bytes);
  for (auto _ : state) {
    call(to.get() + behind, from.get(), bytes);
    benchmark::ClobberMemory();
  }
  passed(state, 2);
}

void by_memcpy(std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

void memory_triad(State& state) {
  const auto count = static_cast<std::size_t>(state.range(0)) / sizeof(double);
  std::vector<double> a(count), b(count), c(count);
  for (auto _ : state) {
    double* __restrict to = a.data();
    for (std::size_t i = 0; i < count; ++i) to[i] = b[i] + 3 * c[i];
    benchmark::ClobberMemory();
  }
  passed(state, 3);
}

template <class T, class Operator>
void reduction(State& state, Operator operation) {
  const detail::Reduction reduction = detail::erase<T>(operation);
  const std::size_t count = static_cast<std::size_t>(state.range(0)) / sizeof(T);
  std::vector<std::byte> mine(count * sizeof(T)), received(count * sizeof(T));
  for (auto _ : state) {
    reduction.apply(reduction.operation.get(), received.data(), mine.data(), mine.data(), count);
    benchmark::ClobberMemory();
  }
  passed(state, 3);
}

template <class T, class Operator>
void add(const char* type, const char* name, Operator operation) {
  at_all_sizes(
      benchmark::RegisterBenchmark((std::string(name) + "/" + type).c_str(), reduction<T, Operator>, operation));
}

template <class T>
void add_arithmetic(const char* type) {
  add<T>(type, "sum", sum);
  add<T>(type, "product", product);
}

template <class T>
void add_ordered(const char* type) {
  add_arithmetic<T>(type);
  add<T>(type, "minimum", minimum);
  add<T>(type, "maximum", maximum);
  add<Located<T>>(type, "minimum_at", minimum_at);
  add<Located<T>>(type, "maximum_at", maximum_at);
  add<T>(type, "logical_and", logical_and);
  add<T>(type, "logical_or", logical_or);
  add<T>(type, "logical_xor", logical_xor);
}

template <class T>
void add_integer(const char* type) {
  add_ordered<T>(type);
  add<T>(type, "bit_and", bit_and);
  add<T>(type, "bit_or", bit_or);
  add<T>(type, "bit_xor", bit_xor);
}

}  // namespace

int main(int argc, char** argv) {
  at_all_sizes(benchmark::RegisterBenchmark("memory/copy", copy, by_memcpy, 0));
  at_all_sizes(benchmark::RegisterBenchmark("memory/copy_16_behind", copy, by_memcpy, 16));
  at_all_sizes(benchmark::RegisterBenchmark("memory/copy_bytes_16_behind", copy, detail::copy_bytes, 16));
  at_all_sizes(benchmark::RegisterBenchmark("memory/triad", memory_triad));
  add_integer<std::int8_t>("int8");
  add_integer<std::uint8_t>("uint8");
  add_integer<std::int16_t>("int16");
  add_integer<std::uint16_t>("uint16");
  add_integer<std::int32_t>("int32");
  add_integer<std::uint32_t>("uint32");
  add_integer<std::int64_t>("int64");
  add_integer<std::uint64_t>("uint64");
  add_integer<bool>("bool");
  add_ordered<float>("float");
  add_ordered<float16>("float16");
  add_ordered<bfloat16>("bfloat16");
  add_ordered<double>("double");
  add_ordered<long double>("long_double");
  add_arithmetic<std::complex<float>>("complex_float");
  add_arithmetic<std::complex<double>>("complex_double");
  add_arithmetic<std::complex<long double>>("complex_long_double");
  add<float>("float", "users_own", commutative([](float a, float b) { return a * a + b * b; }));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
