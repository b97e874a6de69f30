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

}  // namespace
}  // namespace cohort::testing
