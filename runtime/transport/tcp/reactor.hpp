// Asio's reactor, beside the set of sockets: it makes connections, and is not asked while none is being made.
#pragma once

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/post.hpp>
#include <atomic>
#include <chrono>

namespace cohort {

class Reactor {
 public:
  // `sockets` is the set's descriptor, and stays its owner's.
  explicit Reactor(int sockets) : sockets_(sockets) {}
  ~Reactor() { rest(); }

  asio::io_context& context() { return context_; }

  // The function is called by the next poll() or run(). By any thread.
  template <class Function>
  void post(Function function) {
    posted_.fetch_add(1, std::memory_order_release);
    asio::post(context_, [this, function] {
      posted_.fetch_sub(1, std::memory_order_relaxed);
      function();
    });
  }
  bool anything_posted() const { return posted_.load(std::memory_order_acquire) > 0; }

  void poll() { context_.poll(); }

  // Until something has happened, here or in the set, or the limit has passed. Returns whether it was in the set.
  bool run(std::chrono::nanoseconds limit);

  // It is not needed for now. To be told of the set makes each packet of a socket in there cost more.
  void rest() {
    if (set_.is_open()) set_.release();
  }

 private:
  const int sockets_;
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> stays_{context_.get_executor()};
  std::atomic<int> posted_ = 0;
  asio::posix::stream_descriptor set_{context_};
  bool awaits_set_ = false;
  bool set_is_ready_ = false;
};

}  // namespace cohort
