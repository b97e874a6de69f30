// SPDX-License-Identifier: Apache-2.0
#include "tests/launcher/job/job_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <sstream>
#include <utility>

namespace cohort {

namespace {

constexpr int most_job_steps = 20'000;
constexpr int by_abort = SIGABRT;  // as wait statuses
constexpr int by_exit_3 = 3 << 8;

JobPlan plan_of(std::mt19937& random, bool peaceful) {
  JobPlan plan;
  plan.program = "./program";
  const int hosts = 1 + static_cast<int>(random() % 3);
  for (int i = 0; i < hosts; ++i) {
    const int count = 1 + static_cast<int>(random() % 3);
    plan.hosts.push_back({"host" + std::to_string(i), i == 0 && random() % 2 == 0, plan.ranks, count});
    plan.ranks += count;
  }
  plan.settings.set_goes_on(random() % 2 == 0);
  plan.settings.set_develop(random() % 2 == 0);
  plan.settings.set_host_limit(random() % 2 == 0 ? 5 : 0);
  plan.join_timeout_s = peaceful ? 0 : static_cast<double>(1 + random() % 20);
  plan.timeout_s = peaceful ? 0 : static_cast<double>(1 + random() % 20);
  return plan;
}

}  // namespace

JobWorld::JobWorld(unsigned seed) : random_(seed), peaceful_(seed % 8 == 0), disturbances_(peaceful_ ? 0 : pick(8)) {
  JobPlan plan = plan_of(random_, peaceful_);
  for (const HostPlan& host : plan.hosts) {
    hosts_.push_back({.plan = host, .says = {}, .attached = host.local, .stuck = !peaceful_ && chance(3)});
  }
  ranks_.resize(static_cast<std::size_t>(plan.ranks));
  for (Rank& rank : ranks_) {
    if (!peaceful_ && chance(5)) rank.hangs_at = static_cast<Life>(1 + pick(5));
    rank.ignores_term = chance(30);
  }
  job_ = std::make_unique<RunningJob>(std::move(plan), JobOrigin{});
}

JobWorld::HostSide& JobWorld::host_of(Pid pid) {
  for (HostSide& host : hosts_) {
    if (host.plan.has(pid)) return host;
  }
  ADD_FAILURE() << "no host has pid " << pid;
  return hosts_.front();
}

int JobWorld::status() const { return exit_status(job_->record()); }

void JobWorld::run() {
  hear(event::Begin{});
  for (int i = 0; !closed_ && i < most_job_steps; ++i) step();
  ASSERT_TRUE(closed_) << "it does not end";
  check_end();
  hear(event::Signal{SIGINT});
  hear(event::HostLost{0, "gone"});
  hear(event::TimeUp{});
}

void JobWorld::hear(Event event) {
  const bool over = closed_;
  const bool time_up = std::holds_alternative<event::TimeUp>(event);
  const Commands commands = job_->on(std::move(event), {now_, Clock::time_point(now_), {}});
  EXPECT_TRUE(!over || commands.empty()) << "something is wanted after the end";
  for (const Command& command : commands) {
    EXPECT_FALSE(closed_) << "something is wanted behind the end";
    obey(command);
  }
  check_all_left();
  const auto deadline = job_->deadline();
  EXPECT_FALSE(time_up && deadline && deadline->passed(now_)) << "a deadline that has passed is kept";
}

void JobWorld::obey(const Command& command) {
  if (const auto* const tell = std::get_if<command::Tell>(&command)) {
    obey_host(tell->host, *tell->message);
  } else if (const auto* const write = std::get_if<command::Write>(&command)) {
    later_.push_back(event::OutputWritten{write->host, write->block.size()});
  } else if (std::holds_alternative<command::DrainOutput>(command)) {
    later_.push_back(event::OutputDrained{});
  } else if (const auto* const reply = std::get_if<command::Reply>(&command)) {
    EXPECT_EQ(unanswered_.erase(reply->asker), 1U) << "nobody has asked";
  } else if (std::holds_alternative<command::Stop>(command)) {
    EXPECT_TRUE(suspended_) << "nobody has asked for a stop";
    ++stops_;
    later_.push_back(event::Signal{SIGCONT});
  } else if (std::holds_alternative<command::Close>(command)) {
    closed_ = true;
  }
}

void JobWorld::obey_host(int number, const v1::ToHost& message) {
  HostSide& host = hosts_.at(static_cast<std::size_t>(number));
  EXPECT_FALSE(host.lost) << "a lost host is told something";
  EXPECT_TRUE(host.attached) << "a host is told something that is not there";
  const bool measures = message.has_be_measured() || message.has_measure();
  EXPECT_TRUE(host.started || measures || message.has_start()) << "a host is told something before its start";
  if (message.has_start()) return start(host);
  if (message.has_be_measured()) {
    if (chance(50)) host.says.emplace_back().mutable_measured();
    return;
  }
  for (Pid pid = host.plan.first; pid < host.plan.first + host.plan.count; ++pid) {
    Rank& rank = ranks_[static_cast<std::size_t>(pid)];
    rank.told_table |= message.has_table();
    rank.told_all_left |= message.has_all_left();
  }
  if (message.has_deadlock()) check_deadlock(message.deadlock().who());
  EXPECT_FALSE(message.has_table() && std::exchange(host.told_table, true)) << "a host gets two tables";
  if (message.has_failure()) check_failure(host, message.failure());
  if (message.has_beat() && !host.stuck) *host.says.emplace_back().mutable_beat() = message.beat();
  if (message.has_signal()) signal(host, message.signal().number());
  if (message.has_kill() && host.plan.has(message.kill().pid())) end(message.kill().pid(), SIGKILL);
  if (message.has_ask()) {
    for (Pid pid = host.plan.first; pid < host.plan.first + host.plan.count; ++pid) {
      if (chance(ranks_[static_cast<std::size_t>(pid)].waits_for ? 5 : 20)) continue;  // it does not answer
      v1::Does& does = *say(pid).mutable_does();
      does.set_pid(pid);
      *does.mutable_doing() = doing_of(pid);
      does.mutable_doing()->set_question(message.ask().question());
    }
  }
  if (message.has_finish() && !std::exchange(host.told_to_finish, true)) host.says.emplace_back().mutable_finished();
}

void JobWorld::check_failure(HostSide& host, const process::v1::Failure& failure) {
  EXPECT_EQ(failure.number(), ++host.failures_told) << "a loss is told twice, or not at all";
  ranks_.at(static_cast<std::size_t>(failure.pid())).lost = true;
  const bool by_the_end =
      failure.cause() == process::v1::Failure::SIGNAL || failure.cause() == process::v1::Failure::LINK;
  EXPECT_FALSE(host.told_to_end && by_the_end) << "what the job's own end does to a process is told as its loss";
}

// Those who have left wait for all others, but for the lost ones.
void JobWorld::check_all_left() const {
  const auto waits = [](const Rank& rank) { return !rank.lost && !rank.has_left; };
  if (std::ranges::any_of(ranks_, waits) || std::ranges::all_of(ranks_, &Rank::lost)) return;
  if (std::ranges::any_of(hosts_, &HostSide::stuck)) return;  // they are all given up in the end
  for (const HostSide& host : hosts_) {
    for (Pid pid = host.plan.first; !host.lost && pid < host.plan.first + host.plan.count; ++pid) {
      EXPECT_TRUE(ranks_[static_cast<std::size_t>(pid)].told_all_left) << "rank " << pid << " waits for nobody";
    }
  }
}

void JobWorld::start(HostSide& host) {
  EXPECT_FALSE(std::exchange(host.started, true)) << "a host is told to start twice";
  for (Pid pid = host.plan.first; pid < host.plan.first + host.plan.count; ++pid) {
    if (!peaceful_ && chance(3)) {
      host.says.emplace_back().mutable_not_started()->set_status(127);
      return;
    }
    say(pid).mutable_started()->set_pid(pid);
    ranks_[static_cast<std::size_t>(pid)].life = Life::running;
  }
}

void JobWorld::signal(HostSide& host, int number) {
  if (number == SIGSTOP && !host.stuck) host.says.emplace_back().mutable_suspended();
  if (number == SIGCONT || number == SIGSTOP) return;
  host.told_to_end |= number == SIGTERM || number == SIGINT || number == SIGKILL;
  for (Pid pid = host.plan.first; pid < host.plan.first + host.plan.count; ++pid) {
    if (number == SIGKILL || !ranks_[static_cast<std::size_t>(pid)].ignores_term) end(pid, number);
  }
}

void JobWorld::end(Pid pid, int wait_status) {
  Rank& rank = ranks_[static_cast<std::size_t>(pid)];
  if (rank.life == Life::unborn || rank.life == Life::ended || host_of(pid).stuck) return;
  rank.life = Life::ended;
  v1::Ended& ended = *say(pid).mutable_ended();
  ended.set_pid(pid);
  ended.set_wait_status(wait_status);
}

void JobWorld::step() {
  now_ += std::chrono::milliseconds(pick(20));
  const auto deadline = job_->deadline();
  const bool due = deadline && deadline->passed(now_);
  if (due && chance(50)) return hear(event::TimeUp{});
  if (disturbances_ > 0 && chance(2)) {
    --disturbances_;
    return disturb();
  }
  if (!later_.empty() && chance(30)) {
    Event event = std::move(later_.front());
    later_.pop_front();
    return hear(std::move(event));
  }
  if (chance(60) && host_speaks()) return;
  live(pick(static_cast<int>(ranks_.size())));
}

// Returns whether one had something to say.
bool JobWorld::host_speaks() {
  const int number = pick(static_cast<int>(hosts_.size()));
  HostSide& host = hosts_[static_cast<std::size_t>(number)];
  if (host.lost) return false;
  if (!host.attached) {
    host.attached = true;
    v1::FromHost message;
    message.mutable_attached()->set_host(number);
    hear(event::FromHost{number, std::move(message)});
    return true;
  }
  if (host.says.empty()) return false;
  v1::FromHost message = std::move(host.says.front());
  host.says.pop_front();
  if (message.has_left()) ranks_[static_cast<std::size_t>(message.left().pid())].has_left = true;
  if (message.has_does() && message.does().doing().question() > 0) {  // it answers now, not when it was asked
    const std::uint64_t question = message.does().doing().question();
    *message.mutable_does()->mutable_doing() = doing_of(message.does().pid());
    message.mutable_does()->mutable_doing()->set_question(question);
  }
  hear(event::FromHost{number, std::move(message)});
  return true;
}

// A step of a process on its way.
void JobWorld::live(Pid pid) {
  Rank& rank = ranks_[static_cast<std::size_t>(pid)];
  const bool lives = rank.life != Life::unborn && rank.life != Life::ended;
  if (!lives || host_of(pid).lost || rank.hangs_at == rank.life) return;
  if (!peaceful_ && chance(3)) return go_wrong(pid);
  if (rank.life == Life::running) {
    rank.life = Life::greeted;
    say(pid).mutable_joining()->set_pid(pid);
  } else if (rank.life == Life::greeted) {
    rank.life = Life::listening;
    say(pid).mutable_listens()->set_pid(pid);
  } else if (rank.life == Life::listening && rank.told_table) {
    rank.life = Life::playing;
  } else if (rank.life == Life::playing) {
    play(pid);
  } else if (rank.life == Life::left && rank.told_all_left) {
    end(pid, 0);
  }
}

// It answers those that wait for it, waits for another one, or leaves. Where all is in order, it waits only for a lower
// rank, and leaves nobody waiting.
void JobWorld::play(Pid pid) {
  Rank& rank = ranks_[static_cast<std::size_t>(pid)];
  const auto answer = [&] {
    for (Rank& other : ranks_) {
      if (other.waits_for != pid) continue;
      other.waits_for.reset();
      ++other.entries;
    }
  };
  if (rank.waits_for) {
    if (ranks_[static_cast<std::size_t>(*rank.waits_for)].life == Life::ended) rank.waits_for.reset();
    return;
  }
  if (peaceful_ || chance(70)) answer();
  const Pid other = pick(static_cast<int>(ranks_.size()));
  const bool may_wait =
      peaceful_ ? other < pid && ranks_[static_cast<std::size_t>(other)].life < Life::left : other != pid;
  if (may_wait && chance(50)) {
    rank.waits_for = other;
    ++rank.entries;
    v1::Does& does = *say(pid).mutable_does();
    does.set_pid(pid);
    *does.mutable_doing() = doing_of(pid);
    does.mutable_doing()->set_reason(process::v1::Doing::BLOCKED);
  } else if (chance(50)) {
    rank.life = Life::left;
    say(pid).mutable_left()->set_pid(pid);
  }
}

process::v1::Doing JobWorld::doing_of(Pid pid) const {
  const Rank& rank = ranks_[static_cast<std::size_t>(pid)];
  process::v1::Doing doing;
  doing.set_threads(1);
  doing.set_entries(rank.entries);
  doing.set_left(rank.life == Life::left);
  if (rank.life == Life::left) doing.add_waits();
  if (rank.life != Life::playing || !rank.waits_for) return doing;
  doing.add_waits()->add_calls(0);
  process::v1::Awaited& awaited = *doing.add_calls()->add_awaited();
  awaited.set_pid(*rank.waits_for);
  awaited.set_rank(*rank.waits_for);
  awaited.set_standing(true);
  return doing;
}

// Whether everything that it waits for, directly or not, waits too, or leaves.
bool JobWorld::waits_for_ever(Pid pid) const {
  std::set<Pid> seen;
  while (seen.insert(pid).second) {
    const Rank& rank = ranks_[static_cast<std::size_t>(pid)];
    if (rank.life >= Life::left) return true;  // it may have ended since it answered
    if (rank.life != Life::playing || !rank.waits_for) return false;
    pid = *rank.waits_for;
  }
  return true;
}

void JobWorld::check_deadlock(const std::string& who) const {
  std::istringstream words(who.substr(who.find(' ')));  // "deadlock: ranks 0, 3 and 4 of the job ..."
  int named = 0;
  for (std::string word; words >> word && word != "of";) {
    if (word.find_first_of("0123456789") != 0) continue;
    ++named;
    EXPECT_TRUE(waits_for_ever(std::stoi(word))) << who;
  }
  EXPECT_GT(named, 0) << who;
}

void JobWorld::go_wrong(Pid pid) {
  const Pid other = pick(static_cast<int>(ranks_.size()));
  switch (pick(9)) {
    case 0:
      return end(pid, SIGKILL);
    case 1:
      return end(pid, by_exit_3);
    case 2:
      return end(pid, 0);
    case 3: {
      v1::Blames& blames = *say(pid).mutable_blames();
      blames.set_by(pid);
      blames.mutable_blame()->set_by(process::v1::Blame::GROUP);
      blames.mutable_blame()->set_pid(other);
      return end(pid, by_abort);
    }
    case 4:
      say(pid).mutable_closes()->set_pid(pid);
      return;
    case 5: {
      v1::Suspects& suspects = *say(pid).mutable_suspects();
      suspects.set_by(pid);
      suspects.mutable_suspect()->set_pid(other);
      return;
    }
    case 6:
      say(pid).mutable_refuses()->set_pid(pid);
      return;
    case 7:
      say(pid).mutable_mistaken()->set_pid(pid);
      return;
    default: {
      v1::Stalled& stalled = *say(pid).mutable_stalled();
      stalled.set_pid(pid);
      stalled.set_too_long(chance(50));
      return;
    }
  }
}

void JobWorld::disturb() {
  const int number = pick(static_cast<int>(hosts_.size()));
  HostSide& host = hosts_[static_cast<std::size_t>(number)];
  static constexpr std::array signals{SIGINT, SIGTERM, SIGUSR1, SIGQUIT, SIGTSTP, SIGCONT};
  const auto kind = static_cast<std::size_t>(pick(20));
  suspended_ |= kind < signals.size() && signals[kind] == SIGTSTP;
  if (kind < signals.size()) return hear(event::Signal{signals[kind]});
  switch (kind) {
    case 6:
      return hear(event::OutputClosed{});
    case 7:
      if (host.plan.local || std::exchange(host.lost, true)) return;
      return hear(event::HostLost{number, "gone"});
    case 8:
      unanswered_.insert(++asked_);
      return hear(event::Inject{asked_, "nonsense", 1});
    default:
      unanswered_.insert(++asked_);
      return hear(event::Describe{asked_});
  }
}

void JobWorld::check_end() const {
  // Where processes can't be killed, all hosts are given up in the end.
  const bool given_up = std::ranges::any_of(hosts_, &HostSide::stuck);
  for (const HostSide& host : hosts_) {
    if (host.lost || host.stuck || !host.started) continue;
    EXPECT_TRUE(host.told_to_finish || given_up) << "a host is left without a word";
    for (Pid pid = host.plan.first; pid < host.plan.first + host.plan.count; ++pid) {
      const Life life = ranks_[static_cast<std::size_t>(pid)].life;
      EXPECT_TRUE(life == Life::unborn || life == Life::ended) << "rank " << pid << " is left behind";
    }
  }
  EXPECT_FALSE(job_->deadline());
}

}  // namespace cohort
