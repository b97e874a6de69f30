// SPDX-License-Identifier: Apache-2.0
// Case 88: members, or the two ends of a message, that name different element types or operators of the same size.
// Their bytes would fit: it must be an error that names both, never the one's data as the other's.
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cohort/detail/elements.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

struct Apple {
  float weight;
};
enum class Colour : std::int32_t { red };
struct Larger {
  int operator()(int a, int b) const { return a > b ? a : b; }
};
struct Smaller {
  int operator()(int a, int b) const { return a < b ? a : b; }
};

using Call = std::function<void(const Group&)>;
struct Pair {
  std::string what;
  Call first, second;              // of rank 0, of rank 1
  std::vector<std::string> words;  // of the error: of rank 0's call, then of rank 1's
};

template <class T>
std::vector<T> bytes(std::size_t count) {
  return std::vector<T>(count / sizeof(T));
}

// 8 floats where the other one has 4 doubles, in each operation.
template <class T>
std::vector<std::pair<std::string, Call>> every_operation() {
  const auto x = [](std::size_t count = 32) { return bytes<T>(count); };
  return {
      {"bcast", [=](const Group& g) { g.bcast(x(), 0); }},
      {"reduce",
       [=](const Group& g) {
         auto data = x();
         g.reduce(in_place(data), sum, 0);
       }},
      {"combine",
       [=](const Group& g) {
         auto data = x();
         g.combine(in_place(data), sum);
       }},
      {"scatter", [=](const Group& g) { g.scatter(x(64), x(), 0); }},
      {"gather", [=](const Group& g) { g.gather(x(), x(64), 0); }},
      {"concat", [=](const Group& g) { g.concat(x(), x(64)); }},
      {"index", [=](const Group& g) { g.index(x(64), x(64)); }},
      {"reduce_scatter", [=](const Group& g) { g.reduce_scatter(x(64), x(), sum); }},
      {"prefix",
       [=](const Group& g) {
         auto data = x();
         g.prefix(in_place(data), sum);
       }},
      {"exclusive_prefix",
       [=](const Group& g) {
         auto data = x();
         g.exclusive_prefix(in_place(data), sum);
       }},
      {"shift", [=](const Group& g) { g.shift(x(), x(), 1); }},
      {"open_shift", [=](const Group& g) { g.open_shift(x(), x(), 1); }},
      {"gather by counts",
       [=](const Group& g) {
         const Count each = 32 / sizeof(T);
         g.gather(x(), x(64), std::array{each, each}, 0);
       }},
      {"started combine",
       [=](const Group& g) {
         auto data = x();
         g.start().combine(in_place(data), sum).wait();
       }},
      {"prepared bcast",
       [=](const Group& g) {
         auto data = x();
         g.prepare().bcast(data, 0).start().wait();
       }},
      {"long bcast", [=](const Group& g) { g.bcast(x(1 << 20), 0); }},
      {"long combine",
       [=](const Group& g) {
         auto data = x(1 << 20);
         g.combine(in_place(data), sum);
       }},
  };
}

template <class T, class Op>
Call combine_of(const Op& op) {
  return [op](const Group& g) {
    std::vector<T> data(4);
    g.combine(in_place(data), op);
  };
}
template <class T>
Call bcast_of() {
  return [](const Group& g) { g.bcast(std::vector<T>(4), 0); };
}

