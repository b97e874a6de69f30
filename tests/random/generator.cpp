// SPDX-License-Identifier: Apache-2.0
// From a seed to a program.
#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "collectives/registry.hpp"
#include "runtime/messages/credit.hpp"
#include "runtime/messages/messenger.hpp"
#include "tests/random/model.hpp"
#include "tests/random/program.hpp"
#include "tests/random/random.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

// The problem that a collective is, as far as an algorithm's needs go.
Problem problem_of(const Collective& c, Rank ranks) {
  Problem problem;
  problem.operation = c.operation;
  problem.ranks = ranks;
  problem.root = c.root;
  problem.count = c.count;
  const bool pairs = !c.counts.empty() && c.operation == Operation::index;
  problem.blocks = c.counts.empty() ? Blocks(ranks, c.count)
                   : pairs          ? Blocks(std::vector<Count>(c.counts.begin(), c.counts.begin() + ranks))
                                    : Blocks(c.counts);
  problem.receive_blocks = problem.blocks;
  problem.distance = c.distance;
  problem.cyclic = c.cyclic;
  problem.commutative = c.combining != Combining::composition;
  problem.in_place = c.in_place;
  problem.element_bytes = c.wide ? 8 : 1;
  return problem;
}

class Generator {
 public:
  // On so many processes at least, and at most.
  Generator(std::uint64_t seed, Pid least, Pid most) : random_(seed) {
    const Pid some = random_.once_in(4) ? 1 + pid_below(most) : 1 + pid_below(std::min(6, most));
    const Pid processes = std::max(some, least);
    program_.processes = processes;
    program_.groups.emplace_back(static_cast<std::size_t>(processes));
    std::iota(program_.groups[0].begin(), program_.groups[0].end(), 0);
    groups_ = {0};
    window_ = small_credit;
  }

  Program make() {
    const std::int64_t steps = 3 + random_.below(random_.once_in(4) ? 80 : 30);
    for (std::int64_t i = 0; i < steps; ++i) add_something();
    while (!halves_.empty()) meet(halves_.front());
    return std::move(program_);
  }

 private:
  struct Half {
    StepNumber step;
    bool sent;
    GroupNumber group;
    Rank from, to;
    Tag tag;
    friend bool operator==(const Half&, const Half&) = default;
    auto channel() const { return std::tie(group, from, to, tag); }
  };

  void add_something() {
    switch (random_.below(16)) {
      case 0:
        return add_group();
      case 1:
      case 2:
      case 3:
      case 4:
      case 5:
        return add_collective();
      case 6:
        return random_.once_in(4) ? add_burst() : add_half();
      case 7:
      case 8:
        return add_half();
      case 9:
      case 10:
        return halves_.empty() ? add_half() : meet(random_.one_of(halves_));
      case 11:
        return add_exchange();
      case 12:
        return add(Compute{pid_below(program_.processes), 1 + random_.below(random_.once_in(4) ? 600'000 : 1'000)});
      case 13:
        return add_fan_in();
      default:
        return add_finish();
    }
  }

  // Groups.

  GroupNumber new_group(std::vector<Pid> members) {
    program_.groups.push_back(std::move(members));
    groups_.push_back(program_.groups.size() - 1);
    return groups_.back();
  }
  std::vector<GroupNumber> new_groups(std::vector<std::vector<Pid>> all) {
    std::vector<GroupNumber> numbers;
    for (std::vector<Pid>& members : all) numbers.push_back(new_group(std::move(members)));
    return numbers;
  }

  void add_group() {
    const GroupNumber parent = random_.one_of(groups_);
    switch (random_.below(6)) {
      case 0:
      case 1:
        return add_list();
      case 2:
        return add_partition(parent);
      case 3:
        return add_subrange(parent);
      case 4:
        return add_subgrid(parent);
      default:
        if (groups_.size() == 1) return add_list();
        return let_go(groups_.begin() + 1 + random_.below(std::ssize(groups_) - 1));
    }
  }

