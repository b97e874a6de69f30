// Whether the other side of a stream is alive. Sends a beat when there is nothing else to send, and notices when
// nothing is heard.
#pragma once

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <functional>

#include "launcher/loop/limit.hpp"

namespace cohort {

// How long a silence may last, if all processes must know of a lost host within this limit (seconds). The rest of the
// limit is for telling them. With a limit of 5 s or more, a network may be down for two fifths of it: the last beat may
// be a fifth older than the cut, and TCP retransmits within another fifth.
Clock::duration longest_silence(double host_limit_s);

class Pulse {
 public:
  struct Handler {
    std::function<void()> beat;                  // say something to the other side
    std::function<void(double seconds)> silent;  // nothing was heard for so long: once
  };

  // Both sides of a stream have one, with the same --host-limit in seconds; 0: there is none.
  Pulse(asio::io_context& loop, double host_limit_s, Handler handler);

  void start();
  void stop();  // for good

  // Anything: a beat is only for when there is nothing else to say.
  void heard() { silence_.renew(); }

  // While the job is suspended the other side may be silent.
  void pause(bool paused);

 private:
  void tick();
  void listen();

  asio::steady_timer timer_;
  Limit silence_;
  const Clock::duration interval_;
  const Clock::duration longest_silence_;
  Handler handler_;
  bool paused_ = false;
  bool stopped_ = false;
};

}  // namespace cohort
