// SPDX-License-Identifier: Apache-2.0
#include "tests/launcher/host/host_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <utility>

namespace cohort {

namespace {

constexpr int most_steps = 20'000;

}  // namespace

HostWorld::HostWorld(unsigned seed)
    : random_(seed),
      first_(pick(2)),
      host_({.number = 1, .name = "here", .listen_at = {"127.0.0.1", {}}, .cores = 2}),
      count_(1 + pick(4)),
      stall_limit_s_(chance(50) ? 3 : 0) {}

void HostWorld::run() {
  v1::ToHost start;
  start.mutable_start()->set_first_pid(first_);
  start.mutable_start()->set_count(count_);
  start.mutable_start()->set_ranks(first_ + count_ + 1);
  start.mutable_start()->set_program("./program");
  start.mutable_start()->set_stall_limit(stall_limit_s_);
  for (Pid pid = 0; pid < first_ + count_; ++pid) {
    if (!chance(20)) continue;
    process::v1::PlannedFault& fault = *start.mutable_start()->mutable_settings()->mutable_faults()->add_faults();
    fault.set_number(static_cast<std::uint32_t>(pid));
    fault.set_kind(static_cast<std::uint32_t>(pick(3)));  // kill, stop, slow
    fault.set_rank(pid);
    fault.set_at_s(0.01 * pick(100));
    fault.set_for_s(0.01 * pick(100));
    fault.set_amount(0.5);
  }
  tell(std::move(start));
  for (int i = 0; !finished_ && i < most_steps && !testing::Test::HasFailure(); ++i) step();
  ASSERT_TRUE(finished_) << "it does not end";
  check();
  hear(host_event::TimeUp{});
  hear(host_event::StackRead{first_, "late"});
}

// As HostShell does.
void HostWorld::hear(HostEvent event) {
  events_.push_back(std::move(event));
  if (events_.size() > 1) return;
  for (; !events_.empty(); events_.pop_front()) {
    const bool over = finished_;
    const bool time_up = std::holds_alternative<host_event::TimeUp>(events_.front());
    by_the_launcher_ = std::holds_alternative<host_event::Told>(events_.front());
    HostCommands commands = host_.on(std::move(events_.front()), now_);
    EXPECT_TRUE(!over || commands.empty()) << "something is wanted after the end";
    const auto deadline = host_.deadline();
    EXPECT_FALSE(time_up && deadline && deadline->passed(now_)) << "a deadline that has passed is kept";
    for (HostCommand& command : commands) {
      EXPECT_FALSE(finished_) << "something is wanted behind the end";
      std::visit([this](auto& one) { obey(std::move(one)); }, command);
    }
  }
  if (!host_.takes_output()) return saw("a full window");
  for (const Rank& rank : ranks_) {
    for (const Stream& stream : rank.streams) EXPECT_FALSE(stream.paused) << "output is kept for ever";
  }
}

// --- what the host wants

void HostWorld::obey(host_command::Report&& command) {
  const v1::FromHost& message = command.message;
  if (message.has_finished()) {
    finished_ = true;
    for (const Rank& rank : ranks_) EXPECT_TRUE(rank.ended) << "it finishes before rank " << rank.pid;
  } else if (message.has_beat()) {
    answered_ = message.beat().question();
    EXPECT_EQ(answered_, questions_);
    for (const Rank& rank : ranks_) EXPECT_TRUE(rank.ended || !rank.child_end) << "a death is told behind the answer";
  } else if (message.has_suspended()) {
    ++suspensions_heard_;
  } else if (message.has_output()) {
    on_the_way_ += message.output().data().size();
  } else if (message.has_not_started()) {
    saw("a process that could not be started");
  } else if (message.has_warning()) {
    EXPECT_EQ(seen_["a program of another MPI"]++, 0);
  } else if (message.has_started()) {
    EXPECT_FALSE(rank(message.started().pid()).ended);
  } else if (message.has_joining()) {
    reported_of(rank(message.joining().pid()), message);
  } else if (message.has_left()) {
    reported_of(rank(message.left().pid()), message);
  } else if (message.has_closes()) {
    reported_of(rank(message.closes().pid()), message);
  } else if (message.has_ended()) {
    reported_of(rank(message.ended().pid()), message);
  } else if (message.has_refuses()) {
    reported_of(rank(message.refuses().pid()), message);
  } else if (message.has_stalled()) {
    reported_of(rank(message.stalled().pid()), message);
  } else if (message.has_has_injected()) {
    saw("a fault");
  } else if (message.has_does()) {
    saw(message.does().doing().stopped() ? "the answer for a stopped process" : "an answer");
    if (!message.does().doing().stack().empty()) saw("a stack");
  }
}

void HostWorld::reported_of(Rank& rank, const v1::FromHost& message) {
  EXPECT_FALSE(rank.ended) << "rank " << rank.pid << " is told of after its end: " << message.body_case();
  if (message.has_joining()) {
    EXPECT_FALSE(std::exchange(rank.joined, true)) << "rank " << rank.pid << " joins twice";
  } else if (message.has_left()) {
    EXPECT_TRUE(rank.joined);
    rank.has_left = true;
  } else if (message.has_closes()) {
    EXPECT_TRUE(rank.joined && !rank.has_left && !rank.bereft);
    EXPECT_FALSE(std::exchange(message.closes().ended() ? rank.bereft : rank.closed, true));
    saw(message.closes().ended() ? "a member that ends below its shell" : "a link that breaks before the end");
  } else if (message.has_ended()) {
    EXPECT_EQ(message.ended().wait_status(), rank.child_end);
    EXPECT_TRUE(rank.says.empty()) << "its last words are lost";
    rank.ended = true;
    saw("an end");
  } else if (message.has_refuses()) {
    ++rank.refused;
    saw("a refusal");
  } else if (message.has_stalled()) {
    ASSERT_TRUE(rank.stopped && !suspended_) << "rank " << rank.pid << " does not stand still";
    const double seconds = std::chrono::duration<double>(now_ - *rank.stopped).count();
    EXPECT_LE(message.stalled().seconds(), seconds + 1e-6);
    EXPECT_EQ(message.stalled().too_long(), stall_limit_s_ > 0 && message.stalled().seconds() >= stall_limit_s_);
    rank.stall_told = true;
    saw(message.stalled().too_long() ? "a stall that is too long" : "a stall");
  }
}

void HostWorld::obey(host_command::Send&& command) {
  for (const Pid pid : command.to) {
    Rank& to = rank(pid);
    EXPECT_FALSE(to.ended) << "rank " << pid << " is told something after its end";
    EXPECT_TRUE(to.joined || to.welcomed || command.message.has_refused() || command.message.has_welcome());
    if (command.message.has_welcome()) {
      EXPECT_EQ(command.message.welcome().pid(), pid);
      EXPECT_FALSE(std::exchange(to.welcomed, true)) << "rank " << pid << " is welcomed twice";
      EXPECT_EQ(to.has_memory, command.message.welcome().processes_on_host() > 1);
    }
    if (command.message.has_failure()) {
      EXPECT_EQ(command.message.failure().number(), ++to.failures_told) << "a loss is told twice, or not at all";
    }
    if (command.message.has_ask() && !to.stopped && !to.member_end && chance(80)) {
      process::v1::Doing& doing = *to.says.emplace_back().mutable_doing();
      doing.set_question(command.message.ask().question());
      if (chance(30)) doing.add_waits();
    }
  }
}

void HostWorld::obey(host_command::Start&& command) {
  for (int i = 0; i < command.order.count(); ++i) {
    if (chance(2)) return hear(host_event::NotStarted{126, "no"});
    Rank& rank = ranks_.emplace_back();
    rank.pid = first_ + i;
    rank.below_shell = chance(50);
    for (Stream& stream : rank.streams) stream.held = chance(10);
    hear(host_event::Started{rank.pid, 100 + i});
  }
}

void HostWorld::obey(host_command::Signal&& command) {
  EXPECT_TRUE(by_the_launcher_ || !rank(command.pid).ended) << "a fault strikes a process that has ended";
  signal(rank(command.pid), command.number);
}

void HostWorld::obey(host_command::KillAll&& /*command*/) {
  for (Rank& rank : ranks_) signal(rank, SIGKILL);
}

void HostWorld::obey(host_command::Forget&& /*command*/) {
  for (const Rank& rank : ranks_) EXPECT_TRUE(rank.child_end_heard);
}

void HostWorld::obey(host_command::ResumeOutput&& /*command*/) {
  EXPECT_TRUE(host_.takes_output());
  for (Rank& rank : ranks_) {
    for (Stream& stream : rank.streams) stream.paused = false;
  }
}

void HostWorld::obey(host_command::CloseOutput&& /*command*/) {
  EXPECT_EQ(on_the_way_, 0U) << "output is cut off that the launcher has not written";
  for (Rank& rank : ranks_) {
    for (Stream& stream : rank.streams) {
      stream.paused = false;
      if (std::exchange(stream.open, false)) hear(host_event::StreamEnded{rank.pid});
    }
  }
  saw("output that somebody held open");
}

void HostWorld::obey(host_command::Look&& /*command*/) {
  host_event::Looked looked;
  for (Rank& rank : ranks_) {
    if (rank.child_end_heard) continue;
    looked.processes.push_back({rank.pid, rank.stopped.has_value(), std::to_string(rank.turns)});
    const bool same = rank.stopped && !suspended_ && rank.turns == rank.seen_turns;
    const bool long_enough = rank.seen_stopped && last_look_ - *rank.seen_stopped > std::chrono::seconds(1);
    EXPECT_TRUE(!same || !long_enough || rank.stall_told) << "nobody is told that rank " << rank.pid << " is stopped";
    if (!rank.stopped || suspended_) rank.stall_told = false;
    if (!same) rank.seen_stopped.reset();
    if (rank.stopped && !suspended_ && !rank.seen_stopped) rank.seen_stopped = now_;
    rank.seen_turns = rank.turns;
  }
  last_look_ = now_;
  hear(std::move(looked));
}

void HostWorld::obey(host_command::LookWhoIsStopped&& command) {
  host_event::SeenStopped seen{command.question, {}};
  for (const Rank& rank : ranks_) {
    if (!rank.child_end_heard && rank.stopped) seen.processes.push_back(rank.pid);
  }
  hear(std::move(seen));
}

void HostWorld::obey(host_command::LookWhoHasEnded&& command) {
  for (Rank& rank : ranks_) hear_ends(rank);
  hear(host_event::SeenWhoHasEnded{command.question});
}

void HostWorld::obey(host_command::LookForOtherMpi&& command) {
  EXPECT_FALSE(rank(command.pid).welcomed);
  if (chance(20)) hear(host_event::OtherMpiFound{"libmpi.so.40"});
}

void HostWorld::obey(host_command::ReadStack&& command) {
  EXPECT_FALSE(rank(command.pid).stack_wanted) << "a stack is read twice at once";
  rank(command.pid).stack_wanted.emplace();
}

// --- the launcher

void HostWorld::launcher_acts() {
  v1::ToHost message;
  switch (pick(11)) {
    case 0:
      if (!std::exchange(table_told_, std::ranges::all_of(ranks_, &Rank::joined))) message.mutable_table();
      break;
    case 1:
      message.mutable_failure()->set_number(++failures_);
      tell(std::move(message));
      for (const Rank& rank : ranks_) {
        EXPECT_TRUE(rank.ended || !rank.joined || rank.failures_told == failures_) << "a loss is not told";
      }
      return;
    case 2:
      message.mutable_ask()->set_question(++questions_);
      message.mutable_ask()->set_stacks(chance(50));
      break;
    case 3:
      message.mutable_beat()->set_question(++questions_);
      tell(std::move(message));
      EXPECT_TRUE(answered_ == questions_ || finished_) << "a question is not answered";
      return;
    case 4:
      message.mutable_signal()->set_number(chance(50) ? SIGTERM : SIGUSR1);
      break;
    case 5:
      suspended_ = !suspended_;
      suspensions_ += suspended_ ? 1 : 0;
      message.mutable_signal()->set_number(suspended_ ? SIGSTOP : SIGCONT);
      break;
    case 6:
      if (chance(80)) return;
      message.mutable_kill()->set_pid(pick(first_ + count_ + 1));
      break;
    case 7:
    case 8: {
      const std::uint64_t taken = random_() % (on_the_way_ + 1);
      on_the_way_ -= taken;
      message.mutable_output_taken()->set_bytes(taken);
      break;
    }
    default: {  // to finish, mostly once all have ended
      const bool over = std::ranges::all_of(ranks_, &Rank::ended);
      if (!over && !chance(2)) return;
      if (std::exchange(finish_told_, true)) return;
      if (!over) saw("an end before that of all processes");
      message.mutable_finish();
      break;
    }
  }
  tell(std::move(message));
}

void HostWorld::step() {
  now_ += std::chrono::milliseconds(pick(40));
  const auto deadline = host_.deadline();
  if (deadline && deadline->passed(now_) && chance(50)) return hear(host_event::TimeUp{});
  if (chance(20) || ranks_.empty()) return launcher_acts();
  Rank& rank = ranks_.at(static_cast<std::size_t>(pick(static_cast<int>(ranks_.size()))));
  switch (pick(8)) {
    case 0:
    case 1:
      if (!rank.child_end_heard) read_link(rank, /*all=*/false);
      return;
    case 2:
      return hear_ends(rank);
    case 3:
    case 4:
      return read_stream(rank);
    case 5:
      if (rank.stack_wanted) {
        rank.stack_wanted.reset();
        return hear(host_event::StackRead{rank.pid, "#0"});
      }
      if (chance(2)) signal(rank, chance(50) ? SIGKILL : SIGCONT);  // by somebody
      if (rank.child_end && chance(50) && !rank.member_end) rank.member_end = 0;
      return;
    default:
      return live(rank);
  }
}

void HostWorld::check() const {
  EXPECT_FALSE(host_.deadline());
  EXPECT_EQ(suspensions_heard_, suspensions_);
  for (const Rank& rank : ranks_) {
    EXPECT_TRUE(rank.ended);
    for (const Stream& stream : rank.streams) EXPECT_FALSE(stream.open);
  }
}

}  // namespace cohort
