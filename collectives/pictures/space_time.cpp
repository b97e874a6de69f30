// SPDX-License-Identifier: Apache-2.0
#include "collectives/pictures/space_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "collectives/pictures/labels.hpp"
#include "collectives/pictures/palette.hpp"
#include "collectives/pictures/svg.hpp"
#include "collectives/pictures/units.hpp"

namespace cohort::pictures {
namespace {

constexpr double bead_radius = 8;
constexpr double dot_radius = 3.5;
constexpr double ring = 2.2;             // around the bead of a message that is combined
constexpr double least_step = 26;        // pixels a round, if there are many rounds
constexpr double letter_size = 10;       // in beads
constexpr std::size_t most_strands = 6;  // more are drawn as one grey band

std::string space_time_style() {
  std::string css{typeface};
  css +=
      ".t{font-size:18px;font-weight:700}.u{font-size:12px;fill:#555}.a{font-size:11px;fill:#666}"
      ".e{text-anchor:end}.m{text-anchor:middle}.h{font-size:12px;font-weight:700;text-anchor:middle}"
      ".w{fill:#fff}.g{stroke:#e3e3e3;fill:none}.l{stroke:#c9ced4;stroke-width:1.5;fill:none}"
      ".b{fill:#f4f6f8}.r{fill:#222}.n{fill:#fff;stroke:#889;stroke-width:1.2}"
      ".k{font-size:10px;text-anchor:middle;fill:#fff;font-weight:700}.o{fill:#fff;stroke:#111;stroke-width:1.4}.z0{"
      "stroke-width:.8}.z1{stroke-width:1.5}.z2{stroke-width:2.2}.z3{stroke-width:6;stroke-opacity:.4}\n";
  for (int i = 0; i < kinds_count; ++i) {
    const std::string colour(kinds[i]);
    css += ".c" + std::to_string(i) + "{fill:" + colour + "}.s" + std::to_string(i) + "{stroke:" + colour + "}";
  }
  for (int i = 0; i < amounts_count; ++i) {
    const std::string colour(amounts[i]);
    css += ".d" + std::to_string(i) + "{fill:" + colour + "}.p" + std::to_string(i) + "{stroke:" + colour + "}";
  }
  return css + "\n.x{fill:#555}.y{stroke:#555}\n";
}

// The least time between two messages that arrive at the same rank or leave it.
double least_gap(const Trace& trace, Rank ranks) {
  std::vector<std::vector<double>> times(static_cast<std::size_t>(ranks));
  for (const TracedMessage& message : trace.messages)
    times[static_cast<std::size_t>(message.to)].push_back(message.end);
  double least = trace.simulation.seconds;
  for (std::vector<double>& of_rank : times) {
    std::sort(of_rank.begin(), of_rank.end());
    for (std::size_t i = 1; i < of_rank.size(); ++i) least = std::min(least, of_rank[i] - of_rank[i - 1]);
  }
  for (const TracedMessage& message : trace.messages) least = std::min(least, message.end - message.start);
  return least;
}

struct RoundSpan {
  double start = std::numeric_limits<double>::infinity();
  double end = 0;
};

class Picture {
 public:
  Picture(const Problem& problem, const Trace& trace)
      : problem_(problem),
        trace_(trace),
        column_(problem.ranks <= 8    ? 72
                : problem.ranks <= 12 ? 56
                : problem.ranks <= 16 ? 46
                : problem.ranks <= 24 ? 36
                                      : 30),
        width_(std::max(660.0, column_ * problem.ranks + 130)),
        left_(70 + (width_ - 130 - column_ * problem.ranks) / 2 + column_ / 2),
        top_(legend_lines() * 19 + 110) {
    const double seconds = std::max(trace.simulation.seconds, 1e-12);
    const double gap = least_gap(trace, problem.ranks);
    // Makes room for beads one above the other, and for visible slopes, unless the picture becomes too long.
    const auto rounds = static_cast<double>(std::max<Count>(trace.simulation.cost.rounds, 1));
    const double for_gap = std::clamp(480 / rounds, least_step, 64.0);
    const double wanted = gap > 0 ? seconds * for_gap / gap : 0;
    height_ = std::clamp(wanted, std::min(240.0, 90 * rounds), std::max(540.0, least_step * rounds));
    scale_ = height_ / seconds;
    has_labels_ = gap * scale_ >= 2 * bead_radius + 1 && trace.meaning != Meaning::whole;
  }

