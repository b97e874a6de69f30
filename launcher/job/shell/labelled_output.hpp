// SPDX-License-Identifier: Apache-2.0
// The launcher's standard output and error: whole lines, with the rank as a label if the user asks for it. A thread
// writes, so that a slow reader never delays the job's control. The hosts' windows bound the output that waits here.
#pragma once

#include <asio/io_context.hpp>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "cohort/types.hpp"
#include "runtime/wakeup.hpp"

namespace cohort {

class LabelledOutput {
 public:
  // Both are called from the event loop.
  struct Handler {
    std::function<void(int host, std::size_t bytes)> written;
    std::function<void()> closed;  // the reader of standard output is gone; called once
  };

  LabelledOutput(asio::io_context& loop, bool label, Handler handler);
  ~LabelledOutput();
  LabelledOutput(const LabelledOutput&) = delete;
  LabelledOutput& operator=(const LabelledOutput&) = delete;

  void write(int host, Pid pid, bool error, std::string block);

  // Writes the launcher's own messages to standard error.
  void say(const std::string& text);

  // Calls `done` from the event loop when all output given so far is written (or dropped).
  void when_written(std::function<void()> done);

  // Whether standard output could not be written, for another reason than a reader that is gone. The job's results are
  // then incomplete. A line on standard error reports this once.
  bool lost() const { return lost_; }

  // Drops the output that is not written yet, and all later output.
  void drop();

 private:
  struct Block {
    int host = -1;
    Pid pid = 0;
    bool error = false;
    std::string text;
    std::function<void()> done;  // instead of text
  };

  void push(Block block);
  void run();
  std::string labelled(const Block& block) const;
  bool write_all(int descriptor, const std::string& text);

  asio::io_context& loop_;
  const bool label_;
  Handler handler_;
  detail::Wakeup wake_;  // wakes the thread while it waits for a slow reader
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<Block> blocks_;
  bool drops_ = false;
  bool ending_ = false;
  bool output_closed_ = false;  // used by the thread only
  std::atomic<bool> lost_ = false;
  std::thread thread_;
};

}  // namespace cohort
