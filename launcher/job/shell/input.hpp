// SPDX-License-Identifier: Apache-2.0
// The launcher's standard input. A thread reads it ahead of rank 0, up to a window.
#pragma once

#include <asio/io_context.hpp>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "runtime/wakeup.hpp"

namespace cohort {

class Input {
 public:
  // `chunk` is called from the event loop; an empty one is the end.
  Input(asio::io_context& loop, std::function<void(std::string chunk)> chunk);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  void start();
  void taken(std::size_t bytes);  // the reader has read so many bytes
  void stop();                    // the reader is gone

 private:
  void run();
  bool wait_for_bytes();
  std::size_t wait_for_window();

  asio::io_context& loop_;
  std::function<void(std::string)> chunk_;
  detail::Wakeup wake_;  // wakes the thread while it waits for bytes
  std::mutex mutex_;
  std::condition_variable news_;
  std::size_t on_the_way_ = 0;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace cohort
