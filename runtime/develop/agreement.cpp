// SPDX-License-Identifier: Apache-2.0
#include "runtime/develop/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/calls/where.hpp"

namespace cohort::detail {
namespace {

constexpr std::size_t where_words = 8;  // of 8 bytes, at the head of a rank's row of sizes

// The same problem for all calls on a group, because their elements have the same length here.
Problem problem_for(const GroupState& group, Operation operation, std::size_t element_bytes) {
  Problem problem;
  problem.operation = operation;
  problem.ranks = group.members().size();
  problem.element_bytes = static_cast<Count>(element_bytes);
  problem.network = group.schedules().network();
  problem.commutative = false;
  if (operation == Operation::combine) {
    problem.count = 1;
    problem.in_place = true;
  } else {
    problem.blocks = {problem.ranks, 1};
  }
  return problem;
}

// The sizes of one rank: a row of an exchange of sizes.
struct Row {
  const std::int64_t* begin;
  Rank ranks;

  const char* where() const { return reinterpret_cast<const char*>(begin); }
  std::int64_t sends(Rank to) const { return begin[where_words + static_cast<std::size_t>(to)]; }
  std::int64_t receives(Rank from) const { return begin[where_words + static_cast<std::size_t>(ranks + from)]; }
};

// The sizes of two calls differ that each take parts of one size.
std::string hint_of_sizes(const Call& call) {
  const bool has_parts = call.operation == Operation::gather || call.operation == Operation::concat ||
                         call.operation == Operation::scatter;
  if (!has_parts || call.per_rank || call.as != nullptr) return {};
  return fmt::format("; parts of different sizes need counts, or {}_all of C++", name_of(call.operation));
}

}  // namespace

Agreement::Agreement(GroupState& group, const Call& call, const Task& task, std::uint64_t number,
                     std::function<void()> done, std::function<void()> broken)
    : group_(group),
      call_(call),
      envelope_{group.id(), number, Channel::agreement},
      done_(std::move(done)),
      broken_(std::move(broken)),
      joining_(erase<Statements>(ordered(join))),
      statements_{statement_of(group, call, task), {}} {}

void Agreement::start() {
  auto* memory = reinterpret_cast<std::byte*>(&statements_);
  play(Operation::combine, {nullptr, memory, sizeof statements_, &joining_}, [this] { compare_calls(); });
}

void Agreement::play(Operation operation, const PlayMemory& memory, const std::function<void()>& completed) {
  const bool of_call = operation == Operation::combine;
  std::shared_ptr<const Solution>& solution = of_call ? call_solution_ : sizes_solution_;
  std::unique_ptr<Play>& play = of_call ? call_play_ : sizes_play_;
  solution =
      group_.schedules().solve({problem_for(group_, operation, memory.element_bytes)}, group_.runtime().choices());
  play = std::make_unique<Play>(group_.runtime().messenger(), solution->schedule, group_.members(), memory, envelope_,
                                CallKind{operation}, broken_,
                                [this, completed, &play] { play->failed() ? done_() : completed(); });
  play_ = play.get();
  Looks none;
  play_->begin(none);
  if (play_ == play.get() && play_->ended() && !play_->failed()) completed();
}

void Agreement::fail(const FaultPointer& fault, Pid peer) {
  if (play_ != nullptr) play_->fail(fault, peer);
}

void Agreement::describe(Doing::Call& call) const {
  call.algorithm = "the agreement on it";
  if (play_ != nullptr) play_->describe(call);
}

void Agreement::compare_calls() {
  const auto& [first, other] = statements_;
  if (other.rank >= 0) {
    const std::string_view aspect = *difference(first, other);
    disagree(other.rank, fmt::format("{} called {} where {} called {}: the {} differ{}",
                                     group_.describe(group_.members().pid_of(first.rank)), words_of(first),
                                     group_.describe(group_.members().pid_of(other.rank)), words_of(other), aspect,
                                     aspect == sizes_aspect ? hint_of_sizes(call_) : ""));
    return done_();
  }
  if (call_.operation == Operation::index && call_.per_rank) return exchange_sizes();
  done_();
}

void Agreement::exchange_sizes() {
  my_sizes_.assign(where_words, 0);
  const std::string where = place_of(call_);
  std::memcpy(my_sizes_.data(), where.data(), std::min(where.size(), where_words * sizeof(std::int64_t) - 1));
  my_sizes_.insert(my_sizes_.end(), call_.counts.begin(), call_.counts.end());
  my_sizes_.insert(my_sizes_.end(), call_.receive_counts.begin(), call_.receive_counts.end());
  all_sizes_.resize(my_sizes_.size() * static_cast<std::size_t>(group_.members().size()));
  const auto bytes = [](std::vector<std::int64_t>& sizes) { return reinterpret_cast<std::byte*>(sizes.data()); };
  play(Operation::concat, {bytes(my_sizes_), bytes(all_sizes_), my_sizes_.size() * sizeof(std::int64_t), nullptr},
       [this] { compare_sizes(); });
}

void Agreement::compare_sizes() {
  const Rank ranks = group_.members().size();
  const auto row = [&](Rank rank) {
    return Row{all_sizes_.data() + static_cast<std::size_t>(rank) * my_sizes_.size(), ranks};
  };
  for (Rank from = 0; from < ranks && !disagreement_; ++from) {
    for (Rank to = 0; to < ranks && !disagreement_; ++to) {
      if (row(from).sends(to) == row(to).receives(from)) continue;
      disagree(to, fmt::format("{} sends {} elements to {} ({}), which expects {} ({}): the sizes differ",
                               group_.describe(group_.members().pid_of(from)), row(from).sends(to),
                               group_.describe(group_.members().pid_of(to)), row(from).where(), row(to).receives(from),
                               row(to).where()));
    }
  }
  done_();
}

void Agreement::disagree(Rank second, std::string what) {
  differing_ = group_.members().pid_of(second);
  disagreement_ = std::make_shared<const Fault>(Fault{ErrorCode::mismatch, std::move(what), nullptr, differing_});
}

}  // namespace cohort::detail
