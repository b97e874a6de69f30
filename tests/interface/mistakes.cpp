// SPDX-License-Identifier: Apache-2.0
// Mistakes that do not compile. The compiler's words for each line must contain those behind the arrow.
#include <cohort/cohort.hpp>
#include <cohort/farm.hpp>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

using namespace cohort;

struct Particle {
  double mass;
  const char* name;
};
struct Labelled {
  char name[64];
  int places[40];
  const char* text;
};
struct Cell {
  int number;
  Particle heaviest[2];
};
class Iterator {
 public:
  int* where() const { return where_; }

 private:
  int* where_ = nullptr;
};
template <>
struct cohort::HoldsAddresses<Iterator> : std::true_type {};

template <int>
struct Named {
  std::string name;
};

struct Unmade {
  explicit Unmade(int from) : number(from) {}
  int number;
};

template <class T>
std::vector<T> computed() {
  return std::vector<T>(8);
}
double larger(double a, double b) { return a < b ? b : a; }

void mistakes(const Group& all, std::vector<double>& x, std::vector<double>& y, const std::vector<double>& fixed) {
  // What goes on needs memory that stays.
  static_cast<void>(all.start().bcast(computed<int>(), 0));                      // -> not a temporary
  static_cast<void>(all.start().combine(computed<double>(), y, sum));            // -> not a temporary
  static_cast<void>(all.start().send(computed<double>() | std::views::all, 1));  // -> not a temporary
  static_cast<void>(all.start().send(x.size() + 1, 1));                          // -> not a temporary
  static_cast<void>(all.prepare().combine(x[0] + 1, sum));                       // -> not a temporary
  static_cast<void>(all.prepare().receive(computed<char>(), 1));                 // -> not a temporary
  all.start().bcast(x, 0);                                                       // -> nodiscard
  all.prepare().bcast(x, 0);                                                     // -> nodiscard
  all.start().combine(x[0], sum);                                                // -> nodiscard

  // Elements mean the same everywhere.
  std::vector<std::string_view> views;
  all.bcast(views, 0);  // -> hold addresses
  std::vector<std::span<int>> spans;
  all.bcast(spans, 0);  // -> hold addresses
  std::vector<const int*> pointers;
  all.send(pointers, 1);  // -> hold addresses
  std::vector<Particle> particles;
  all.send(particles, 1);  // -> hold addresses
  std::vector<std::reference_wrapper<int>> references;
  all.bcast(references, 0);  // -> hold addresses
  std::optional<int*> perhaps;
  all.send(perhaps, 1);  // -> hold addresses
  std::variant<int, const char*> either;
  all.send(either, 1);  // -> hold addresses
  Cell cell{};
  all.send(cell, 1);         // -> hold addresses
  all.receive<Iterator>(1);  // -> hold addresses
  std::vector<std::string> words;
  all.send(words, 1);                    // -> serialized
  all.send(std::make_unique<int>(), 1);  // -> serialized
  all.send(x.data(), 1);                 // -> std::span(pointer, count)
  all.send("words", 1);                  // -> string literal
  std::list<int> list;
  all.send(list, 1);  // -> one behind another
  std::vector<float> narrow;
  all.combine(x, narrow, sum);  // -> of different types
  all.combine(x, fixed, sum);   // -> they are const
  all.bcast(5U, 0);             // -> Give a variable

  struct Titled {
    std::string title;
    int number;
  } titled;
  all.send(titled, 1);  // -> serialized
  Labelled labelled{};
  all.send(labelled, 1);                          // -> hold addresses
  all.combine(in_place(computed<float>()), sum);  // -> in_place() writes its argument
}

