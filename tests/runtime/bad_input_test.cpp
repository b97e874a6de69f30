// SPDX-License-Identifier: Apache-2.0
// Bad arguments (cases 52, 53): an error that names operation, group, rank and what is wrong; nothing is sent, and the
// group goes on. Mismatched calls: an error that names both.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/random/random.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

// Runs bad calls on every rank, then shows that the group still works.
void every_rank_refuses(const std::function<void(const Group&)>& bad_calls) {
  run_all({Kind::memory, 3, true, {}}, [&](const Group& all) {
    bad_calls(all);
    EXPECT_EQ(all.combine(1, sum), 3);
  });
}

TEST(BadArguments, Case52RanksOutOfRange) {
  every_rank_refuses([](const Group& all) {
    std::vector<int> data(3), more(9);
    for (const Rank wrong : {-1, 3, 1'000'000}) {
      const std::string text = std::to_string(wrong) + " is out of range: the group has the ranks 0 to 2";
      expect_error(ErrorCode::argument, {"bcast on group (0,0), rank", text, "bad_input_test.cpp"},
                   [&] { all.bcast(data, wrong); });
      expect_error(ErrorCode::argument, {"reduce", text}, [&] { all.reduce(in_place(data), sum, wrong); });
      expect_error(ErrorCode::argument, {"scatter", text}, [&] { all.scatter(more, data, wrong); });
      expect_error(ErrorCode::argument, {"gather", text}, [&] { all.gather(data, more, wrong); });
      expect_error(ErrorCode::argument, {"send", "destination " + text}, [&] { all.send(data, wrong); });
      expect_error(ErrorCode::argument, {"receive", "source " + text}, [&] { all.receive(data, wrong); });
      expect_error(ErrorCode::argument, {"start", text}, [&] {
        try {
          static_cast<void>(all.start().bcast(data, wrong));
        } catch (const Error& error) {
          throw Error(error.code(), std::string("start: ") + error.what(),
                      {error.operation(), error.group(), error.rank(), error.pid(), error.host(), error.where()});
        }
      });
    }
  });
}

TEST(BadArguments, Case52NullBuffersAndNegativeSizes) {
  every_rank_refuses([](const Group& all) {
    const std::span<int> null(static_cast<int*>(nullptr), 4);
    std::vector<int> data(4), out(12);
    expect_error(ErrorCode::argument, {"bcast", "the buffer is null, with a size of 4 elements"},
                 [&] { all.bcast(null, 0); });
    expect_error(ErrorCode::argument, {"combine", "the input is null"}, [&] { all.combine(null, data, sum); });
    expect_error(ErrorCode::argument, {"combine", "the output is null"}, [&] { all.combine(data, null, sum); });
    expect_error(ErrorCode::argument, {"send", "null"}, [&] { all.send(null, 0); });
    const std::vector<Count> negative = {4, -1, 4};
    expect_error(ErrorCode::argument, {"gather", "the negative size -1 for rank 1"},
                 [&] { all.gather(data, out, negative, 0); });
    expect_error(ErrorCode::argument, {"index", "the negative size -1 for rank 1"},
                 [&] { all.index(out, negative, out, negative); });
  });
}

TEST(BadArguments, SizesThatDoNotFit) {
  every_rank_refuses([](const Group& all) {
    std::vector<int> three(3), four(4), nine(9);
    expect_error(ErrorCode::argument, {"combine", "the output has 4 elements where 3 are needed"},
                 [&] { all.combine(three, four, sum); });
    expect_error(ErrorCode::argument, {"concat", "where 9 are needed"}, [&] { all.concat(three, four); });
    expect_error(ErrorCode::argument, {"index", "4 elements are not 3 equal blocks"}, [&] { all.index(four, four); });
    expect_error(ErrorCode::argument, {"reduce_scatter", "where 9 are needed"},
                 [&] { all.reduce_scatter(four, three, sum); });
    expect_error(ErrorCode::argument, {"gather", "2 counts for 3 ranks"}, [&] {
      all.gather(three, nine, std::vector<Count>{3, 3}, 0);
    });
    if (all.rank() == 1) {
      expect_error(ErrorCode::argument, {"the root's input has 4 elements where 9 are needed"},
                   [&] { all.scatter(four, three, 1); });
    }
  });
}

