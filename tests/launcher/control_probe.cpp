// SPDX-License-Identifier: Apache-2.0
// A process of a job in the launcher's tests: does one thing that its first argument names, on the control link alone.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "cohort/error.hpp"
#include "runtime/control/control_link.hpp"

namespace {

using cohort::ControlLink;
using cohort::Job;

// Waits for the next word on the link. Throws if it is that a process has failed.
void hear(ControlLink& link) {
  link.listen(std::chrono::hours(1));
  link.poll([](const cohort::Failure& failure) {
    throw cohort::Error(cohort::ErrorCode::peer_lost,
                        "told: pid " + std::to_string(failure.pid) + " on " + failure.host + " " + failure.words);
  });
}

// Waits until everybody has left.
void leave(ControlLink& link) {
  link.leave();
  while (!link.all_left()) hear(link);
}

[[noreturn]] void wait_for_failure(ControlLink& link) {
  for (;;) hear(link);
}

Job join(ControlLink& link) { return link.join(static_cast<std::uint16_t>(40000 + ::getpid() % 20000), 7); }

[[noreturn]] void hang() {
  for (;;) ::pause();
}

void print_job(const ControlLink& link, const Job& job) {
  std::string line = "pid " + std::to_string(job.me) + " of " + std::to_string(job.ranks()) + " id " +
                     std::to_string(job.id) + " listens " + link.listen_at().ip + " cores " +
                     std::to_string(job.cores) + (job.crowded ? " crowded" : "") +
                     (job.barrier ? " barrier" : " no-barrier") + (job.develop ? " develop" : " run") +
                     (job.progress_thread ? " progress-thread :" : " :");
  for (const cohort::ProcessAddress& address : job.processes) {
    line += " " + address.host + "/" + address.ip + "/" + std::to_string(address.port);
  }
  std::cout << line << std::endl;
}

void print_tuning(const Job& job) {
  std::string line = "pid " + std::to_string(job.me) + ":";
  for (const cohort::Choice& choice : job.tuning.choices) line += " " + to_string(choice);
  const auto add = [&line](const char* place, const cohort::Network& network) {
    char text[160];
    std::snprintf(text, sizeof text, "; %s alpha_us=%.3f round_us=%.3f beta_ns=%.3f burst=%.0f shared_us=%.3f", place,
                  1e6 * network.alpha, 1e6 * (network.alpha + network.latency), 1e9 * network.beta, network.burst,
                  1e6 * network.shared_alpha);
    line += text;
  };
  add("within", job.tuning.within_host);
  add("each host", job.tuning.within_hosts);
  add("between", job.tuning.between_hosts);
  std::cout << line << std::endl;
}

std::map<std::string, int (*)(const std::vector<std::string>&)> without_joining() {
  return {
      {"argv",
       [](const std::vector<std::string>& words) {
         for (const std::string& word : words) std::cout << '<' << word << '>';
         std::cout << '\n';
         return 0;
       }},
      {"bytes",  // its arguments, its directory and a variable, each with a zero byte behind
       [](const std::vector<std::string>& words) {
         for (const std::string& word : words) std::cout << word << '\0';
         std::cout << std::filesystem::current_path().string() << '\0' << std::getenv("COHORT_TEST_BYTES") << '\0';
         return 0;
       }},
      {"count-stdin",
       [](const std::vector<std::string>&) {
         std::vector<char> chunk(1 << 16);
         std::uint64_t bytes = 0;
         std::uint64_t sum = 0;
         for (ssize_t got = 0; (got = ::read(0, chunk.data(), chunk.size())) > 0;
              bytes += static_cast<std::uint64_t>(got)) {
           for (ssize_t i = 0; i < got; ++i)
             sum = sum * 31 + static_cast<unsigned char>(chunk[static_cast<std::size_t>(i)]);
         }
         std::cout << bytes << ' ' << sum << '\n';
         return 0;
       }},
      {"lines",  // COUNT LENGTH: many lines, each of one letter that is the process's own
       [](const std::vector<std::string>& words) {
         const char letter = static_cast<char>('a' + ::getpid() % 26);
         const std::string line = std::string(std::stoul(words.at(1)), letter) + "\n";
         for (unsigned long i = 0; i < std::stoul(words.at(0)); ++i) {
           // in two writes, so that a launcher that passes on what it reads would tear it
           if (::write(1, line.data(), line.size() / 2) < 0) return 1;
           if (::write(1, line.data() + line.size() / 2, line.size() - line.size() / 2) < 0) return 1;
         }
         return 0;
       }},
      {"hang", [](const std::vector<std::string>&) -> int { hang(); }},
      {"stubborn",  // ignores what asks it to end, and has a child that does so too
       [](const std::vector<std::string>&) -> int {
         for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::signal(number, SIG_IGN);
         const pid_t child = ::fork();
         if (child != 0) std::cout << ::getpid() << ' ' << child << std::endl;
         hang();
       }},
      {"signals",  // says which of the forwarded signals it has got
       [](const std::vector<std::string>&) -> int {
         sigset_t set;
         ::sigemptyset(&set);
         for (const int number : {SIGUSR1, SIGUSR2, SIGINT}) ::sigaddset(&set, number);
         ::sigprocmask(SIG_BLOCK, &set, nullptr);
         std::cout << "ready" << std::endl;
         int number = 0;
         do {
           ::sigwait(&set, &number);
           std::cout << "signal " << number << std::endl;
         } while (number != SIGINT);
         return 0;
       }},
      {"exit-before", [](const std::vector<std::string>& words) { return std::stoi(words.at(0)); }},
  };
}

int control_descriptor = -1;  // of the link

// Rank 0 does the thing; the others wait to be told of it (or for the end).
int after_joining(const std::string& mode, ControlLink& link, const std::vector<std::string>& words) {
  const Job job = join(link);
  const cohort::Pid culprit = words.empty() ? 0 : std::stoi(words.at(0));
  if (mode == "join") {
    print_job(link, job);
    leave(link);
    return 0;
  }
  if (mode == "tuning") {
    print_tuning(job);
    leave(link);
    return 0;
  }
  if (mode == "leave-and-die") {  // the last one dies after it has left
    if (job.me != culprit) leave(link);
    if (job.me == culprit) ::raise(SIGKILL);
    return 0;
  }
  if (mode == "nonsense") {
    if (job.me == culprit) {
      if (::write(control_descriptor, "\xff\xff\xff\xff", 4) == 4) hang();
      return 1;
    }
    try {
      wait_for_failure(link);
    } catch (const cohort::Error&) {
      leave(link);
    }
    return 0;
  }
  if (job.me != culprit) wait_for_failure(link);
  if (mode == "exit-0") return 0;
  if (mode == "exit-5") return 5;
  if (mode == "kill") ::raise(SIGKILL);
  if (mode == "abort") {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    std::abort();
  }
  std::cerr << "control_probe: unknown mode " << mode << '\n';
  return 2;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return 2;
  const std::string& mode = words.front();
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  const auto simple = without_joining();
  if (const auto found = simple.find(mode); found != simple.end()) return found->second(rest);

  if (const char* descriptor = std::getenv("COHORT_CONTROL_FD")) control_descriptor = std::atoi(descriptor);
  const std::unique_ptr<ControlLink> link = ControlLink::inherited();
  if (link == nullptr) {
    std::cout << "alone\n";
    return 0;
  }
  if (mode == "some-join") {  // rank 0 ends in order, or with the status given, while the others wait for it
    const bool culprit = std::getenv("COHORT_TEST_CULPRIT") != nullptr;
    if (culprit) return 0;
  }
  if (mode == "hello-and-exit") return 0;
  if (mode == "hello-and-hang") hang();
  if (mode == "half") {  // the environment after joining; a child that would join in our place
    const bool hidden = std::getenv("COHORT_CONTROL_FD") == nullptr;
    join(*link);
    std::cout << (hidden ? "hidden" : "visible") << '\n';
    leave(*link);
    return 0;
  }
  if (mode == "join-and-hang") {
    join(*link);
    std::cout << "joined " << ::getpid() << std::endl;
    hang();
  }
  return after_joining(mode, *link, rest);
} catch (const cohort::Error& error) {
  std::cerr << "probe: " << error.what() << '\n';
  return 9;
}
