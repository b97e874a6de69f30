// SPDX-License-Identifier: Apache-2.0
#include "tests/random/player.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "cohort/grid.hpp"
#include "tests/random/model.hpp"

namespace cohort::testing {
namespace {

// What a call gives back: nothing where it is over.
using Called = std::variant<std::monostate, Request, Persistent>;

#define BY_FORM(form, object, name, ...)                                  \
  ((form) == Form::blocking  ? ((object).name(__VA_ARGS__), Called())     \
   : (form) == Form::started ? Called((object).start().name(__VA_ARGS__)) \
                             : Called((object).prepare().name(__VA_ARGS__)))

template <class T, class Function>
Called with_operator(Combining combining, Function&& function) {
  switch (combining) {
    case Combining::maximum:
      return function(maximum);
    case Combining::exclusive_or:
      return function(bit_xor);
    case Combining::own_sum:
      return function(commutative([](T a, T b) { return static_cast<T>(a + b); }));
    case Combining::composition:
      return function(ordered([](T a, T b) { return composed(a, b); }));
    default:
      return function(sum);
  }
}

template <class T>
Called call_reduction(const Group& group, const Collective& c, Sight<T>& sight) {
  return with_operator<T>(c.combining, [&](const auto& op) {
    std::vector<T>&in = sight.input, &out = sight.output;
    switch (c.operation) {
      case Operation::reduce:
        return c.in_place ? BY_FORM(c.form, group, reduce, in_place(out), op, c.root)
                          : BY_FORM(c.form, group, reduce, in, out, op, c.root);
      case Operation::combine:
        return c.in_place ? BY_FORM(c.form, group, combine, in_place(out), op)
                          : BY_FORM(c.form, group, combine, in, out, op);
      case Operation::prefix:
        return c.in_place ? BY_FORM(c.form, group, prefix, in_place(out), op)
                          : BY_FORM(c.form, group, prefix, in, out, op);
      case Operation::exclusive_prefix:
        return c.in_place ? BY_FORM(c.form, group, exclusive_prefix, in_place(out), op)
                          : BY_FORM(c.form, group, exclusive_prefix, in, out, op);
      default:
        return c.counts.empty() ? BY_FORM(c.form, group, reduce_scatter, in, out, op)
                                : BY_FORM(c.form, group, reduce_scatter, in, out, c.counts, op);
    }
  });
}

template <class T>
Called call_index(const Group& group, const Collective& c, Sight<T>& sight) {
  if (c.counts.empty()) return BY_FORM(c.form, group, index, sight.input, sight.output);
  const auto ranks = static_cast<std::size_t>(group.size());
  const auto count = [&](Rank from, Rank to) {
    return c.counts[static_cast<std::size_t>(from) * ranks + static_cast<std::size_t>(to)];
  };
  std::vector<Count> sent, received;
  for (Rank rank = 0; rank < group.size(); ++rank) {
    sent.push_back(count(group.rank(), rank));
    received.push_back(count(rank, group.rank()));
  }
  return BY_FORM(c.form, group, index, sight.input, sent, sight.output, received);
}

template <class T>
Called call(const Group& group, const Collective& c, Sight<T>& sight) {
  std::vector<T>&in = sight.input, &out = sight.output;
  const bool equal = c.counts.empty();
  switch (c.operation) {
    case Operation::bcast:
      return BY_FORM(c.form, group, bcast, out, c.root);
    case Operation::scatter:
      return equal ? BY_FORM(c.form, group, scatter, in, out, c.root)
                   : BY_FORM(c.form, group, scatter, in, c.counts, out, c.root);
    case Operation::gather:
      return equal ? BY_FORM(c.form, group, gather, in, out, c.root)
                   : BY_FORM(c.form, group, gather, in, out, c.counts, c.root);
    case Operation::concat:
      return c.in_place ? BY_FORM(c.form, group, concat, in_place(out))
             : equal    ? BY_FORM(c.form, group, concat, in, out)
                        : BY_FORM(c.form, group, concat, in, out, c.counts);
    case Operation::index:
      return call_index(group, c, sight);
    case Operation::shift:
      return c.cyclic ? BY_FORM(c.form, group, shift, in, out, c.distance)
                      : BY_FORM(c.form, group, open_shift, in, out, c.distance);
    case Operation::sync:
      return BY_FORM(c.form, group, sync);
    default:
      return call_reduction(group, c, sight);
  }
}

template <class T>
void compare(const Sight<T>& sight) {
  const auto [got, wanted] = std::ranges::mismatch(sight.output, sight.result);
  if (got == sight.output.end() && wanted == sight.result.end()) return;
  throw std::runtime_error(fmt::format("element {} of {} is {:#x}, not {:#x}", got - sight.output.begin(),
                                       sight.output.size(), *got, *wanted));
}

void expect_count(Count received, Count wanted) {
  if (received != wanted) throw std::runtime_error(fmt::format("{} elements came, not {}", received, wanted));
}

class Player {
 public:
  Player(const Program& program, Process& self, const Group& all, const Pause& pause)
      : program_(program), self_(self), pause_(pause), groups_(program.groups.size()) {
    groups_[0] = all;
  }

