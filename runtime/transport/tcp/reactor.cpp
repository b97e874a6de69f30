#include "runtime/transport/tcp/reactor.hpp"

#include <utility>

namespace cohort {

bool Reactor::run(std::chrono::nanoseconds limit) {
  if (!set_.is_open()) set_.assign(sockets_);
  if (!std::exchange(awaits_set_, true)) {
    set_.async_wait(asio::posix::stream_descriptor::wait_read, [this](asio::error_code error) {
      awaits_set_ = false;
      set_is_ready_ = !error;
    });
  }
  set_is_ready_ = false;
  context_.run_one_for(limit);
  return set_is_ready_;
}

}  // namespace cohort
