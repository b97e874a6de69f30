// SPDX-License-Identifier: Apache-2.0
#include "launcher/commands/verification.hpp"

#include <algorithm>
#include <future>
#include <mutex>

#include "collectives/verifier/properties.hpp"
#include "launcher/clock.hpp"

namespace cohort {
namespace {

constexpr Rank most_ranks_of_barrier = 9;
constexpr std::size_t cases_of_rounds = 50;

class Verifying {
 public:
  Verifying(const VerificationTask& task, const std::function<void(const Verification&)>& on_verified,
            const std::function<void(const Algorithm&, Rank)>& on_progress)
      : task_(task), on_verified_(on_verified), on_progress_(on_progress), results_(task.algorithms.size()) {}

  bool run() {
    std::vector<std::future<void>> workers;
    for (int i = 0; i < std::max(task_.threads, 1); ++i) {
      workers.push_back(std::async(std::launch::async, [this] { work(); }));
    }
    for (std::future<void>& worker : workers) worker.get();
    return std::ranges::none_of(results_, [](const auto& result) { return result->counterexample.has_value(); });
  }

 private:
  void work() {
    while (true) {
      std::unique_lock lock(mutex_);
      if (next_ == task_.algorithms.size()) return;
      const std::size_t index = next_++;
      lock.unlock();
      const Verification result = verified(*task_.algorithms[index]);
      lock.lock();
      results_[index] = result;
      while (told_ < results_.size() && results_[told_]) on_verified_(*results_[told_++]);
    }
  }

  Verification verified(const Algorithm& algorithm) {
    const auto start = Clock::now();
    verifier::Properties properties(algorithm);
    Verification result{&algorithm, 0, 0, {}};
    std::optional<std::string>& counterexample = result.counterexample;
    for (Rank p = task_.lowest; p <= task_.highest && !counterexample; ++p) {
      {
        const std::lock_guard lock(mutex_);
        on_progress_(algorithm, p);
      }
      counterexample = properties.result(p, verifier::usual_cases(algorithm, p));
      if (!counterexample) counterexample = properties.rounds(p, cases_of_rounds);
      if (!counterexample && p <= most_ranks_of_barrier) {
        counterexample = properties.barrier(p, verifier::usual_cases(algorithm, p));
      }
      if (!counterexample) counterexample = properties.cost(p, verifier::Properties::usual_effort);
    }
    result.cases = properties.cases();
    result.seconds = seconds_since(start);
    return result;
  }

  const VerificationTask& task_;
  const std::function<void(const Verification&)>& on_verified_;
  const std::function<void(const Algorithm&, Rank)>& on_progress_;
  std::mutex mutex_;
  std::vector<std::optional<Verification>> results_;
  std::size_t next_ = 0;
  std::size_t told_ = 0;
};

}  // namespace

bool verify(const VerificationTask& task, const std::function<void(const Verification&)>& on_verified,
            const std::function<void(const Algorithm& algorithm, Rank ranks)>& on_progress) {
  return Verifying(task, on_verified, on_progress).run();
}

}  // namespace cohort