  void play() {
    for (const Step& step : program_.steps) {
      step_ = &step;
      at(step, [&] { std::visit([&](const auto& what) { take(what); }, step.what); });
    }
    while (!open_.empty()) finish(open_.size() - 1);
  }

 private:
  // Something started. It may be waited for when all others have started it too.
  struct Open {
    const Step* step;
    StepNumber last_half;
    Request request;
    Count received;
    std::function<void()> compare;
  };

  // Errors name the step that they come from.
  template <class Function>
  void at(const Step& step, Function&& function) const {
    try {
      function();
    } catch (const std::exception& error) {
      throw std::runtime_error(
          fmt::format("pid {} in step {}: {}", self_.pid(), to_string(program_, step), error.what()));
    }
  }

  void take(const Compute& compute) {
    if (compute.pid == self_.pid()) pause_(std::chrono::microseconds(compute.microseconds));
  }

  bool is_member(GroupNumber number) const {
    return std::ranges::find(program_.groups[number], self_.pid()) != program_.groups[number].end();
  }
  const Group& group(GroupNumber number) const { return *groups_[number]; }

  // Groups.

  void keep(GroupNumber number, Group group) {
    if (group.members() != program_.groups[number])
      throw std::runtime_error(fmt::format("the group has the pids {}", fmt::join(group.members(), " ")));
    groups_[number] = std::move(group);
  }
  void keep(const std::vector<GroupNumber>& numbers, Group group) {
    const auto mine = std::ranges::find_if(numbers, [&](GroupNumber number) { return is_member(number); });
    keep(*mine, std::move(group));
  }
  void take(const MakeList& list) {
    if (is_member(list.made)) keep(list.made, self_.group(program_.groups[list.made]));
  }
  void take(const MakePartition& partition) {
    if (!is_member(partition.parent)) return;
    const Group& parent = group(partition.parent);
    const auto rank = static_cast<std::size_t>(parent.rank());
    keep(partition.made, parent.partition(partition.values[rank], partition.keys[rank]));
  }
  void take(const MakeSubrange& subrange) {
    if (!is_member(subrange.made)) return;
    const auto count = static_cast<Rank>(program_.groups[subrange.made].size());
    keep(subrange.made, group(subrange.parent).subrange(subrange.first, subrange.stride, count));
  }
  void take(const MakeSubgrid& subgrid) {
    if (!is_member(subgrid.parent)) return;
    const Group& parent = group(subgrid.parent);
    int bits = 0;
    while (Rank{1} << bits < parent.size()) ++bits;
    const Grid grid = subgrid.sides.empty() ? parent.hypercube(bits) : parent.grid(subgrid.sides);
    keep(subgrid.made, grid.subgrid(subgrid.dimensions));
  }
  void take(const LetGo& let_go) { groups_[let_go.group].reset(); }

  // Collectives.

  void take(const Collective& collective) {
    if (!is_member(collective.group)) return;
    collective.wide ? take_as<std::uint64_t>(collective) : take_as<std::uint8_t>(collective);
  }

