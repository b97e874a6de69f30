// SPDX-License-Identifier: Apache-2.0
// All-to-all reduction in the fewest rounds, in the operands' order, for any number of ranks. Every rank r knows the
// result of a window of ranks r+1 ... r+s modulo p. In each round it receives the window of the rank right after its
// own window. So s becomes 2s, or 2s + 1 if that rank adds its own operand: the binary digits of p - 1 say which. If
// the window wraps around rank p - 1, the result is kept in two halves. `high` is of the ranks above r, `low` of the
// ranks below. Then low + own + high is in order.
// Cost: ceil(log2 p) rounds; messages of m, or 2m if both halves are sent.
// Source: Bar-Noy, Kipnis and Schieber 1993 (the window; CCL's reference for combine); the two halves are ours.
#include <bit>
#include <utility>

#include "collectives/combine/combine.hpp"
#include "collectives/patterns/slots.hpp"
#include "collectives/peers.hpp"

namespace cohort::combine {
namespace {

// The halves of a rank's window. Every rank can compute the halves of every other rank.
struct Window {
  Rank ranks;
  Rank rank;
  Rank length;
  bool has_high() const { return length > 0 && rank < ranks - 1; }
  bool has_low() const { return rank + std::int64_t{length} >= ranks; }
};

class WrapSplit {
 public:
  WrapSplit(const Problem& problem, Rank me)
      : p_(problem.ranks),
        me_(me),
        count_(problem.count),
        operand_(problem.all(operand_buffer(problem, me))),
        result_(problem.all()),
        high_(schedule_.add_scratch(count_)),
        low_(schedule_.add_scratch(count_)),
        own_and_high_(schedule_.add_scratch(count_)),
        received_(schedule_, 2, count_) {}

  Schedule make() && {
    const auto digits = static_cast<std::uint32_t>(p_ - 1);
    for (int bit = std::bit_width(digits) - 1; bit >= 0; --bit) {
      const bool with_own = (digits >> bit & 1) != 0;
      Round& round = schedule_.add_round();
      send(round, with_own);
      receive(round, with_own);
      length_ = 2 * length_ + (with_own ? 1 : 0);
      const bool next_with_own = bit > 0 && (digits >> (bit - 1) & 1) != 0;
      if (next_with_own && window(me_).has_high()) {
        round.copy(own_and_high_, operand_);
        round.combine_right(own_and_high_, high_);
      }
    }
    finish();
    return std::move(schedule_);
  }

 private:
  Window window(Rank rank) const { return {p_, rank, length_}; }

  void send(Round& round, bool with_own) {
    const Window mine = window(me_);
    Segments parts;
    if (with_own) parts.add(mine.has_high() ? own_and_high_ : operand_);
    if (!with_own && mine.has_high()) parts.add(high_);
    if (mine.has_low()) parts.add(low_);
    round.send(modulo(std::int64_t{me_} - length_ - (with_own ? 1 : 0), p_), parts);
  }

  void receive(Round& round, bool with_own) {
    const Rank from = modulo(std::int64_t{me_} + length_ + (with_own ? 1 : 0), p_);
    const Window theirs = window(from);
    const bool wrapped = from < me_;
    Segments parts;
    const bool has_first = with_own || theirs.has_high();
    // The received window follows mine. If mine has reached the last rank, the first part of the received window
    // extends the half of the ranks below me; otherwise it extends the half of the ranks above me, up to the last rank.
    const Segment& half = wrapped ? low_ : high_;
    const bool half_begun = wrapped ? window(me_).has_low() : window(me_).has_high();
    const Segment first = half_begun ? received_.at(arrivals_++, count_) : half;
    if (has_first) parts.add(first);
    if (theirs.has_low()) parts.add(low_);
    round.receive(from, parts);
    if (has_first && half_begun) round.combine_right(half, first);
  }

  void finish() {
    Round& round = schedule_.add_round();
    if (operand_ != result_) round.copy(result_, operand_);
    if (window(me_).has_low()) round.combine_left(result_, low_);
    if (window(me_).has_high()) round.combine_right(result_, high_);
  }

  Rank p_;
  Rank me_;
  Count count_;
  Schedule schedule_;
  Segment operand_;
  Segment result_;
  Segment high_;
  Segment low_;
  Segment own_and_high_;
  Slots received_;
  Count arrivals_ = 0;
  Rank length_ = 0;  // of every rank's window
};

}  // namespace

Schedule wrap_split(const Problem& problem, Rank me) { return WrapSplit(problem, me).make(); }

Cost wrap_split_cost(const Problem& problem) {
  const Count p = problem.ranks;
  const auto digits = static_cast<std::uint32_t>(p - 1);
  Cost cost;
  Count length = 0;
  for (int bit = std::bit_width(digits) - 1; bit >= 0; --bit) {
    const Count own = digits >> bit & 1;
    const Count next_own = bit > 0 ? digits >> (bit - 1) & 1 : 0;
    // A rank that has both halves sends both (with its own operand the upper one is never empty). `length` ranks have a
    // lower half; all but the last rank have an upper half.
    const bool two = own != 0 ? length >= 1 : length >= 2;
    cost.rounds += 1;
    cost.volume += two ? 2 : 1;
    cost.total += p - 1 + own + length;
    cost.combined += (length > 0 ? 1 : 0) + next_own;
    cost.messages += p;
    length = 2 * length + own;
  }
  cost.combined += p > 2 ? 2 : p - 1;  // own operand and both halves, at the end
  cost.volume *= problem.count;
  cost.total *= problem.count;
  cost.combined *= problem.count;
  return cost;
}

}  // namespace cohort::combine