void mistakes_of_places(const Group& all, std::vector<double>& x, std::vector<double>& y) {
  std::string name;
  // Ranks and tags, operators, places.
  all.send(x, Tag{1}, 3);                                                  // -> the rank comes before the tag
  all.receive(x, Tag{1}, 3);                                               // -> the rank comes before the tag
  all.send(x, 1, 7);                                                       // -> cohort::Tag{7}
  all.receive(x, 1, 7);                                                    // -> cohort::Tag{7}
  [[maybe_unused]] auto number = all.receive<int>(1, 7);                   // -> cohort::Tag{7}
  [[maybe_unused]] auto real = all.receive<double>(1, 7);                  // -> cohort::Tag{7}
  all.receive_any(x, 7);                                                   // -> cohort::Tag{7}
  [[maybe_unused]] auto tried = all.try_receive<double>(1, 7);             // -> cohort::Tag{7}
  all.probe<double>(1, 7);                                                 // -> cohort::Tag{7}
  all.exchange(x, 1, y, 1, 7);                                             // -> cohort::Tag{7}
  all.exchange(x, y, 1, 1);                                                // -> exchange(out, to, in, from)
  all.receive<double>(Tag{7}, 1);                                          // -> the rank comes before the tag
  all.receive(x, Tag{7});                                                  // -> say from which rank
  static_cast<void>(all.start().gather_all(x, 0));                         // -> gather(), with counts
  [[maybe_unused]] auto started = all.start().concat_all(x);               // -> concat(), with counts
  static_cast<void>(all.prepare().scatter_all(x, 0));                      // -> scatter(), with counts
  static_cast<void>(all.start().shuffle(x));                               // -> index(), with counts
  all.receive(0);                                                          // -> say what to receive
  all.combine(x, y, [](double a, double b) { return a + b; });             // -> commutative(f)
  all.combine(x, y, larger);                                               // -> commutative(f)
  all.combine(x, y, std::less<>());                                        // -> commutative(f)
  all.combine(x, y, commutative([](int a) { return a; }));                 // -> T(T, T)
  all.combine(x, sum);                                                     // -> in_place(x)
  all.concat(x);                                                           // -> in_place(x)
  all.concat(std::array{1, 2});                                            // -> in_place(x)
  static_cast<void>(all.start().send(Packed<std::string, int>{name}, 1));  // -> serialized() is for blocking calls
  all.combine(strided(x.data(), 2, 1, 4), y, sum);                         // -> strided() is for send
  static_cast<void>(all.start().receive<std::string>(1));                  // -> Give a buffer
  farm(all, x, [](const auto&) {});                                        // -> what work(task) returns
  farm(all, x, [](const auto&) { return std::vector<std::string>(); });    // -> Put objects into a string
}

// The compiler tells once about each type.
void mistakes_of_any_size(const Group& all, std::vector<int>& numbers, std::vector<char>& letters) {
  std::vector<Named<1>> objects;
  all.gather_all(objects, 0);  // -> serialized
  std::vector<Named<2>> more_objects;
  all.concat_all(more_objects);  // -> serialized
  std::vector<int*> addresses;
  all.gather_all(addresses, 0);          // -> hold addresses
  all.concat_all(std::list<char>{'a'});  // -> one behind another
  std::vector<std::vector<Named<3>>> objects_for_each;
  all.scatter_all(objects_for_each, 0);  // -> serialized
  std::vector<std::vector<Named<4>>> more_objects_for_each;
  all.shuffle(more_objects_for_each);  // -> serialized
  std::vector<std::list<int>> list_for_each;
  all.scatter_all(list_for_each, 0);  // -> one behind another
  std::vector<std::list<char>> more_lists_for_each;
  all.shuffle(more_lists_for_each);  // -> one behind another
  all.shuffle(numbers);              // -> give the counts
  all.scatter_all(letters, 0);       // -> give the counts
  std::vector<std::array<double, 3>> points;
  all.shuffle(points);                            // -> give the counts
  all.scatter_all(Parts<std::vector<int>>(), 0);  // -> serialized
  all.scatter_all(Parts<std::span<short>>(), 0);  // -> hold addresses
  all.scatter_all(Parts<bool>(), 0);              // -> use char
  std::vector<std::span<const bool>> truths;
  all.shuffle(truths);  // -> use char
  std::vector<Unmade> unmade;
  all.gather_all(unmade, 0);  // -> default constructor
  std::vector<std::reference_wrapper<char>> held;
  all.concat_all(held);                                                          // -> hold addresses
  static_cast<void>(all.receive<std::vector<std::reference_wrapper<long>>>(0));  // -> hold addresses
  static_cast<void>(all.receive<std::vector<Named<5>>>(1));                      // -> serialized
  static_cast<void>(all.try_receive<std::vector<Named<6>>>(1));                  // -> serialized
  static_cast<void>(all.receive_any<std::vector<Named<7>>>());                   // -> serialized
}
