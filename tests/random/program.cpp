// SPDX-License-Identifier: Apache-2.0
#include "tests/random/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace cohort::testing {
namespace {

std::string_view name_of(Form form) {
  constexpr std::string_view names[] = {"", "start_", "prepare_"};
  return names[static_cast<std::size_t>(form)];
}
std::string_view name_of(Combining combining) {
  constexpr std::string_view names[] = {"sum", "maximum", "exclusive or", "own sum", "composition"};
  return names[static_cast<std::size_t>(combining)];
}
std::string_view name_of(Finish::How how) {
  constexpr std::string_view names[] = {"waits for one", "waits for any", "waits for all", "tests one"};
  return names[static_cast<std::size_t>(how)];
}
std::string_view elements(bool wide) { return wide ? "words" : "bytes"; }

// One line for each kind of step.
class Line {
 public:
  explicit Line(const Program& program) : program_(program) {}

  std::string operator()(const MakeList& list) const { return fmt::format("group({})", group(list.made)); }
  std::string operator()(const MakePartition& partition) const {
    return fmt::format("g{}.partition(values {}, keys {}): {}", partition.parent, fmt::join(partition.values, " "),
                       fmt::join(partition.keys, " "), groups(partition.made));
  }
  std::string operator()(const MakeSubrange& subrange) const {
    return fmt::format("g{}.subrange(first {}, stride {}): {}", subrange.parent, subrange.first, subrange.stride,
                       group(subrange.made));
  }
  std::string operator()(const MakeSubgrid& subgrid) const {
    const std::string shape =
        subgrid.sides.empty() ? "hypercube" : fmt::format("grid({})", fmt::join(subgrid.sides, " x "));
    return fmt::format("g{}.{}.subgrid(dimensions {}): {}", subgrid.parent, shape, fmt::join(subgrid.dimensions, " "),
                       groups(subgrid.made));
  }
  std::string operator()(const LetGo& let_go) const { return fmt::format("all let go of g{}", let_go.group); }
  std::string operator()(const Collective& c) const {
    std::string text = fmt::format("g{}.{}{}", c.group, name_of(c.form), cohort::name_of(c.operation));
    text += c.counts.empty() ? fmt::format(" of {} {}", c.count, elements(c.wide))
                             : fmt::format(" of {} {}", fmt::join(c.counts, " "), elements(c.wide));
    text += fmt::format(", root {}, {}, distance {}{}{}", c.root, name_of(c.combining), c.distance,
                        c.cyclic ? "" : " without wrap-around", c.in_place ? ", in place" : "");
    if (!c.algorithm.empty()) text += ", by " + c.algorithm;
    if (c.form == Form::prepared) text += fmt::format(", call {}", c.call);
    return text;
  }
  std::string operator()(const Send& send) const {
    return fmt::format("g{}: {} {}send to {} tag {} of {} {}, received in step {}", send.group, who(send, send.from),
                       name_of(send.form), send.to, fmt::underlying(send.tag), send.count, elements(send.wide),
                       send.met);
  }
  std::string operator()(const Receive& receive) const {
    return fmt::format("g{}: {} {}receive from {} tag {} of up to {} {}: {} of step {}", receive.group,
                       who(receive, receive.to), name_of(receive.form), receive.from, fmt::underlying(receive.tag),
                       receive.capacity, elements(receive.wide), receive.count, receive.met);
  }
  std::string operator()(const Exchange& exchange) const {
    return fmt::format("g{}: {}exchange, ranks send to {} tag {} of {} {}", exchange.group, name_of(exchange.form),
                       fmt::join(exchange.to, " "), fmt::underlying(exchange.tag), fmt::join(exchange.counts, " "),
                       elements(exchange.wide));
  }
  std::string operator()(const FanIn& fan_in) const {
    return fmt::format("g{}: {} receives from any tag {}, all others {}send {} {}", fan_in.group,
                       who(fan_in, fan_in.to), fmt::underlying(fan_in.tag), name_of(fan_in.form),
                       fmt::join(fan_in.counts, " "), elements(fan_in.wide));
  }
  std::string operator()(const Finish& finish) const {
    return fmt::format("pid {} {} ({})", finish.pid, name_of(finish.how), finish.which);
  }
  std::string operator()(const Compute& compute) const {
    return fmt::format("pid {} computes for {} us", compute.pid, compute.microseconds);
  }

 private:
  std::string group(GroupNumber number) const {
    return fmt::format("g{} = pids {}", number, fmt::join(program_.groups[number], " "));
  }
  std::string groups(const std::vector<GroupNumber>& numbers) const {
    std::string text;
    for (const GroupNumber number : numbers) text += (text.empty() ? "" : "; ") + group(number);
    return text;
  }
  template <class Half>
  std::string who(const Half& half, Rank rank) const {
    return fmt::format("rank {} (pid {})", rank, program_.groups[half.group][static_cast<std::size_t>(rank)]);
  }

  const Program& program_;
};

// The steps without which one makes no sense.
bool lost_its_ground(const Step& step, const std::set<StepNumber>& steps, const std::set<GroupNumber>& groups) {
  return std::visit(
      [&](const auto& what) {
        if constexpr (requires { what.met; }) {
          return !steps.contains(what.met) || !groups.contains(what.group);
        } else if constexpr (requires { what.group; }) {
          return !groups.contains(what.group);
        } else if constexpr (requires { what.parent; }) {
          return !groups.contains(what.parent);
        } else {
          return false;
        }
      },
      step.what);
}

std::set<GroupNumber> groups_in(const std::vector<Step>& steps) {
  std::set<GroupNumber> groups{0};
  for (const Step& step : steps) {
    if (const auto* list = std::get_if<MakeList>(&step.what)) groups.insert(list->made);
    if (const auto* subrange = std::get_if<MakeSubrange>(&step.what)) groups.insert(subrange->made);
    if (const auto* partition = std::get_if<MakePartition>(&step.what))
      groups.insert(partition->made.begin(), partition->made.end());
    if (const auto* subgrid = std::get_if<MakeSubgrid>(&step.what))
      groups.insert(subgrid->made.begin(), subgrid->made.end());
  }
  return groups;
}

}  // namespace

Program without(const Program& program, const std::function<bool(const Step&)>& dropped) {
  Program rest = program;
  std::size_t before = 0;
  std::erase_if(rest.steps, dropped);
  while (before != rest.steps.size()) {
    before = rest.steps.size();
    std::set<StepNumber> steps;
    for (const Step& step : rest.steps) steps.insert(step.number);
    const std::set<GroupNumber> groups = groups_in(rest.steps);
    std::erase_if(rest.steps, [&](const Step& step) { return lost_its_ground(step, steps, groups); });
  }
  return rest;
}

std::string to_string(const Program& program, const Step& step) {
  return fmt::format("{}: {}", step.number, std::visit(Line(program), step.what));
}

std::string to_string(const Program& program) {
  std::string text = fmt::format("{} processes; g0 = all\n", program.processes);
  for (const Step& step : program.steps) text += to_string(program, step) + "\n";
  return text;
}

}  // namespace cohort::testing
