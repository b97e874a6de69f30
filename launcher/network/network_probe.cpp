// SPDX-License-Identifier: Apache-2.0
#include "launcher/network/network_probe.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "collectives/peers.hpp"
#include "launcher/clock.hpp"

namespace cohort::probe {
namespace {

constexpr std::string_view within_host = "within_host", between_hosts = "between_hosts";

// The sizes that are measured, and time limits.
constexpr std::array<Count, 8> classes = {8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 1 << 20, 4 << 20};
constexpr Count first_bytes = 16 << 10, short_bytes = 4 << 10;
constexpr int most_passes = 2;  // how often a collective sends its vector through a link
constexpr std::array<Count, 3> checked_bytes = {8, 32 << 10, 1 << 20};
constexpr double class_s = 0.3;
constexpr double settle_s = 50e-3;  // the system takes a while to give two busy processes of one core a core each
constexpr double pair_s = 10, all_s = 10, collectives_s = 15;  // for all places; with the starts, below one minute
constexpr int fewest_samples = 3, most_samples = 25;
constexpr int fewest_calls = fewest_samples + 3;  // of one measurement, with its first calls

// How many calls in a row one sample times: at most `calls`, for at most `seconds`.
struct Row {
  int calls;
  double seconds;
};
constexpr Row one_call{1, 0}, few_calls{8, 1e-3}, many_calls{20, 20e-3};

// A budget of time. It makes measurements on a slow network fewer and shorter.
class Budget {
 public:
  explicit Budget(double seconds) : seconds_(seconds) {}

  // Whether a measurement fits into the rest of the budget, if one call takes `call_s`. All members must call it; all
  // get the same answer.
  bool fits(const Group& group, double call_s) const {
    return group.combine(seconds_since(start_) + fewest_calls * call_s, maximum) < seconds_;
  }

 private:
  Clock::time_point start_ = Clock::now();
  double seconds_;
};

// The median over samples of the slowest member's time. A sample is one call after a barrier, or several in a row. The
// first call, which makes connections and schedules, is not timed, and all members first stay busy for `settle_s`. Each
// sample waits for `pause_s` first. All members must call this.
double median_seconds(const Group& group, const Row& row, const std::function<void()>& call, double pause_s = 0) {
  call();
  group.sync();
  const auto start = Clock::now();
  call();
  const double once = group.combine(seconds_since(start), maximum);
  const int calls = std::clamp(static_cast<int>(row.seconds / once), 1, row.calls);
  for (int i = 0; i < static_cast<int>(settle_s / once); ++i) call();
  std::vector<double> samples(static_cast<std::size_t>(
      std::clamp(static_cast<int>(class_s / (once * calls + pause_s)), fewest_samples, most_samples)));
  for (double& sample : samples) {
    std::this_thread::sleep_for(std::chrono::duration<double>(pause_s));
    group.sync();
    const auto first = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    sample = seconds_since(first) / calls;
  }
  group.combine(in_place(samples), maximum);
  std::ranges::nth_element(samples, samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2));
  return samples[samples.size() / 2];
}

class Place {
 public:
  // `places`: how many places share the time.
  Place(std::string_view name, Group group, std::size_t places, std::ostream& out)
      : name_(name), group_(std::move(group)), share_(1 / static_cast<double>(places)), out_(out) {}

  void measure() const {
    if (group_.rank() < 2) {
      const Group pair = group_.subrange(0, 1, 2);
      shifts(pair, "pair", pair_s);
      first(pair);
      combining(pair);
    }
    group_.sync();
    if (group_.rank() < 3) gap(group_.subrange(0, 1, std::min(group_.size(), 3)));
    group_.sync();
    if (group_.size() > 2) {
      shifts(group_, "all", all_s);
      messages();
    }
  }

  void check() const {
    const Budget budget(share_ * collectives_s);
    const double byte_s = shift_seconds(group_, first_bytes, one_call) / first_bytes;
    for (const Count bytes : checked_bytes) {
      const auto p = static_cast<Count>(group_.size());
      const auto each = static_cast<std::size_t>(std::max<Count>(bytes / (p * Count{sizeof(float)}), 1));
      std::vector<float> in(each * static_cast<std::size_t>(p), 1), out(in.size());
      const std::span<float> block(in.data(), each), result(out.data(), each);
      const auto row = [&](Operation operation, const std::function<void()>& call) {
        const auto size = static_cast<Count>(in.size() * sizeof(float));
        if (!budget.fits(group_, most_passes * byte_s * static_cast<double>(size))) return;
        call();
        const std::string algorithm = group_.latest_algorithm();
        write(group_, name_of(operation), size, median_seconds(group_, one_call, call), algorithm);
      };
      row(Operation::bcast, [&] { group_.bcast(in, 0); });
      row(Operation::reduce, [&] { group_.reduce(in, out, sum, 0); });
      row(Operation::combine, [&] { group_.combine(in, out, sum); });
      row(Operation::concat, [&] { group_.concat(block, out); });
      row(Operation::index, [&] { group_.index(in, out); });
      row(Operation::reduce_scatter, [&] { group_.reduce_scatter(in, result, sum); });
      row(Operation::prefix, [&] { group_.prefix(in, out, sum); });
    }
  }

 private:
  void shifts(const Group& group, std::string_view what, double budget_s) const {
    const Budget budget(share_ * budget_s);
    double byte_s = 0;  // an upper bound
    for (const Count bytes : classes) {
      if (!budget.fits(group, byte_s * static_cast<double>(bytes))) break;
      const double seconds = shift_seconds(group, bytes, few_calls);
      write(group, what, bytes, seconds);
      byte_s = seconds / static_cast<double>(bytes);
    }
  }

