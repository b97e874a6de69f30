// SPDX-License-Identifier: Apache-2.0
#include "launcher/doctor/examination.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "cohort/error.hpp"
#include "launcher/host/cores.hpp"
#include "launcher/host/machine.hpp"
#include "launcher/host/program.hpp"
#include "launcher/network/interfaces.hpp"
#include "launcher/remote/resolver.hpp"
#include "runtime/control/tuning_message.hpp"
#include "runtime/random_number.hpp"

namespace cohort::doctor {

namespace {

constexpr std::uint32_t questions_a_host = 5;  // the quickest answer tells most of the clock
constexpr auto answer_limit = std::chrono::seconds(5);
constexpr auto pair_limit = std::chrono::seconds(10);  // a slow link's measurement takes 2 s
constexpr int most_tries = 4;                          // of a pair whose hosts are busy
constexpr std::size_t secret_bytes = 32;

std::int64_t wall_clock_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (::getrandom(bytes.data(), count, 0) != static_cast<ssize_t>(count)) {
    throw Error(ErrorCode::job, "the system gives no random numbers");
  }
  return bytes;
}

}  // namespace

Examination::Examination(asio::io_context& loop, Warden& warden, const JobPlan& plan,
                         std::function<void(std::string)> on_progress)
    : loop_(loop), warden_(warden), plan_(plan), on_progress_(std::move(on_progress)), reaper_(loop), limit_(loop) {
  facts_.program = own_path();
  facts_.remote_shell = plan.remote_shell.front();
  facts_.ports = plan.ports;
  for (const HostPlan& host : plan.hosts) {
    HostFacts& facts = facts_.hosts.emplace_back();
    facts.name = host.name;
    facts.local = host.local;
    facts.processes = host.count;
  }
}

Examination::~Examination() = default;

Facts Examination::run() {
  on_progress_("resolving names ...");
  std::vector<std::string> names;
  for (const HostFacts& host : facts_.hosts) names.push_back(host.name);
  resolve_all(loop_, names, [this](std::vector<Resolved> answers) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      facts_.hosts[i].resolved = std::move(answers[i].addresses);
      facts_.hosts[i].unresolved = std::move(answers[i].error);
    }
    connect();
  });
  loop_.run();
  here_.clear();
  return std::move(facts_);
}

// --- the hosts come

void Examination::connect() {
  RemoteSettings remote{random_number(),
                        plan_.remote_shell,
                        plan_.shells_at_once,
                        plan_.interface,
                        plan_.settings.host_limit(),
                        plan_.ports,
                        {}};
  for (std::size_t i = 0; i < plan_.hosts.size(); ++i) {
    if (!plan_.hosts[i].local) remote.hosts.push_back({static_cast<int>(i), plan_.hosts[i].name});
  }
  if (!remote.hosts.empty()) {
    on_progress_("starting an agent on each host ...");
    remote_ = RemoteHosts::start(loop_, reaper_, warden_, *this, std::move(remote));
  }
  for (HostFacts& host : facts_.hosts) {
    if (!host.local) continue;
    const Machine here = this_machine();
    host.boot = here.boot;
    host.cores = here.cores;
  }
  if (all_known()) ask_next();
}

bool Examination::all_known() const {
  return std::ranges::all_of(
      facts_.hosts, [](const HostFacts& host) { return host.local || !host.address.empty() || !host.is_well(); });
}

Host& Examination::host(int number) {
  const HostPlan& plan = plan_.hosts.at(static_cast<std::size_t>(number));
  if (!plan.local) return remote_->host(number);
  std::unique_ptr<HostShell>& here = here_[number];
  if (!here) {
    std::string address = remote_ ? remote_->own_address() : "127.0.0.1";
    if (!plan_.interface.empty()) address = address_of_interface(plan_.interface);
    facts_of(number).address = address;
    here = std::make_unique<HostShell>(loop_, reaper_, warden_, *this,
                                       LocalHost::Settings{number, plan.name, {address, plan_.ports}, usable_cores()});
  }
  return *here;
}

void Examination::heard(int host, v1::FromHost&& message) {
  if (message.has_attached()) {
    attached(host, message.attached());
  } else if (message.has_examined()) {
    answered(host, message.examined());
  } else if (message.has_measurable()) {
    measurable(message.measurable());
  } else if (message.has_measured()) {
    measured(message.measured());
  }
}

void Examination::attached(int host, const v1::Attached& hello) {
  HostFacts& facts = facts_of(host);
  facts.shell_s = seconds_since(begun_);
  facts.address = hello.address();
  facts.boot = hello.boot();
  facts.cores = hello.cores();
  if (step_ == Step::connecting && all_known()) ask_next();
}

