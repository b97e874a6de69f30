// SPDX-License-Identifier: Apache-2.0
// Datatypes: where the bytes of an element lie, and what they are.
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "cohort/detail/elements.hpp"
#include "mpi/core/attributes.hpp"
#include "mpi/core/numbers.hpp"
#include "mpi/core/object.hpp"
#include "mpi/core/type_map.hpp"
#include "runtime/transport/frame.hpp"

namespace cohort::mpi {

// How a type was made, for MPI_Type_get_envelope and _contents. `combiner`: abi::combiner_...
struct Recipe {
  int combiner = 0;
  std::vector<int> integers;  // of the calls with int arguments
  std::vector<Aint> addresses;
  std::vector<Count> counts;  // of the calls with _c
  std::vector<Ref<class Datatype>> types;
};

class Datatype : public Object {
 public:
  explicit Datatype(TypeMap map, Recipe made_by = {});
  ~Datatype() override;

  const TypeMap map;

  Count size = 0;  // bytes of data in an element
  Aint lower_bound = 0;
  Aint extent = 0;
  Aint true_lower_bound = 0;
  Aint true_extent = 0;
  bool committed = false;
  std::string name;
  Attributes attributes;
  Recipe recipe;

  // The one kind of value of which all elements are made, if it is one; MPI_INT's is int32. Pairs are one value.
  const Basic* basic() const;
  bool is_predefined_value() const { return predefined; }

  // Whether `count` elements are one piece of memory without gaps, that begins at true_lower_bound.
  bool contiguous(Count count) const {
    return count == 0 || size == 0 || (is_block_ && (count == 1 || extent == size));
  }

  // The blocks of one element, in the order of the type map; neighbours that touch are one.
  const std::vector<Blocks>& blocks() const;

  // Bytes first ... first + size of the `count` elements' data, in the order of the type map. `base` is the address of
  // the program's buffer.
  void pack(const void* base, Count count, Count first, std::byte* out, Count size) const;
  void unpack(void* base, Count count, Count first, const std::byte* in, Count size) const;

  // The memory of the elements, piece by piece, if sending so is faster than packing: if blocks have at least
  // `least_piece` bytes on average. Otherwise false. Contiguous elements are one piece; no data is none.
  static constexpr Count least_piece = 8192;  // below it a packed copy takes less time, as measured over loopback
  bool pieces(void* base, Count count, Pieces& result) const;
  bool pieces(const void* base, Count count, ConstPieces& result) const;

  // The number of basic values in the first `bytes` of elements: MPI_Get_elements. -1: not a whole number. A pair is
  // two values.
  Count values_in(Count bytes) const;

  // external32: bytes of `count` elements in it; conversion from and to it.
  Count external_size(Count count) const;
  void pack_external(const void* base, Count count, std::byte* out) const;
  void unpack_external(void* base, Count count, const std::byte* in) const;

  // A predefined type by its handle in the standard's ABI (abi::type_...), for example abi::type_int.
  static Datatype& predefined_type(int abi_handle);
  static std::span<Datatype* const> all_predefined();

 private:
  // Calls with the layout of `count` elements.
  template <class Action>
  void with_layout(Count count, Action&& action) const;
  template <class Memory>
  bool add_pieces(decltype(Memory::data) base, Count count, SmallVector<Memory, 2>& result) const;

  const bool is_block_;
  mutable std::once_flag blocks_made_;
  mutable std::vector<Blocks> blocks_;  // for blocks()
};

}  // namespace cohort::mpi