  // The time that a message takes of the shared resource: the time of a concat divided by its messages. Within a host,
  // single calls are measured, as the prices there are for single calls. Between hosts, the mean of single calls and of
  // calls in a row is taken (docs/decisions/losses.md), both along a tree. In a concat with many messages, a rank that
  // gets to run finds several, and each takes less (docs/decisions/network_numbers.md).
  void messages() const {
    const bool mean = name_ == between_hosts;
    const auto p = static_cast<std::size_t>(group_.size());
    const Group by_algorithm = group_.by(mean ? "gather_bcast" : "circulant");
    const int count = mean ? 2 * (group_.size() - 1) : group_.size() * ceil_log2(group_.size());
    for (const Count bytes : classes) {
      if (bytes > short_bytes) break;
      const std::vector<std::byte> block(std::max<std::size_t>(static_cast<std::size_t>(bytes) / p, 1));
      std::vector<std::byte> all(block.size() * p);
      const auto call = [&] { by_algorithm.concat(block, all); };
      const double alone = median_seconds(group_, one_call, call);
      const double seconds = mean ? (alone + median_seconds(group_, many_calls, call)) / 2 : alone;
      write(group_, "message", bytes, seconds / count);
    }
  }

  // The time of a round in which each rank sends to the next.
  static double shift_seconds(const Group& group, Count bytes, const Row& row, double pause_s = 0) {
    std::vector<std::byte> in(static_cast<std::size_t>(bytes)), out(in.size());
    const Group by_exchange = group.by("exchange");
    return median_seconds(
        group, row, [&] { by_exchange.shift(in, out, 1); }, pause_s);
  }

  // The time of a round after the links have rested for two rounds.
  void first(const Group& pair) const {
    const double pause_s = 2 * shift_seconds(pair, first_bytes, few_calls);
    write(pair, "first", first_bytes, shift_seconds(pair, first_bytes, one_call, pause_s));
  }

  // The time that each further block adds to a pipeline.
  void gap(const Group& group) const {
    constexpr Count block_bytes = 8, few = 64, many = 512;
    const auto pipeline = [&](Count blocks) {
      std::vector<std::byte> data(static_cast<std::size_t>(blocks * block_bytes));
      const Group by_chain = group.by("chain:blocks=" + std::to_string(blocks));
      return median_seconds(group, one_call, [&] { by_chain.bcast(data, 0); });
    };
    write(group, "gap", block_bytes, (pipeline(many) - pipeline(few)) / static_cast<double>(many - few));
  }

  void combining(const Group& group) const {
    std::vector<double> a(8192, 1), b(a.size(), 1);  // as large as a block, and small enough for a cache
    const auto bytes = [](std::vector<double>& data) { return reinterpret_cast<std::byte*>(data.data()); };
    const detail::Reduction adding = detail::erase<double>(sum);
    const double seconds =
        median_seconds(group, few_calls, [&] { adding.apply(nullptr, bytes(a), bytes(b), bytes(b), a.size()); });
    if (group.rank() == 0) row("combine", 1, static_cast<Count>(a.size() * sizeof(double)), seconds);
  }

  void write(const Group& group, std::string_view what, Count bytes, double seconds,
             const std::string& algorithm = "-") const {
    if (group.rank() == 0) row(what, group.size(), bytes, seconds, algorithm);
  }
  void row(std::string_view what, Rank ranks, Count bytes, double seconds, const std::string& algorithm = "-") const {
    out_ << name_ << '\t' << what << '\t' << ranks << '\t' << bytes << '\t' << seconds << '\t' << algorithm
         << std::endl;
  }

  std::string_view name_;
  Group group_;
  double share_;
  std::ostream& out_;
};

// The processes of each host; hosts are in the order of their first processes.
std::vector<std::vector<Pid>> processes_by_host(const Process& self) {
  std::array<char, 256> mine{};
  self.host().copy(mine.data(), mine.size() - 1);
  std::vector<std::array<char, 256>> names(static_cast<std::size_t>(self.size()));
  self.all().concat(std::span(&mine, 1), names);
  std::map<std::string, std::size_t> known;
  std::vector<std::vector<Pid>> hosts;
  for (Pid pid = 0; pid < self.size(); ++pid) {
    const auto [host, fresh] = known.try_emplace(names[static_cast<std::size_t>(pid)].data(), hosts.size());
    if (fresh) hosts.emplace_back();
    hosts[host->second].push_back(pid);
  }
  return hosts;
}

// Runs the task for one place after the other, so that they do not disturb each other.
void at_each_place(const Process& self, std::ostream& out, void (Place::*task)() const) {
  std::vector<std::pair<std::string_view, std::vector<Pid>>> places;
  const std::vector<std::vector<Pid>> hosts = processes_by_host(self);
  const auto several = std::ranges::find_if(hosts, [](const std::vector<Pid>& host) { return host.size() > 1; });
  if (several != hosts.end()) places.emplace_back(within_host, *several);
  if (hosts.size() > 1) {
    auto& firsts = places.emplace_back(between_hosts, std::vector<Pid>{}).second;
    for (const std::vector<Pid>& host : hosts) firsts.push_back(host.front());
  }
  for (const auto& [name, pids] : places) {
    if (std::ranges::find(pids, self.pid()) != pids.end()) {
      (Place(name, self.group(pids), places.size(), out).*task)();
    }
    self.all().sync();
  }
}

}  // namespace

void measure(const Process& self, std::ostream& out) { at_each_place(self, out, &Place::measure); }
void check(const Process& self, std::ostream& out) { at_each_place(self, out, &Place::check); }

}  // namespace cohort::probe
