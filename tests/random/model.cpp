// SPDX-License-Identifier: Apache-2.0
#include "tests/random/model.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>

#include "cohort/operators.hpp"
#include "groups/hash.hpp"

namespace cohort::testing {
namespace {

constexpr StepNumber untouched = 1'000'000'000;  // no step's number: what buffers hold before

template <class T>
struct Modulus;
template <>
struct Modulus<std::uint8_t> {
  static constexpr std::uint64_t prime = 13, base = 16;
};
template <>
struct Modulus<std::uint64_t> {
  static constexpr std::uint64_t prime = 4'294'967'291, base = std::uint64_t{1} << 32;
};

template <class T>
T combined(Combining combining, T a, T b) {
  switch (combining) {
    case Combining::sum:
    case Combining::own_sum:
      return static_cast<T>(a + b);
    case Combining::maximum:
      return std::max(a, b);
    case Combining::exclusive_or:
      return static_cast<T>(a ^ b);
    case Combining::composition:
      return composed(a, b);
  }
  return a;
}

// The reduction of the contributions of the ranks first ... last-1.
template <class T>
std::vector<T> reduced(const Collective& collective, StepNumber step, const std::vector<Pid>& members, Rank first,
                       Rank last, Count count) {
  std::vector<T> result = contribution<T>(step, members[static_cast<std::size_t>(first)], count);
  for (Rank rank = first + 1; rank < last; ++rank) {
    const std::vector<T> next = contribution<T>(step, members[static_cast<std::size_t>(rank)], count);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = combined(collective.combining, result[i], next[i]);
  }
  return result;
}

// Sizes of blocks, equal or not.
class BlockSizes {
 public:
  BlockSizes(const Collective& collective, Rank ranks) : collective_(collective), ranks_(ranks) {}
  Count of(Rank rank) const { return collective_.counts.empty() ? collective_.count : at(rank); }
  Count between(Rank from, Rank to) const {
    return collective_.counts.empty() ? collective_.count : at(from * ranks_ + to);
  }
  Count before(Rank rank) const {
    Count sum = 0;
    for (Rank other = 0; other < rank; ++other) sum += of(other);
    return sum;
  }
  Count total() const { return before(ranks_); }

