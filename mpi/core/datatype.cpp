// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/datatype.hpp"

#include <algorithm>
#include <cstring>

#include "mpi/core/external32.hpp"
#include "mpi/core/mistake.hpp"

namespace cohort::mpi {
namespace {

// By integers: the base of absolute addresses is the null pointer.
template <class Pointer>
auto at(Pointer base, Aint offset) {
  using Byte = std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>, const std::byte, std::byte>;
  return reinterpret_cast<Byte*>(reinterpret_cast<std::uintptr_t>(base) + static_cast<std::uintptr_t>(offset));
}

// Elements that are converted to or from external32 at a time.
Count batch(const Datatype& type) { return std::max<Count>((Count{1} << 16) / type.size, 1); }

}  // namespace

Datatype::Datatype(TypeMap type_map, Recipe made_by)
    : Object(Kind::datatype),
      map(std::move(type_map)),
      size(map.signature->size),
      lower_bound(map.lower_bound()),
      extent(map.extent()),
      true_lower_bound(map.true_bounds.lower),
      true_extent(map.true_bounds.upper - map.true_bounds.lower),
      recipe(std::move(made_by)),
      is_block_(map.has_data() && map.data.layout->is_block()) {}

Datatype::~Datatype() {
  try {
    attributes.remove_all(*this);
  } catch (const Mistake&) {
    // MPI_Type_free reports such errors where it can; here a type ends that others have used longer.
  }
}

const Basic* Datatype::basic() const {
  const std::vector<Signature::Run>& runs = map.signature->runs;
  return runs.size() == 1 && runs[0].value != nullptr ? &runs[0].value->basic : nullptr;
}

const std::vector<Blocks>& Datatype::blocks() const {
  const auto add = [this](Blocks run) {
    if (!blocks_.empty()) {
      Blocks& last = blocks_.back();
      const Aint end = last.offset + (last.number - 1) * last.stride + last.length;
      if (run.offset == end) {
        // One block of the run before, and one of this, become one.
        const Count joined = last.length + run.length;
        const Aint begin = end - last.length;
        if (last.number-- == 1) blocks_.pop_back();
        blocks_.push_back({begin, joined, 1, 0});
        run.offset += run.stride;
        if (--run.number == 0) return;
      }
    }
    if (run.number == 1) run.stride = 0;
    blocks_.push_back(run);
  };
  std::call_once(blocks_made_, [&] {
    if (map.has_data()) each_run(*map.data.layout, map.data.offset, add);
  });
  return blocks_;
}

template <class Action>
void Datatype::with_layout(Count count, Action&& action) const {
  if (count == 1) {
    action(*map.data.layout);
  } else {
    action(repetition(map.data.layout, count, extent));
  }
}

void Datatype::pack(const void* base, Count count, Count first, std::byte* out, Count bytes) const {
  if (bytes == 0) return;
  const std::byte* const origin = at(base, map.data.offset);
  if (contiguous(count)) {
    std::memcpy(out, origin + first, static_cast<std::size_t>(bytes));
  } else {
    with_layout(count, [&](const Layout& layout) { mpi::pack(layout, origin, first, out, bytes); });
  }
}

void Datatype::unpack(void* base, Count count, Count first, const std::byte* in, Count bytes) const {
  if (bytes == 0) return;
  std::byte* const origin = at(base, map.data.offset);
  if (contiguous(count)) {
    std::memcpy(origin + first, in, static_cast<std::size_t>(bytes));
  } else {
    with_layout(count, [&](const Layout& layout) { mpi::unpack(layout, origin, first, in, bytes); });
  }
}

template <class Memory>
bool Datatype::add_pieces(decltype(Memory::data) base, Count count, SmallVector<Memory, 2>& result) const {
  if (count == 0 || size == 0) return true;
  if (contiguous(count)) {
    result.push_back({at(base, map.data.offset), static_cast<std::size_t>(size * count)});
    return true;
  }
  if (size / map.data.layout->blocks < least_piece) return false;
  with_layout(count, [&](const Layout& layout) {
    each_run(layout, map.data.offset, [&](const Blocks& run) {
      for (Count i = 0; i < run.number; ++i) {
        const auto data = at(base, run.offset + i * run.stride);
        if (!result.empty() && result.back().data + result.back().size == data) {
          result.back().size += static_cast<std::size_t>(run.length);
        } else {
          result.push_back({data, static_cast<std::size_t>(run.length)});
        }
      }
    });
  });
  return true;
}

bool Datatype::pieces(void* base, Count count, Pieces& result) const {
  return add_pieces(static_cast<std::byte*>(base), count, result);
}

bool Datatype::pieces(const void* base, Count count, ConstPieces& result) const {
  return add_pieces(static_cast<const std::byte*>(base), count, result);
}

Count Datatype::values_in(Count bytes) const { return mpi::values_in(*map.signature, bytes); }

Count Datatype::external_size(Count count) const { return product(map.signature->external_size, count); }

void Datatype::pack_external(const void* base, Count count, std::byte* out) const {
  if (size == 0 || count == 0) return;
  std::vector<std::byte> packed(static_cast<std::size_t>(std::min(batch(*this), count) * size));
  for (Count first = 0; first < count; first += batch(*this)) {
    const Count number = std::min(batch(*this), count - first);
    pack(base, count, first * size, packed.data(), number * size);
    to_external(*map.signature, number, packed.data(), out);
    out += external_size(number);
  }
}

void Datatype::unpack_external(void* base, Count count, const std::byte* in) const {
  if (size == 0 || count == 0) return;
  std::vector<std::byte> packed(static_cast<std::size_t>(std::min(batch(*this), count) * size));
  for (Count first = 0; first < count; first += batch(*this)) {
    const Count number = std::min(batch(*this), count - first);
    from_external(*map.signature, number, in, packed.data());
    unpack(base, count, first * size, packed.data(), number * size);
    in += external_size(number);
  }
}

}  // namespace cohort::mpi