TEST(BadArguments, Case53OverlappingBuffers) {
  every_rank_refuses([](const Group& all) {
    std::vector<int> data(10);
    const std::span<int> whole(data);
    expect_error(ErrorCode::argument, {"combine", "overlap"},
                 [&] { all.combine(whole.first(5), whole.subspan(1, 5), sum); });
    expect_error(ErrorCode::argument, {"prefix", "overlap"},
                 [&] { all.prefix(whole.first(5), whole.subspan(4, 5), sum); });
    expect_error(ErrorCode::argument, {"index", "overlap"}, [&] { all.index(whole.first(9), whole.first(9)); });
    expect_error(ErrorCode::argument, {"shift", "overlap"}, [&] { all.shift(whole, whole, 1); });
    expect_error(ErrorCode::argument, {"concat", "overlap"}, [&] { all.concat(whole.subspan(1, 3), whole.first(9)); });
  });
}

TEST(Mismatches, Case50DifferentOperationsAreAnErrorThatNamesBoth) {
  for (const Kind kind : every_kind) {
    EXPECT_THROW(
        run_all({kind, 2, false, {}},
                [](const Group& all) {
                  std::vector<int> data(4);
                  if (all.rank() == 0) {
                    all.bcast(data, 0);
                    all.combine(in_place(data), sum);
                  } else {
                    expect_error(
                        ErrorCode::mismatch,
                        {"combine #1 on group (0,0)",
                         "rank 0 (pid 0, host0) called bcast with root 0 where rank 1 (pid 1, host0) called combine"},
                        [&] { all.combine(in_place(data), sum); });
                    expect_error(ErrorCode::mismatch,
                                 {"on group (0,0), which has failed: rank 0 (pid 0, host0) called bcast"},
                                 [&] { all.sync(); });
                    throw Error(ErrorCode::mismatch, "seen");
                  }
                }),
        Error);
  }
}

// Whatever is called on a group that has failed: the error names the call, its line, and the process at fault.
TEST(Mismatches, EveryCallOnAFailedGroupNamesItself) {
  const auto calls_on = [](const Group& all, int& in, std::vector<int>& two) {
    return std::vector<std::pair<Operation, std::function<void()>>>{
        {Operation::sync, [&] { all.sync(); }},
        {Operation::sync, [&] { all.start().sync().wait(); }},
        {Operation::sync, [&] { all.prepare().sync().start().wait(); }},
        {Operation::combine, [&] { static_cast<void>(all.combine(1, sum)); }},
        {Operation::gather, [&] { static_cast<void>(all.gather_all(std::vector<int>(2), 0)); }},
        {Operation::concat, [&] { static_cast<void>(all.concat_all(std::vector<int>(2))); }},
        {Operation::index, [&] { static_cast<void>(all.shuffle(std::vector<std::vector<int>>(2))); }},
        {Operation::partition, [&] { static_cast<void>(all.partition(0)); }},
        {Operation::send, [&] { all.send(1, 0); }},
        {Operation::send, [&] { all.start().send(two, 0).wait(); }},
        {Operation::receive, [&] { static_cast<void>(all.receive<int>(0)); }},
        {Operation::receive, [&] { static_cast<void>(all.receive<std::string>(0)); }},
        {Operation::receive, [&] { static_cast<void>(all.try_receive<std::string>(0)); }},
        {Operation::receive, [&] { static_cast<void>(all.probe<int>(0)); }},
        {Operation::receive_any, [&] { static_cast<void>(all.receive_any<std::string>()); }},
        {Operation::receive_any, [&] { static_cast<void>(all.receive_any<int>()); }},
        {Operation::exchange, [&] { all.exchange(1, 0, in, 0); }}};
  };
  for (const Kind kind : every_kind) {
    run_all({kind, 2, false, {}}, [&](const Group& parent) {
      const Group all = parent.partition(0);
      int in = 0;
      std::vector<int> two(2);
      try {
        if (all.rank() == 0) all.sync();
        if (all.rank() == 1) static_cast<void>(all.combine(1, sum));
      } catch (const Error&) {
      }
      for (const auto& [operation, call] : calls_on(all, in, two)) {
        try {
          call();
          ADD_FAILURE() << "no error of " << name_of(operation);
        } catch (const Error& error) {
          EXPECT_EQ(error.operation(), operation) << error.what();
          EXPECT_TRUE(error.where().starts_with("bad_input_test.cpp:")) << error.where() << ": " << error.what();
          EXPECT_NE(std::string_view(error.what()).find(error.where()), std::string_view::npos) << error.what();
          EXPECT_EQ(error.group(), all.id());
          EXPECT_GE(error.pid(), 0) << error.what();
        }
      }
    });
  }
}