  void add_list() {
    std::vector<Pid> list = program_.groups[0];
    random_.shuffle(list);
    list.resize(1 + static_cast<std::size_t>(pid_below(program_.processes)));
    add(MakeList{new_group(std::move(list))});
  }

  void add_partition(GroupNumber parent) {
    MakePartition partition{parent, {}, {}, {}};
    for (Rank rank = 0; rank < size_of(parent); ++rank) {
      partition.values.push_back(random_.below(3) - 1);
      partition.keys.push_back(random_.below(4));
    }
    partition.made = new_groups(groups_of(partition, program_.groups[parent]));
    add(std::move(partition));
  }

  void add_subrange(GroupNumber parent) {
    const Rank size = size_of(parent), first = pid_below(size);
    const auto steps = static_cast<Rank>(1 + random_.below(3));
    const Rank stride = random_.once_in(2) ? steps : -steps;
    std::vector<Pid> members;
    for (Rank rank = first; rank >= 0 && rank < size && (members.empty() || !random_.once_in(6)); rank += stride)
      members.push_back(program_.groups[parent][static_cast<std::size_t>(rank)]);
    add(MakeSubrange{parent, first, stride, new_group(std::move(members))});
  }

  void add_subgrid(GroupNumber parent) {
    const Rank size = size_of(parent);
    MakeSubgrid subgrid{parent, {}, {}, {}};
    int dimensions = std::countr_zero(static_cast<unsigned>(size));
    if (!std::has_single_bit(static_cast<unsigned>(size)) || random_.once_in(2)) {
      Rank rest = size;
      for (Rank side = 2; side <= rest; ++side) {
        for (; rest % side == 0; rest /= side) subgrid.sides.push_back(side);
      }
      if (random_.once_in(2) || subgrid.sides.empty()) subgrid.sides.push_back(1);
      random_.shuffle(subgrid.sides);
      dimensions = static_cast<int>(subgrid.sides.size());
    }
    for (int dimension = 0; dimension < dimensions; ++dimension) {
      if (random_.once_in(2)) subgrid.dimensions.push_back(dimension);
    }
    random_.shuffle(subgrid.dimensions);
    subgrid.made = new_groups(groups_of(subgrid, program_.groups[parent]));
    add(std::move(subgrid));
  }

  void let_go(std::vector<GroupNumber>::iterator place) {
    const GroupNumber group = *place;
    groups_.erase(place);
    for (;;) {
      const auto half = std::ranges::find(halves_, group, &Half::group);
      if (half == halves_.end()) break;
      meet(*half);
    }
    add(LetGo{group});
  }

  // Collectives.

