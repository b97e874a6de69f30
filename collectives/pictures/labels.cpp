// SPDX-License-Identifier: Apache-2.0
#include "collectives/pictures/labels.hpp"

#include <algorithm>

#include "collectives/pictures/units.hpp"

namespace cohort::pictures {
namespace {

// The label "first–last" if the parts are a run, modulo `of`.
std::string run_label(const std::vector<int>& parts, int of) {
  const std::size_t count = parts.size();
  std::size_t gaps = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const int next = i + 1 < count ? parts[i + 1] : parts[0] + of;
    if (next == parts[i] + 1) continue;
    ++gaps;
    first = (i + 1) % count;
  }
  if (gaps > 1) return {};
  return std::to_string(parts[first]) + "–" + std::to_string(parts[(first + count - 1) % count]);
}

std::size_t letters_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char letter) { return (letter & 0xC0) != 0x80; }));
}

std::string words_for(Meaning meaning, bool several) {
  std::string blocks = several ? "blocks" : "block";
  switch (meaning) {
    case Meaning::piece:
      return blocks;
    case Meaning::destination:
      return blocks + " for";
    case Meaning::origin:
      return blocks + " from";
    case Meaning::operands:
      return several ? "operands of" : "operand of";
    case Meaning::entered:
      return "entered:";
    case Meaning::whole:
      break;
  }
  return {};
}

}  // namespace

std::string short_label(const std::vector<int>& parts, int of, std::size_t letters) {
  if (parts.empty()) return {};
  const auto count = static_cast<int>(parts.size());
  std::vector<std::string> choices;
  if (count == 1) {
    choices = {std::to_string(parts[0])};
  } else {
    if (count == of) choices.emplace_back("all");
    // Writes two numbers only if the two longest would fit, so that messages of one size look alike.
    const bool room = 2 * std::to_string(of - 1).size() + 1 <= letters;
    if (count < of && room) choices.push_back(run_label(parts, of));
    if (count == 2 && room) choices.push_back(std::to_string(parts[0]) + "," + std::to_string(parts[1]));
    choices.push_back("×" + std::to_string(count));
  }
  for (const std::string& choice : choices) {
    if (!choice.empty() && letters_of(choice) <= letters) return choice;
  }
  return {};
}

std::string note(const TracedMessage& message, const Trace& trace, Count element_bytes) {
  std::string text = "round " + std::to_string(message.round) + ": " + std::to_string(message.from) + " to " +
                     std::to_string(message.to);
  if (!message.parts.empty()) {
    text += ", " + words_for(trace.meaning, message.parts.size() > 1) + " ";
    const std::string run = short_label(message.parts, trace.parts, 7);
    if (run.rfind("×", 0) != 0) {
      text += run;
    } else {
      for (const int part : message.parts) text += (text.back() == ' ' ? "" : ",") + std::to_string(part);
    }
  }
  if (message.elements > 0) text += ", " + bytes_text(static_cast<double>(message.elements * element_bytes));
  const TimeUnit unit = time_unit(trace.simulation.seconds);
  return text + ", " + three_digits(message.start / unit.seconds) + "–" + three_digits(message.end / unit.seconds) +
         " " + unit.name;
}

std::string meaning_text(const Trace& trace, const Problem& problem) {
  switch (trace.meaning) {
    case Meaning::whole:
      return "each message carries the whole vector";
    case Meaning::piece:
      return "which block of the vector arrives (of " + std::to_string(trace.parts) + ", " +
             bytes_text(bytes_of(problem) / trace.parts) + " each)";
    case Meaning::destination:
      return "whose blocks arrive: the ranks that they are for";
    case Meaning::origin:
      return "whose blocks arrive: the ranks that they come from";
    case Meaning::operands:
      return "the ranks whose operands arrive, combined";
    case Meaning::entered:
      return "the ranks that are now known to have entered";
  }
  return {};
}

double bytes_of(const Problem& problem) {
  const Count elements = problem.count > 0 ? problem.count : problem.blocks.total();
  return static_cast<double>(elements) * static_cast<double>(problem.element_bytes);
}

std::string problem_text(const Problem& problem, const Trace& trace) {
  std::string text = "p = " + std::to_string(problem.ranks);
  if (!problem.mesh.empty()) {
    text += " (";
    for (const Rank side : problem.mesh) text += (text.back() == '(' ? "" : " × ") + std::to_string(side);
    text += ")";
  }
  if (has_root(problem.operation)) text += ", root " + std::to_string(problem.root);
  if (problem.operation != Operation::sync) text += ", " + bytes_text(bytes_of(problem));
  if (trace.meaning == Meaning::piece) text += " in " + std::to_string(trace.parts) + " blocks";
  if (problem.operation == Operation::shift) text += ", distance " + std::to_string(problem.distance);
  const Count rounds = trace.simulation.cost.rounds;
  text += ": " + std::to_string(rounds) + (rounds == 1 ? " round, " : " rounds, ");
  return text + seconds_text(trace.simulation.seconds);
}

std::string network_text(const Problem& problem, Ports ports) {
  const Network& network = problem.network;
  std::string text = "α = " + seconds_text(network.alpha);
  if (problem.operation != Operation::sync) text += ", β = " + seconds_text(network.beta) + "/byte";
  if (reduces(problem.operation)) text += ", γ = " + seconds_text(network.gamma) + "/byte";
  if (network.latency > 0) text += ", latency " + seconds_text(network.latency);
  return text + (ports == Ports::simplex ? "; a rank sends or receives" : "; a rank sends and receives at once");
}

}  // namespace cohort::pictures
