// SPDX-License-Identifier: Apache-2.0
// The properties that every transport has. A transport's own test file instantiates TransportContract with its World.
//
// Whatever blocks here goes through Transport::poll() and wait(): a world may run one rank at a time.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "runtime/transport/transport.hpp"

namespace cohort {

struct World {
  std::string name;
  // Other threads of a rank may call send() and wake() while its driver is in wait().
  bool threads = true;
  // Calls the function for each rank, with a transport that is the rank's own and is destroyed when the function
  // returns. Returns when all have; throws what a rank threw.
  std::function<void(int ranks, const std::function<void(Pid me, Transport&)>&)> run;
  bool late = false;  // a frame may leave with a later poll()
};

inline void PrintTo(const World& world, std::ostream* out) { *out << world.name; }

class TransportContract : public ::testing::TestWithParam<World> {
 protected:
  void run(int ranks, const std::function<void(Pid me, Transport&)>& rank) { GetParam().run(ranks, rank); }
};

}  // namespace cohort
