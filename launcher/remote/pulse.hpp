// SPDX-License-Identifier: Apache-2.0
// Whether the other side of a stream is alive. Sends beats at intervals, and notices a silence of the other side.
#pragma once

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <functional>

#include "launcher/loop/limit.hpp"

namespace cohort {

// The longest silence that is allowed, if all processes must know of a lost host within this limit (seconds). The rest
// of the limit is for telling them. With a limit of 5 s or more, a network may be down for two fifths of it: the last
// beat may precede the cut by a fifth, and TCP retransmits within another fifth.
Clock::duration longest_silence(double host_limit_s);

class Pulse {
 public:
  struct Handler {
    std::function<void()> beat;                  // send a beat to the other side
    std::function<void(double seconds)> silent;  // nothing was heard for so long; called once
  };

  // Both sides of a stream have a Pulse, with the same --host-limit in seconds. 0: no limit and no beats.
  Pulse(asio::io_context& loop, double host_limit_s, Handler handler);

  void start();
  void stop();  // for ever

  // Any message was heard, a beat or another one.
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
