// SPDX-License-Identifier: Apache-2.0
// Sorts the lines of a file, or numbers, that no single process needs to hold all of.
//
// Sample sort: every process sorts what it has and picks p regular samples. From the p * p samples of all, everyone
// takes the same p - 1 splitters. What lies between two splitters goes to one process (one `index`), which sorts it.
// The result is sorted within the processes and along their ranks; no process gets more than about twice its share,
// unless many items are equal. Source: H. Shi, J. Schaeffer, Parallel sorting by regular sampling, 1992.
//
// The program does not trust itself: it checks that the result is sorted, and has as many items as there were, with the
// same sum of hashes.
#include <algorithm>
#include <cstring>
#include <functional>
#include <iostream>
#include <random>
#include <sstream>

#include "common/program.hpp"
#include "common/text_file.hpp"

using cohort::Count;
using examples::together;

namespace {

using Lines = std::vector<std::string>;
using Numbers = std::vector<std::int64_t>;

// How items travel: a line as its text and an end of line, a number as its bytes.
void pack(std::string& parcel, const std::string& line) { (parcel += line) += '\n'; }
void pack(std::string& parcel, std::int64_t number) {
  parcel.append(reinterpret_cast<const char*>(&number), sizeof number);
}
void unpack(std::string_view parcel, Lines& lines) {
  for (std::size_t at = 0; at < parcel.size(); at += lines.back().size() + 1) {
    lines.emplace_back(parcel.substr(at, parcel.find('\n', at) - at));
  }
}
void unpack(std::string_view parcel, Numbers& numbers) {
  const std::size_t before = numbers.size();
  numbers.resize(before + parcel.size() / sizeof(std::int64_t));
  if (!parcel.empty()) std::memcpy(&numbers[before], parcel.data(), parcel.size());
}

// Of the first ranks.
template <class Items>
Items unpack_all(const cohort::Parts<char>& parcels, cohort::Rank ranks) {
  Items items;
  for (cohort::Rank from = 0; from < ranks; ++from) unpack({parcels[from].data(), parcels[from].size()}, items);
  return items;
}

// Item i of `count` is where the i-th of count equal parts begins.
template <class Items>
Items regular_samples(const Items& sorted, std::size_t count) {
  Items samples;
  for (std::size_t i = 0; i < count && !sorted.empty(); ++i) samples.push_back(sorted[i * sorted.size() / count]);
  return samples;
}

template <class Items>
Items sample_sort(const cohort::Group& all, Items items) {
  const auto parts = static_cast<std::size_t>(all.size());
  std::sort(items.begin(), items.end());

  std::string offered;
  for (const auto& sample : regular_samples(items, parts)) pack(offered, sample);
  auto samples = unpack_all<Items>(all.concat_all(offered), all.size());
  std::sort(samples.begin(), samples.end());
  const Items splitters = regular_samples(samples, parts);  // part j begins with splitter j; the first is not used

  std::vector<std::string> parcels(parts);
  for (std::size_t j = 0; const auto& item : items) {
    while (j + 1 < splitters.size() && !(item < splitters[j + 1])) ++j;
    pack(parcels[j], item);
  }
  items = unpack_all<Items>(all.shuffle(parcels), all.size());
  std::sort(items.begin(), items.end());
  return items;
}

// How many items there are, and the sum of their hashes: the same before and after, in whatever order.
struct Inventory {
  std::uint64_t items = 0;
  std::uint64_t hashes = 0;
  bool operator==(const Inventory&) const = default;
};

template <class Items>
Inventory inventory(const cohort::Group& all, const Items& items) {
  Inventory mine{items.size(), 0};
  std::string packed;
  for (const auto& item : items) {
    packed.clear();
    pack(packed, item);
    mine.hashes += std::hash<std::string>{}(packed);
  }
  return all.combine(mine, cohort::commutative([](const Inventory& a, const Inventory& b) {
                       return Inventory{a.items + b.items, a.hashes + b.hashes};
                     }));
}

// Sorted here, and not before the last item of the ranks below.
template <class Items>
bool is_sorted(const cohort::Group& all, const Items& items) {
  std::string last;
  if (!items.empty()) pack(last, items.back());
  const auto lasts = unpack_all<Items>(all.concat_all(last), all.rank());

  const bool here = std::is_sorted(items.begin(), items.end());
  const bool behind = lasts.empty() || items.empty() || !(items.front() < lasts.back());
  return all.combine(here && behind, cohort::logical_and);
}

// The shares go to rank 0 one by one, so it never holds more than one beside its own.
template <class Items>
void write(const cohort::Process& self, const std::string& path, const Items& items) {
  const cohort::Group all = self.all();
  std::ostringstream text;
  for (const auto& item : items) text << item << '\n';
  std::string share = text.str();

  std::ofstream file;
  together(self, [&] {
    if (all.rank() == 0) file.open(path, std::ios::binary);
    if (!file) throw examples::BadInput(path + ": can't be written: " + std::strerror(errno));
  });
  if (all.rank() != 0) {
    all.send(share.size(), 0);
    all.send(share, 0);
  }
  for (cohort::Rank rank = 0; all.rank() == 0 && rank < all.size(); ++rank) {
    if (rank > 0) {
      share.resize(all.receive<std::size_t>(rank));
      all.receive(share, rank);
    }
    file << share;
  }
  together(self, [&] {
    if (all.rank() == 0 && !file.flush()) throw examples::BadInput(path + ": " + std::strerror(errno));
  });
}

template <class Items>
void sort_and_check(const cohort::Process& self, const Items& items, const std::string& output) {
  const cohort::Group all = self.all();
  const Inventory before = inventory(all, items);
  const Items sorted = sample_sort(all, items);
  const Inventory after = inventory(all, sorted);
  const bool in_order = is_sorted(all, sorted);
  const auto most = all.combine(sorted.size(), cohort::maximum);

  if (!in_order || before != after) throw std::logic_error(in_order ? "items are lost" : "the result is not sorted");
  if (!output.empty()) write(self, output, sorted);
  if (all.rank() != 0) return;
  std::cout << "sorted and complete: " << after.items << " items, sum of hashes " << std::hex << after.hashes
            << std::dec << "; " << all.size() << " processes, the largest share " << most << " items\n";
}

Numbers read_numbers(const cohort::Process& self, const std::string& path) {
  const cohort::Group all = self.all();
  const Lines lines = together(self, [&] { return examples::lines_of(path, all.rank(), all.size()); });
  // Errors name the line, and only the ranks below know how many came before.
  Count line = all.exclusive_prefix(static_cast<Count>(lines.size()), cohort::sum).value_or(0);
  return together(self, [&] {
    Numbers numbers;
    for (const std::string& text : lines) numbers.push_back(examples::whole_number(text, path, ++line));
    return numbers;
  });
}

// This process's share of the same numbers, whatever the number of processes.
Numbers random_numbers(Count count, std::uint64_t seed, int part, int parts) {
  const examples::Range share = examples::share_of(count, part, parts);
  std::mt19937_64 generator(seed);
  generator.discard(static_cast<unsigned long long>(share.begin));
  Numbers numbers(static_cast<std::size_t>(share.size()));
  for (std::int64_t& number : numbers) number = static_cast<std::int64_t>(generator());
  return numbers;
}

}  // namespace

int main(int argc, char** argv) {
  std::string path, output;
  Count random = 0;
  std::uint64_t seed = 1;
  bool as_numbers = false;
  examples::Arguments arguments("samplesort", "Sorts the lines of a file, or numbers, and checks the result.");
  examples::Arguments source = arguments.one_of("what to sort");
  source.text("FILE", path, "sort the lines of this file, by their bytes");
  source.number("--random", random, "sort so many random numbers");
  arguments.flag("--numbers", as_numbers, "FILE has a whole number (of 64 bits) on each line: sort by value");
  arguments.number("--seed", seed, "of the random numbers");
  arguments.text("--output", output, "write the sorted items to this file");

  return examples::run(arguments, argc, argv, [&](const cohort::Process& self) {
    const int rank = self.pid();
    const int size = self.size();
    if (path.empty()) {
      sort_and_check(self, random_numbers(random, seed, rank, size), output);
    } else if (as_numbers) {
      sort_and_check(self, read_numbers(self, path), output);
    } else {
      sort_and_check(self, together(self, [&] { return examples::lines_of(path, rank, size); }), output);
    }
  });
}
