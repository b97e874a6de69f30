#include "launcher/job/escalation.hpp"

#include <utility>

namespace cohort {

namespace {
constexpr auto give_up_after = std::chrono::seconds(10);
}

void Escalation::begin(std::deque<Step> steps) {
  steps_ = std::move(steps);
  next();
}

void Escalation::next() {
  while (!steps_.empty() && steps_.front().delay.count() == 0) {
    const Step step = steps_.front();
    steps_.pop_front();
    handler_.signal(step.signal);
  }
  const Clock::duration delay = steps_.empty() ? give_up_after : Clock::duration(steps_.front().delay);
  limit_.begin(delay, [this] {
    if (steps_.empty()) return handler_.give_up();
    steps_.front().delay = {};
    next();
  });
}

}  // namespace cohort
