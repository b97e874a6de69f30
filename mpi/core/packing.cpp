// SPDX-License-Identifier: Apache-2.0
// Packing, and what a message of so many bytes holds.
#include "mpi/core/data.hpp"
#include "mpi/core/recording.hpp"
#include "mpi/core/type_functions.hpp"

namespace cohort::mpi {
namespace {

// The bytes at `position` of a packed buffer, which must have `needed` bytes there.
std::byte* place_in(const void* packed, Count bytes, Count position, Count needed) {
  if (position < 0 || position > bytes) {
    throw Mistake(abi::err_arg, fmt::format("the position is {}, but must be from 0 to the packed buffer's {} bytes",
                                            position, bytes));
  }
  if (needed > bytes - position) {
    throw Mistake(
        abi::err_truncate,
        fmt::format("the packed buffer has {} bytes, but from position {} on {} are needed", bytes, position, needed));
  }
  return static_cast<std::byte*>(const_cast<void*>(packed)) + position;
}

void check_representation(std::string_view name) {
  if (name != "external32")
    throw Mistake(abi::err_arg, fmt::format("the data representation is \"{}\", but must be \"external32\"", name));
}

}  // namespace

void pack(const void* in, Count count, Datatype& type, void* out, Count out_bytes, Count& position, Communicator&) {
  data_at(in, count, &type, "inbuf");
  const Count bytes = product(count, type.size);
  type.pack(in, count, 0, place_in(out, out_bytes, position, bytes), bytes);
  position += bytes;
}

void unpack(const void* in, Count in_bytes, Count& position, void* out, Count count, Datatype& type, Communicator&) {
  data_at(out, count, &type, "outbuf");
  const Count bytes = product(count, type.size);
  type.unpack(out, count, 0, place_in(in, in_bytes, position, bytes), bytes);
  position += bytes;
}

void pack_size(Count count, Datatype& type, Communicator&, Count& size) {
  require_not_negative(count, abi::err_count, "count");
  size = product(count, type.size);
}

void pack_external(std::string_view representation, const void* in, Count count, Datatype& type, void* out,
                   Count out_bytes, Count& position) {
  check_representation(representation);
  data_at(in, count, &type, "inbuf");
  const Count bytes = type.external_size(count);
  type.pack_external(in, count, place_in(out, out_bytes, position, bytes));
  position += bytes;
}

void unpack_external(std::string_view representation, const void* in, Count in_bytes, Count& position, void* out,
                     Count count, Datatype& type) {
  check_representation(representation);
  data_at(out, count, &type, "outbuf");
  const Count bytes = type.external_size(count);
  type.unpack_external(out, count, place_in(in, in_bytes, position, bytes));
  position += bytes;
}

void pack_external_size(std::string_view representation, Count count, Datatype& type, Count& size) {
  check_representation(representation);
  require_not_negative(count, abi::err_count, "count");
  size = type.external_size(count);
}

void get_count(const Status& status, Datatype& type, Count& count) {
  if (type.size == 0) {
    count = status.bytes == 0 ? 0 : abi::undefined;
  } else {
    count = status.bytes % type.size == 0 ? status.bytes / type.size : abi::undefined;
  }
}

void get_elements(const Status& status, Datatype& type, Count& count) {
  const Count values = type.values_in(status.bytes);
  count = values < 0 ? abi::undefined : values;
}

void status_set_elements(Status& status, Datatype& type, Count count) {
  require_not_negative(count, abi::err_count, "number of elements");
  check(count == 0 || type.size > 0, abi::err_arg, "the datatype has no elements");
  status.bytes = count == 0 ? 0 : bytes_of(*type.map.signature, count);
}

}  // namespace cohort::mpi
