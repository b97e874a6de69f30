// Bad arguments (cases 52, 53): an error that names operation, group, rank and what is wrong; nothing is sent, and the
// group goes on. Mismatched calls: an error that names both.
#include <gtest/gtest.h>

#include <string>

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
      expect_error(ErrorCode::argument, {"reduce", text}, [&] { all.reduce(data, sum, wrong); });
      expect_error(ErrorCode::argument, {"scatter", text}, [&] { all.scatter(more, data, wrong); });
      expect_error(ErrorCode::argument, {"gather", text}, [&] { all.gather(data, more, wrong); });
      expect_error(ErrorCode::argument, {"send", "destination " + text}, [&] { all.send(data, wrong); });
      expect_error(ErrorCode::argument, {"receive", "source " + text}, [&] { all.receive(data, wrong); });
      expect_error(ErrorCode::argument, {"start", text}, [&] {
        try {
          static_cast<void>(all.start_bcast(data, wrong));
        } catch (const Error& error) {
          throw Error(error.code(), std::string("start: ") + error.what());
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
    EXPECT_THROW(run_all({kind, 2, false, {}},
                         [](const Group& all) {
                           std::vector<int> data(4);
                           if (all.rank() == 0) {
                             all.bcast(data, 0);
                             all.combine(data, sum);
                           } else {
                             expect_error(
                                 ErrorCode::mismatch,
                                 {"combine #1 on group (0,0)", "pid 0 called bcast where pid 1 called combine"},
                                 [&] { all.combine(data, sum); });
                             expect_error(ErrorCode::mismatch, {"group (0,0) has failed: pid 0 called bcast"},
                                          [&] { all.sync(); });
                             throw Error(ErrorCode::mismatch, "seen");
                           }
                         }),
                 Error);
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
          row.combine(data, sum);
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

TEST(Requests, ACallersExceptionEndsItsOperationsAndItsGroup) {
  for (const Kind kind : every_kind) {
    run_all({kind, 3, false, {}}, [](const Group& all) {
      const Group row = all.partition(0);
      std::vector<int> data(4), never(4);
      if (row.rank() == 1) {
        const auto throwing = [&] {
          const Request receive = row.start_receive(never, 0);
          const Request combine = row.start_combine(data, sum);
          throw std::runtime_error("the caller's own");
        };
        EXPECT_THROW(throwing(), std::runtime_error);
      } else {
        expect_error(ErrorCode::internal, {"an exception passed"}, [&] {
          row.combine(data, sum);  // may be over already
          row.sync();
        });
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
                                        [&] { all.combine(data, sum); });
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

}  // namespace
}  // namespace cohort::testing
