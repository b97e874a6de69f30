// SPDX-License-Identifier: Apache-2.0
// The contents of the pictures: a message's contents come from the values that move, and no text covers another.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "collectives/pictures/labels.hpp"
#include "collectives/pictures/plot.hpp"
#include "collectives/pictures/space_time.hpp"
#include "collectives/pictures/svg.hpp"
#include "collectives/pictures/trace.hpp"
#include "collectives/pictures/units.hpp"

namespace cohort::pictures {
namespace {

Problem problem_of(const Algorithm& algorithm, Rank ranks) {
  Problem problem;
  problem.operation = algorithm.operation;
  problem.ranks = ranks;
  problem.element_bytes = 1000;
  problem.count = algorithm.operation == Operation::sync ? 0 : Count{6} * ranks;
  problem.blocks = problem.receive_blocks = Blocks(ranks, algorithm.operation == Operation::sync ? 0 : 6);
  problem.distance = 1;
  for (const Parameter& parameter : algorithm.parameters) {
    if (parameter.name == "blocks") problem.parameters.set("blocks", 6);
  }
  return problem;
}

Trace trace_of(std::string_view name, Rank ranks) {
  const Algorithm& algorithm = *find_algorithm(name);
  return trace(algorithm, problem_of(algorithm, ranks), Ports::duplex);
}

TEST(Trace, PartsAreReadFromWhatMoves) {
  const Trace blocks = trace_of("bcast/circulant", 5);
  EXPECT_EQ(blocks.meaning, Meaning::piece);
  EXPECT_EQ(blocks.parts, 6);
  std::vector<std::set<int>> arrived(5);
  for (const TracedMessage& message : blocks.messages) {
    ASSERT_EQ(message.parts.size(), 1U);
    EXPECT_TRUE(arrived[static_cast<std::size_t>(message.to)].insert(message.parts[0]).second);
  }
  for (std::size_t rank = 1; rank < 5; ++rank) EXPECT_EQ(arrived[rank].size(), 6U);

  EXPECT_EQ(trace_of("bcast/binomial", 5).meaning, Meaning::whole);
  EXPECT_EQ(trace_of("scatter/recursive_split", 5).meaning, Meaning::destination);
  EXPECT_EQ(trace_of("prefix/chain", 5).meaning, Meaning::piece);
}

TEST(Trace, OriginsOperandsAndEntries) {
  for (const TracedMessage& message : trace_of("index/pairwise", 5).messages) {
    EXPECT_EQ(message.parts, std::vector<int>{message.from});
  }
  const Trace prefix = trace_of("prefix/doubling", 8);
  EXPECT_EQ(prefix.meaning, Meaning::operands);
  const TracedMessage& last = prefix.messages.back();
  EXPECT_EQ(last.parts, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_TRUE(last.combined);
  EXPECT_EQ(last.round, 3U);

  const Trace sync = trace_of("sync/dissemination", 8);
  EXPECT_EQ(sync.meaning, Meaning::entered);
  EXPECT_EQ(sync.messages.back().parts.size(), 4U);
  EXPECT_FALSE(sync.messages.back().combined);
}

TEST(Trace, EveryAlgorithmCanBeDrawn) {
  for (const Algorithm& algorithm : registry()) {
    for (const Rank ranks : {1, 2, 6, 8}) {
      const Problem problem = problem_of(algorithm, ranks);
      if (obstacle(algorithm, problem)) continue;
      const std::string svg = space_time(algorithm.name, algorithm, problem, Ports::duplex);
      EXPECT_NE(svg.find("</svg>"), std::string::npos) << algorithm.name;
      EXPECT_EQ(svg.find("nan"), std::string::npos) << algorithm.name;
    }
  }
}

TEST(Trace, WhatIsWrongIsNotDrawn) {
  Algorithm wrong = *find_algorithm("bcast/binomial");
  wrong.schedule = [](const Problem&, Rank) { return Schedule(); };
  EXPECT_ANY_THROW(trace(wrong, problem_of(wrong, 4), Ports::duplex));
}

TEST(Labels, AreShort) {
  EXPECT_EQ(short_label({3}, 8, 5), "3");
  EXPECT_EQ(short_label({2, 3, 4}, 8, 5), "2–4");
  EXPECT_EQ(short_label({0, 1, 6, 7}, 8, 5), "6–1");
  EXPECT_EQ(short_label({0, 4}, 8, 5), "0,4");
  EXPECT_EQ(short_label({0, 2, 5}, 8, 5), "×3");
  EXPECT_EQ(short_label({2, 3, 4}, 32, 4), "×3");
  EXPECT_EQ(short_label({0, 1, 2}, 3, 5), "all");
  EXPECT_EQ(short_label({}, 3, 5), "");
  EXPECT_EQ(short_label({123}, 200, 2), "");
}

TEST(Units, AreWhatPeopleRead) {
  EXPECT_EQ(bytes_text(8), "8 B");
  EXPECT_EQ(bytes_text(1024), "1 KiB");
  EXPECT_EQ(bytes_text(98304), "96 KiB");
  EXPECT_EQ(bytes_text(16777216), "16 MiB");
  EXPECT_EQ(seconds_text(0.0123456), "12.3 ms");
  EXPECT_EQ(seconds_text(50e-6), "50 µs");
  EXPECT_EQ(seconds_text(80e-9), "80 ns");
  EXPECT_EQ(seconds_text(0.2e-9), "0.2 ns");
  EXPECT_EQ(three_digits(0.0999999), "0.1");
  EXPECT_EQ(three_digits(999.9), "1000");
  EXPECT_EQ(three_digits(-2.5), "-2.5");
  EXPECT_EQ(number(3), "3");
  EXPECT_EQ(number(-0.25), "-0.2");
  EXPECT_EQ(number(7.96), "8");
  EXPECT_DOUBLE_EQ(round_step(12.2, 12), 2);
}

std::vector<TimeSeries> many_series() {
  std::vector<TimeSeries> series;
  for (int i = 0; i < 20; ++i) {
    TimeSeries each{"name" + std::to_string(i), {}};
    for (double bytes = 1; bytes < 1e7; bytes *= 2) {
      each.points.push_back({bytes, 1e-6 * (20 - i) + bytes * 1e-9 * (1 + 0.001 * i)});
    }
    series.push_back(each);
  }
  return series;
}

TEST(Plot, NamesDoNotTouch) {
  const std::string svg = plot_times("title\nsubtitle", many_series());
  const std::regex name("<text class=\"n c[0-9]( q)?\" x=\"[0-9.]+\" y=\"([0-9.]+)\">name[0-9]+</text>");
  std::vector<double> places;
  for (std::sregex_iterator it(svg.begin(), svg.end(), name), end; it != end; ++it) {
    places.push_back(std::stod((*it)[2]));
  }
  ASSERT_EQ(places.size(), 40U);  // in the plot of times, and in that of multiples below it
  std::sort(places.begin(), places.end());
  for (std::size_t i = 1; i < places.size(); ++i) EXPECT_GE(places[i] - places[i - 1], 12);
}

TEST(Plot, TellsTheFastest) {
  const std::vector<TimeSeries> series = many_series();
  const std::string svg = plot_times("title", series);
  // For short messages the last of the series, for long ones the first.
  const std::size_t strip = svg.find("<title>name19</title>\n<rect");
  ASSERT_NE(strip, std::string::npos);
  EXPECT_NE(svg.find("<title>name0</title>\n<rect", strip), std::string::npos);
}

TEST(Plot, OddInput) {
  EXPECT_NE(plot_times("title", {}).find("nothing to show"), std::string::npos);
  const std::vector<TimeSeries> one = {{"a & b <c>", {{8, 1e-3}}}, {"empty", {}}, {"zero", {{0, 0}, {16, 0}}}};
  const std::string svg = plot_times("title", one);
  EXPECT_NE(svg.find("a &amp; b &lt;c&gt;"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace cohort::pictures
