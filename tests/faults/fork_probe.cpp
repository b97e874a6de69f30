// SPDX-License-Identifier: Apache-2.0
// Rank 1 forks in the middle of a job whose results are checked.
//
//   fork_probe HOW   what the child does: see children()
//   fork_probe outlives DIRECTLY|BEFORE   it waits for ever, and rank 1 is killed; BEFORE: rank 1 is itself a fork,
//   made
//                                         before it joins, whose parent goes on
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <string>

#include "cohort/cohort.hpp"

namespace {

using cohort::Group;

std::optional<cohort::Process> process;  // its destructor runs at exit

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void check_collectives(const Group& all, int times) {
  for (int i = 0; i < times; ++i) {
    if (all.combine(i + all.rank(), cohort::sum) != i * all.size() + all.size() * (all.size() - 1) / 2) std::_Exit(9);
    const cohort::Rank next = (all.rank() + 1) % all.size();
    std::vector<int> mine(2000, i), theirs(2000);
    all.exchange(mine, next, theirs, (all.rank() + all.size() - 1) % all.size());
    if (theirs != mine) std::_Exit(9);
  }
}

// Whether a call throws what it is to throw in a fork.
bool refuses(const std::function<void()>& call) {
  try {
    call();
  } catch (const cohort::Error& error) {
    const std::string words = error.what();
    const bool right = error.code() == cohort::ErrorCode::left &&
                       words.find("is a fork of pid 1 (process " + std::to_string(::getppid())) != words.npos;
    if (!right) std::cout << words << std::endl;
    return right;
  }
  std::cout << "a call did not throw" << std::endl;
  return false;
}

int refused(cohort::Request& open) {
  const Group all = process->all();
  int value = 0;
  std::array<cohort::Pid, 1> alone{1};
  const std::array<std::function<void()>, 13> calls{[&] { all.sync(); },
                                                    [&] { all.combine(1, cohort::sum); },
                                                    [&] { all.send(1, 0); },
                                                    [&] { all.receive<int>(0); },
                                                    [&] { all.start().receive(value, 0).wait(); },
                                                    [&] { all.start().sync().wait(); },
                                                    [&] { open.test(); },
                                                    [&] { static_cast<void>(open.ended()); },
                                                    [&] { open.wait(); },
                                                    [&] { all.partition(0); },
                                                    [&] { process->group(alone); },
                                                    [&] { process->leave(); },
                                                    [&] { cohort::join(); }};
  int right = 0;
  for (const auto& call : calls) right += refuses(call) ? 1 : 0;
  return right == static_cast<int>(calls.size()) ? 0 : 1;
}

// What belongs to the job, or to nothing that a program knows of.
int foreign_descriptors() {
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(entry.path(), gone);
    if (target.starts_with("socket:")) ++found;
  }
  return found;
}

using Child = std::function<int(cohort::Request&)>;

const std::map<std::string, Child>& children() {
  static const std::map<std::string, Child> all{
      {"return", [](cohort::Request&) { return 0; }},
      {"exit", [](cohort::Request&) -> int { std::exit(0); }},
      {"throw", [](cohort::Request&) -> int { throw std::runtime_error("the child throws"); }},
      {"call", refused},
      {"raw", refused},  // by a system call of its own, of which no library hears
      {"drop", [](cohort::Request& open) { return open = cohort::Request(), 0; }},
      {"leave-alone", [](cohort::Request&) { return process.reset(), 0; }},
      {"sockets", [](cohort::Request&) { return foreign_descriptors(); }},
      {"grandchild",
       [](cohort::Request&) {
         const pid_t below = ::fork();
         if (below == 0) return 0;
         int status = 0;
         ::waitpid(below, &status, 0);
         return status == 0 ? 0 : 1;
       }},
      {"programs", [](cohort::Request&) { return std::system("true") == 0 ? 0 : 1; }},
  };
  return all;
}

// The child's part ends with its main().
int fork_in_a_job(const std::string& how) {
  const Group all = process->all();
  check_collectives(all, 3);
  if (all.rank() == 1) {
    int late = 0;
    cohort::Request open = all.start().receive(std::span(&late, 1), 0, cohort::Tag{7});
    const pid_t child = how == "raw" ? static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) : ::fork();
    if (child == 0) return children().at(how)(open);
    int status = 0;
    ::waitpid(child, &status, 0);
    const bool right = how == "throw" ? WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT : status == 0;
    std::cout << (right ? "right" : "wrong: " + std::to_string(status)) << std::endl;
    if (std::system("true") != 0) std::_Exit(9);
    all.send(1, 0, cohort::Tag{8});
    open.wait();
    if (late != 5) std::_Exit(9);
  }
  if (all.rank() == 0) {
    all.receive<int>(1, cohort::Tag{8});
    all.send(5, 1, cohort::Tag{7});
  }
  check_collectives(all, 50);
  return 0;
}

// One that an operator makes comes back into the middle of a collective.
int fork_in_an_operator() {
  const Group all = process->all();
  pid_t child = -1;
  const auto forks = cohort::commutative([&](int a, int b) {
    if (all.rank() == 1 && child < 0) child = ::fork();
    return a + b;
  });
  try {
    const std::optional<int> sum = all.reduce(1, forks, 1);  // the root combines, whatever the algorithm
    if (sum && *sum != all.size()) std::_Exit(9);
  } catch (const cohort::Error& error) {
    return child == 0 && std::string(error.what()).find("is a fork of pid 1") != std::string::npos ? 0 : 1;
  }
  if (child == 0) return 1;
  check_collectives(all, 50);
  int status = 0;
  if (child > 0) ::waitpid(child, &status, 0);
  if (all.rank() == 1) std::cout << (child > 0 && status == 0 ? "right" : "wrong") << std::endl;
  return 0;
}

int outlived() {
  const Group all = process->all();
  check_collectives(all, 3);
  if (all.rank() == 1) {
    // The others are through with the collectives.
    for (int rank = 0; rank < all.size(); ++rank) {
      if (rank != 1) all.receive<int>(rank);
    }
    if (::fork() == 0) {
      for (;;) ::pause();
    }
    std::cout << "dies at " << std::to_string(now_s()) << std::endl;
    ::raise(SIGKILL);
  }
  all.send(1, 1);
  try {
    all.receive<int>(1);
  } catch (const cohort::Error& error) {
    std::cout << "told at " + std::to_string(now_s()) + " " + error.what() + "\n" << std::flush;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argv[1];
  if (how == "outlives" && std::string(argc > 2 ? argv[2] : "") == "BEFORE") {
    const pid_t child = ::fork();
    if (child != 0) {
      for (int status = 0;;) {
        if (::waitpid(child, &status, 0) == child && status == 0) return 0;
        ::pause();
      }
    }
  }
  process.emplace(cohort::join());
  if (how == "outlives") return outlived();
  return how == "operator" ? fork_in_an_operator() : fork_in_a_job(how);
}
