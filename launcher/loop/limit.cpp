// SPDX-License-Identifier: Apache-2.0
#include "launcher/loop/limit.hpp"

#include <utility>

namespace cohort {

Limit::Limit(asio::io_context& loop) : timer_(loop, [this] { std::exchange(over_, nullptr)(); }) {}

void Limit::begin(Clock::duration limit, std::function<void()> over) {
  limit_ = limit;
  over_ = std::move(over);
  renew();
}

void Limit::renew() {
  if (running()) timer_.set(Deadline::after(limit_, timer_.now()));
}

bool Limit::cancel() {
  timer_.set(std::nullopt);
  return std::exchange(over_, nullptr) != nullptr;
}

}  // namespace cohort