// Also at a member that exchanges no message with those that differ, and only waits for one that has given up.
TEST(Mismatches, EveryMemberOfTheGroupIsTold) {
  for (const Kind kind : every_kind) {
    run_all({kind, 6, false, {}}, [](const Group& all) {
      const Group row = all.partition(0);
      std::vector<int> data(4);
      try {
        if (row.rank() == 2) {
          row.sync();
        } else {
          row.combine(in_place(data), sum);
        }
        row.sync();
        ADD_FAILURE() << "no error on rank " << row.rank();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::mismatch) << error.what();
        for (const char* call : {"called sync", "called combine"}) {  // whoever saw it first
          EXPECT_NE(std::string(error.what()).find(call), std::string::npos) << error.what();
        }
      }
      EXPECT_EQ(all.combine(1, sum), 6);  // other groups go on
    });
  }
}

// Rank 2 comes late, so that nobody's combine is over before the exception passes.
TEST(Requests, ACallersExceptionEndsItsOperationsAndItsGroup) {
  for (const Kind kind : every_kind) {
    run_all({kind, 3, false, {}}, [](const Group& all) {
      const Group row = all.partition(0);
      std::vector<int> data(4), never(4);
      if (row.rank() == 1) {
        const auto throwing = [&] {
          const Request receive = row.start().receive(never, 0);
          const Request combine = row.start().combine(in_place(data), sum);
          throw std::runtime_error("the caller's own");
        };
        EXPECT_THROW(throwing(), std::runtime_error);
        all.send(data, 2);
      } else {
        if (row.rank() == 2) all.receive(data, 1);
        expect_error(ErrorCode::internal, {"an exception passed"}, [&] { row.combine(in_place(data), sum); });
      }
      EXPECT_EQ(all.combine(1, sum), 3);
    });
  }
}

TEST(Mismatches, DifferentSizesAreAnError) {
  EXPECT_THROW(
      run_all({Kind::memory, 2, false, {}},
              [](const Group& all) {
                std::vector<int> data(all.rank() == 0 ? 4 : 5);
                if (all.rank() == 0) {
                  all.bcast(data, 0);
                } else {
                  expect_error(ErrorCode::mismatch, {"bcast #1", "16 bytes", "20"}, [&] { all.bcast(data, 0); });
                  throw Error(ErrorCode::mismatch, "seen");
                }
              }),
      Error);
}

TEST(Failures, Case61EveryPendingAndLaterCallNamesTheDeadOne) {
  for (const Kind kind : every_kind) {
    EXPECT_THROW(run_all({kind, 3, true, {}},
                         [](const Group& all) {
                           if (all.rank() == 1) throw Error(ErrorCode::internal, "planned");
                           std::vector<int> data(4);
                           expect_error(ErrorCode::peer_lost, {"rank 1 (pid 1, host0) threw: planned"},
                                        [&] { all.combine(in_place(data), sum); });
                           expect_error(ErrorCode::peer_lost, {"rank 1 (pid 1, host0) threw: planned"},
                                        [&] { all.sync(); });
                           expect_error(ErrorCode::peer_lost, {"rank 1 (pid 1, host0) threw: planned"},
                                        [&] { all.send(data, 2); });
                         }),
                 Error);
  }
}

TEST(Operators, AnOperatorThatThrowsEndsItsOwnCall) {
  EXPECT_THROW(run_all({Kind::memory, 2, false, {}},
                       [](const Group& all) {
                         const auto bad = commutative([](int, int) -> int { throw std::runtime_error("bad operand"); });
                         all.combine(1, bad);
                       }),
               std::runtime_error);
}

// The operations are the same, only the order of two calls is not: each member is in its own call #1.
TEST(Mismatches, DifferentRootsAreAnErrorThatNamesBoth) {
  for (const Kind kind : every_kind) {
    run_all({kind, 2, false, {}}, [](const Group& all) {
      const Rank first = all.rank(), second = 1 - first;
      int value = first;
      all.bcast(value, first);  // goes out unasked
      expect_error(ErrorCode::mismatch, {"in call #1 rank ", "called bcast with root 0", "called bcast with root 1"},
                   [&] {
                     all.bcast(value, second);
                     ADD_FAILURE() << "rank " << first << " got " << value;
                   });
    });
  }
}

