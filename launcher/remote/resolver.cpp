// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/resolver.hpp"

#include <asio/post.hpp>
#include <atomic>
#include <memory>
#include <thread>
#include <utility>

#include "launcher/loop/limit.hpp"

namespace cohort {

namespace {

constexpr auto resolve_limit = std::chrono::seconds(5);
constexpr std::size_t most_threads = 32;

// Shared with the threads, which may outlive the caller's wait because getaddrinfo() can't be interrupted.
struct Lookup {
  explicit Lookup(asio::io_context& loop) : time(loop) {}
  std::vector<std::string> names;
  std::vector<Resolved> answers;
  std::size_t unanswered = 0;
  std::function<void(std::vector<Resolved>)> done;
  Limit time;
  std::atomic<std::size_t> next{0};
  std::atomic<bool> over{false};

  void finish() {
    over = true;
    time.cancel();
    if (done) std::exchange(done, nullptr)(std::move(answers));
  }
};

void look_up(asio::io_context& loop, const std::shared_ptr<Lookup>& lookup) {
  for (std::size_t i = 0; (i = lookup->next++) < lookup->names.size();) {
    Resolved answer = resolve(lookup->names[i]);
    if (lookup->over) return;  // the loop may be gone
    asio::post(loop, [lookup, i, answer = std::move(answer)]() mutable {
      if (lookup->over) return;
      lookup->answers[i] = std::move(answer);
      if (--lookup->unanswered == 0) lookup->finish();
    });
  }
}

}  // namespace

void resolve_all(asio::io_context& loop, const std::vector<std::string>& names,
                 std::function<void(std::vector<Resolved>)> done) {
  const auto lookup = std::make_shared<Lookup>(loop);
  lookup->names = names;
  lookup->answers.assign(names.size(), Resolved{{}, "no answer from the resolver within 5 s"});
  lookup->unanswered = names.size();
  lookup->done = std::move(done);
  lookup->time.begin(resolve_limit, [waiting = std::weak_ptr(lookup)] {
    if (const auto unanswered = waiting.lock()) unanswered->finish();
  });
  for (std::size_t i = 0; i < std::min(names.size(), most_threads); ++i) {
    std::thread(look_up, std::ref(loop), lookup).detach();
  }
}

}  // namespace cohort
