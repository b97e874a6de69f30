// A process that has no memory left for messages which arrive before they are wanted.
//
//   memory_probe MIB   of rank 1, beside what it has at the start
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "cohort/cohort.hpp"

namespace {

constexpr int messages = 400, last = messages;
constexpr std::size_t bytes = 32 << 10;  // below what waits for its receive at the sender

std::vector<char> message(int tag) { return std::vector<char>(bytes, static_cast<char>('a' + tag % 26)); }

// Address space, from now on.
void limit_memory(rlim_t mebibytes) {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t most = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + (mebibytes << 20);
  const rlimit limit{most, most};
  ::setrlimit(RLIMIT_AS, &limit);
}

void send_all(const cohort::Group& all) {
  std::vector<std::vector<char>> sent;
  std::vector<cohort::Request> requests;
  for (int tag = 0; tag < messages; ++tag) requests.push_back(all.start_send(sent.emplace_back(message(tag)), 1, tag));
  requests.push_back(all.start_send(sent.emplace_back(message(last)), 1, last));
  cohort::wait_all(requests);
}

void receive_all(const cohort::Group& all) {
  std::vector<char> received(bytes);
  for (int i = 0; i <= last; ++i) {
    const int tag = (i + last) % (last + 1);  // the one that was sent last comes first: the others have arrived by then
    all.receive(received, 0, tag);
    if (received == message(tag)) continue;
    std::cout << "wrong: message " << tag << std::endl;
    std::_Exit(9);
  }
}

}  // namespace

int main(int, char** argv) {
  const cohort::Process self = cohort::join();
  const cohort::Group all = self.all();
  all.sync();
  if (self.pid() == 1) limit_memory(std::strtoul(argv[1], nullptr, 10));
  all.sync();
  try {
    self.pid() == 0 ? send_all(all) : receive_all(all);
  } catch (const cohort::Error& error) {
    std::cout << "rank " << self.pid() << ": " << error.what() << std::endl;
    std::_Exit(5);
  }
  std::cout << "rank " << self.pid() << ": all is right" << std::endl;
}
