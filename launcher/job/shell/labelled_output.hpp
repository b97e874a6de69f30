// The launcher's standard output and error: whole lines, labelled with their rank if the user wants that. A thread
// writes, so that a slow reader never delays the job's control. The hosts' windows bound what waits here.
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
    std::function<void()> closed;  // nobody reads standard output any more; once
  };

  LabelledOutput(asio::io_context& loop, bool label, Handler handler);
  ~LabelledOutput();
  LabelledOutput(const LabelledOutput&) = delete;
  LabelledOutput& operator=(const LabelledOutput&) = delete;

  void write(int host, Pid pid, bool error, std::string block);

  // The launcher's own words, on standard error.
  void say(const std::string& text);

  // Calls back, from the event loop, when all that was given so far is written (or dropped).
  void when_written(std::function<void()> done);

  // Whether standard output could not be written for a reason other than a reader that is gone: then the job's results
  // are incomplete. Said once on standard error.
  bool lost() const { return lost_; }

  // Drops what is not written yet, and what comes.
  void abandon();

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
  detail::Wakeup wake_;  // the thread, while it waits for a slow reader
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<Block> blocks_;
  bool abandoned_ = false;
  bool ending_ = false;
  bool output_closed_ = false;  // the thread's own
  std::atomic<bool> lost_ = false;
  std::thread thread_;
};

}  // namespace cohort
