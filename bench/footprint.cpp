// SPDX-License-Identifier: Apache-2.0
// The resources that a process of a job takes of its host: cohort run -n P bench_footprint [BYTES [MOST]]
//
// Every process joins, calls sync, bcast and combine (of BYTES) on all, and then exchanges a word with every other
// process, so that all are connected. After each of these it prints one line, tab-separated: medians over the
// processes, of KiB resident, KiB resident that no other process shares, bytes in use of the heap, sockets, open files.
// The last line is the heap's bytes for one more connection. The exit status is 1 if they are more than MOST.
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "cohort/cohort.hpp"

namespace {

struct Footprint {
  double resident_kib = 0;
  double private_kib = 0;
  double heap_bytes = 0;
  double sockets = 0;
  double files = 0;
};

Footprint measure() {
  Footprint now;
  std::ifstream memory("/proc/self/smaps_rollup");
  for (std::string word; memory >> word;) {
    double kib = 0;
    if (word == "Rss:" && memory >> kib) now.resident_kib = kib;
    if ((word == "Private_Clean:" || word == "Private_Dirty:") && memory >> kib) now.private_kib += kib;
  }
  const struct mallinfo2 heap = ::mallinfo2();
  now.heap_bytes = static_cast<double>(heap.uordblks + heap.hblkhd);
  for (const auto& file : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;  // the directory's own descriptor
    const std::string target = std::filesystem::read_symlink(file.path(), gone).string();
    if (gone) continue;
    ++now.files;
    if (target.starts_with("socket:")) ++now.sockets;
  }
  return now;
}

double median(const cohort::Group& all, double mine) {
  std::vector<double> values = all.gather(mine, 0);
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void report(const cohort::Group& all, const char* after, const Footprint& now) {
  const std::vector<double> values{median(all, now.resident_kib), median(all, now.private_kib),
                                   median(all, now.heap_bytes), median(all, now.sockets), median(all, now.files)};
  if (all.rank() != 0) return;
  std::cout << "cohort\t" << after << '\t' << all.size();
  for (const double value : values) std::cout << '\t' << static_cast<std::int64_t>(value);
  std::cout << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t bytes = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1024;
  const double most = argc > 2 ? std::strtod(argv[2], nullptr) : 1e9;
  const Footprint alone = measure();
  const cohort::Process self = cohort::join();
  const cohort::Group all = self.all();
  const Footprint joined = measure();

  std::vector<double> in(bytes / sizeof(double), 1.0), out(in.size());
  all.sync();
  all.bcast(in, 0);
  all.combine(in, out, cohort::sum);
  const Footprint combined = measure();

  for (int distance = 1; distance < all.size(); ++distance) {
    const cohort::Rank to = (all.rank() + distance) % all.size();
    const cohort::Rank from = (all.rank() + all.size() - distance) % all.size();
    int theirs = 0;
    all.exchange(std::span(&distance, 1), to, std::span(&theirs, 1), from);
  }
  all.sync();
  const Footprint connected = measure();

  if (all.rank() == 0) std::cout << "#\tafter\tp\tresident_kib\tprivate_kib\theap_bytes\tsockets\tfiles" << std::endl;
  report(all, "start", alone);
  report(all, "join", joined);
  report(all, "combine", combined);
  report(all, "exchange", connected);
  const double new_sockets = connected.sockets - combined.sockets;
  const double each = new_sockets > 0 ? (connected.heap_bytes - combined.heap_bytes) / new_sockets : 0;
  const double largest = all.combine(each, cohort::maximum);
  if (all.rank() == 0) std::cout << "# bytes of the heap for one more connection: at most " << largest << std::endl;
  return largest > most ? 1 : 0;
}