  std::string draw(std::string_view name, Ports ports) && {
    Svg svg(width_, top_ + height_ + 26, space_time_style());
    draw_rounds(svg);
    draw_axis(svg);
    draw_title(svg, name, ports);
    for (Rank rank = 0; rank < problem_.ranks; ++rank) {
      svg.line({x(rank), top_ - 14}, {x(rank), top_ + height_ + 8}, "l");
    }
    for (const TracedMessage& message : trace_.messages) draw_line(svg, message);
    for (const TracedMessage& message : trace_.messages) draw_bead(svg, message);
    draw_ranks(svg);
    return std::move(svg).str();
  }

 private:
  double x(Rank rank) const { return left_ + column_ * rank; }
  double y(double seconds) const { return top_ + seconds * scale_; }

  bool any_combined() const {
    return std::ranges::any_of(trace_.messages, [](const TracedMessage& message) { return message.combined; });
  }
  int legend_lines() const { return any_combined() ? 2 : 1; }
  bool by_amount() const { return trace_.meaning == Meaning::operands || trace_.meaning == Meaning::entered; }

  // The suffix of the class for a colour: "s3" strokes and "c3" fills with it.
  std::string colour(std::string_view kind_prefix, std::string_view amount_prefix, const TracedMessage& message) const {
    if (trace_.meaning == Meaning::whole) return std::string(kind_prefix) + "0";
    if (by_amount()) {
      return std::string(amount_prefix) +
             std::to_string(amount_index(static_cast<Count>(message.parts.size()), trace_.parts));
    }
    return std::string(kind_prefix) + std::to_string(message.parts.front() % kinds_count);
  }

  void draw_title(Svg& svg, std::string_view name, Ports ports) const {
    svg.text({24, 32}, name, "t");
    svg.text({24, 52}, problem_text(problem_, trace_), "u");
    svg.text({24, 69}, network_text(problem_, ports), "u");
    const double line = 90;
    std::string meaning = meaning_text(trace_, problem_);
    if (has_labels_ && trace_.meaning != Meaning::whole) meaning = "number and colour: " + meaning;
    if (!has_labels_ && trace_.meaning != Meaning::whole) meaning = "colour: " + meaning;
    if (by_amount()) meaning += "; darker: more of them";
    if (!by_amount() && trace_.parts > kinds_count) meaning += "; colours repeat";
    const int shown = trace_.meaning == Meaning::whole ? 1
                      : by_amount()                    ? amounts_count
                                                       : std::min(trace_.parts, kinds_count);
    for (int i = 0; i < shown; ++i)
      svg.circle({30 + 11.0 * i, line - 4}, 4.5, (by_amount() ? "d" : "c") + std::to_string(i));
    svg.text({30 + 11.0 * shown, line}, meaning, "u");
    if (any_combined()) {
      svg.circle({30, line + 15}, 5.5, "o");
      svg.circle({30, line + 15}, 3.3, "x");
      svg.text({41, line + 19}, "ring: combined with what the receiver has", "u");
    }
  }

  // Shades every other round and numbers them, if rounds do not overlap in time.
  void draw_rounds(Svg& svg) const {
    std::map<std::size_t, RoundSpan> rounds;
    for (const TracedMessage& message : trace_.messages) {
      RoundSpan& span = rounds[message.round];
      span.start = std::min(span.start, message.start);
      span.end = std::max(span.end, message.end);
    }
    double last_end = 0;
    for (const auto& [round, span] : rounds) {
      if (span.start < last_end - 0.02 * (span.end - span.start)) return;
      last_end = span.end;
    }
    if (rounds.empty()) return;
    const double edge = x(problem_.ranks - 1) + column_ / 2;
    const double first = x(0) - column_ / 2;
    svg.text({edge + 26, top_ - 14}, "round", "a m");
    double last_label = 0;
    for (const auto& [round, span] : rounds) {
      if (round % 2 == 1)
        svg.rectangle({first, y(span.start)}, {edge - first + 52, y(span.end) - y(span.start)}, 0, "b");
      const double middle = y((span.start + span.end) / 2) + 4;
      if (middle - last_label < 11) continue;
      svg.text({edge + 26, middle}, std::to_string(round), "a m");
      last_label = middle;
    }
  }