  template <class T>
  void take_as(const Collective& collective) {
    const std::vector<Pid>& members = program_.groups[collective.group];
    Group group = this->group(collective.group);
    const Sight<T> sight = sight_of<T>(collective, step_->number, members, group.rank());
    const auto prepared = prepared_.find(collective.call);
    if (collective.form == Form::prepared && prepared != prepared_.end()) return start_again(prepared->second, sight);

    const auto buffers = std::make_shared<Sight<T>>(sight);
    if (!collective.algorithm.empty()) group = group.by(collective.algorithm);
    Called called = call(group, collective, *buffers);
    if (const auto* persistent = std::get_if<Persistent>(&called))
      prepared_.emplace(collective.call, std::pair(*persistent, buffers));
    note(std::move(called), buffers, step_->number);
  }

  // A persistent call knows where its buffers are.
  template <class T>
  void start_again(std::pair<Persistent, std::shared_ptr<void>>& prepared, const Sight<T>& sight) {
    const auto buffers = std::static_pointer_cast<Sight<T>>(prepared.second);
    const auto earlier = std::ranges::find_if(open_, [&](const Open& open) {
      const auto* collective = std::get_if<Collective>(&open.step->what);
      return collective != nullptr && collective->form == Form::prepared &&
             collective->call == std::get<Collective>(step_->what).call;
    });
    if (earlier != open_.end()) finish(static_cast<std::size_t>(earlier - open_.begin()));
    std::ranges::copy(sight.input, buffers->input.begin());
    std::ranges::copy(sight.output, buffers->output.begin());
    buffers->result = sight.result;
    note(prepared.first.start(), buffers, step_->number);
  }

  // Messages.

  void take(const Send& send) {
    if (!is_member(send.group) || group(send.group).rank() != send.from) return;
    send.wide ? take_as<std::uint64_t>(send) : take_as<std::uint8_t>(send);
  }
  template <class T>
  void take_as(const Send& send) {
    const auto buffers = std::make_shared<Sight<T>>();
    buffers->input = contribution<T>(step_->number, self_.pid(), send.count);
    note(BY_FORM(send.form, group(send.group), send, buffers->input, send.to, send.tag), buffers, send.met);
  }

  void take(const Receive& receive) {
    if (!is_member(receive.group) || group(receive.group).rank() != receive.to) return;
    receive.wide ? take_as<std::uint64_t>(receive) : take_as<std::uint8_t>(receive);
  }
  template <class T>
  void take_as(const Receive& receive) {
    const auto buffers = std::make_shared<Sight<T>>(sight_of<T>(receive, program_.groups[receive.group]));
    const Group& group = this->group(receive.group);
    if (receive.form == Form::blocking) {
      expect_count(group.receive(buffers->output, receive.from, receive.tag), receive.count);
      return compare(*buffers);
    }
    note(BY_FORM(receive.form, group, receive, buffers->output, receive.from, receive.tag), buffers, receive.met,
         receive.count);
  }

  void take(const Exchange& exchange) {
    if (!is_member(exchange.group)) return;
    exchange.wide ? take_as<std::uint64_t>(exchange) : take_as<std::uint8_t>(exchange);
  }
  template <class T>
  void take_as(const Exchange& exchange) {
    const Group& group = this->group(exchange.group);
    const auto buffers =
        std::make_shared<Sight<T>>(sight_of<T>(exchange, step_->number, program_.groups[exchange.group], group.rank()));
    const Rank to = exchange.to[static_cast<std::size_t>(group.rank())], from = source_of(exchange, group.rank());
    const Count arriving = exchange.counts[static_cast<std::size_t>(from)];
    if (exchange.form == Form::blocking) {
      expect_count(group.exchange(buffers->input, to, buffers->output, from, exchange.tag), arriving);
      return compare(*buffers);
    }
    note(group.start().exchange(buffers->input, to, buffers->output, from, exchange.tag), buffers, step_->number,
         arriving);
  }

