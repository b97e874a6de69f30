// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/data.hpp"

#include <string>

#include "mpi/core/layout.hpp"
#include "mpi/core/mistake.hpp"

namespace cohort::mpi {
namespace {

void check_named(bool holds, int code, const char* name, const char* text) {
  if (!holds) throw Mistake(code, std::string(name) + ": " + text);
}

}  // namespace

Data Data::times(Count number) const {
  const Count total = product(number, count);
  if (type != nullptr) product(total, type->size);
  return {base, total, type};
}

Data data_at(const void* buffer, Count count, Datatype* type, const char* name) {
  check_named(buffer != in_place, abi::err_buffer, name, "MPI_IN_PLACE is not allowed here");
  if (count < 0)
    throw Mistake(abi::err_count,
                  std::string(name) + ": the count is " + std::to_string(count) + ", which is negative");
  check_named(type != nullptr, abi::err_type, name, "the datatype is MPI_DATATYPE_NULL");
  check_named(type->committed, abi::err_type, name, "the datatype is not committed: call MPI_Type_commit first");
  const Data data{static_cast<std::byte*>(const_cast<void*>(buffer)), count, type};
  check_named(product(count, type->size) == 0 || data.first_byte() != nullptr, abi::err_buffer, name,
              "the buffer is a null pointer, but has elements");
  return data;
}

std::vector<Data> blocks_at(const void* buffer, Numbers counts, Numbers displacements, Datatype* type, int number,
                            const char* name) {
  const Data none = data_at(buffer, 0, type, name);
  check_named(number == 0 || counts, abi::err_count, name, "the array of counts is a null pointer");
  check_named(number == 0 || displacements, abi::err_arg, name, "the array of displacements is a null pointer");
  std::vector<Data> blocks;
  blocks.reserve(static_cast<std::size_t>(number));
  for (std::size_t i = 0; i < static_cast<std::size_t>(number); ++i)
    blocks.push_back(data_at(none.moved(displacements[i] * type->extent), counts[i], type, name));
  return blocks;
}

std::vector<Data> blocks_at(const void* buffer, Numbers counts, Numbers displacements, std::span<Datatype* const> types,
                            int number, const char* name) {
  check_named(buffer != in_place, abi::err_buffer, name, "MPI_IN_PLACE is not allowed here");
  check_named(number == 0 || counts, abi::err_count, name, "the array of counts is a null pointer");
  check_named(number == 0 || displacements, abi::err_arg, name, "the array of displacements is a null pointer");
  check_named(static_cast<std::size_t>(number) <= types.size(), abi::err_type, name,
              "the array of datatypes is a null pointer");
  const Data none{static_cast<std::byte*>(const_cast<void*>(buffer)), 0, nullptr};
  std::vector<Data> blocks;
  blocks.reserve(static_cast<std::size_t>(number));
  for (std::size_t i = 0; i < static_cast<std::size_t>(number); ++i) {
    const bool empty = counts[i] == 0;  // then the type may be anything
    blocks.push_back(empty ? none : data_at(none.moved(displacements[i]), counts[i], types[i], name));
  }
  return blocks;
}

std::vector<Data> equal_blocks(const Data& one, int number) {
  std::vector<Data> blocks;
  blocks.reserve(static_cast<std::size_t>(number));
  for (int i = 0; i < number; ++i) blocks.push_back(one.part(i * one.count, one.count));
  return blocks;
}

Count bytes_of(std::span<const Data> blocks) {
  Count bytes = 0;
  for (const Data& block : blocks) bytes += block.bytes();
  return bytes;
}

bool all_equal(Numbers counts, int number) {
  for (std::size_t i = 1; i < static_cast<std::size_t>(number); ++i) {
    if (counts[i] != counts[0]) return false;
  }
  return true;
}

void check_same_bytes(Count sent, Count received) {
  if (sent == received) return;
  throw Mistake(abi::err_truncate, "this process sends " + std::to_string(sent) + " bytes to itself, but receives " +
                                       std::to_string(received) + ": both must be the same");
}

}  // namespace cohort::mpi
