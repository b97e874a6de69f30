// SPDX-License-Identifier: Apache-2.0
// Datatypes of all constructors, nested at random, against the standard's definition of a type map.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "mpi/core/type_functions.hpp"
#include "tests/mpi/random_types.hpp"

namespace cohort::mpi {
namespace {

using testing::Random;
using Content = std::vector<std::byte>;

// Memory for elements, with some bytes more on both sides.
class Memory {
 public:
  Memory(const Model& elements, Random& random)
      : origin_(64 - elements.true_lower_bound()),
        bytes_(static_cast<std::size_t>(origin_ + elements.true_upper_bound() + 64)) {
    for (std::byte& byte : bytes_) byte = static_cast<std::byte>(random.below(256));
  }
  std::byte* base() { return bytes_.data() + origin_; }
  const Content& bytes() const { return bytes_; }

 private:
  Aint origin_;
  Content bytes_;
};

class Datatypes : public ::testing::Test {
 protected:
  // Calls with types from many seeds, with `count` elements, and their model.
  template <class Property>
  static void for_random_types(Property property) {
    const int seeds = std::getenv("COHORT_LONG") != nullptr ? 40'000 : 4000;
    for (int seed = 1; seed <= seeds && !HasFailure(); ++seed) {
      Random random(static_cast<std::uint64_t>(seed));
      const RandomType drawn = random_type(random, static_cast<int>(1 + random.below(4)));
      const Count count = random.once_in(3) ? 1 : random.below(4);
      SCOPED_TRACE("seed " + std::to_string(seed) + ": " + std::to_string(count) + " of " + drawn.made_by);
      property(random, drawn, count, drawn.model.elements(count));
    }
  }
};

TEST_F(Datatypes, HaveTheBoundsOfTheirTypeMap) {
  for_random_types([](Random&, const RandomType& drawn, Count, const Model&) {
    const Datatype& type = *drawn.type;
    EXPECT_EQ(type.size, drawn.model.size());
    EXPECT_EQ(type.lower_bound, drawn.model.lower_bound());
    EXPECT_EQ(type.extent, drawn.model.extent());
    EXPECT_EQ(type.true_lower_bound, drawn.model.true_lower_bound());
    EXPECT_EQ(type.true_extent, drawn.model.true_upper_bound() - drawn.model.true_lower_bound());
  });
}

TEST_F(Datatypes, PackAnyPartInOrder) {
  for_random_types([](Random& random, const RandomType& drawn, Count count, const Model& elements) {
    Memory memory(elements, random);
    const Content expected = packed(elements, memory.base());
    const auto size = static_cast<Count>(expected.size());
    for (int part = 0; part < 4; ++part) {
      const Count first = part == 0 ? 0 : random.below(size + 1);
      const Count bytes = part == 0 ? size : random.below(size - first + 1);
      Content data(static_cast<std::size_t>(bytes));
      drawn.type->pack(memory.base(), count, first, data.data(), bytes);
      EXPECT_TRUE(std::ranges::equal(data, std::span(expected).subspan(static_cast<std::size_t>(first), data.size())))
          << bytes << " bytes from " << first << " of " << size;
    }
  });
}

TEST_F(Datatypes, UnpackPartsInAnyOrder) {
  for_random_types([](Random& random, const RandomType& drawn, Count count, const Model& elements) {
    if (elements.overlaps()) return;
    Memory memory(elements, random), expected = memory;
    Content data(static_cast<std::size_t>(elements.size()));
    for (std::byte& byte : data) byte = static_cast<std::byte>(random.below(256));
    unpack(elements, data, expected.base());
    std::vector<Count> cuts = {0, elements.size()};
    for (Count cut = random.below(4); cut > 0; --cut) cuts.push_back(random.below(elements.size() + 1));
    std::ranges::sort(cuts);
    std::vector<std::pair<Count, Count>> parts;
    for (std::size_t i = 1; i < cuts.size(); ++i) parts.emplace_back(cuts[i - 1], cuts[i] - cuts[i - 1]);
    random.shuffle(parts);
    for (const auto& [first, size] : parts) drawn.type->unpack(memory.base(), count, first, data.data() + first, size);
    EXPECT_EQ(memory.bytes(), expected.bytes());
  });
}

TEST_F(Datatypes, HaveBlocksThatDoNotTouch) {
  for_random_types([](Random&, const RandomType& drawn, Count, const Model&) {
    std::vector<std::pair<Aint, Aint>> blocks, expected;  // from where to where
    for (const Blocks& run : drawn.type->blocks()) {
      for (Count i = 0; i < run.number; ++i)
        blocks.emplace_back(run.offset + i * run.stride, run.offset + i * run.stride + run.length);
    }
    for (const auto& [displacement, value] : drawn.model.entries) {
      if (!expected.empty() && expected.back().second == displacement) {
        expected.back().second += value.size;
      } else {
        expected.emplace_back(displacement, displacement + value.size);
      }
    }
    EXPECT_EQ(blocks, expected);
  });
}

TEST_F(Datatypes, AreContiguousIfTheyAreOneBlock) {
  for_random_types([](Random&, const RandomType& drawn, Count count, const Model& elements) {
    Aint end = elements.true_lower_bound();
    const bool is_one = std::ranges::all_of(elements.entries, [&end](const Model::Entry& entry) {
      return entry.displacement == std::exchange(end, entry.displacement + entry.value.size);
    });
    EXPECT_EQ(drawn.type->contiguous(count), is_one);
  });
}

TEST_F(Datatypes, CountTheValuesOfAMessage) {
  for_random_types([](Random&, const RandomType& drawn, Count, const Model&) {
    const Model elements = drawn.model.elements(2);
    Status status;
    Count values = 0, ends_at = 0;
    for (status.bytes = 0; status.bytes <= elements.size(); ++status.bytes) {
      if (status.bytes > ends_at) ends_at += elements.entries[static_cast<std::size_t>(values++)].value.size;
      Count count = 0;
      get_elements(status, *drawn.type, count);
      EXPECT_EQ(count, status.bytes == ends_at ? values : abi::undefined) << status.bytes;
      get_count(status, *drawn.type, count);
      const bool is_whole = status.bytes == 0 || status.bytes % drawn.model.size() == 0;
      EXPECT_EQ(count, !is_whole ? abi::undefined : status.bytes == 0 ? 0 : status.bytes / drawn.model.size());
      if (status.bytes != ends_at) continue;
      Status set;
      status_set_elements(set, *drawn.type, values);
      EXPECT_EQ(set.bytes, status.bytes);
    }
  });
}

TEST_F(Datatypes, TravelInExternal32) {
  for_random_types([](Random& random, const RandomType& drawn, Count count, const Model& elements) {
    if (elements.overlaps()) return;
    Memory memory(elements, random);
    const Content expected = fill_with_numbers(elements, memory.base(), random.below(100));
    EXPECT_EQ(drawn.type->external_size(count), elements.external_size());
    ASSERT_EQ(static_cast<Count>(expected.size()), elements.external_size());
    Content external(expected.size());
    drawn.type->pack_external(memory.base(), count, external.data());
    EXPECT_EQ(external, expected);
    Memory copy = memory;
    unpack(elements, Content(static_cast<std::size_t>(elements.size()), std::byte{0xee}), copy.base());
    drawn.type->unpack_external(copy.base(), count, external.data());
    EXPECT_EQ(copy.bytes(), memory.bytes());
  });
}

TEST_F(Datatypes, GiveTheirPiecesIfTheyAreLong) {
  Datatype* long_type = nullptr;
  type_contiguous(Datatype::least_piece, Datatype::predefined_type(abi::type_byte), long_type);
  const Model long_model{{{0, {.size = Datatype::least_piece, .alignment = 1}}}, {}, {}, {}};
  for_random_types([&](Random& random, const RandomType& drawn, Count count, const Model&) {
    const bool is_long = !random.once_in(4);
    const Model& model = is_long ? long_model : drawn.model;
    const std::vector<Count> lengths(static_cast<std::size_t>(1 + random.below(3)), 1);
    const std::vector<Datatype*> types(lengths.size(), is_long ? long_type : drawn.type.get());
    std::vector<Aint> places;
    Model structure;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      places.push_back(random.below(4) * Datatype::least_piece);
      structure.add(model, places.back());
    }
    Datatype* made = nullptr;
    type_create_struct(std::ssize(lengths), Numbers(lengths.data()), Numbers(places.data()), types, made);
    const auto type = Ref<Datatype>::adopt(made);
    const Model elements = structure.elements(count);
    Memory memory(elements, random);
    ConstPieces pieces;
    if (!type->pieces(static_cast<const std::byte*>(memory.base()), count, pieces)) {
      EXPECT_FALSE(is_long);
      return;
    }
    Content content;
    const std::byte* end = nullptr;
    for (const ConstPiece& piece : pieces) {
      EXPECT_NE(piece.data, end) << "is one with the piece before";
      end = piece.data + piece.size;
      content.insert(content.end(), piece.data, end);
    }
    EXPECT_EQ(content, packed(elements, memory.base()));
  });
  long_type->release();
}

}  // namespace
}  // namespace cohort::mpi
