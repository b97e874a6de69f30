// SPDX-License-Identifier: Apache-2.0
// A job that goes on: a stream of collectives whose results are checked, and after each loss the survivors' group.
//
//   survivors_probe CALLS [PID:CALL,...]   these processes kill themselves, at these of their calls; or end with
//                                          status 3, when the others have ended, at -1
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>

#include "cohort/cohort.hpp"

namespace {

using cohort::Group;
using cohort::Pid;

void require(bool right, const char* what) {
  if (right) return;
  std::cout << "wrong: " << what << std::endl;
  std::_Exit(9);
}

// Every collective, on the pids of the members: who they are shows in each result.
void check_collectives(const Group& group, int i) {
  const std::vector<Pid> members = group.members();
  const auto p = members.size();
  const Pid me = members[static_cast<std::size_t>(group.rank())];
  const std::size_t size = std::size_t{1} << (i % 15);
  const cohort::Rank root = i % group.size();
  const Pid all_pids = std::accumulate(members.begin(), members.end(), 0);

  std::vector<Pid> mine(size, me), sum(size);
  group.combine(mine, sum, cohort::sum);
  require(sum == std::vector<Pid>(size, all_pids), "combine");
  std::vector<Pid> told(size, me);
  group.bcast(told, root);
  require(told == std::vector<Pid>(size, members[static_cast<std::size_t>(root)]), "bcast");
  std::vector<Pid> list(p);
  group.concat(std::span(&me, 1), list);
  require(list == members, "concat");
  std::vector<Pid> from(p);
  group.index(list, from);
  require(from == std::vector<Pid>(p, me), "index");
  group.gather(std::span(&me, 1), list, root);
  Pid back = -1;
  group.scatter(list, std::span(&back, 1), root);
  require(back == me, "gather and scatter");
  const Pid before = std::accumulate(members.begin(), members.begin() + group.rank() + 1, 0);
  require(group.prefix(me, cohort::sum) == before, "prefix");
  std::vector<Pid> others(1, 0);
  group.exclusive_prefix(std::span(&me, 1), others, cohort::sum);  // leaves rank 0 what it has
  require(others[0] == before - me, "exclusive prefix");
  std::vector<Pid> reduced(size, -1);
  group.reduce(mine, reduced, cohort::maximum, root);
  require(group.rank() != root || reduced == std::vector<Pid>(size, members.back()), "reduce");
  std::vector<Pid> share(1);
  group.reduce_scatter(members, share, cohort::sum);
  require(share[0] == static_cast<Pid>(p) * me, "reduce_scatter");
  group.shift(std::span(&me, 1), std::span(&back, 1), 1);
  require(back == members[(static_cast<std::size_t>(group.rank()) + p - 1) % p], "shift");
  const Group pairs = group.partition(group.rank() / 2);
  require(pairs.combine(1, cohort::sum) == pairs.size(), "partition");
  group.sync();
}

std::string name_of(const Group& group) {
  std::ostringstream text;
  for (const Pid pid : group.members()) text << pid << ' ';
  text << "as " << to_string(group.id());
  return text.str();
}

}  // namespace

int main(int argc, char** argv) {
  const int calls = std::atoi(argv[1]);
  const cohort::Process self = cohort::join();
  std::map<Pid, int> deaths;
  std::istringstream text(argc > 2 ? argv[2] : "");
  for (std::string word; std::getline(text, word, ',');) {
    deaths[std::stoi(word)] = std::stoi(word.substr(word.find(':') + 1));
  }
  std::cout << "rank " << self.pid() << " is process " << ::getpid() << std::endl;
  Group group = self.all();
  bool incomplete = false;
  for (int i = 0; i < calls;) {
    try {
      if (incomplete) {
        group = group.survivors();
        i = group.combine(i, cohort::maximum);  // the last calls may have been complete at some
        std::cout << "rank " << self.pid() << " goes on with " << name_of(group) << std::endl;
        incomplete = false;
      }
      if (deaths.contains(self.pid()) && deaths[self.pid()] >= 0 && deaths[self.pid()] <= i) ::raise(SIGKILL);
      check_collectives(group, i);
      ++i;
    } catch (const cohort::Error& error) {
      require(error.code() == cohort::ErrorCode::peer_lost && error.failure() != nullptr, error.what());
      incomplete = true;
    }
  }
  std::cout << "rank " << self.pid() << " ends with " << name_of(group) << std::endl;
  if (deaths.contains(self.pid()) && deaths[self.pid()] < 0) std::_Exit(3);
}
