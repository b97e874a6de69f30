// SPDX-License-Identifier: Apache-2.0
#include "runtime/calls/problem_of.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collectives/shift/shift.hpp"
#include "runtime/calls/where.hpp"

namespace cohort::detail {
namespace {

class Checker {
 public:
  template <class AnyCall>
  Checker(const GroupState& group, const AnyCall& call)
      : group_(group), operation_(call.operation), where(call.where), as(call.as) {}

  [[noreturn]] void refuse(const std::string& what) const { detail::refuse(group_, operation_, place_of(*this), what); }

  void rank(Rank rank, const char* role) const {
    if (const auto wrong = defect_of_rank(group_, rank, role)) refuse(*wrong);
  }

  void memory(const Memory& memory, const char* role) const {
    if (memory.count < 0) refuse(fmt::format("{} has the negative size {}", role, memory.count));
    if (memory.count > 0 && memory.data == nullptr)
      refuse(fmt::format("{} is null, with a size of {} elements", role, memory.count));
  }

  void size(const Memory& memory, const char* role, Count wanted) const {
    this->memory(memory, role);
    if (memory.count != wanted)
      refuse(fmt::format("{} has {} elements where {} are needed", role, memory.count, wanted));
  }

  void counts(const std::vector<Count>& counts, const char* role) const {
    const auto size = static_cast<std::size_t>(group_.members().size());
    if (counts.size() != size) refuse(fmt::format("{} {} for {} ranks", counts.size(), role, size));
    for (std::size_t rank = 0; rank < size; ++rank) {
      if (counts[rank] < 0) refuse(fmt::format("{} name the negative size {} for rank {}", role, counts[rank], rank));
    }
  }

  void apart(const Memory& a, const Memory& b, std::size_t element_bytes) const {
    if (overlap(a, b, element_bytes)) refuse("input and output overlap");
  }

 private:
  const GroupState& group_;
  const Operation operation_;

