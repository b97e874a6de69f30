// SPDX-License-Identifier: Apache-2.0
#include "tests/mpi/type_model.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

#include "mpi/constants.hpp"

namespace cohort::mpi {
namespace {

using Form = ModelValue::Form;

constexpr ModelValue integer(Count size, Count external_size) {
  return {Form::signed_integer, 1, size, size, external_size};
}
constexpr ModelValue floating(Count size, int numbers = 1) {
  return {Form::floating, numbers, numbers * size, size, numbers * size};
}
constexpr ModelValue long_double{Form::long_double, 1, 16, 16, 16};

// By the C structs that the standard names for pairs.
template <class First>
Model pair(const ModelValue& first, const ModelValue& second) {
  struct Pair {
    First first;
    int second;
  };
  Model model;
  model.entries = {{0, first}, {offsetof(Pair, second), second}};
  return model;
}

template <class T>
void append_big_endian(std::vector<std::byte>& to, T number) {
  auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(number);
  std::ranges::reverse(bytes);
  to.insert(to.end(), bytes.begin(), bytes.end());
}

template <class T>
void store(std::byte* at, T number) {
  std::memcpy(at, &number, sizeof number);
}

void write_integer(Count size, std::int64_t number, std::byte* at) {
  std::memcpy(at, &number, static_cast<std::size_t>(size));  // little-endian
}

}  // namespace

Model Model::predefined(int abi_handle) {
  static const std::map<int, ModelValue> values = {
      {abi::type_byte, integer(1, 1)},
      {abi::type_char, integer(1, 1)},
      {abi::type_short, integer(2, 2)},
      {abi::type_int, integer(4, 4)},
      {abi::type_integer, integer(4, 4)},
      {abi::type_long, integer(8, 4)},
      {abi::type_unsigned_long, {Form::unsigned_integer, 1, 8, 8, 4}},
      {abi::type_int64_t, integer(8, 8)},
      {abi::type_wchar, {Form::unsigned_integer, 1, 4, 4, 2}},
      {abi::type_float, floating(4)},
      {abi::type_double, floating(8)},
      {abi::type_c_float_complex, floating(4, 2)},
      {abi::type_double_complex, floating(8, 2)},
      {abi::type_long_double, long_double},
  };
  const ModelValue index = integer(4, 4);
  switch (abi_handle) {
    case abi::type_float_int:
      return pair<float>(floating(4), index);
    case abi::type_double_int:
      return pair<double>(floating(8), index);
    case abi::type_long_int:
      return pair<long>(integer(8, 4), index);
    case abi::type_short_int:
      return pair<short>(integer(2, 2), index);
    case abi::type_long_double_int:
      return pair<long double>(long_double, index);
    default:
      break;
  }
  Model model;
  model.entries = {{0, values.at(abi_handle)}};
  return model;
}

void Model::add(const Model& part, Aint displacement) {
  for (const Entry& entry : part.entries) entries.push_back({entry.displacement + displacement, entry.value});
  for (const Aint mark : part.lower_marks) lower_marks.push_back(mark + displacement);
  for (const Aint mark : part.upper_marks) upper_marks.push_back(mark + displacement);
  if (part.upper_marks.empty() && !part.entries.empty()) ends.push_back(part.upper_bound() + displacement);
}

void Model::add(const Model& part, Aint displacement, Count number) {
  for (Count i = 0; i < number; ++i) add(part, displacement + i * part.extent());
}

Model Model::resized(Aint lower_bound, Aint extent) const {
  Model result{entries, {}, {}, {}};
  result.lower_marks.push_back(lower_bound);
  result.upper_marks.push_back(lower_bound + extent);
  return result;
}

Aint Model::true_lower_bound() const {
  if (entries.empty()) return 0;
  return std::ranges::min_element(entries, {}, &Entry::displacement)->displacement;
}

Aint Model::true_upper_bound() const {
  if (entries.empty()) return 0;
  const auto end = [](const Entry& entry) { return entry.displacement + entry.value.size; };
  return end(*std::ranges::max_element(entries, {}, end));
}

Aint Model::lower_bound() const {
  return lower_marks.empty() ? true_lower_bound() : *std::ranges::min_element(lower_marks);
}

Aint Model::upper_bound() const {
  if (!upper_marks.empty()) return *std::ranges::max_element(upper_marks);
  Aint bound = true_upper_bound();
  for (const Aint end : ends) bound = std::max(bound, end);
  Count alignment = 1;
  for (const Entry& entry : entries) alignment = std::max(alignment, entry.value.alignment);
  while ((bound - lower_bound()) % alignment != 0) ++bound;
  return bound;
}

Count Model::size() const {
  Count size = 0;
  for (const Entry& entry : entries) size += entry.value.size;
  return size;
}

Count Model::external_size() const {
  Count size = 0;
  for (const Entry& entry : entries) size += entry.value.external_size;
  return size;
}

bool Model::overlaps() const {
  std::map<Aint, Aint> values;  // from where to where
  for (const Entry& entry : entries) {
    if (!values.emplace(entry.displacement, entry.displacement + entry.value.size).second) return true;
  }
  Aint end = std::numeric_limits<Aint>::min();
  return std::ranges::any_of(values,
                             [&end](const auto& value) { return value.first < std::exchange(end, value.second); });
}

Model Model::elements(Count number) const {
  Model all;
  all.add(*this, 0, number);
  return all;
}

std::vector<std::byte> packed(const Model& model, const std::byte* base) {
  std::vector<std::byte> data;
  for (const auto& [displacement, value] : model.entries)
    data.insert(data.end(), base + displacement, base + displacement + value.size);
  return data;
}

void unpack(const Model& model, const std::vector<std::byte>& data, std::byte* base) {
  auto from = data.begin();
  for (const auto& [displacement, value] : model.entries) {
    std::copy_n(from, value.size, base + displacement);
    from += value.size;
  }
}

std::vector<std::byte> fill_with_numbers(const Model& model, std::byte* base, std::int64_t first) {
  std::vector<std::byte> external;
  std::int64_t next = first;
  for (const auto& [displacement, value] : model.entries) {
    std::byte* at = base + displacement;
    for (int i = 0; i < value.numbers; ++i, at += value.size / value.numbers) {
      const std::int64_t number = next++ % 100 - (value.form == Form::unsigned_integer ? 0 : 50);
      if (value.form == Form::long_double) {
        std::fill_n(at, value.size, std::byte{});
        const auto wide = static_cast<long double>(number) / 3;
        std::memcpy(at, &wide, 10);  // the rest is padding
        append_big_endian(external, static_cast<__float128>(wide));
      } else if (value.form == Form::floating && value.size / value.numbers == 4) {
        store(at, static_cast<float>(number) / 3);
        append_big_endian(external, static_cast<float>(number) / 3);
      } else if (value.form == Form::floating) {
        store(at, static_cast<double>(number) / 3);
        append_big_endian(external, static_cast<double>(number) / 3);
      } else {
        write_integer(value.size, number, at);
        for (Count byte = value.external_size; byte-- > 0;)
          external.push_back(static_cast<std::byte>(number >> 8 * byte & 0xff));
      }
    }
  }
  return external;
}

}  // namespace cohort::mpi