  void take(const FanIn& fan_in) {
    if (!is_member(fan_in.group)) return;
    fan_in.wide ? take_as<std::uint64_t>(fan_in) : take_as<std::uint8_t>(fan_in);
  }
  template <class T>
  void take_as(const FanIn& fan_in) {
    const Group& group = this->group(fan_in.group);
    const auto sent_by = [&](Rank rank) {
      return contribution<T>(step_->number, group.pid_of(rank), fan_in.counts[static_cast<std::size_t>(rank)]);
    };
    if (group.rank() != fan_in.to) {
      const auto buffers = std::make_shared<Sight<T>>(Sight<T>{sent_by(group.rank()), {}, {}});
      return note(BY_FORM(fan_in.form, group, send, buffers->input, fan_in.to, fan_in.tag), buffers, step_->number);
    }
    std::vector<T> data(static_cast<std::size_t>(std::ranges::max(fan_in.counts)));
    std::vector<Rank> heard{group.rank()};
    while (std::ssize(heard) < group.size()) {
      const Arrival arrival = group.receive_any(data, fan_in.tag);
      if (std::ranges::find(heard, arrival.source) != heard.end())
        throw std::runtime_error(fmt::format("rank {} was heard twice", arrival.source));
      heard.push_back(arrival.source);
      Sight<T> sight{{}, data, sent_by(arrival.source)};
      expect_count(arrival.count, std::ssize(sight.result));
      sight.output.resize(sight.result.size());
      compare(sight);
    }
  }

  // Completion.

  // What was called is over, in progress, or prepared: then it is started.
  template <class T>
  void note(Called called, const std::shared_ptr<Sight<T>>& buffers, StepNumber last_half, Count received = 0) {
    if (std::holds_alternative<std::monostate>(called)) return compare(*buffers);
    if (auto* persistent = std::get_if<Persistent>(&called)) called = persistent->start();
    open_.push_back(
        {step_, last_half, std::move(std::get<Request>(called)), received, [buffers] { compare(*buffers); }});
  }

  bool may_wait_for(const Open& open) const { return open.last_half < step_->number; }

  void close(std::size_t place) {
    const Open open = std::move(open_[place]);
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(place));
    at(*open.step, [&] {
      expect_count(open.request.received(), open.received);
      open.compare();
    });
  }
  void finish(std::size_t place) {
    at(*open_[place].step, [&] { open_[place].request.wait(); });
    close(place);
  }

  void take(const Finish& finish) {
    if (finish.pid != self_.pid() || open_.empty()) return;
    const std::size_t place = finish.which % open_.size();
    const auto may_wait = [this](const Open& open) { return may_wait_for(open); };
    switch (finish.how) {
      case Finish::How::one:
        if (may_wait_for(open_[place])) this->finish(place);
        break;
      case Finish::How::any:
        if (std::ranges::any_of(open_, may_wait)) finish_any();
        break;
      case Finish::How::all:
        finish_all();
        break;
      case Finish::How::test:
        if (open_[place].request.test()) close(place);
    }
  }

  // Of all that it has started: some of it may be what no other has started yet.
  void finish_any() {
    std::vector<Request> requests;
    for (Open& open : open_) requests.push_back(std::move(open.request));
    const std::size_t place = wait_any(requests);
    for (std::size_t i = 0; i < open_.size(); ++i) open_[i].request = std::move(requests[i]);
    close(place);
  }

  void finish_all() {
    const auto later =
        std::stable_partition(open_.begin(), open_.end(), [this](const Open& open) { return may_wait_for(open); });
    std::vector<Request> requests;
    for (auto open = open_.begin(); open != later; ++open) requests.push_back(std::move(open->request));
    wait_all(requests);
    for (std::size_t i = 0; i < requests.size(); ++i) open_[i].request = std::move(requests[i]);
    for (std::size_t i = requests.size(); i > 0; --i) close(0);
  }

  const Program& program_;
  Process& self_;
  const Pause& pause_;
  const Step* step_ = nullptr;
  std::vector<std::optional<Group>> groups_;  // by number; those that this process is in and holds
  std::vector<Open> open_;
  std::map<std::size_t, std::pair<Persistent, std::shared_ptr<void>>> prepared_;  // and the Sight<T> of the call
};

}  // namespace

void play(const Program& program, Process& self, const Group& all, const Pause& pause) {
  Player(program, self, all, pause).play();
}

}  // namespace cohort::testing