std::vector<Pair> pairs() {
  std::vector<Pair> all;
  const auto floats = every_operation<float>(), doubles = every_operation<double>();
  for (std::size_t i = 0; i < floats.size(); ++i)
    all.push_back({floats[i].first, floats[i].second, doubles[i].second, {"of float", "of double"}});
  const auto add = [&](const std::string& what, Call first, Call second, const std::vector<std::string>& words) {
    all.push_back({what, std::move(first), std::move(second), words});
  };
  add("signs", bcast_of<int>(), bcast_of<unsigned>(), {"of int", "of unsigned int"});
  add("int and float", bcast_of<int>(), bcast_of<float>(), {"of int", "of float"});
  add("bytes and numbers", bcast_of<std::byte>(), bcast_of<unsigned char>(), {"of std::byte", "of unsigned char"});
  add("classes", bcast_of<Apple>(), bcast_of<float>(), {"Apple", "of float"});
  add("enumerations", bcast_of<Colour>(), bcast_of<int>(), {"Colour", "of int"});
  add("arrays", bcast_of<std::array<int, 2>>(), bcast_of<std::array<float, 2>>(), {"array<int,2>", "array<float,2>"});
  add("complex", bcast_of<std::complex<float>>(), bcast_of<double>(), {"std::complex<float>", "of double"});
  add("located", combine_of<Located<double>>(minimum_at), combine_of<Located<long>>(minimum_at),
      {"Located<double>, MinimumAt", "Located<long>, MinimumAt"});
  add("locations", combine_of<Located<int>>(minimum_at), combine_of<Located<int>>(maximum_at),
      {"MinimumAt", "MaximumAt"});
  add("operators", combine_of<double>(sum), combine_of<double>(product), {"of double, Sum", "of double, Product"});
  add("own operators", combine_of<int>(commutative(Larger{})), combine_of<int>(commutative(Smaller{})),
      {"Larger", "Smaller"});
  add("own and built in", combine_of<int>(commutative(Larger{})), combine_of<int>(maximum), {"Larger", "Maximum"});
  add(
      "one value", [](const Group& g) { static_cast<void>(g.combine(1.0F, sum)); },
      [](const Group& g) { static_cast<void>(g.combine(1, sum)); }, {"of float", "of int"});
  add("both", combine_of<int>(sum), combine_of<float>(product), {"of int, Sum", "of float, Product"});
  return all;
}

class Types : public ::testing::TestWithParam<std::tuple<Kind, bool>> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, Types, ::testing::Combine(::testing::ValuesIn(every_kind), ::testing::Bool()),
                         [](const auto& info) {
                           return to_string(std::get<0>(info.param)) + (std::get<1>(info.param) ? "_barrier" : "");
                         });

// In a group whose ranks are no pids, so that both are named.
TEST_P(Types, Case88ThatDifferInACollectiveAreAnErrorAtAllThatNamesBoth) {
  const auto [kind, barrier] = GetParam();
  for (const Pair& pair : pairs()) {
    run({kind, 3, barrier}, [&](Process& self) {
      const Group row = self.all().partition(self.pid() == 2 ? 1 : 0, -self.pid());
      if (self.pid() == 2) return;
      std::vector<std::string> words = pair.words;
      words.insert(words.end(), {"rank 0 (pid 1, host0) called", "rank 1 (pid 0, host0) called", "differ"});
      SCOPED_TRACE(pair.what);
      expect_error(ErrorCode::mismatch, words, [&] {
        (row.rank() == 0 ? pair.first : pair.second)(row);
        row.sync();
      });
    });
  }
}

// Three in a row, so that who differs is not the one that most hear from.
TEST_P(Types, Case88ThatAreAlikeAreNoError) {
  const auto [kind, barrier] = GetParam();
  for (const bool develop : {false, true}) {
    World world{kind, 3, barrier};
    world.develop = develop;
    run_all(world, [](const Group& all) {
      const bool one = all.rank() == 1;
      std::vector<long> longs(3, all.rank());
      std::vector<long long> long_longs(3, all.rank());
      one ? all.combine(in_place(longs), sum) : all.combine(in_place(long_longs), sum);
      EXPECT_EQ(one ? longs.front() : long_longs.front(), 3);
      const auto add = [](int a, int b) { return a + b; };
      const auto add_too = [](int a, int b) { return b + a; };
      const int all_together = one ? all.combine(1, commutative(add)) : all.combine(1, commutative(add_too));
      EXPECT_EQ(all_together, 3);
      all.sync();
    });
  }
}

