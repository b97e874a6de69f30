// SPDX-License-Identifier: Apache-2.0
// Where the data of a datatype's elements lie in memory, without their meaning: a tree of blocks, repetitions and
// lists. Neighbours that touch are one block, and equal parts at equal distances are one repetition, so that only
// irregular displacements need memory. Lists have prefix sums: any byte of the data is found in O(depth log parts).
#pragma once

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "mpi/core/numbers.hpp"

namespace cohort::mpi {

// Throw Mistake(err_count) if the result exceeds 63 bits.
Count product(Count a, Count b);
Count sum(Count a, Count b);

// A run of equal blocks of bytes, `stride` bytes apart.
struct Blocks {
  Aint offset = 0;  // of the first, from the element's address
  Count length = 0;
  Count number = 1;
  Aint stride = 0;
};

struct Layout;
using LayoutRef = std::shared_ptr<const Layout>;

// Offsets count from an origin that whoever holds the layout knows. No layout is empty.
struct Layout {
  struct Block {};
  struct Repetition {
    LayoutRef of;
    Count number = 0;
    Aint stride = 0;
  };
  struct List {
    std::vector<Aint> offsets;
    std::vector<Count> ends;       // of each part in the data
    std::vector<LayoutRef> parts;  // none: all are blocks
  };

  Count size = 0;    // bytes of data
  Count blocks = 1;  // the memory's pieces
  std::variant<Block, Repetition, List> form;

  bool is_block() const { return std::holds_alternative<Block>(form); }
};

// `number` is at least 2.
Layout repetition(const LayoutRef& of, Count number, Aint stride);

// A layout and its origin. A null layout has no data.
struct Placed {
  Aint offset = 0;
  LayoutRef layout;
};

// Puts parts behind each other.
class Assembly {
 public:
  void add(const Placed& part, Count number, Aint stride);
  Placed finish();

 private:
  struct Part {
    Aint offset = 0;
    Count size = 0;
    LayoutRef layout;  // null: a block
  };
  void add_block(Aint offset, Count size);
  bool is_regular() const;
  Layout list();

  std::vector<Part> parts_;
  // The last repetition that was made. An indexed type often needs it again.
  LayoutRef repeated_;
  LayoutRef repeated_from_;
  Count repeated_number_ = 0;
  Aint repeated_stride_ = 0;
};

// Calls visit(Blocks) for each run of blocks, in the order of the data.
template <class Visitor>
void each_run(const Layout& layout, Aint offset, Visitor&& visit) {
  if (const auto* repeated = std::get_if<Layout::Repetition>(&layout.form)) {
    if (repeated->of->is_block()) {
      visit(Blocks{offset, repeated->of->size, repeated->number, repeated->stride});
    } else {
      for (Count i = 0; i < repeated->number; ++i) each_run(*repeated->of, offset + i * repeated->stride, visit);
    }
  } else if (const auto* list = std::get_if<Layout::List>(&layout.form)) {
    Count begin = 0;
    for (std::size_t i = 0; i < list->ends.size(); begin = list->ends[i++]) {
      if (list->parts.empty()) {
        visit(Blocks{offset + list->offsets[i], list->ends[i] - begin, 1, 0});
      } else {
        each_run(*list->parts[i], offset + list->offsets[i], visit);
      }
    }
  } else {
    visit(Blocks{offset, layout.size, 1, 0});
  }
}

// Copy the data's bytes first ... first + size from the memory at `origin` to `packed`, and back.
void pack(const Layout& layout, const std::byte* origin, Count first, std::byte* packed, Count size);
void unpack(const Layout& layout, std::byte* origin, Count first, const std::byte* packed, Count size);

}  // namespace cohort::mpi
