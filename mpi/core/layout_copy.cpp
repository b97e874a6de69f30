// SPDX-License-Identifier: Apache-2.0
// Packs and unpacks. Both are one walk over the layout, which moves bytes one way or the other.
// Cost: one seek for the first byte; then the blocks in turn. Columns of a matrix are moved in tiles, because one
// column after the other would load each cache line once for every column in it.
#include <algorithm>
#include <cstring>

#include "mpi/core/layout.hpp"

namespace cohort::mpi {
namespace {

constexpr Count cache_line = 64;
constexpr Count tile_width = 512;  // bytes
constexpr Count tile_rows = 4;

template <bool packing>
void move_bytes(std::byte* memory, std::byte* packed, std::size_t size) {
  if constexpr (packing) {
    std::memcpy(packed, memory, size);
  } else {
    std::memcpy(memory, packed, size);
  }
}

// Calls with the length as a constant where a copy without a function call is worth it; 0: any other length.
template <class Action>
void with_constant(Count length, Action&& action) {
  switch (length) {
    case 1:
      return action(std::integral_constant<Count, 1>());
    case 2:
      return action(std::integral_constant<Count, 2>());
    case 4:
      return action(std::integral_constant<Count, 4>());
    case 8:
      return action(std::integral_constant<Count, 8>());
    case 12:
      return action(std::integral_constant<Count, 12>());
    case 16:
      return action(std::integral_constant<Count, 16>());
    case 24:
      return action(std::integral_constant<Count, 24>());
    case 32:
      return action(std::integral_constant<Count, 32>());
    case 64:
      return action(std::integral_constant<Count, 64>());
    default:
      return action(std::integral_constant<Count, 0>());
  }
}

template <bool packing>
class Copy {
 public:
  explicit Copy(std::byte* packed) : packed_(packed) {}

  // The data's bytes first ... last of a layout whose origin is `memory`.
  void range(const Layout& layout, std::byte* memory, Count first, Count last) {
    if (const auto* repeated = std::get_if<Layout::Repetition>(&layout.form)) {
      range(*repeated, memory, first, last);
    } else if (const auto* list = std::get_if<Layout::List>(&layout.form)) {
      range(*list, memory, first, last);
    } else {
      block(memory + first, last - first);
    }
  }

 private:
  void block(std::byte* memory, Count size) {
    with_constant(size, [&]<Count length>(std::integral_constant<Count, length>) {
      move_bytes<packing>(memory, packed_, static_cast<std::size_t>(length != 0 ? length : size));
    });
    packed_ += size;
  }

  void range(const Layout::Repetition& repeated, std::byte* memory, Count first, Count last) {
    const Layout& part = *repeated.of;
    Count i = first / part.size;
    if (const Count begin = first % part.size; begin != 0) {
      range(part, memory + i * repeated.stride, begin, std::min(part.size, last - i * part.size));
      ++i;
    }
    const Count whole = last / part.size;
    if (whole > i) repeat(part, memory + i * repeated.stride, whole - i, repeated.stride);
    if (whole >= i && whole * part.size < last) {
      range(part, memory + whole * repeated.stride, 0, last - whole * part.size);
    }
  }

  void range(const Layout::List& list, std::byte* memory, Count first, Count last) {
    auto i = static_cast<std::size_t>(std::ranges::upper_bound(list.ends, first) - list.ends.begin());
    Count begin = i == 0 ? 0 : list.ends[i - 1];
    while (begin < last) {
      const Count from = std::max<Count>(first - begin, 0);
      const Count to = std::min(last, list.ends[i]) - begin;
      const Count size = list.ends[i] - begin;
      if (!list.parts.empty()) {
        range(*list.parts[i], memory + list.offsets[i], from, to);
      } else if (to - from < size) {
        block(memory + list.offsets[i] + from, to - from);
      } else {
        i = blocks(list, memory, i, last);
        begin = list.ends[i - 1];
        continue;
      }
      begin = list.ends[i++];
    }
  }

  // Whole blocks from the i-th on, as long as they have the same size. Returns the place of the first that is left.
  std::size_t blocks(const Layout::List& list, std::byte* memory, std::size_t i, Count last) {
    Count end = list.ends[i];
    const Count size = end - (i == 0 ? 0 : list.ends[i - 1]);
    with_constant(size, [&]<Count constant>(std::integral_constant<Count, constant>) {
      const Count length = constant != 0 ? constant : size;
      std::byte* packed = packed_;
      do {
        move_bytes<packing>(memory + list.offsets[i], packed, static_cast<std::size_t>(length));
        packed += length;
        ++i;
        end += length;
      } while (end <= last && i < list.ends.size() && list.ends[i] == end);
      packed_ = packed;
    });
    return i;
  }

  // Whole parts.
  void repeat(const Layout& part, std::byte* memory, Count number, Aint stride) {
    if (part.is_block()) return blocks(memory, number, stride, part.size);
    if (const auto* inner = std::get_if<Layout::Repetition>(&part.form); inner != nullptr && inner->of->is_block()) {
      // Worth it where neighbours in memory are far apart in the data.
      const Count length = inner->of->size;
      const Aint distance = std::abs(stride);
      if (distance < cache_line && std::abs(inner->stride) > distance && length <= 16) {
        return columns(memory, number, stride, *inner);
      }
    }
    for (Count i = 0; i < number; ++i) range(part, memory + i * stride, 0, part.size);
  }

  void blocks(std::byte* memory, Count number, Aint stride, Count size) {
    with_constant(size, [&]<Count constant>(std::integral_constant<Count, constant>) {
      const Count length = constant != 0 ? constant : size;
      std::byte* packed = packed_;
      for (Count i = 0; i < number; ++i) {
        move_bytes<packing>(memory, packed, static_cast<std::size_t>(length));
        memory += stride;
        packed += length;
      }
      packed_ = packed;
    });
  }

  // In tiles: some columns wide, so that cache lines are used whole, and a few rows high, because rows of a matrix are
  // often a power of two apart, and then compete for the same places in the cache.
  void columns(std::byte* memory, Count number, Aint stride, const Layout::Repetition& column) {
    const Count column_bytes = column.number * column.of->size;
    const Count tile_columns = tile_width / column.of->size;
    with_constant(column.of->size, [&]<Count constant>(std::integral_constant<Count, constant>) {
      const Count length = constant != 0 ? constant : column.of->size;
      for (Count first = 0; first < number; first += tile_columns) {
        const Count end = std::min(first + tile_columns, number);
        for (Count row = 0; row < column.number; row += tile_rows) {
          const Count height = std::min(tile_rows, column.number - row);
          for (Count i = first; i < end; ++i) {
            std::byte* from = memory + i * stride + row * column.stride;
            std::byte* to = packed_ + i * column_bytes + row * length;
            for (Count j = 0; j < height; ++j, from += column.stride, to += length)
              move_bytes<packing>(from, to, static_cast<std::size_t>(length));
          }
        }
      }
    });
    packed_ += number * column_bytes;
  }

  std::byte* packed_;
};

}  // namespace

void pack(const Layout& layout, const std::byte* origin, Count first, std::byte* packed, Count size) {
  Copy<true>(packed).range(layout, const_cast<std::byte*>(origin), first, first + size);
}

void unpack(const Layout& layout, std::byte* origin, Count first, const std::byte* packed, Count size) {
  Copy<false>(const_cast<std::byte*>(packed)).range(layout, origin, first, first + size);
}

}  // namespace cohort::mpi