 private:
  Count at(Rank place) const { return collective_.counts[static_cast<std::size_t>(place)]; }
  const Collective& collective_;
  Rank ranks_;
};

template <class T>
std::vector<T> part(const std::vector<T>& whole, Count offset, Count count) {
  return {whole.begin() + offset, whole.begin() + offset + count};
}

// Element blocks of one contribution: what `from` has for `to` lies behind what it has for lower ranks.
template <class T>
std::vector<T> block_between(const BlockSizes& sizes, StepNumber step, const std::vector<Pid>& members, Rank from,
                             Rank to) {
  Count offset = 0;
  for (Rank rank = 0; rank < to; ++rank) offset += sizes.between(from, rank);
  const Count count = sizes.between(from, to);
  return part(contribution<T>(step, members[static_cast<std::size_t>(from)], offset + count), offset, count);
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

template <class T>
Sight<T> sight_of_vector(const Collective& c, StepNumber step, const std::vector<Pid>& members, Rank me) {
  const auto ranks = static_cast<Rank>(members.size());
  const Pid pid = members[static_cast<std::size_t>(me)];
  Sight<T> sight{contribution<T>(step, pid, c.count), contribution<T>(untouched, pid, c.count), {}};
  if (c.in_place || c.operation == Operation::bcast) sight.output = std::exchange(sight.input, {});
  sight.result = sight.output;
  switch (c.operation) {
    case Operation::bcast:
      sight.result = contribution<T>(step, members[static_cast<std::size_t>(c.root)], c.count);
      break;
    case Operation::reduce:
      if (me == c.root) sight.result = reduced<T>(c, step, members, 0, ranks, c.count);
      break;
    case Operation::combine:
      sight.result = reduced<T>(c, step, members, 0, ranks, c.count);
      break;
    case Operation::prefix:
      sight.result = reduced<T>(c, step, members, 0, me + 1, c.count);
      break;
    case Operation::exclusive_prefix:
      if (me > 0) sight.result = reduced<T>(c, step, members, 0, me, c.count);
      break;
    default: {  // shift
      const Count source = me - c.distance, around = ((source % ranks) + ranks) % ranks;
      if (c.cyclic || source == around)
        sight.result = contribution<T>(step, members[static_cast<std::size_t>(around)], c.count);
    }
  }
  return sight;
}

template <class T>
Sight<T> sight_of_blocks(const Collective& c, StepNumber step, const std::vector<Pid>& members, Rank me) {
  const auto ranks = static_cast<Rank>(members.size());
  const BlockSizes sizes(c, ranks);
  const auto from = [&](Rank rank, Count count) {
    return contribution<T>(step, members[static_cast<std::size_t>(rank)], count);
  };
  const auto all_blocks = [&] {
    std::vector<T> blocks;
    for (Rank rank = 0; rank < ranks; ++rank) append(blocks, from(rank, sizes.of(rank)));
    return blocks;
  };
  Sight<T> sight;
  switch (c.operation) {
    case Operation::scatter:
      if (me == c.root) sight.input = from(me, sizes.total());
      sight.result = part(from(c.root, sizes.total()), sizes.before(me), sizes.of(me));
      break;
    case Operation::gather:
      sight.input = from(me, sizes.of(me));
      if (me == c.root) sight.result = all_blocks();
      break;
    case Operation::concat:
      sight.input = from(me, sizes.of(me));
      sight.result = all_blocks();
      break;
    case Operation::reduce_scatter:
      sight.input = from(me, sizes.total());
      sight.result = part(reduced<T>(c, step, members, 0, ranks, sizes.total()), sizes.before(me), sizes.of(me));
      break;
    default:  // index
      for (Rank rank = 0; rank < ranks; ++rank) {
        append(sight.input, block_between<T>(sizes, step, members, me, rank));
        append(sight.result, block_between<T>(sizes, step, members, rank, me));
      }
  }
  sight.output = contribution<T>(untouched, members[static_cast<std::size_t>(me)], std::ssize(sight.result));
  if (c.in_place) std::ranges::copy(std::exchange(sight.input, {}), sight.output.begin() + sizes.before(me));
  return sight;
}

bool has_one_vector(Operation operation) {
  constexpr Operation with_blocks[] = {Operation::scatter, Operation::gather, Operation::concat, Operation::index,
                                       Operation::reduce_scatter};
  return std::ranges::find(with_blocks, operation) == std::end(with_blocks);
}

}  // namespace

template <class T>
T composed(T first, T second) {
  constexpr std::uint64_t prime = Modulus<T>::prime, base = Modulus<T>::base;
  const std::uint64_t a = first / base, b = first % base, c = second / base, d = second % base;
  return static_cast<T>(a * c % prime * base + (b * c + d) % prime);
}

template <class T>
std::vector<T> contribution(StepNumber step, Pid pid, Count count) {
  constexpr std::uint64_t prime = Modulus<T>::prime, base = Modulus<T>::base;
  std::uint64_t state = Hash().add(step).add(static_cast<std::uint64_t>(pid)).value();
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) {
    state = state * 6'364'136'223'846'793'005 + 1'442'695'040'888'963'407;
    value = static_cast<T>((1 + (state >> 33) % (prime - 1)) * base + (state >> 20) % prime);
  }
  return values;
}

template <class T>
Sight<T> sight_of(const Collective& collective, StepNumber step, const std::vector<Pid>& members, Rank me) {
  if (collective.operation == Operation::sync) return {};
  return has_one_vector(collective.operation) ? sight_of_vector<T>(collective, step, members, me)
                                              : sight_of_blocks<T>(collective, step, members, me);
}

Rank source_of(const Exchange& exchange, Rank me) {
  return static_cast<Rank>(std::ranges::find(exchange.to, me) - exchange.to.begin());
}

template <class T>
Sight<T> sight_of(const Exchange& exchange, StepNumber step, const std::vector<Pid>& members, Rank me) {
  const auto sent_by = [&](Rank rank) {
    const auto place = static_cast<std::size_t>(rank);
    return contribution<T>(step, members[place], exchange.counts[place]);
  };
  Sight<T> sight{sent_by(me), {}, sent_by(source_of(exchange, me))};
  sight.output = contribution<T>(untouched, members[static_cast<std::size_t>(me)], std::ssize(sight.result));
  return sight;
}

template <class T>
Sight<T> sight_of(const Receive& receive, const std::vector<Pid>& members) {
  Sight<T> sight;
  sight.output = contribution<T>(untouched, members[static_cast<std::size_t>(receive.to)], receive.capacity);
  sight.result = sight.output;
  std::ranges::copy(contribution<T>(receive.met, members[static_cast<std::size_t>(receive.from)], receive.count),
                    sight.result.begin());
  return sight;
}

std::vector<std::vector<Pid>> groups_of(const MakePartition& partition, const std::vector<Pid>& parent) {
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, Pid>>> parts;  // by value: keys and members
  for (std::size_t rank = 0; rank < parent.size(); ++rank)
    parts[partition.values[rank]].emplace_back(partition.keys[rank], parent[rank]);
  std::vector<std::vector<Pid>> groups;
  for (auto& [value, part] : parts) {
    std::ranges::stable_sort(part, {}, &std::pair<std::int64_t, Pid>::first);
    std::vector<Pid>& members = groups.emplace_back();
    for (const auto& [key, pid] : part) members.push_back(pid);
  }
  return groups;
}

std::vector<std::vector<Pid>> groups_of(const MakeSubgrid& subgrid, const std::vector<Pid>& parent) {
  // Where the other coordinates are the same. In a hypercube dimension k is bit k of the rank.
  std::map<std::vector<std::size_t>, std::size_t> numbers;
  std::vector<std::vector<Pid>> groups;
  for (std::size_t rank = 0; rank < parent.size(); ++rank) {
    std::vector<std::size_t> others;
    const auto see = [&](int dimension, std::size_t coordinate) {
      if (std::ranges::find(subgrid.dimensions, dimension) == subgrid.dimensions.end()) others.push_back(coordinate);
    };
    if (subgrid.sides.empty()) {
      for (int bit = 0; std::size_t{1} << bit < parent.size(); ++bit) see(bit, rank >> bit & 1);
    } else {
      std::size_t rest = rank;
      for (auto dimension = std::ssize(subgrid.sides); dimension-- > 0;) {
        const auto side = static_cast<std::size_t>(subgrid.sides[static_cast<std::size_t>(dimension)]);
        see(static_cast<int>(dimension), rest % side);
        rest /= side;
      }
    }
    const auto [number, added] = numbers.try_emplace(std::move(others), groups.size());
    if (added) groups.emplace_back();
    groups[number->second].push_back(parent[rank]);
  }
  return groups;
}

template std::uint8_t composed(std::uint8_t, std::uint8_t);
template std::uint64_t composed(std::uint64_t, std::uint64_t);
template std::vector<std::uint8_t> contribution(StepNumber, Pid, Count);
template std::vector<std::uint64_t> contribution(StepNumber, Pid, Count);
template Sight<std::uint8_t> sight_of(const Collective&, StepNumber, const std::vector<Pid>&, Rank);
template Sight<std::uint64_t> sight_of(const Collective&, StepNumber, const std::vector<Pid>&, Rank);
template Sight<std::uint8_t> sight_of(const Exchange&, StepNumber, const std::vector<Pid>&, Rank);
template Sight<std::uint64_t> sight_of(const Exchange&, StepNumber, const std::vector<Pid>&, Rank);
template Sight<std::uint8_t> sight_of(const Receive&, const std::vector<Pid>&);
template Sight<std::uint64_t> sight_of(const Receive&, const std::vector<Pid>&);

}  // namespace cohort::testing
