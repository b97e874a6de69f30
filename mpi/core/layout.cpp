// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/layout.hpp"

#include <algorithm>
#include <map>

#include "mpi/core/mistake.hpp"

namespace cohort::mpi {
namespace {

constexpr const char* too_large = "the datatype's size or a displacement in it exceeds 2^63 bytes";

}  // namespace

Count product(Count a, Count b) {
  Count result = 0;
  check(!__builtin_mul_overflow(a, b, &result), abi::err_count, too_large);
  return result;
}

Count sum(Count a, Count b) {
  Count result = 0;
  check(!__builtin_add_overflow(a, b, &result), abi::err_count, too_large);
  return result;
}

Layout repetition(const LayoutRef& of, Count number, Aint stride) {
  const Count size = product(of->size, number);
  if (of->is_block() && stride == of->size) return {size, 1, Layout::Block{}};
  const Count blocks = product(of->blocks, number);
  const auto* inner = std::get_if<Layout::Repetition>(&of->form);
  if (inner != nullptr && product(inner->stride, inner->number) == stride) {
    return {size, blocks, Layout::Repetition{inner->of, product(inner->number, number), inner->stride}};
  }
  return {size, blocks, Layout::Repetition{of, number, stride}};
}

void Assembly::add(const Placed& part, Count number, Aint stride) {
  if (part.layout == nullptr || number == 0) return;
  const Layout& layout = *part.layout;
  if (layout.is_block() && (number == 1 || stride == layout.size)) {
    add_block(part.offset, product(layout.size, number));
    return;
  }
  if (number == 1) {
    parts_.push_back({part.offset, layout.size, part.layout});
    return;
  }
  if (repeated_from_ != part.layout || repeated_number_ != number || repeated_stride_ != stride) {
    repeated_ = std::make_shared<const Layout>(repetition(part.layout, number, stride));
    repeated_from_ = part.layout;
    repeated_number_ = number;
    repeated_stride_ = stride;
  }
  parts_.push_back({part.offset, repeated_->size, repeated_});
}

void Assembly::add_block(Aint offset, Count size) {
  if (!parts_.empty()) {
    Part& last = parts_.back();
    if (last.layout == nullptr && last.offset + last.size == offset) {
      last.size = sum(last.size, size);
      return;
    }
  }
  parts_.push_back({offset, size, nullptr});
}

bool Assembly::is_regular() const {
  const Part& first = parts_.front();
  const Aint stride = parts_[1].offset - first.offset;
  Aint expected = first.offset;
  return std::ranges::all_of(parts_, [&](const Part& part) {
    const bool fits = part.offset == expected && part.size == first.size && part.layout == first.layout;
    expected += stride;
    return fits;
  });
}

Layout Assembly::list() {
  Layout result{0, 0, Layout::List{}};
  auto& list = std::get<Layout::List>(result.form);
  const bool only_blocks = std::ranges::all_of(parts_, [](const Part& part) { return part.layout == nullptr; });
  std::map<Count, LayoutRef> blocks;  // by size
  for (Part& part : parts_) {
    result.size = sum(result.size, part.size);
    result.blocks = sum(result.blocks, part.layout == nullptr ? 1 : part.layout->blocks);
    list.offsets.push_back(part.offset);
    list.ends.push_back(result.size);
    if (only_blocks) continue;
    if (part.layout == nullptr) {
      LayoutRef& block = blocks[part.size];
      if (block == nullptr) block = std::make_shared<const Layout>(Layout{part.size, 1, Layout::Block{}});
      part.layout = block;
    }
    list.parts.push_back(std::move(part.layout));
  }
  list.offsets.shrink_to_fit();
  list.ends.shrink_to_fit();
  list.parts.shrink_to_fit();
  return result;
}

Placed Assembly::finish() {
  if (parts_.empty()) return {};
  if (parts_.size() > 1 && !is_regular()) return {0, std::make_shared<const Layout>(list())};
  const Part& first = parts_.front();
  LayoutRef layout = first.layout;
  if (layout == nullptr) layout = std::make_shared<const Layout>(Layout{first.size, 1, Layout::Block{}});
  if (parts_.size() > 1) {
    const auto number = static_cast<Count>(parts_.size());
    layout = std::make_shared<const Layout>(repetition(layout, number, parts_[1].offset - first.offset));
  }
  return {first.offset, std::move(layout)};
}

}  // namespace cohort::mpi
