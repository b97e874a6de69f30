// SPDX-License-Identifier: Apache-2.0
#include "tests/mpi/random_types.hpp"

#include <cstdlib>
#include <functional>

#include "mpi/constants.hpp"
#include "mpi/core/type_functions.hpp"

namespace cohort::mpi {
namespace {

using testing::Random;

constexpr int leaves[] = {
    abi::type_byte,           abi::type_char,        abi::type_short,           abi::type_int,
    abi::type_integer,        abi::type_long,        abi::type_int64_t,         abi::type_unsigned_long,
    abi::type_wchar,          abi::type_float,       abi::type_double,          abi::type_c_float_complex,
    abi::type_double_complex, abi::type_long_double, abi::type_float_int,       abi::type_double_int,
    abi::type_long_int,       abi::type_short_int,   abi::type_long_double_int,
};

// Sizes are small, and sometimes zero.
Count some(Random& random, Count limit) { return random.once_in(12) ? 0 : 1 + random.below(limit); }

Aint anywhere(Random& random) { return random.below(200) - 60; }

std::vector<Count> list_of(Count number, const std::function<Count()>& draw) {
  std::vector<Count> list(static_cast<std::size_t>(number));
  for (Count& entry : list) entry = draw();
  return list;
}

// The same list as int or as Count, as the two forms of a function take it.
class EitherForm {
 public:
  EitherForm(bool is_wide, std::vector<Count> list)
      : is_wide_(is_wide), wide_(std::move(list)), narrow_(wide_.begin(), wide_.end()) {}
  operator Numbers() const { return is_wide_ ? Numbers(wide_.data()) : Numbers(narrow_.data()); }

 private:
  bool is_wide_;
  std::vector<Count> wide_;
  std::vector<std::int32_t> narrow_;
};
Number either(bool is_wide, Count number) { return is_wide ? Number(number) : Number(static_cast<int>(number)); }

struct Draw {
  Random& random;
  Datatype& old;
  const Model& model;
  const bool is_wide = random.once_in(2);
  Datatype* made = nullptr;
  Model expected{};

  void contiguous() {
    const Count count = some(random, 4);
    type_contiguous(either(is_wide, count), old, made);
    expected.add(model, 0, count);
  }

  void vector(bool in_bytes) {
    const Count count = some(random, 5), length = some(random, 3);
    const Aint stride = in_bytes ? anywhere(random) : random.below(7) - 2;
    if (in_bytes) {
      type_create_hvector(either(is_wide, count), length, stride, old, made);
    } else {
      type_vector(either(is_wide, count), length, stride, old, made);
    }
    for (Count i = 0; i < count; ++i) expected.add(model, i * stride * (in_bytes ? 1 : model.extent()), length);
  }

  void indexed(bool in_bytes, bool equal_blocks) {
    const Count count = some(random, 5), length = some(random, 3);
    const Aint start = anywhere(random), step = random.once_in(3) ? model.extent() : random.below(50);
    const bool regular = random.once_in(3);
    Count next = 0;
    const std::vector<Count> places = list_of(count, [&]() -> Count {
      if (!in_bytes) return regular ? next++ * 3 : random.below(12) - 4;
      return regular ? start + step * next++ : anywhere(random);
    });
    const std::vector<Count> lengths = list_of(count, [&] { return equal_blocks ? length : random.below(4); });
    const EitherForm narrow_places(is_wide, places), all_lengths(is_wide, lengths);
    const Numbers displacements = in_bytes ? Numbers(places.data()) : Numbers(narrow_places);
    const Number number = either(is_wide, count);
    if (equal_blocks && in_bytes) type_create_hindexed_block(number, length, displacements, old, made);
    if (equal_blocks && !in_bytes) type_create_indexed_block(number, length, displacements, old, made);
    if (!equal_blocks && in_bytes) type_create_hindexed(number, all_lengths, displacements, old, made);
    if (!equal_blocks && !in_bytes) type_indexed(number, all_lengths, displacements, old, made);
    for (std::size_t i = 0; i < places.size(); ++i)
      expected.add(model, places[i] * (in_bytes ? 1 : model.extent()), lengths[i]);
  }

  void structure(const RandomType& other) {
    const Count count = some(random, 4);
    const std::vector<Count> lengths = list_of(count, [&] { return some(random, 2); });
    const std::vector<Count> places = list_of(count, [&] { return anywhere(random) * 4; });
    std::vector<Datatype*> types;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const bool is_other = random.once_in(2);
      types.push_back(is_other ? other.type.get() : &old);
      expected.add(is_other ? other.model : model, places[i], lengths[i]);
    }
    type_create_struct(either(is_wide, count), EitherForm(is_wide, lengths), Numbers(places.data()), types, made);
  }

  void resized() {
    const Aint lower = random.below(40) - 20, extent = random.below(80) - 10;
    type_create_resized(old, lower, extent, made);
    expected = model.resized(lower, extent);
  }

  void duplicate() {
    type_dup(old, made);
    expected = model;
  }

