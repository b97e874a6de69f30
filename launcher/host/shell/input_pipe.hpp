// SPDX-License-Identifier: Apache-2.0
// Rank 0's end of the job's standard input, on its host.
#pragma once

#include <asio/posix/stream_descriptor.hpp>
#include <deque>
#include <functional>
#include <string>

namespace cohort {

class InputPipe {
 public:
  // `taken` reports how many bytes were written to the pipe, or dropped because the process reads no more.
  using Taken = std::function<void(std::size_t bytes, bool closed)>;

  // Takes the descriptor, which must be non-blocking.
  InputPipe(const asio::any_io_executor& executor, int descriptor, Taken taken);

  void push(std::string data);  // empty: the end
  void close();

 private:
  void write();

  asio::posix::stream_descriptor pipe_;
  Taken taken_;
  std::deque<std::string> unwritten_;
  std::size_t written_of_first_ = 0;
  bool waiting_ = false;
};

}  // namespace cohort
