// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/shell/questions.hpp"

#include <chrono>
#include <utility>

#include "launcher/job/faults_file.hpp"

namespace cohort {
namespace {

constexpr std::chrono::milliseconds serve_after(200);

}  // namespace

Questions::Questions(asio::io_context& loop, std::function<void(Event)> take, std::function<std::string()> line)
    : loop_(loop), take_(std::move(take)), line_(std::move(line)), timer_(loop) {}

void Questions::serve_soon() {
  timer_.expires_after(serve_after);
  timer_.async_wait([this](const asio::error_code& error) {
    if (error) return;
    server_ =
        StatusServer::start(loop_, {line_, [this](Answer answer) { take_(event::Describe{note(std::move(answer))}); },
                                    [this](const std::string& faults) { return inject(faults); }});
  });
}

std::uint64_t Questions::note(Answer answer) {
  answers_[++askers_] = std::move(answer);
  return askers_;
}

// The job replies at once, unless it is over.
std::string Questions::inject(const std::string& faults) {
  std::string wrong = "the job is over";
  const std::uint64_t asker = note([&wrong](std::string text) { wrong = std::move(text); });
  take_(event::Inject{asker, faults, fresh_seed()});
  answers_.erase(asker);
  return wrong;
}

void Questions::reply(command::Reply&& command) {
  if (const auto answer = answers_.extract(command.asker)) answer.mapped()(std::move(command.text));
}

}  // namespace cohort