  // Adds the elements that `is_mine` names, row by row, and gives them the whole array's bounds.
  void add_elements(const std::vector<Count>& sizes, const std::function<bool(std::size_t, Count)>& is_mine,
                    int order) {
    Count all = 1;
    for (const Count size : sizes) all *= size;
    for (Count element = 0; element < all; ++element) {
      bool mine = true;
      Count rest = element;
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::size_t dimension = order == abi::order_fortran ? i : sizes.size() - 1 - i;
        mine = mine && is_mine(dimension, rest % sizes[dimension]);
        rest /= sizes[dimension];
      }
      if (mine) expected.add(model, element * model.extent());
    }
    expected = expected.resized(0, all * model.extent());
  }

  void subarray() {
    const int order = random.once_in(2) ? abi::order_c : abi::order_fortran;
    const Count dimensions = 1 + random.below(3);
    const std::vector<Count> sizes = list_of(dimensions, [&] { return 1 + random.below(4); });
    std::vector<Count> subsizes, starts;
    for (const Count size : sizes) {
      subsizes.push_back(1 + random.below(size));
      starts.push_back(random.below(size - subsizes.back() + 1));
    }
    type_create_subarray(static_cast<int>(dimensions), EitherForm(is_wide, sizes), EitherForm(is_wide, subsizes),
                         EitherForm(is_wide, starts), order, old, made);
    const auto is_mine = [&](std::size_t i, Count place) {
      return place >= starts[i] && place < starts[i] + subsizes[i];
    };
    add_elements(sizes, is_mine, order);
  }

  void distributed() {
    const int order = random.once_in(2) ? abi::order_c : abi::order_fortran;
    const Count dimensions = 1 + random.below(3);
    const std::vector<Count> sizes = list_of(dimensions, [&] { return 1 + random.below(6); });
    std::vector<int> distributions, arguments, grid, blocks, mine;
    int processes = 1;
    for (const Count size : sizes) {
      constexpr int kinds[] = {abi::distribute_none, abi::distribute_block, abi::distribute_cyclic};
      distributions.push_back(random.one_of(kinds));
      grid.push_back(distributions.back() == abi::distribute_none ? 1 : 1 + static_cast<int>(random.below(3)));
      processes *= grid.back();
      const bool is_default = random.once_in(2);
      const int least = static_cast<int>((size + grid.back() - 1) / grid.back());
      const int more = static_cast<int>(random.below(3));
      int block = is_default ? 1 : 1 + more;
      if (distributions.back() == abi::distribute_block) block = is_default ? least : least + more;
      if (distributions.back() == abi::distribute_none) block = static_cast<int>(size);
      blocks.push_back(block);
      arguments.push_back(is_default ? default_argument : block);
    }
    const int rank = static_cast<int>(random.below(processes));
    type_create_darray(processes, rank, static_cast<int>(dimensions), EitherForm(is_wide, sizes), distributions.data(),
                       arguments.data(), grid.data(), order, old, made);
    // Ranks count through the grid as C's arrays do.
    int rest = rank;
    for (int others = processes; const int side : grid) {
      others /= side;
      mine.push_back(rest / others);
      rest %= others;
    }
    add_elements(
        sizes, [&](std::size_t i, Count place) { return place / blocks[i] % grid[i] == mine[i]; }, order);
  }
};

RandomType leaf(Random& random) {
  const int handle = random.one_of(leaves);
  Datatype& type = Datatype::predefined_type(handle);
  return {Ref<Datatype>(&type), Model::predefined(handle), type.name};
}

RandomType wrapped(Random& random, const RandomType& old, const RandomType& other) {
  Draw draw{random, *old.type, old.model};
  const char* name = "";
  switch (random.below(11)) {
    case 0:
      name = "contiguous", draw.contiguous();
      break;
    case 1:
      name = "vector", draw.vector(false);
      break;
    case 2:
      name = "hvector", draw.vector(true);
      break;
    case 3:
      name = "indexed", draw.indexed(false, false);
      break;
    case 4:
      name = "hindexed", draw.indexed(true, false);
      break;
    case 5:
      name = "indexed_block", draw.indexed(false, true);
      break;
    case 6:
      name = "hindexed_block", draw.indexed(true, true);
      break;
    case 7:
      name = "struct", draw.structure(other);
      break;
    case 8:
      random.once_in(2) ? (name = "resized", draw.resized()) : (name = "dup", draw.duplicate());
      break;
    case 9:
      name = "subarray", draw.subarray();
      break;
    default:
      name = "darray", draw.distributed();
      break;
  }
  std::string made_by = name + ("(" + old.made_by);
  if (std::string_view(name) == "struct") made_by += "," + other.made_by;
  return {Ref<Datatype>::adopt(draw.made), std::move(draw.expected), made_by + ")"};
}

bool is_small(const Model& model) {
  return model.entries.size() < 400 && model.true_upper_bound() < 100'000 && model.true_lower_bound() > -100'000 &&
         std::abs(model.extent()) < 100'000;
}

}  // namespace

RandomType random_type(Random& random, int depth) {
  RandomType type = leaf(random);
  for (int i = 0; i < depth; ++i) {
    RandomType next = wrapped(random, type, random.once_in(2) ? leaf(random) : random_type(random, depth / 2));
    if (is_small(next.model)) type = std::move(next);
  }
  Datatype* handle = type.type.get();
  type_commit(handle);
  return type;
}

}  // namespace cohort::mpi
