// SPDX-License-Identifier: Apache-2.0
// Sleeping and waking, as a model of their shared words: all interleavings of two writers and a reader, step by step.
// The steps are those of SharedTransport and HostMemory::wake(). Each is one operation on one shared word. All but one
// are sequentially consistent, so that an interleaving is all there is. A writer publishes without a barrier: others
// see the record later, at any step, or when the reader executes a barrier for all.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <unordered_set>
#include <vector>

namespace cohort {
namespace {

constexpr int writers = 2;
constexpr int records = 2;  // of each writer

struct Writer {
  enum class Step { publish, look, ring, tell_others } step = Step::publish;
  enum class Life { runs, stopped, dead } life = Life::runs;
  int published = 0;
  int visible = 0;  // of these: others see them
  int read = 0;
  int seen = 0;  // of `asleep`
};

struct State {
  int asleep = 0;
  bool bell = false;
  std::array<Writer, writers> writer;
  enum class Step { read, say, barrier, look, sleep, wake, clear } reader = Step::read;

  bool any_unread() const {
    return std::ranges::any_of(writer, [](const Writer& one) { return one.read < one.visible; });
  }
  // Different for different states.
  std::uint64_t key() const {
    std::uint64_t key = static_cast<std::uint64_t>(reader) * 2 + (bell ? 1 : 0);
    const auto add = [&key](auto value) {
      if (static_cast<std::uint64_t>(value) >= 32) throw std::logic_error("the key has no room for a value");
      key = key * 32 + static_cast<std::uint64_t>(value);
    };
    add(asleep);
    for (const Writer& one : writer) {
      add(static_cast<int>(one.step) * 4 + static_cast<int>(one.life));
      add(one.published * 3 + one.visible);
      add(one.read);
      add(one.seen);
    }
    return key;
  }
};

struct Mistakes {
  bool executes_no_barrier = false;           // the reader looks once more without a barrier for all
  bool looks_before_it_says_so = false;       // the reader looks once more before it says that it sleeps
  bool looks_before_it_publishes = false;     // a writer looks whether the reader sleeps before it publishes
  bool tells_others_before_it_rings = false;  // a writer says that it has rung before it has
};

// The states after one step of a writer, which may also stop for ever or die before any step: then it leaves its
// processor, and what it has written becomes visible. The agent rings for a dead one.
std::vector<State> writer_steps(const State& state, std::size_t number, const Mistakes& mistakes) {
  using Step = Writer::Step;
  const Writer& before = state.writer[number];
  std::vector<State> next;
  if (before.visible < before.published) {
    State seen = state;
    ++seen.writer[number].visible;
    next.push_back(seen);
  }
  if (before.life != Writer::Life::runs || (before.step == Step::publish && before.published == records)) return next;
  State stopped = state;
  stopped.writer[number].visible = before.published;
  stopped.writer[number].life = Writer::Life::stopped;
  next.push_back(stopped);
  State dead = stopped;
  dead.writer[number].life = Writer::Life::dead;
  dead.bell = true;
  next.push_back(dead);

  State s = state;
  Writer& writer = s.writer[number];
  const auto publish = [&] { ++writer.published; };
  const auto look = [&] { writer.seen = s.asleep; };
  const auto tell_others = [&] {
    if (s.asleep == writer.seen) ++s.asleep;
  };
  switch (before.step) {
    case Step::publish:
      mistakes.looks_before_it_publishes ? look() : publish();
      writer.step = Step::look;
      break;
    case Step::look:
      mistakes.looks_before_it_publishes ? publish() : look();
      writer.step = writer.seen % 2 != 0 ? Step::ring : Step::publish;
      break;
    case Step::ring:
      if (mistakes.tells_others_before_it_rings) {
        tell_others();
      } else {
        s.bell = true;
      }
      writer.step = Step::tell_others;
      break;
    case Step::tell_others:
      if (mistakes.tells_others_before_it_rings) {
        s.bell = true;
      } else {
        tell_others();
      }
      writer.step = Step::publish;
      break;
  }
  next.push_back(s);
  return next;
}

std::vector<State> reader_steps(State s, const Mistakes& mistakes) {
  using Step = State::Step;
  const Step first = mistakes.looks_before_it_says_so ? Step::look : Step::say;
  const Step second = mistakes.looks_before_it_says_so ? Step::say : Step::barrier;
  const auto after = [&](Step step) { return step == first ? second : Step::sleep; };
  switch (s.reader) {
    case Step::read:
      s.reader = first;
      for (Writer& writer : s.writer) {
        if (writer.read == writer.visible) continue;
        ++writer.read;
        s.reader = Step::read;
        break;
      }
      return {s};
    case Step::say:
      if (s.asleep % 2 == 0) ++s.asleep;
      s.reader = after(Step::say);
      return {s};
    case Step::barrier:
      for (Writer& writer : s.writer) {
        if (!mistakes.executes_no_barrier) writer.visible = writer.published;
      }
      s.reader = Step::look;
      return {s};
    case Step::look:
      s.reader = s.any_unread() ? Step::wake : after(Step::look);
      return {s};
    case Step::sleep:
      if (!s.bell) return {};
      s.reader = Step::wake;
      return {s};
    case Step::wake:
      if (s.asleep % 2 != 0) ++s.asleep;
      s.reader = Step::clear;
      return {s};
    case Step::clear:
      s.bell = false;
      s.reader = Step::read;
      return {s};
  }
  return {};
}

// A record that waits for ever, although the process that has sent it has done all its steps, or is dead.
bool waits_in_vain(const State& s) {
  return std::ranges::any_of(s.writer, [](const Writer& one) {
    const bool done = one.life == Writer::Life::dead || one.step == Writer::Step::publish;
    return done && one.read < one.published;
  });
}

// Visits all states. Returns how many there are, and whether a record waits in vain in one of them.
struct Outcome {
  std::size_t states = 0;
  bool in_vain = false;
};
Outcome explore(const Mistakes& mistakes) {
  std::unordered_set<std::uint64_t> seen{State{}.key()};
  std::vector<State> open{State{}};
  Outcome outcome;
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    std::vector<State> next = reader_steps(state, mistakes);
    for (std::size_t number = 0; number < writers; ++number) {
      const std::vector<State> steps = writer_steps(state, number, mistakes);
      next.insert(next.end(), steps.begin(), steps.end());
    }
    outcome.in_vain |= next.empty() && waits_in_vain(state);
    for (const State& one : next) {
      if (seen.insert(one.key()).second) open.push_back(one);
    }
  }
  outcome.states = seen.size();
  return outcome;
}

TEST(SleepModel, NoInterleavingLeavesARecordToASleeper) {
  const Outcome outcome = explore({});
  EXPECT_FALSE(outcome.in_vain);
  EXPECT_GT(outcome.states, 1000u);
}

// The model shows mistakes.
TEST(SleepModel, TheOrderOfTheStepsMatters) {
  EXPECT_TRUE(explore({.executes_no_barrier = true}).in_vain);
  EXPECT_TRUE(explore({.looks_before_it_says_so = true}).in_vain);
  EXPECT_TRUE(explore({.looks_before_it_publishes = true}).in_vain);
  EXPECT_TRUE(explore({.tells_others_before_it_rings = true}).in_vain);
}

}  // namespace
}  // namespace cohort
