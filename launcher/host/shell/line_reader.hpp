// SPDX-License-Identifier: Apache-2.0
// Reads one output stream of a process into blocks of whole lines, so that lines of different processes never mix. Cuts
// a line longer than 16 MiB. Text after the last newline is delivered at the end of the stream.
#pragma once

#include <asio/posix/stream_descriptor.hpp>
#include <functional>
#include <string>

namespace cohort {

class LineReader {
 public:
  struct Handler {
    std::function<void(std::string block)> block;
    std::function<bool()> may_read;  // asked before each read; after `false`, resume() starts again
    std::function<void()> end;       // called once
  };

  // Takes the descriptor, which must be non-blocking. Nothing is called before start().
  LineReader(const asio::any_io_executor& executor, int descriptor, Handler handler);

  void start() { wait(); }
  void resume();
  void close();  // drops the unread output; end() is called
  bool open() const { return stream_.is_open(); }

 private:
  void wait();
  void read();
  void take(const char* bytes, std::size_t count);

  asio::posix::stream_descriptor stream_;
  Handler handler_;
  std::string line_;  // the beginning of a line that has not ended yet
  bool waiting_ = false;
};

}  // namespace cohort
