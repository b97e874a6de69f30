// SPDX-License-Identifier: Apache-2.0
// Objects that cereal serialises.
#include "cohort/serialized.hpp"

#include <gtest/gtest.h>

#include <cereal/types/map.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

struct Particle {
  std::string name;
  std::vector<double> path;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, path);
  }
  friend bool operator==(const Particle&, const Particle&) = default;
};

using Counts = std::map<std::string, int>;

TEST(Serialized, ObjectsAreSentBroadcastAndGathered) {
  run_all({Kind::memory, 3}, [](const Group& all) {
    const Particle electron{"electron", {1, 2, 3}};
    if (all.rank() == 0) all.send(serialized(electron), 1, Tag{4});
    if (all.rank() == 1) {
      Particle particle;
      all.receive(serialized(particle), 0, Tag{4});
      EXPECT_EQ(particle, electron);
    }
    Counts counts;
    if (all.rank() == 2) counts = {{"a", 1}, {"the", 7}};
    all.bcast(serialized(counts), 2);
    EXPECT_EQ(counts, (Counts{{"a", 1}, {"the", 7}}));

    const std::vector<std::string> words(static_cast<std::size_t>(all.rank()), "word");
    const std::vector<std::vector<std::string>> everyones = all.gather(serialized(words), 1);
    if (all.rank() == 1) {
      EXPECT_EQ(everyones, (std::vector<std::vector<std::string>>{{}, {"word"}, {"word", "word"}}));
    } else {
      EXPECT_TRUE(everyones.empty());
    }
  });
}

TEST(Serialized, ObjectsOfAllRanksAreConcatenatedScatteredAndShuffled) {
  run_all({Kind::memory, 3}, [](const Group& all) {
    const auto words = [](Rank from, Rank to) {
      return std::vector<std::string>(static_cast<std::size_t>(from), "for " + std::to_string(to));
    };
    using Words = std::vector<std::string>;
    std::vector<Words> for_each;
    for (Rank to = 0; to < all.size(); ++to) for_each.push_back(words(all.rank(), to));
    const std::vector<Words>& fixed = for_each;
    const std::vector<Words> came = all.shuffle(serialized(for_each));
    EXPECT_EQ(came, all.shuffle(serialized(fixed)));
    ASSERT_EQ(came.size(), 3u);
    for (Rank from = 0; from < all.size(); ++from)
      EXPECT_EQ(came[static_cast<std::size_t>(from)], words(from, all.rank()));

    for_each.resize(all.rank() == 2 ? 3 : 0);  // elsewhere it is not used
    EXPECT_EQ(all.scatter(serialized(for_each), 2), words(2, all.rank()));
    const Words mine = words(all.rank(), 1);
    EXPECT_EQ(all.concat(serialized(mine)), (std::vector<Words>{words(0, 1), words(1, 1), words(2, 1)}));
  });
}

}  // namespace
}  // namespace cohort::testing