  void draw_axis(Svg& svg) const {
    const double seconds = trace_.simulation.seconds;
    const TimeUnit unit = time_unit(seconds);
    const double first = x(0) - column_ / 2;
    svg.text({first - 8, top_ - 14}, unit.name, "a e");
    if (!(seconds > 0)) return;
    const double step = round_step(seconds, std::max(2, static_cast<int>(height_ / 40)));
    const int steps = static_cast<int>(seconds / step + 1e-9);
    for (int i = 0; i <= steps; ++i) {
      const double at = y(i * step);
      svg.line({first - 4, at}, {x(problem_.ranks - 1) + column_ / 2, at}, "g");
      svg.text({first - 8, at + 4}, three_digits(i * step / unit.seconds), "a e");
    }
  }

  void draw_ranks(Svg& svg) const {
    for (Rank rank = 0; rank < problem_.ranks; ++rank) {
      const bool is_root = has_root(problem_.operation) && rank == problem_.root;
      svg.rectangle({x(rank) - 12, top_ - 30}, {24, 18}, 5, is_root ? "r" : "n");
      svg.text({x(rank), top_ - 17}, std::to_string(rank), is_root ? "h w" : "h");
    }
  }

  // Draws one strand for each part of the message, side by side.
  void draw_line(Svg& svg, const TracedMessage& message) const {
    const Point from{x(message.from), y(message.start)};
    const Point to{x(message.to), y(message.end)};
    const std::size_t strands = by_amount() || trace_.meaning == Meaning::whole ? 1 : message.parts.size();
    const bool thin = problem_.ranks > 16;
    if (strands <= 1) return svg.line(from, to, colour("s", "p", message) + (thin ? " z1" : " z2"));
    if (strands > most_strands) return svg.line(from, to, "y z3");
    const double room = thin ? 6 : 9;
    const double gap = std::min(2.2, room / static_cast<double>(strands));
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    for (std::size_t i = 0; i < strands; ++i) {
      const double offset = (static_cast<double>(i) - static_cast<double>(strands - 1) / 2) * gap;
      const double dx = -(to.y - from.y) / length * offset;
      const double dy = (to.x - from.x) / length * offset;
      svg.line({from.x + dx, from.y + dy}, {to.x + dx, to.y + dy},
               "s" + std::to_string(message.parts[i] % kinds_count) + " z" + (gap < 1.2 ? "0" : "1"));
    }
  }

  static void pill(Svg& svg, Point centre, double width, double radius, std::string_view look) {
    if (width <= 2 * radius) return svg.circle(centre, radius, look);
    svg.rectangle({centre.x - width / 2, centre.y - radius}, {width, 2 * radius}, radius, look);
  }

  void draw_bead(Svg& svg, const TracedMessage& message) const {
    const Point at{x(message.to), y(message.end)};
    const bool many = !by_amount() && message.parts.size() > 1;
    const std::string look = many ? "x" : colour("c", "d", message);
    const auto letters = static_cast<std::size_t>((column_ - 12) / (0.6 * letter_size));
    const std::string label = has_labels_ ? short_label(message.parts, trace_.parts, letters) : "";
    svg.begin_note(note(message, trace_, problem_.element_bytes));
    const double radius = label.empty() ? dot_radius : bead_radius;
    const double width = label.empty() ? 2 * radius : std::max(2 * radius, text_width(label, letter_size) + 8);
    if (message.combined) pill(svg, at, width + 2 * ring, radius + ring, "o");
    pill(svg, at, width, radius, look);
    if (!label.empty()) svg.text({at.x, at.y + 3.6}, label, "k");
    svg.end_note();
  }

  const Problem& problem_;
  const Trace& trace_;
  double column_;
  double width_;
  double left_;
  double top_;
  double height_ = 0;
  double scale_ = 1;  // pixels a second
  bool has_labels_ = false;
};

}  // namespace

std::string space_time(std::string_view name, const Algorithm& algorithm, const Problem& problem, Ports ports) {
  const Trace traced = trace(algorithm, problem, ports);
  return Picture(problem, traced).draw(name, ports);
}

}  // namespace cohort::pictures
