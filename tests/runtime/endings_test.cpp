// SPDX-License-Identifier: Apache-2.0
// How operations end that can't go on: the agent goes, the process leaves, their start fails. Nothing hangs, and no
// memory stays in the transport's hands.
#include <gtest/gtest.h>

#include <new>

#include "cohort/cohort.hpp"
#include "runtime/calls/pending_collective.hpp"
#include "runtime/groups/group_state.hpp"
#include "runtime/transport/memory/memory_transport.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

// An agent that goes when it is told to.
class FrailControl : public ControlLink {
 public:
  explicit FrailControl(const bool& gone) : gone_(gone) {}
  const ListenAt& listen_at() const override { return listen_at_; }
  Job join(std::uint16_t, std::uint64_t, const SharesMemory&) override { return {}; }
  bool needs_listener() const override { return false; }
  void poll(const std::function<void(const Failure&)>&) override {
    if (gone_) throw Error(ErrorCode::job, "the agent has gone");
  }
  void leave() override {}
  bool all_left() const override { return true; }

 private:
  const bool& gone_;
  const ListenAt listen_at_;
};

// Two processes that one thread plays.
struct TwoProcesses {
  TwoProcesses() {
    for (Pid me : {0, 1}) {
      Job job;
      job.me = me;
      job.processes.resize(2);
      runtimes.push_back(std::make_shared<detail::Runtime>(std::move(job), std::move(transports[me]),
                                                           std::make_unique<FrailControl>(gone[me])));
    }
  }
  bool gone[2] = {false, false};
  std::vector<std::unique_ptr<Transport>> transports = make_memory_transports(2);
  std::vector<std::shared_ptr<detail::Runtime>> runtimes;
};

ErrorCode code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::internal;
}

TEST(Endings, WhenTheAgentGoesEverythingEndsAndLetsGoOfItsMemory) {
  TwoProcesses pair;
  Process self(pair.runtimes[0]), peer(pair.runtimes[1]);
  const Group mine = self.all(), theirs = peer.all();
  {
    std::vector<int> first(1000), second(1000);
    Request a = mine.start().receive(first, 1, Tag{1}), b = mine.start().receive(second, 1, Tag{2}),
            c = mine.start().sync();
    pair.gone[0] = true;
    EXPECT_EQ(code_of([&] { a.wait(); }), ErrorCode::job);
    EXPECT_EQ(code_of([&] { b.wait(); }), ErrorCode::job);
    EXPECT_EQ(code_of([&] { mine.sync(); }), ErrorCode::job);
  }
  theirs.send(std::vector<int>(1000), 0, Tag{1});  // comes too late: there is no memory for it any more
  theirs.send(std::vector<int>(1000), 0, Tag{2});
  pair.runtimes[0]->progress();
  EXPECT_EQ(code_of([&] { self.leave(); }), ErrorCode::job);
}

TEST(Endings, LeavingEndsWhatIsInProgress) {
  for (const Kind kind : every_kind) {
    run({kind, 2, true, {}}, [](Process& self) {
      const Group all = self.all();
      int value = 0;
      Request receive = all.start().receive(std::span(&value, 1), 1 - self.pid());
      Request dropped = all.start().receive(std::span(&value, 1), self.pid());
      self.leave();
      EXPECT_EQ(code_of([&] { receive.wait(); }), ErrorCode::left);
      EXPECT_EQ(code_of([&] { all.sync(); }), ErrorCode::left);
    });
  }
}

TEST(Endings, ACallWhoseStartFailsEndsWithThatError) {
  run_runtimes({Kind::memory, 1, false, {}}, [](detail::Runtime& runtime) {
    const auto group =
        std::make_shared<detail::GroupState>(runtime.shared_from_this(), GroupId{}, Members::range(0, 1, 1), 0, 0);
    const auto solution = std::make_shared<detail::Solution>();
    solution->schedule.add_rounds(1, [](std::size_t, Round&) { throw std::bad_alloc(); });
    detail::PendingCollective pending(group, {std::make_shared<detail::Call>(), {}, solution});
    const detail::Runtime::Lock lock(runtime);
    runtime.begin(pending);
    EXPECT_TRUE(pending.ended());
    EXPECT_EQ(code_of([&] { std::rethrow_exception(pending.error()); }), ErrorCode::internal);
    pending.leave_group();
  });
}

}  // namespace
}  // namespace cohort::testing
