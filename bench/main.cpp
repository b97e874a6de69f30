// SPDX-License-Identifier: Apache-2.0
// Measures operations between the processes of a job. `cohort bench` starts it. plan.hpp has its arguments.
#include <algorithm>
#include <cmath>
#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure.hpp"
#include "bench/operations.hpp"
#include "bench/overlap.hpp"
#include "bench/plan.hpp"
#include "bench/report.hpp"

namespace cohort::bench {
namespace {

class Benchmark {
 public:
  Benchmark(const Process& self, const Plan& plan)
      : plan_(plan), all_(self.all()), in_(plan.most_bytes / sizeof(float), 1.0F), out_(in_.size()) {
    if (all_.rank() != 0) return;
    report_.emplace(plan, self);
    progress_.emplace(plan.progress, plan.form == Form::table ? std::cout : std::cerr);
  }

  void run() {
    if (plan_.patience.timing != Timing::own && !have_one_clock(all_)) {
      throw std::invalid_argument("--span and --together need the clock of one machine, and there are several");
    }
    for (const Task& task : plan_.tasks) {
      const Call call = call_of(task.operation);
      if (call.between_pairs && all_.size() < 2) throw std::invalid_argument(task.operation + " needs two processes");
      const std::vector<std::size_t> sizes = sizes_of(call);
      for (const std::size_t bytes : sizes) run(task, call, bytes);
      if (sizes.empty() && report_) {
        progress_->wipe();
        std::cerr << "cohort_bench: warning: " << task.operation << " was not measured: its smallest vector is "
                  << smallest(call) << " bytes, and none of --min and four times it up to --max is as large: try --min "
                  << smallest(call) << " --max " << smallest(call) << '\n';
      }
    }
    if (progress_) progress_->wipe();
    if (report_) report_->end();
  }

 private:
  std::size_t smallest(const Call& call) const { return sizeof(float) * (call.divided ? ranks() : 1); }

  std::vector<std::size_t> sizes_of(const Call& call) const {
    if (!call.sized) return {0};
    std::vector<std::size_t> sizes;
    for (std::size_t bytes = plan_.least_bytes; bytes <= plan_.most_bytes; bytes *= 4) {
      if (bytes >= smallest(call)) sizes.push_back(bytes);
    }
    return sizes;
  }

  void run(const Task& task, const Call& call, std::size_t bytes) {
    const std::string what = task.operation + ", " + std::to_string(bytes) + " bytes";
    if (progress_ && plan_.form != Form::table) progress_->show(what);
    if (report_) report_->begin(task, bytes);
    std::vector<Group> handles;
    for (const std::string& algorithm : task.algorithms) {
      handles.push_back(algorithm == chosen ? all_ : all_.by(algorithm));
    }
    const auto on_progress = [&](double share) {
      if (progress_) progress_->show(what + ": " + std::to_string(std::lround(100 * share)) + " %");
    };
    std::vector<Measurement> measured = measure(all_, handles, call, vectors(call, bytes), plan_.patience, on_progress);
    std::vector<Row> rows;
    for (std::size_t i = 0; i < measured.size(); ++i) {
      if (!measured[i].refusal.empty() && !plan_.every_algorithm) throw std::invalid_argument(measured[i].refusal);
      if (find_operation(task.operation)->collective.empty()) measured[i].algorithm = "-";
      if (!measured[i].refusal.empty()) continue;
      rows.push_back({task.operation, all_.size(), bytes, std::move(measured[i]), task.algorithms[i] == chosen});
    }
    if (plan_.every_algorithm) sort(rows);
    if (!report_) return;
    progress_->wipe();
    for (const Row& row : rows) report_->add(row);
  }

  // The runtime's choice, then the others: the fastest first.
  static void sort(std::vector<Row>& rows) {
    std::ranges::stable_sort(rows, [](const Row& a, const Row& b) {
      return a.chosen != b.chosen ? a.chosen : a.measured.median_us < b.measured.median_us;
    });
  }

  Vectors vectors(const Call& call, std::size_t bytes) {
    const std::size_t elements = bytes / sizeof(float), block = elements / ranks();
    const std::size_t length = call.divided ? block * ranks() : elements;
    Vectors made{{in_.data(), length}, {out_.data(), length}, {in_.data(), block}, {out_.data(), block}, {}};
    if (call.computes) {
      const auto [known, is_new] = works_.try_emplace(bytes);
      if (is_new) known->second = as_long_as_a_combine(all_, made);
      made.work = known->second;
    }
    return made;
  }

  std::size_t ranks() const { return static_cast<std::size_t>(all_.size()); }

  const Plan& plan_;
  Group all_;
  std::vector<float> in_, out_;
  std::map<std::size_t, Work> works_;  // by the bytes of the vector
  std::optional<Report> report_;       // at rank 0
  std::optional<Progress> progress_;
};

}  // namespace
}  // namespace cohort::bench

int main(int argc, char** argv) {
  try {
    const cohort::bench::Plan plan = cohort::bench::read_plan({argv + 1, argv + argc});
    const cohort::Process self = cohort::join();
    cohort::bench::Benchmark(self, plan).run();
  } catch (const std::exception& error) {
    std::cerr << "cohort_bench: " << error.what() << '\n';
    return 1;
  }
}