 public:
  const Where where;
  const char* const as;
};

bool same(const Memory& a, const Memory& b) { return a.data == b.data && a.count == b.count; }

Blocks blocks_of(const Checker& check, const Call& call, Rank ranks, Count each) {
  if (!call.per_rank) return {ranks, each};
  check.counts(call.counts, "counts");
  return Blocks(call.counts);
}

// Operations on one vector, which every rank has.
void vector_problem(const Checker& check, const GroupState& group, const Call& call, Problem& problem) {
  if (call.operation == Operation::bcast || call.operation == Operation::group) {
    check.memory(call.output, "the buffer");
    problem.count = call.output.count;
    return;
  }
  check.memory(call.input, "the input");
  problem.count = call.input.count;
  if (call.operation == Operation::reduce && group.me() != call.root) return;
  check.size(call.output, "the output", call.input.count);
  problem.in_place = call.operation != Operation::shift && same(call.input, call.output);
  if (!problem.in_place) check.apart(call.input, call.output, call.element_bytes);
}

// Operations with one block for each rank.
void block_problem(const Checker& check, const GroupState& group, Call& call, Problem& problem) {
  const Rank ranks = group.members().size();
  const Rank me = group.me();
  const bool root = me == call.root;
  switch (call.operation) {
    case Operation::scatter:
      check.memory(call.output, "the output");
      problem.blocks = blocks_of(check, call, ranks, call.output.count);
      check.size(call.output, "the output", problem.blocks.count(me));
      if (root) check.size(call.input, "the root's input", problem.blocks.total());
      break;
    case Operation::gather:
      check.memory(call.input, "the input");
      problem.blocks = blocks_of(check, call, ranks, call.input.count);
      check.size(call.input, "the input", problem.blocks.count(me));
      if (root) check.size(call.output, "the root's output", problem.blocks.total());
      break;
    case Operation::concat:
    case Operation::partition:
      check.memory(call.output, "the output");
      if (call.in_place) {
        if (call.output.count % ranks != 0)
          check.refuse(fmt::format("{} elements are not {} equal blocks", call.output.count, ranks));
        problem.blocks = {ranks, call.output.count / ranks};
      } else {
        check.memory(call.input, "the input");
        problem.blocks = blocks_of(check, call, ranks, call.input.count);
        check.size(call.input, "the input", problem.blocks.count(me));
        check.size(call.output, "the output", problem.blocks.total());
        const Count mine = problem.blocks.offset(me) * static_cast<Count>(call.element_bytes);
        call.in_place = call.input.count > 0 && call.input.data == call.output.data + mine;
      }
      problem.in_place = call.in_place;
      break;
    case Operation::reduce_scatter:
    case Operation::leave:
      check.memory(call.output, "the output");
      problem.blocks = blocks_of(check, call, ranks, call.output.count);
      check.size(call.output, "the output", problem.blocks.count(me));
      check.size(call.input, "the input", problem.blocks.total());
      break;
    default:
      break;
  }
  if (!problem.in_place) check.apart(call.input, call.output, call.element_bytes);
}

void index_problem(const Checker& check, const GroupState& group, Call& call, Problem& problem) {
  const Rank ranks = group.members().size();
  check.memory(call.input, "the input");
  check.memory(call.output, "the output");
  if (call.per_rank) {
    check.counts(call.counts, "send counts");
    check.counts(call.receive_counts, "receive counts");
    const auto me = static_cast<std::size_t>(group.me());
    if (call.counts[me] != call.receive_counts[me]) {
      check.refuse(
          fmt::format("it sends {} elements to itself and receives {}", call.counts[me], call.receive_counts[me]));
    }
    problem.blocks = Blocks(call.counts);
    problem.receive_blocks = Blocks(call.receive_counts);
  } else {
    if (call.input.count % ranks != 0)
      check.refuse(fmt::format("{} elements are not {} equal blocks", call.input.count, ranks));
    problem.blocks = problem.receive_blocks = {ranks, call.input.count / ranks};
  }
  check.size(call.input, "the input", problem.blocks.total());
  check.size(call.output, "the output", problem.receive_blocks.total());
  check.apart(call.input, call.output, call.element_bytes);
}

}  // namespace

bool overlap(const Memory& a, const Memory& b, std::size_t element_bytes) {
  const auto bytes = [&](const Memory& memory) { return static_cast<std::size_t>(memory.count) * element_bytes; };
  return a.count > 0 && b.count > 0 && std::less<>()(a.data, b.data + bytes(b)) &&
         std::less<>()(b.data, a.data + bytes(a));
}

void drop_unused_memory(Call& call, Rank me) {
  if (me == call.root) return;
  if (call.operation == Operation::reduce || call.operation == Operation::gather) call.output = {};
  if (call.operation == Operation::scatter) call.input = {};
}

Problem problem_of(const GroupState& group, Call& call) {
  const Checker check(group, call);
  check.rank(call.root, "root");
  drop_unused_memory(call, group.me());

  Problem problem;
  problem.operation = call.operation;
  problem.ranks = group.members().size();
  problem.root = call.root;
  problem.distance = call.distance;
  problem.cyclic = call.cyclic;
  problem.commutative = call.reduction.commutative;
  problem.element_bytes = static_cast<Count>(call.element_bytes);
  problem.network = group.schedules().network();
  switch (call.operation) {
    case Operation::bcast:
    case Operation::reduce:
    case Operation::combine:
    case Operation::prefix:
    case Operation::exclusive_prefix:
    case Operation::shift:
      vector_problem(check, group, call, problem);
      break;
    case Operation::group:  // the set-up is a bcast of the counter
      vector_problem(check, group, call, problem);
      problem.operation = Operation::bcast;
      break;
    case Operation::partition:  // the set-up is a concat of the votes
      block_problem(check, group, call, problem);
      problem.operation = Operation::concat;
      break;
    case Operation::leave:  // leaving is a reduction of the messages that each process has sent to each other one
      block_problem(check, group, call, problem);
      problem.operation = Operation::reduce_scatter;
      break;
    case Operation::index:
      index_problem(check, group, call, problem);
      break;
    case Operation::sync:
      break;
    default:
      block_problem(check, group, call, problem);
      break;
  }
  return problem;
}

MadeCall made_call(const Call& call, const Problem& problem) {
  MadeCall made{{call.operation, 0, call.type, call.reduction.code}, 0};
  if (call.operation == Operation::shift) made.kind.argument = static_cast<std::int32_t>(shift::distance_of(problem));
  if (has_root(call.operation)) made.kind.argument = problem.root;
  if (!call.per_rank) {
    const Count elements = has_vector(problem.operation) ? problem.count : problem.blocks.total();
    made.bytes = static_cast<std::uint64_t>(elements) * call.element_bytes;
  }
  return made;
}

void check(const GroupState& group, const Letter& letter) {
  group.check_entry(letter.operation, letter.where);
  const bool any = letter.operation == Operation::receive_any;
  const bool has_peer = any || (letter.peer >= 0 && letter.peer < group.members().size());
  const bool has_memory = letter.memory.count == 0 || (letter.memory.count > 0 && letter.memory.data != nullptr);
  if (has_peer && has_memory && letter.pieces.empty()) [[likely]]
    return;
  const Checker check(group, letter);
  if (!any) {
    check.rank(letter.peer, letter.operation == Operation::send      ? "destination"
                            : letter.operation == Operation::receive ? "source"
                                                                     : "peer");
  }
  check.memory(letter.memory, "the buffer");
  for (const Memory& piece : letter.pieces) check.memory(piece, "a piece of the buffer");
}

}  // namespace cohort::detail