// They play different algorithms, in which each waits for messages that the others do not send.
TEST(Mismatches, SizesThatNoMessageShowsAreAnErrorThatNamesBoth) {
  for (const Kind kind : every_kind) {
    run_all({kind, 5, false, {}}, [](const Group& all) {
      const bool odd = all.rank() == 4;
      const std::size_t block = odd ? 1 : 40'000;
      const std::vector<int> in(5 * block, 1);
      std::vector<int> out(block);
      expect_error(ErrorCode::mismatch, {"called reduce_scatter of 20 bytes", "called reduce_scatter of 800000 bytes"},
                   [&] { all.by(odd ? "tree" : "circulant").reduce_scatter(in, out, sum); });
    });
  }
}

TEST(Mismatches, PartsOfDifferentSizesAreAnErrorThatNamesRanksAndHosts) {
  for (const Kind kind : every_kind) {
    run_all({kind, 3, false, {}}, [](const Group& all) {
      const std::vector<int> part(all.rank() == 1 ? 5 : 4);
      std::vector<int> whole(3 * part.size());
      expect_error(ErrorCode::mismatch, {"rank 1 (pid 1, host0)", "rank 0 (pid 0, host0)", "sizes differ"}, [&] {
        all.gather(part, whole, 0);
        all.sync();  // the call of a process that only sends has ended
      });
    });
  }
}

TEST(Mismatches, ShiftsThatDifferByTheSizeOfTheGroupAreTheSame) {
  for (const Kind kind : every_kind) {
    run_all({kind, 3, false, {}}, [](const Group& all) {
      const std::vector<int> mine(1, all.rank());
      std::vector<int> theirs(1);
      all.shift(mine, theirs, all.rank() == 0 ? 1 : all.rank() == 1 ? 4 : -2);
      EXPECT_EQ(theirs[0], (all.rank() + 2) % 3);
    });
  }
}

// One of the collectives, which may throw. Whatever it returns is right.
void call_one(const Group& all, std::int64_t which, Rank root) {
  const Rank p = all.size();
  std::vector<int> one(1, all.rank()), each(static_cast<std::size_t>(p), all.rank());
  int value = all.rank() + 1;
  switch (which) {
    case 0:
      all.bcast(value, root);
      EXPECT_EQ(value, root + 1);
      break;
    case 1:
      all.scatter(each, one, root);
      EXPECT_EQ(one[0], root);
      break;
    case 2:
      all.gather(one, each, root);
      EXPECT_EQ(each[static_cast<std::size_t>(p - 1)], all.rank() == root ? p - 1 : all.rank());
      break;
    case 3:
      all.reduce(std::span(&value, 1), std::span(each).first(1), sum, root);
      EXPECT_EQ(each[0], all.rank() == root ? p * (p + 1) / 2 : all.rank());
      break;
    case 4:
      EXPECT_EQ(all.prefix(value, sum), (all.rank() + 1) * (all.rank() + 2) / 2);
      break;
    case 5:
      EXPECT_EQ(all.combine(value, sum), p * (p + 1) / 2);
      break;
    default:
      all.sync();
  }
}

// One member has forgotten a call, and has one more at the end. No call hangs, and none gives what is not its own.
TEST(Mismatches, ACallThatOneMemberLeavesOutIsNeitherAHangNorWrongData) {
  for (const Kind kind : every_kind) {
    for (std::uint64_t seed = 1; seed <= (kind == Kind::simulated ? 200 : 8); ++seed) {
      SCOPED_TRACE(to_string(kind) + ", seed " + std::to_string(seed));
      Random random(seed);
      const auto ranks = static_cast<Rank>(2 + random.below(4));
      std::vector<std::pair<std::int64_t, Rank>> calls;
      for (int i = 0; i < 8; ++i)
        calls.emplace_back(i == 7 ? 6 : random.below(7), static_cast<Rank>(random.below(ranks)));
      std::vector<std::pair<std::int64_t, Rank>> fewer = calls;
      fewer.erase(fewer.begin() + random.below(7));
      fewer.push_back(calls.back());
      const auto forgetful = static_cast<Rank>(random.below(ranks));
      run_all({kind, ranks, random.once_in(2), {}}, [&](const Group& all) {
        try {
          for (const auto& [which, root] : all.rank() == forgetful ? fewer : calls) call_one(all, which, root);
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::mismatch) << error.what();
        }
      });
    }
  }
}

}  // namespace
}  // namespace cohort::testing