template <class Sent, class Received>
void send_and_receive(const Group& all, const std::vector<std::string>& words) {
  const auto refuses = [&](const std::function<void()>& call) {
    std::vector<std::string> said = words;
    said.insert(said.end(), {"rank 0 (pid 0, host0) sent", "types_test.cpp:", "rank 1 (pid 1, host0) receives"});
    expect_error(ErrorCode::mismatch, said, call);
  };
  std::vector<Sent> data(24 / sizeof(Sent));
  std::vector<Received> got(24 / sizeof(Received), Received{});
  const std::vector<Received> before = got;
  if (all.rank() == 0) {
    all.send(data, 1, Tag{1});
    all.sync();
    all.send(data, 1, Tag{2});
    all.exchange(data, 1, std::vector<Sent>(data.size()), 1, Tag{3});
    all.start().send(data, 1, Tag{4}).wait();
    all.prepare().send(data, 1, Tag{5}).start().wait();
    all.send(std::vector<Sent>(60'000), 1, Tag{6});
    all.send(std::vector<Sent>{}, 1, Tag{7});
    all.send(data, 1, Tag{8});
    return;
  }
  all.sync();
  refuses([&] { all.receive(got, 0, Tag{1}); });  // it is there already
  refuses([&] { all.receive_any(got, Tag{2}); });
  refuses([&] { all.exchange(std::vector<Sent>(data.size()), 0, got, 0, Tag{3}); });
  refuses([&] { all.start().receive(got, 0, Tag{4}).wait(); });
  refuses([&] { all.prepare().receive(got, 0, Tag{5}).start().wait(); });
  std::vector<Received> many(60'000 * sizeof(Sent) / sizeof(Received) + 1);
  refuses([&] { all.receive(many, 0, Tag{6}); });
  EXPECT_EQ(all.receive(got, 0, Tag{7}), 0);  // of nothing, any type is right
  EXPECT_EQ(got, before);
  std::vector<std::byte> raw(24);
  EXPECT_EQ(all.receive(raw, 0, Tag{8}), 24);  // and as bytes anything may be received
}

TEST_P(Types, Case88ThatDifferInAMessageAreAnErrorInDevelopModeThatNamesBoth) {
  const auto [kind, barrier] = GetParam();
  World world{kind, 2, barrier};
  world.develop = true;
  run_all(world, [](const Group& all) {
    send_and_receive<float, int>(all, {"elements of type float", "receives int"});
    send_and_receive<double, float>(all, {"elements of type double", "receives float"});
    send_and_receive<int, unsigned>(all, {"elements of type int", "receives unsigned int"});
    send_and_receive<Colour, int>(all, {"Colour", "receives int"});
    // To oneself; and what was sent as bytes.
    all.send(std::vector<float>(3), all.rank());
    expect_error(ErrorCode::mismatch, {"float", "int"}, [&] { all.receive(std::vector<int>(3), all.rank()); });
    all.send(std::vector<std::byte>(8), all.rank());
    EXPECT_EQ(all.receive(std::vector<double>(1), all.rank()), 1);
  });
}

// What members compare is the same in every program: no address, no order of what was called first.
TEST(TypeCodes, AreTheSameEverywhere) {
  using detail::code_of_type;
  static_assert(code_of_type<bool>() == 1 && code_of_type<std::uint8_t>() == 2 && code_of_type<std::int64_t>() == 9);
  static_assert(code_of_type<float>() == 10 && code_of_type<double>() == 11 && code_of_type<std::byte>() == 13);
  static_assert(code_of_type<long>() == code_of_type<long long>());
  static_assert(code_of_type<std::complex<double>>() == 0x2b && code_of_type<Located<double>>() == 0x4b);
  static_assert(detail::code_of_operator<Sum>() == 1 && detail::code_of_operator<LogicalXor>() == 12);
}

TEST(TypeCodes, ComeFromNamesThatCompilersSpellAlike) {
  const auto uniform = [](std::string_view spelled) { return std::string(detail::UniformName<200>(spelled).view()); };
  EXPECT_EQ(uniform("{anonymous}::Apple"), "Apple");
  EXPECT_EQ(uniform("(anonymous namespace)::Apple"), "Apple");
  EXPECT_EQ(uniform("main()::Apple"), "Apple");
  EXPECT_EQ(uniform("a::Grid<long unsigned int, {anonymous}::Apple, f(int, char)::Pear, 3ul>"),
            uniform("a::Grid<unsigned long, (anonymous namespace)::Apple, Pear, 3>"));
  EXPECT_EQ(uniform("std::array<short int, 2>"), uniform("std::array<short, 2>"));
  EXPECT_EQ(uniform("Vec<signed char, long long int, unsigned int>"), "Vec<signed char,long long,unsigned int>");
  EXPECT_EQ(uniform("char [16]"), uniform("char[16]"));
  EXPECT_EQ(uniform("double (*)(long double, unsigned char)"), "double(*)(long double,unsigned char)");
  EXPECT_NE(uniform("a::Apple"), uniform("b::Apple"));
}

}  // namespace
}  // namespace cohort::testing