  void add_collective() {
    if (!collectives_.empty() && random_.once_in(3)) {
      const Collective& earlier = random_.one_of(collectives_);
      if (std::ranges::find(groups_, earlier.group) != groups_.end()) return repeat(earlier);
    }
    Collective c{};
    c.group = random_.one_of(groups_);
    const Rank ranks = size_of(c.group);
    c.operation = static_cast<Operation>(random_.below(static_cast<int>(Operation::sync) + 1));
    c.form = some_form();
    c.combining = some_combining();
    c.wide = !random_.once_in(4);
    c.root = pid_below(ranks);
    c.distance = random_.below(2 * ranks + 3) - ranks - 1;
    c.cyclic = random_.once_in(2);
    c.call = program_.steps.size();
    c.in_place = (reduces(c.operation) && c.operation != Operation::reduce_scatter) || c.operation == Operation::concat
                     ? random_.once_in(3)
                     : false;
    // What all ranks together hold: blocks for all at each, at the most.
    const Count shares = has_vector(c.operation) || c.operation == Operation::sync ? ranks : Count{ranks} * ranks;
    c.count = some_count(ranks, c.wide, 400'000 / shares);
    const bool by_rank = !has_vector(c.operation) && c.operation != Operation::sync && !c.in_place;
    if (by_rank && random_.once_in(2)) {
      const Count sizes = c.operation == Operation::index ? Count{ranks} * ranks : ranks;
      for (Count i = 0; i < sizes; ++i)
        c.counts.push_back(random_.once_in(3) ? 0 : some_count(ranks, c.wide, 400'000 / (shares * 4)));
    }
    if (random_.once_in(2)) c.algorithm = some_algorithm(c, ranks);
    collectives_.push_back(c);
    add(std::move(c));
  }

  // A persistent call once more; or one that differs in little: runtimes remember what they did.
  void repeat(Collective c) {
    if (c.form == Form::prepared && random_.once_in(2)) return add(std::move(c));
    c.form = some_form();
    c.call = program_.steps.size();
    c.algorithm.clear();
    switch (random_.below(4)) {
      case 0:
        c.root = pid_below(size_of(c.group));
        break;
      case 1:
        c.distance += 1 + random_.below(3);
        break;
      case 2:
        c.combining = some_combining();
        break;
      default:
        c.cyclic = !c.cyclic;
    }
    add(std::move(c));
  }

  std::string some_algorithm(const Collective& c, Rank ranks) {
    const Problem problem = problem_of(c, ranks);
    std::vector<Choice> choices;
    for (const Algorithm& algorithm : registry()) {
      if (!obstacle(algorithm, problem)) choices.push_back({&algorithm, {}, {}});
    }
    Choice& choice = random_.one_of(choices);
    for (const Parameter& parameter : choice.algorithm->parameters) {
      const Count highest = std::min(parameter.highest(problem), parameter.lowest + 20);
      if (highest >= parameter.lowest && random_.once_in(2))
        choice.parameters.set(std::string(parameter.name),
                              parameter.lowest + random_.below(highest - parameter.lowest + 1));
    }
    return to_string(choice);
  }

  // Messages.

  void add_half() {
    const GroupNumber group = random_.one_of(groups_);
    open(group, pid_below(size_of(group)), pid_below(size_of(group)), static_cast<Tag>(random_.below(3)),
         !random_.once_in(3));
  }

  // More than a receiver's credit may be on its way before anybody asks for it.
  void add_burst() {
    const GroupNumber group = random_.one_of(groups_);
    const Rank from = pid_below(size_of(group)), to = pid_below(size_of(group));
    for (std::int64_t messages = 2 + random_.below(30); messages > 0; --messages)
      open(group, from, to, static_cast<Tag>(random_.below(4)), true);
  }

  // The first half of a message, or the second one of what its channel waits for.
  void open(GroupNumber group, Rank from, Rank to, Tag tag, bool sent) {
    const Half half{program_.steps.size(), sent, group, from, to, tag};
    const auto waiting =
        std::ranges::find_if(halves_, [&](const Half& other) { return other.channel() == half.channel(); });
    if (waiting != halves_.end() && waiting->sent != sent) return meet(*waiting);
    halves_.push_back(half);
    const bool wide = random_.once_in(2);
    const Form form = random_.once_in(4) ? Form::prepared : Form::started;
    const Count count = some_count(size_of(group), wide, window_ * 2 / (wide ? 8 : 1));
    if (sent) return add(Send{group, from, to, tag, form, wide, count, 0});
    add(Receive{group, from, to, tag, form, wide, 0, count, 0});
  }

  // The second half of a message: its first one is the oldest on the channel.
  void meet(Half half) {
    half = *std::ranges::find_if(halves_, [&](const Half& other) { return other.channel() == half.channel(); });
    std::erase(halves_, half);
    Step& first = program_.steps[half.step];
    const StepNumber second = program_.steps.size();
    if (auto* sent = std::get_if<Send>(&first.what)) {
      sent->met = second;
      const Count capacity = sent->count + (random_.once_in(3) ? random_.below(100) : 0);
      return add(
          Receive{half.group, half.from, half.to, half.tag, some_form(), sent->wide, sent->count, capacity, half.step});
    }
    auto& receive = std::get<Receive>(first.what);
    receive.met = second;
    receive.count = random_.once_in(3) ? random_.below(receive.capacity + 1) : receive.capacity;
    add(Send{half.group, half.from, half.to, half.tag, some_form(), receive.wide, receive.count, half.step});
  }

  void add_exchange() {
    const GroupNumber group = random_.one_of(groups_);
    const Rank ranks = size_of(group);
    Exchange exchange{group, {}, {}, static_cast<Tag>(random_.below(3)), Form::started, random_.once_in(2)};
    if (random_.once_in(2)) exchange.form = Form::blocking;
    for (Rank rank = 0; rank < ranks; ++rank) {
      exchange.to.push_back(rank);
      exchange.counts.push_back(some_count(ranks, exchange.wide, 400'000 / ranks));
    }
    random_.shuffle(exchange.to);
    const bool waited_for = std::ranges::any_of(halves_, [&](const Half& half) {
      return half.group == group && half.tag == exchange.tag &&
             exchange.to[static_cast<std::size_t>(half.from)] == half.to;
    });
    if (!waited_for) add(std::move(exchange));  // else it would meet what was sent before
  }

  void add_fan_in() {
    const GroupNumber group = random_.one_of(groups_);
    const Rank ranks = size_of(group);
    const auto tag = static_cast<Tag>(1'000 + program_.steps.size());
    FanIn fan_in{group, pid_below(ranks), {}, tag, some_form(), random_.once_in(2)};
    for (Rank rank = 0; rank < ranks; ++rank) fan_in.counts.push_back(some_count(ranks, fan_in.wide, 400'000 / ranks));
    add(std::move(fan_in));
  }

  void add_finish() {
    add(Finish{pid_below(program_.processes), static_cast<Finish::How>(random_.below(4)),
               static_cast<std::size_t>(random_.below(100))});
  }

  // Elements: none, one, about as many as there are ranks, some, many, or about what is sent unasked.
  Count some_count(Rank ranks, bool wide, Count most) {
    const Count bytes = wide ? 8 : 1;
    const auto eager = window_ - static_cast<Count>(Credit::message_overhead);
    Count count = 0;
    switch (random_.below(9)) {
      case 0:
        break;
      case 1:
        count = 1;
        break;
      case 2:
        count = ranks + random_.below(3) - 1;
        break;
      case 3:
        count = random_.below(3'000);
        break;
      case 4:
        if (random_.once_in(6)) count = (eager / (1 + random_.below(2)) + random_.below(5) * 8 - 16) / bytes;
        break;
      default:
        count = random_.below(60);
    }
    return std::min(count, most);
  }

  Combining some_combining() { return static_cast<Combining>(random_.below(5)); }
  Form some_form() { return random_.once_in(2) ? Form::blocking : random_.once_in(3) ? Form::prepared : Form::started; }
  Pid pid_below(Pid limit) { return static_cast<Pid>(random_.below(limit)); }
  Rank size_of(GroupNumber group) const { return static_cast<Rank>(program_.groups[group].size()); }

  template <class What>
  void add(What what) {
    program_.steps.push_back({program_.steps.size(), std::move(what)});
  }

  Random random_;
  Program program_;
  std::vector<GroupNumber> groups_;  // that processes still hold
  std::vector<Half> halves_;         // the oldest first
  std::vector<Collective> collectives_;
  Count window_ = 0;
};

}  // namespace

Program program_on(Pid processes, std::uint64_t seed) { return Generator(seed, processes, processes).make(); }
Program program_of(std::uint64_t seed, Pid most_processes) { return Generator(seed, 1, most_processes).make(); }

}  // namespace cohort::testing
