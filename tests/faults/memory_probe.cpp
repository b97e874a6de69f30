// SPDX-License-Identifier: Apache-2.0
// What messages that arrive before they are wanted take of a process's memory.
//
//   memory_probe little MIB     rank 1 has no more than that beside what it has at the start
//   memory_probe tags           10,000 of them are outstanding
//   memory_probe slow SECONDS   rank 0 sends as fast as it may, rank 1 computes between one and the next
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "cohort/cohort.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int messages = 400, last = messages;
constexpr std::size_t bytes = 32 << 10;  // below what waits for its receive at the sender

std::vector<char> message(int tag, std::size_t size = bytes) {
  return std::vector<char>(size, static_cast<char>('a' + tag % 26));
}

// Pages of the address space, and of those that are resident.
struct Pages {
  rlim_t all = 0, resident = 0;
};

Pages pages() {
  Pages now;
  std::ifstream("/proc/self/statm") >> now.all >> now.resident;
  return now;
}

rlim_t page_bytes() { return static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)); }

// Address space, from now on.
void limit_memory(rlim_t mebibytes) {
  const rlim_t most = pages().all * page_bytes() + (mebibytes << 20);
  const rlimit limit{most, most};
  ::setrlimit(RLIMIT_AS, &limit);
}

[[noreturn]] void die_of(const std::string& what) {
  std::cout << "wrong: " << what << std::endl;
  std::_Exit(9);
}

cohort::Tag tag_of(int number) { return static_cast<cohort::Tag>(number); }

void receive(const cohort::Group& all, int tag, std::size_t size = bytes) {
  std::vector<char> received(size);
  all.receive(received, 0, tag_of(tag));
  if (received != message(tag, size)) die_of("message " + std::to_string(tag));
}

void send_all(const cohort::Group& all) {
  std::vector<std::vector<char>> sent;
  std::vector<cohort::Request> requests;
  for (int tag = 0; tag < messages; ++tag)
    requests.push_back(all.start().send(sent.emplace_back(message(tag)), 1, tag_of(tag)));
  requests.push_back(all.start().send(sent.emplace_back(message(last)), 1, tag_of(last)));
  cohort::wait_all(requests);
}

void receive_all(const cohort::Group& all) {
  receive(all, last);  // the others have arrived by then
  for (int tag = 0; tag < messages; ++tag) receive(all, tag);
}

// Both say how much they have grown by each quarter of the tags.
void many_tags(const cohort::Group& all) {
  constexpr int quarter = 2500, tags = 4 * quarter;
  constexpr std::size_t size = 1000;
  std::deque<std::vector<char>> sent;
  std::vector<cohort::Request> requests;
  all.sync();
  const rlim_t before = pages().resident;
  for (int begin = 0; begin < tags; begin += quarter) {
    for (int tag = begin; all.rank() == 0 && tag < begin + quarter; ++tag) {
      requests.push_back(all.start().send(sent.emplace_back(message(tag, size)), 1, tag_of(tag)));
    }
    all.sync();
    std::cout << "rank " << all.rank() << ", " << begin + quarter
              << " tags: " << (pages().resident - before) * page_bytes() << " bytes" << std::endl;
  }
  for (int tag = tags; all.rank() == 1 && tag-- > 0;) receive(all, tag, size);
  cohort::wait_all(requests);
}

void compute_for(Clock::duration time) {
  for (const auto end = Clock::now() + time; Clock::now() < end;) {
  }
}

// Both say how much they have grown, at the most, since the first tenth of the time.
void slow_receiver(const cohort::Group& all, std::chrono::duration<double> time) {
  constexpr cohort::Tag on{1}, off{2};
  const auto start = Clock::now();
  const auto size_of = [](int count) { return static_cast<std::size_t>(count) * 7919 % (64 << 10) + 1; };
  rlim_t before = 0, most = 0;
  int count = 0;
  for (bool going = true; going; ++count) {
    const auto elapsed = Clock::now() - start;
    std::vector<char> data = message(count, size_of(count));
    if (all.rank() == 0) {
      going = elapsed < time;
      all.send(data, 1, on);
      all.send(going, 1, off);
    } else {
      std::vector<char> received(data.size());
      all.receive(received, 0, on);
      if (received != data) die_of("message " + std::to_string(count));
      going = all.receive<bool>(0, off);
      compute_for(std::chrono::milliseconds(1));
    }
    rlim_t& peak = elapsed < time / 10 ? before : most;
    peak = std::max(peak, pages().resident);
  }
  std::cout << "rank " << all.rank() << ": " << count << " messages, "
            << (std::max(most, before) - before) * page_bytes() << " bytes more" << std::endl;
}

}  // namespace

int main(int, char** argv) {
  const cohort::Process self = cohort::join();
  const cohort::Group all = self.all();
  const std::string what = argv[1];
  if (what == "tags") return many_tags(all), 0;
  if (what == "slow") return slow_receiver(all, std::chrono::duration<double>(std::atof(argv[2]))), 0;
  all.sync();
  if (self.pid() == 1) limit_memory(std::strtoul(argv[2], nullptr, 10));
  all.sync();
  try {
    self.pid() == 0 ? send_all(all) : receive_all(all);
  } catch (const cohort::Error& error) {
    std::cout << "rank " << self.pid() << ": " << error.what() << std::endl;
    std::_Exit(5);
  }
  std::cout << "rank " << self.pid() << ": all is right" << std::endl;
}
