// SPDX-License-Identifier: Apache-2.0
// A process of a soak: random collectives by random algorithms, on all processes, on rows and on columns of them, each
// result checked, and after each loss the survivors' groups, until the time is over.
//
//   soak_probe SECONDS SEED
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <random>
#include <vector>

#include "cohort/cohort.hpp"
#include "collectives/registry.hpp"

namespace {

using cohort::Group;
using cohort::Rank;
using Clock = std::chrono::steady_clock;
using Values = std::vector<std::int64_t>;

// One call: the same at all members, who draw it from the same seed. What a rank gives is told by pid and place, so
// that every result shows whose it is.
class Call {
 public:
  Call(const Group& group, std::uint64_t seed, std::int64_t number)
      : random_(seed + static_cast<std::uint64_t>(number)),
        number_(number),
        members_(group.members()),
        p_(members_.size()),
        me_(static_cast<std::size_t>(group.rank())),
        size_(drawn_size()),
        root_(random_() % p_),
        algorithm_(cohort::registry()[random_() % cohort::registry().size()]),
        group_(group.by(algorithm_.name)) {}

  // False where the algorithm can't do it: the same at all members.
  bool play() {
    try {
      play(algorithm_.operation);
      return true;
    } catch (const cohort::Error& error) {
      if (error.code() != cohort::ErrorCode::argument) throw;
      return false;
    }
  }

 private:
  using Count = std::size_t;

  Count drawn_size() {
    const Count bound = Count{1} << random_() % 14;
    return bound + random_() % bound;
  }

  std::int64_t value(Count rank, Count place) const {
    return members_[rank] * 1'000'003 + static_cast<std::int64_t>(place) * 31 + number_;
  }
  Values given(Count rank, Count size) const {
    Values values(size);
    for (Count i = 0; i < size; ++i) values[i] = value(rank, i);
    return values;
  }
  Values sum_of(Count first, Count last, Count size) const {
    Values values(size);
    for (Count rank = first; rank < last; ++rank) {
      for (Count i = 0; i < size; ++i) values[i] += value(rank, i);
    }
    return values;
  }
  // Block `block` of each rank's vector, or each rank's vector, one behind the other.
  Values collected(const std::function<Values(Count rank)>& of) const {
    Values all;
    for (Count rank = 0; rank < p_; ++rank) {
      const Values part = of(rank);
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
  Values block(const Values& all, Count which) const {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(which * size_);
    return {begin, begin + static_cast<std::ptrdiff_t>(size_)};
  }

  void expect(const Values& got, const Values& right) const {
    if (got == right) return;
    std::cout << "wrong: " << algorithm_.name << " #" << number_ << " of " << size_ << " elements on " << p_
              << " ranks at rank " << me_ << std::endl;
    std::_Exit(9);
  }

  void play(cohort::Operation operation) {
    using enum cohort::Operation;
    const auto root = static_cast<Rank>(root_);
    const Values mine = given(me_, size_), mine_for_each = given(me_, size_ * p_);
    Values vector(size_), blocks(size_ * p_);
    switch (operation) {
      case bcast:
        vector = mine;
        group_.bcast(vector, root);
        return expect(vector, given(root_, size_));
      case reduce:
        group_.reduce(mine, vector, cohort::sum, root);
        return expect(vector, me_ == root_ ? sum_of(0, p_, size_) : Values(size_));
      case combine:
        group_.combine(mine, vector, cohort::sum);
        return expect(vector, sum_of(0, p_, size_));
      case prefix:
        group_.prefix(mine, vector, cohort::sum);
        return expect(vector, sum_of(0, me_ + 1, size_));
      case exclusive_prefix:
        group_.exclusive_prefix(mine, vector, cohort::sum);
        return expect(vector, sum_of(0, me_, size_));
      case scatter:
        group_.scatter(mine_for_each, vector, root);
        return expect(vector, block(given(root_, size_ * p_), me_));
      case gather:
        group_.gather(mine, blocks, root);
        return expect(blocks,
                      me_ == root_ ? collected([&](Count rank) { return given(rank, size_); }) : Values(size_ * p_));
      case concat:
        group_.concat(mine, blocks);
        return expect(blocks, collected([&](Count rank) { return given(rank, size_); }));
      case index:
        group_.index(mine_for_each, blocks);
        return expect(blocks, collected([&](Count rank) { return block(given(rank, size_ * p_), me_); }));
      case reduce_scatter:
        group_.reduce_scatter(mine_for_each, vector, cohort::sum);
        return expect(vector, block(sum_of(0, p_, size_ * p_), me_));
      case shift:
        group_.shift(mine, vector, 1);
        return expect(vector, given((me_ + p_ - 1) % p_, size_));
      default:
        return group_.sync();
    }
  }

  std::mt19937_64 random_;
  const std::int64_t number_;
  const std::vector<cohort::Pid> members_;
  const Count p_, me_, size_, root_;
  const cohort::Algorithm& algorithm_;
  const Group group_;
};

struct Groups {
  static constexpr Rank width = 3;

  void part() {
    row = all.partition(all.rank() / width);
    column = all.partition(all.rank() % width);
  }
  const Group& of_call(std::int64_t number) const { return number % 4 == 1 ? row : number % 4 == 3 ? column : all; }

  Group all, row = all, column = all;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const double seconds = std::atof(argv[1]);
  const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  const cohort::Process self = cohort::join();
  const Clock::time_point begin = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  Groups groups{self.all()};
  std::int64_t played = 0, number = 0;
  int losses = 0;
  bool parted = false;
  for (;;) {
    try {
      if (!parted) {
        if (losses > 0) groups.all = groups.all.survivors();
        groups.part();
        number = groups.all.combine(number, cohort::maximum);  // some had more calls behind them
        parted = true;
      }
      if (number % 16 == 0 && groups.all.combine(elapsed(), cohort::maximum) > seconds) break;
      if (Call(groups.of_call(number), seed, number).play()) ++played;
      ++number;
    } catch (const cohort::Error& error) {
      if (error.code() != cohort::ErrorCode::peer_lost) throw;
      parted = false;
      ++losses;
    }
  }
  std::cout << "rank " << self.pid() << " ends: " << played << " calls, " << losses << " failed" << std::endl;
}
