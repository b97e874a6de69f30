// Faults on purpose: asked for at the start or later, passed on to the hosts, and told of at the end, so that nobody
// takes an injected failure for another.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "launcher/job/running_job.hpp"
#include "launcher/usage_error.hpp"
#include "proto/control.pb.h"
#include "runtime/control/faults_message.hpp"

namespace cohort {

void RunningJob::expect(const GivenFaults& faults) {
  for (const std::string& description : faults.descriptions) fault_reports_.push_back({description, {}, 0});
  if (faults.random) lines_.push_back("injected faults are drawn with seed " + std::to_string(faults.plan.seed));
}

// By cohort inject. Returns what is wrong with them, or nothing.
std::string RunningJob::inject(const std::string& faults) try {
  if (!roster_.all_joined()) return "the job has not come together yet";
  const GivenFaults given =
      parse_faults(faults, "", plan_.ranks, fresh_seed(), static_cast<std::uint32_t>(fault_reports_.size()));
  expect(given);
  v1::ToHost message;
  write(given.plan, *message.mutable_inject());
  tell_all(message);
  return "";
} catch (const UsageError& error) {
  return error.what();
}

void RunningJob::injected(Pid pid, const process::v1::Injected& happened) {
  if (happened.number() >= fault_reports_.size()) return;
  FaultReport& report = fault_reports_[happened.number()];
  report.first_s = report.times.empty() ? happened.first() : std::min(report.first_s, happened.first());
  report.times[pid] = happened.times();
}

void RunningJob::report_faults() {
  for (const FaultReport& report : fault_reports_) {
    const std::uint64_t times = std::accumulate(report.times.begin(), report.times.end(), std::uint64_t{0},
                                                [](std::uint64_t sum, const auto& of) { return sum + of.second; });
    const std::string when = fmt::format("after {:.3g} s", report.first_s);
    lines_.push_back("injected: " + report.description + ": " +
                     (times == 0   ? "did not happen"
                      : times == 1 ? when
                                   : std::to_string(times) + " times, first " + when));
  }
}

}  // namespace cohort
