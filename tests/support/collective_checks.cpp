// SPDX-License-Identifier: Apache-2.0
// Checks through the public API; what a rank expects it works out for itself.
#include "tests/support/collective_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace cohort::testing {
namespace {

using Values = std::vector<std::int64_t>;

// Element i of rank r's vector in round `salt`.
std::int64_t element(Rank rank, Count i, std::int64_t salt = 0) { return 1 + rank * 1'000 + i * 7 + salt * 13; }

Values vector_of(Rank rank, Count size, std::int64_t salt = 0) {
  Values values(static_cast<std::size_t>(size));
  for (Count i = 0; i < size; ++i) values[static_cast<std::size_t>(i)] = element(rank, i, salt);
  return values;
}

// Composition of affine maps x -> a x + b modulo a prime: associative, and the order of the operands shows.
struct Affine {
  std::uint64_t a = 1;
  std::uint64_t b = 0;
  friend bool operator==(const Affine&, const Affine&) = default;
};
constexpr std::uint64_t prime = 1'000'003;
Affine compose(const Affine& f, const Affine& g) { return {f.a * g.a % prime, (g.a * f.b + g.b) % prime}; }
Affine map_of(Rank rank, Count i) {
  return {static_cast<std::uint64_t>(2 + rank * 31 + i), static_cast<std::uint64_t>(3 + rank * 17 + i * 5)};
}
const auto in_order = ordered([](const Affine& f, const Affine& g) { return compose(f, g); });

std::vector<Affine> maps_of(Rank rank, Count size) {
  std::vector<Affine> maps;
  for (Count i = 0; i < size; ++i) maps.push_back(map_of(rank, i));
  return maps;
}
std::vector<Affine> composed(Rank first, Rank last, Count size) {
  std::vector<Affine> maps(static_cast<std::size_t>(size));
  for (Rank rank = first; rank < last; ++rank) {
    for (Count i = 0; i < size; ++i)
      maps[static_cast<std::size_t>(i)] = compose(maps[static_cast<std::size_t>(i)], map_of(rank, i));
  }
  return maps;
}

std::vector<Count> uneven(Rank ranks, Count size) {
  std::vector<Count> counts;
  for (Rank rank = 0; rank < ranks; ++rank) counts.push_back(rank % 3 == 1 ? 0 : size + rank);
  return counts;
}

Values concatenated(const std::vector<Values>& parts) {
  Values all;
  for (const Values& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// 100,000 elements are more than goes out unasked, if not in jobs of their own.
std::vector<Count> sizes(const Group& all) { return {0, 1, all.size() - 1, all.size() + 1, 100'000}; }

void bcast(const Group& all) {
  for (Rank root = 0; root < all.size(); ++root) {
    for (const Count size : sizes(all)) {
      Values data = all.rank() == root ? vector_of(root, size, root) : Values(static_cast<std::size_t>(size));
      all.bcast(data, root);
      ASSERT_EQ(data, vector_of(root, size, root)) << "root " << root << " size " << size;
    }
  }
}

void reduce_keeps_order(const Group& all) {
  for (Rank root = 0; root < all.size(); ++root) {
    for (const Count size : sizes(all)) {
      const std::vector<Affine> in = maps_of(all.rank(), size);
      std::vector<Affine> out(all.rank() == root ? in.size() : 0);
      all.reduce(in, out, in_order, root);
      if (all.rank() == root) {
        ASSERT_EQ(out, composed(0, all.size(), size)) << "root " << root << " size " << size;
      }
    }
  }
}

void reduce_in_place_and_commutative(const Group& all) {
  for (const Count size : sizes(all)) {
    Values data = vector_of(all.rank(), size);
    const Rank root = all.size() - 1;
    all.reduce(in_place(data), sum, root);
    for (Count i = 0; i < size; ++i) {
      std::int64_t wanted = 0;
      for (Rank rank = 0; rank < all.size(); ++rank) wanted += element(rank, i);
      ASSERT_EQ(data[static_cast<std::size_t>(i)], all.rank() == root ? wanted : element(all.rank(), i));
    }
  }
}

void combine(const Group& all) {
  for (const Count size : sizes(all)) {
    std::vector<Affine> out(static_cast<std::size_t>(size));
    all.combine(maps_of(all.rank(), size), out, in_order);
    ASSERT_EQ(out, composed(0, all.size(), size)) << "size " << size;

    Values data = vector_of(all.rank(), size);
    all.combine(in_place(data), maximum);
    ASSERT_EQ(data, vector_of(all.size() - 1, size));
  }
}

void scatter_and_gather(const Group& all) {
  for (Rank root = 0; root < all.size(); ++root) {
    for (const Count size : {Count{0}, Count{1}, Count{3}, Count{20'000}}) {
      const std::vector<Count> counts = uneven(all.size(), size);
      std::vector<Values> equal, by_rank;
      for (Rank rank = 0; rank < all.size(); ++rank) {
        equal.push_back(vector_of(rank, size));
        by_rank.push_back(vector_of(rank, counts[static_cast<std::size_t>(rank)]));
      }
      const bool is_root = all.rank() == root;
      Values mine(static_cast<std::size_t>(size));
      all.scatter(is_root ? concatenated(equal) : Values{}, mine, root);
      ASSERT_EQ(mine, vector_of(all.rank(), size));
      Values everything(is_root ? concatenated(equal).size() : 0);
      all.gather(mine, everything, root);
      if (is_root) {
        ASSERT_EQ(everything, concatenated(equal));
      }

      mine.resize(static_cast<std::size_t>(counts[static_cast<std::size_t>(all.rank())]));
      all.scatter(is_root ? concatenated(by_rank) : Values{}, counts, mine, root);
      ASSERT_EQ(mine, by_rank[static_cast<std::size_t>(all.rank())]);
      everything.resize(is_root ? concatenated(by_rank).size() : 0);
      all.gather(mine, everything, counts, root);
      if (is_root) {
        ASSERT_EQ(everything, concatenated(by_rank));
      }
    }
  }
}

void concat(const Group& all) {
  for (const Count size : {Count{0}, Count{1}, Count{3}, Count{40'000}}) {
    const std::vector<Count> counts = uneven(all.size(), size);
    std::vector<Values> equal, by_rank;
    for (Rank rank = 0; rank < all.size(); ++rank) {
      equal.push_back(vector_of(rank, size));
      by_rank.push_back(vector_of(rank, counts[static_cast<std::size_t>(rank)]));
    }
    const auto me = static_cast<std::size_t>(all.rank());
    Values out(concatenated(equal).size());
    all.concat(equal[me], out);
    ASSERT_EQ(out, concatenated(equal));
    Values placed(out.size());
    std::ranges::copy(equal[me], placed.begin() + static_cast<std::ptrdiff_t>(me) * size);
    all.concat(in_place(placed));
    ASSERT_EQ(placed, concatenated(equal));
    out.assign(concatenated(by_rank).size(), 0);
    all.concat(by_rank[me], out, counts);
    ASSERT_EQ(out, concatenated(by_rank));
  }
}

void index(const Group& all) {
  for (const Count size : {Count{0}, Count{1}, Count{3}, Count{10'000}}) {
    const auto block = [&](Rank from, Rank to, Count count) { return vector_of(from, count, to); };
    Values in, wanted;
    std::vector<Values> uneven_in, uneven_wanted;
    std::vector<Count> send_counts, receive_counts;
    for (Rank rank = 0; rank < all.size(); ++rank) {
      const Values out_block = block(all.rank(), rank, size), in_block = block(rank, all.rank(), size);
      in.insert(in.end(), out_block.begin(), out_block.end());
      wanted.insert(wanted.end(), in_block.begin(), in_block.end());
      const auto between = [&](Rank from, Rank to) { return (from + 2 * to) % 3 == 1 ? 0 : size + from + 3 * to; };
      send_counts.push_back(between(all.rank(), rank));
      receive_counts.push_back(between(rank, all.rank()));
      uneven_in.push_back(block(all.rank(), rank, send_counts.back()));
      uneven_wanted.push_back(block(rank, all.rank(), receive_counts.back()));
    }
    Values out(wanted.size());
    all.index(in, out);
    ASSERT_EQ(out, wanted);
    out.assign(concatenated(uneven_wanted).size(), 0);
    all.index(concatenated(uneven_in), send_counts, out, receive_counts);
    ASSERT_EQ(out, concatenated(uneven_wanted));
  }
}

void reduce_scatter(const Group& all) {
  for (const Count size : {Count{0}, Count{1}, Count{3}, Count{10'000}}) {
    const std::vector<Affine> whole = composed(0, all.size(), size * all.size());
    std::vector<Affine> out(static_cast<std::size_t>(size));
    all.reduce_scatter(maps_of(all.rank(), size * all.size()), out, in_order);
    ASSERT_TRUE(
        std::ranges::equal(out, std::span(whole).subspan(static_cast<std::size_t>(size * all.rank()), out.size())));

    const std::vector<Count> counts = uneven(all.size(), size);
    const Count total = std::accumulate(counts.begin(), counts.end(), Count{0});
    const Count offset = std::accumulate(counts.begin(), counts.begin() + all.rank(), Count{0});
    Values mine(static_cast<std::size_t>(counts[static_cast<std::size_t>(all.rank())]));
    all.reduce_scatter(vector_of(all.rank(), total), mine, counts, sum);
    for (Count i = 0; i < static_cast<Count>(mine.size()); ++i) {
      std::int64_t wanted = 0;
      for (Rank rank = 0; rank < all.size(); ++rank) wanted += element(rank, offset + i);
      ASSERT_EQ(mine[static_cast<std::size_t>(i)], wanted);
    }
  }
}

void prefix(const Group& all) {
  for (const Count size : sizes(all)) {
    std::vector<Affine> out(static_cast<std::size_t>(size));
    all.prefix(maps_of(all.rank(), size), out, in_order);
    ASSERT_EQ(out, composed(0, all.rank() + 1, size));
    std::vector<Affine> placed = maps_of(all.rank(), size);
    all.prefix(in_place(placed), in_order);
    ASSERT_EQ(placed, out);
    const std::vector<Affine> before = maps_of(99, size);
    out = before;
    all.exclusive_prefix(maps_of(all.rank(), size), out, in_order);
    ASSERT_EQ(out, all.rank() == 0 ? before : composed(0, all.rank(), size));
  }
}

void shift(const Group& all) {
  for (Count distance = -all.size() - 1; distance <= all.size() + 1; ++distance) {
    const Count p = all.size();
    Values out(5, -1);
    all.shift(vector_of(all.rank(), 5), out, distance);
    ASSERT_EQ(out, vector_of(static_cast<Rank>((((all.rank() - distance) % p) + p) % p), 5)) << "distance " << distance;
    out.assign(5, -1);
    all.open_shift(vector_of(all.rank(), 5), out, distance);
    const Count source = all.rank() - distance;
    ASSERT_EQ(out, source >= 0 && source < p ? vector_of(static_cast<Rank>(source), 5) : Values(5, -1));
  }
}

void values_and_types(const Group& all) {
  const int p = all.size();
  EXPECT_EQ(all.combine(all.rank() + 1, sum), p * (p + 1) / 2);
  EXPECT_EQ(all.combine(std::complex<double>(1, all.rank()), sum), std::complex<double>(p, p * (p - 1) / 2.0));
  EXPECT_EQ(all.combine(Located<double>{all.rank() == p - 1 ? -1.0 : 0.0, all.rank()}, minimum_at).location, p - 1);
  EXPECT_EQ(all.combine(Located<int>{7, all.rank()}, maximum_at).location, 0);
  EXPECT_EQ(all.combine(static_cast<std::uint8_t>(1u << (all.rank() % 8)), bit_or),
            static_cast<std::uint8_t>((1u << std::min(p, 8)) - 1));
  EXPECT_EQ(all.combine(all.rank() == 0, logical_or), true);
  EXPECT_EQ(all.concat(all.rank() * 2).back(), (p - 1) * 2);
  EXPECT_EQ(all.prefix(1, sum), all.rank() + 1);
  EXPECT_EQ(all.exclusive_prefix(1, sum), all.rank() == 0 ? std::nullopt : std::optional<int>(all.rank()));
  EXPECT_EQ(all.shift(all.rank(), 1), (all.rank() + p - 1) % p);
  const std::optional<int> product_at_root = all.reduce(2, product, p - 1);
  EXPECT_EQ(product_at_root.has_value(), all.rank() == p - 1);
  const std::vector<int> gathered = all.gather(all.rank(), 0);
  EXPECT_EQ(gathered.size(), all.rank() == 0 ? static_cast<std::size_t>(p) : 0u);
  all.sync();
}

void many_in_progress_complete_in_any_order(const Group& all) {
  constexpr int many = 20;
  std::vector<Values> data;
  std::vector<Request> requests;
  for (int i = 0; i < many; ++i) data.push_back(vector_of(all.rank(), 1 + 1000 * (i % 4), i));
  for (int i = 0; i < many; ++i)
    requests.push_back(all.start().combine(in_place(data[static_cast<std::size_t>(i)]), maximum));
  for (int i = many; i-- > 0;) requests[static_cast<std::size_t>(i)].wait();
  for (int i = 0; i < many; ++i)
    ASSERT_EQ(data[static_cast<std::size_t>(i)], vector_of(all.size() - 1, 1 + 1000 * (i % 4), i));
}

void persistent_starts_again_and_again(const Group& all) {
  Values in(3), out(3);
  Persistent call = all.prepare().combine(in, out, sum);
  for (int round = 0; round < 10; ++round) {
    std::ranges::fill(in, round);  // in place: the call knows where its buffers are
    call.start().wait();
    ASSERT_EQ(out, Values(3, round * all.size()));
  }
}

// The non-blocking and the persistent form of every operation give what the blocking one gives.
void every_form_of_every_operation(const Group& all) {
  const Rank p = all.size(), root = p - 1;
  const Values in = vector_of(all.rank(), 4), wide = vector_of(all.rank(), 4 * p);
  const std::vector<Count> counts(static_cast<std::size_t>(p), 4);
  const auto same = [&](const char* name, std::size_t size, const std::function<void(Values&)>& blocking,
                        const std::function<Request(Values&)>& started,
                        const std::function<Persistent(Values&)>& prepared) {
    Values wanted = vector_of(all.rank(), static_cast<Count>(size), 5), got = wanted, again = wanted;
    const Values before = wanted;
    blocking(wanted);
    started(got).wait();
    EXPECT_EQ(got, wanted) << "start()." << name;
    Persistent call = prepared(again);
    for (int round = 0; round < 2; ++round) {
      std::ranges::copy(before, again.begin());
      call.start().wait();
      EXPECT_EQ(again, wanted) << "prepare()." << name;
    }
  };
#define SAME(name, size, ...)                                                             \
  same(                                                                                   \
      #name, static_cast<std::size_t>(size), [&](Values& out) { all.name(__VA_ARGS__); }, \
      [&](Values& out) { return all.start().name(__VA_ARGS__); },                         \
      [&](Values& out) { return all.prepare().name(__VA_ARGS__); })
  SAME(bcast, 4, out, root);
  SAME(reduce, 4, in, out, sum, root);
  SAME(reduce, 4, in_place(out), sum, root);
  SAME(combine, 4, in, out, sum);
  SAME(combine, 4, in_place(out), sum);
  SAME(scatter, 4, wide, out, root);
  SAME(scatter, 4, wide, counts, out, root);
  SAME(gather, 4 * p, in, out, root);
  SAME(gather, 4 * p, in, out, counts, root);
  SAME(concat, 4 * p, in, out);
  SAME(concat, 4 * p, in, out, counts);
  SAME(concat, 4 * p, in_place(out));
  SAME(index, 4 * p, wide, out);
  SAME(index, 4 * p, wide, counts, out, counts);
  SAME(reduce_scatter, 4, wide, out, sum);
  SAME(reduce_scatter, 4, wide, out, counts, sum);
  SAME(prefix, 4, in, out, sum);
  SAME(prefix, 4, in_place(out), sum);
  SAME(exclusive_prefix, 4, in, out, sum);
  SAME(exclusive_prefix, 4, in_place(out), sum);
  SAME(shift, 4, in, out, 1);
  SAME(open_shift, 4, in, out, -1);
#undef SAME
  all.start().sync().wait();
  all.prepare().sync().start().wait();
}

}  // namespace

std::span<const CollectiveCheck> collective_checks() {
  static constexpr CollectiveCheck checks[] = {
      {"Bcast", bcast},
      {"ReduceKeepsOrder", reduce_keeps_order},
      {"ReduceInPlaceAndCommutative", reduce_in_place_and_commutative},
      {"Combine", combine},
      {"ScatterAndGather", scatter_and_gather},
      {"Concat", concat},
      {"Index", index},
      {"ReduceScatter", reduce_scatter},
      {"Prefix", prefix},
      {"Shift", shift},
      {"ValuesAndTypes", values_and_types},
      {"ManyInProgressCompleteInAnyOrder", many_in_progress_complete_in_any_order},
      {"PersistentStartsAgainAndAgain", persistent_starts_again_and_again},
      {"EveryFormOfEveryOperation", every_form_of_every_operation},
  };
  return checks;
}

}  // namespace cohort::testing