void Examination::lost(int host, const std::string& cause) {
  facts_of(host).trouble = cause;
  switch (step_) {
    case Step::connecting:
      if (all_known()) ask_next();
      return;
    case Step::asking:
      if (host == asked_) ask_next();
      return;
    case Step::pairs:
      if (facts_.pairs[pair_].from == host || facts_.pairs[pair_].to == host) give_up_pair("a host was lost");
      return;
    case Step::closing:
      return;
  }
}

// --- each host is asked some times

void Examination::ask_next() {
  if (std::exchange(step_, Step::asking) == Step::connecting) {
    asked_ = 0;
    question_ = 0;
  } else if (!facts_of(asked_).is_well() || question_ % questions_a_host == 0) {
    ++asked_;
    question_ = 0;
  }
  while (asked_ < static_cast<int>(facts_.hosts.size()) && !facts_of(asked_).is_well()) ++asked_;
  if (asked_ == static_cast<int>(facts_.hosts.size())) {
    limit_.cancel();
    step_ = Step::pairs;
    for (int from = 0; from < asked_; ++from) {
      for (int to = 0; to < asked_; ++to) {
        if (from != to && facts_of(from).is_well() && facts_of(to).is_well())
          facts_.pairs.push_back({from, to, {}, ""});
      }
    }
    pair_ = 0;
    return next_pair();
  }
  v1::ToHost message;
  message.mutable_examine()->set_number(++question_);
  limit_.begin(answer_limit, [this] { lost(asked_, "it has not answered within 5 s"); });
  asked_at_ = Clock::now();
  asked_at_ns_ = wall_clock_ns();
  host(asked_).tell(message);
}

// The host read its clock between the question and the answer: the middle is wrong by at most half of that time.
void Examination::answered(int host, const v1::Examined& answer) {
  if (step_ != Step::asking || host != asked_ || answer.number() != question_) return;
  HostFacts& facts = facts_of(host);
  const double took_s = seconds_since(asked_at_);
  const double ahead_s = static_cast<double>(answer.clock_ns() - asked_at_ns_) * 1e-9 - took_s / 2;
  if (!facts.clock || took_s / 2 < facts.clock->error_s) facts.clock = ClockOffset{ahead_s, took_s / 2};
  facts.program = answer.program();
  facts.addresses = {answer.addresses().begin(), answer.addresses().end()};
  facts.free_ports = answer.free_ports();
  ask_next();
}

// --- each pair measures

void Examination::next_pair() {
  while (pair_ < facts_.pairs.size()) {
    PairFacts& pair = facts_.pairs[pair_];
    if (facts_of(pair.from).is_well() && facts_of(pair.to).is_well()) break;
    pair.trouble = "a host was lost";
    ++pair_;
  }
  if (pair_ == facts_.pairs.size()) return close();
  const PairFacts& pair = facts_.pairs[pair_];
  on_progress_(fmt::format("pair {} of {}: {} to {}", pair_ + 1, facts_.pairs.size(), facts_of(pair.from).name,
                           facts_of(pair.to).name));
  meeting_.set_job(random_number());
  meeting_.set_secret(random_bytes(secret_bytes));
  meeting_.set_count(1);
  v1::ToHost message;
  *message.mutable_be_measured() = meeting_;
  limit_.begin(pair_limit, [this] { give_up_pair("no answer within 10 s"); });
  host(pair.to).tell(message);
}

void Examination::measurable(const v1::Measurable& where) {
  if (step_ != Step::pairs || where.job() != meeting_.job()) return;
  v1::ToHost message;
  *message.mutable_measure()->mutable_meeting() = meeting_;
  message.mutable_measure()->set_ip(where.ip());
  message.mutable_measure()->set_port(where.port());
  host(facts_.pairs[pair_].from).tell(message);
}

void Examination::measured(const v1::Measured& result) {
  if (step_ != Step::pairs || result.job() != meeting_.job()) return;
  PairFacts& pair = facts_.pairs[pair_];
  pair.is_busy = result.met() && !result.has_network();
  if (pair.is_busy && ++tries_ < most_tries) return next_pair();
  if (pair.is_busy) return give_up_pair("the hosts were too busy: long messages took no longer than short ones");
  if (!result.has_network()) return give_up_pair("the connection could not be made, or broke");
  pair.network = read(result.network());
  go_on();
}

void Examination::give_up_pair(const std::string& why) {
  facts_.pairs[pair_].trouble = why;
  go_on();
}

void Examination::go_on() {
  ++pair_;
  tries_ = 0;
  next_pair();
}

void Examination::close() {
  step_ = Step::closing;
  limit_.cancel();
  if (!remote_) return loop_.stop();
  on_progress_("ending the agents ...");
  remote_->close([this] { loop_.stop(); });
}

}  // namespace cohort::doctor
