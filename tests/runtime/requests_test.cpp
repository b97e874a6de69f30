// SPDX-License-Identifier: Apache-2.0
// Operations in progress: any number on one group, completed in any order, by any of the ways to wait.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <tuple>

#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

using Values = std::vector<std::int64_t>;

struct Operation {
  Values data;
  Values result;
  Values wanted;
  Request request;
};

std::int64_t value_of(Rank rank, std::int64_t salt) { return 1 + rank * 1000 + salt; }

// Starts the operation that is number `salt` of the program: the same at all members but for their data.
std::unique_ptr<Operation> start(const Group& all, std::int64_t salt, unsigned kind, std::size_t size) {
  auto operation = std::make_unique<Operation>();
  auto& [data, result, wanted, request] = *operation;
  const Rank p = all.size(), me = all.rank(), root = static_cast<Rank>(salt % p);
  const Rank right = (me + 1) % p, left = (me + p - 1) % p;
  const auto tag = static_cast<Tag>(salt);
  data.assign(size, value_of(me, salt));
  result.assign(size, -1);
  const std::int64_t all_together = 1000 * p * (p - 1) / 2 + p * (1 + salt);
  switch (kind % 5) {
    case 0:
      request = all.start().combine(data, result, sum);
      wanted.assign(size, all_together);
      break;
    case 1:
      result = data;
      request = all.start().bcast(result, root);
      wanted.assign(size, value_of(root, salt));
      break;
    case 2:
      request = all.start().prefix(data, result, maximum);
      wanted.assign(size, value_of(me, salt));
      break;
    case 3:
      request = all.start().exchange(data, right, result, left, tag);
      wanted.assign(size, value_of(left, salt));
      break;
    default:
      result.assign(size * static_cast<std::size_t>(p), -1);
      request = all.start().concat(data, result);
      for (Rank rank = 0; rank < p; ++rank) wanted.insert(wanted.end(), size, value_of(rank, salt));
  }
  return operation;
}

class Requests : public ::testing::TestWithParam<std::tuple<Kind, unsigned, bool>> {
 protected:
  World world(Pid ranks, bool barrier = true) const {
    World world{std::get<0>(GetParam()), ranks, barrier};
    world.network.seed = std::get<1>(GetParam());
    world.network.jitter = Nanoseconds(200'000);
    world.progress_thread = std::get<2>(GetParam());
    return world;
  }
};

TEST_P(Requests, CompleteInAnyOrderUnderRandomSchedules) {
  const unsigned seed = std::get<1>(GetParam());
  for (const bool barrier : {true, false}) {
    run_all(world(4, barrier), [&](const Group& all) {
      std::mt19937 same(seed), own(seed * 31 + static_cast<unsigned>(all.rank()));  // same: at all members
      std::vector<std::unique_ptr<Operation>> open;
      const auto check = [](const Operation& operation) { ASSERT_EQ(operation.result, operation.wanted); };
      const auto end_one = [&] {
        const auto which = open.begin() + static_cast<std::ptrdiff_t>(own() % open.size());
        if (own() % 2 == 0 || !(*which)->request.test()) (*which)->request.wait();
        check(**which);
        open.erase(which);
      };
      const auto end_any = [&] {
        std::vector<Request> requests;
        for (const auto& operation : open) requests.push_back(std::move(operation->request));
        const std::size_t place = wait_any(requests);
        for (std::size_t i = 0; i < open.size(); ++i) open[i]->request = std::move(requests[i]);
        check(*open[place]);
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(place));
      };
      for (std::int64_t salt = 0; salt < 120; ++salt) {
        const unsigned kind = same();
        const std::size_t size = std::vector<std::size_t>{0, 1, 17, 3000, 200'000}[same() % (salt % 10 == 0 ? 5 : 4)];
        open.push_back(start(all, salt, kind, size));
        while (!open.empty() && own() % 3 == 0) own() % 2 == 0 ? end_one() : end_any();
      }
      std::vector<Request> rest;
      for (const auto& operation : open) rest.push_back(std::move(operation->request));
      wait_all(rest);
      for (const auto& operation : open) check(*operation);
    });
  }
}

TEST_P(Requests, OneThatIsDroppedUnfinishedIsAnErrorWithAName) {
  run(world(3), [](Process& self) {
    const Group row = self.all().partition(0);
    if (row.rank() == 1) {
      {
        std::vector<int> never(4);
        const Request dropped = row.start().receive(never, 0, Tag{9});
      }
      try {
        row.sync();
        ADD_FAILURE() << "no error";
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::argument);
        EXPECT_NE(std::string(error.what()).find("receive with tag 9 on group"), std::string::npos) << error.what();
      }
      try {
        self.leave();
        ADD_FAILURE() << "no error";
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("was dropped before it was complete"), std::string::npos);
      }
    } else {
      try {
        row.sync();
        ADD_FAILURE() << "no error";
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("requests_test.cpp:"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("was dropped before it was complete"), std::string::npos);
      }
    }
  });
}

const auto name = [](const auto& info) {
  return to_string(std::get<0>(info.param)) + "_seed" + std::to_string(std::get<1>(info.param));
};
INSTANTIATE_TEST_SUITE_P(Everywhere, Requests,
                         ::testing::Combine(::testing::ValuesIn(every_kind), ::testing::Values(1u, 2u, 3u),
                                            ::testing::Values(false)),
                         name);
INSTANTIATE_TEST_SUITE_P(WithProgressThread, Requests,
                         ::testing::Combine(::testing::Values(Kind::memory, Kind::tcp), ::testing::Values(1u, 2u, 3u),
                                            ::testing::Values(true)),
                         name);

}  // namespace
}  // namespace cohort::testing
