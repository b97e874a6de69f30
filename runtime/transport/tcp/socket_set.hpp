// SPDX-License-Identifier: Apache-2.0
// The sockets that carry frames, and the other descriptors that end a wait: an epoll set. A socket stays in the set
// while it is open, so that a wait costs one system call whatever has happened before. One socket may be outside, the
// favourite: it was read many times in a row without asking the set. Each packet of a socket outside of the set costs
// the kernel less.
//
// One thread at a time waits, reads and watches.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <span>

namespace cohort {

class SocketSet {
 public:
  SocketSet();  // throws Error(internal) when the system has no descriptors left
  ~SocketSet();
  SocketSet(const SocketSet&) = delete;

  int descriptor() const { return set_; }  // another set can wait for it

  // `events` as for epoll; 0: none for now. `key` identifies the descriptor in events. A closed descriptor leaves the
  // set. By any thread.
  void add(int descriptor, void* key, std::uint32_t events);
  void change(int descriptor, void* key, std::uint32_t events);

  void forget(int descriptor);  // before it is closed

  // The socket was read without asking the set, and had data.
  void was_read(int descriptor, void* key) {
    if (outside_.load(std::memory_order_relaxed) != key) count_read(descriptor, key);
  }
  // Puts the favourite back into the set, unless it is the socket with this key. Called before the awaited data may
  // come from another socket than this one (null: from any).
  void watch_all_but(const void* key) {
    const void* outside = outside_.load(std::memory_order_relaxed);
    if (outside != nullptr && outside != key) watch_favourite();
  }

  static constexpr std::size_t most_at_once = 64;
  // The ready events. Waits for at most the limit. Valid until the next call.
  std::span<const epoll_event> wait(std::chrono::nanoseconds limit);

 private:
  void count_read(int descriptor, void* key);
  void watch_favourite();

  const int set_;
  std::mutex mutex_;  // of all members but events_: a socket may be closed while another thread waits
  int favourite_ = -1;
  void* favourite_key_ = nullptr;
  unsigned reads_ = 0;                  // of the favourite, in a row
  std::atomic<const void*> outside_{};  // the favourite's key while it is outside of the set
  std::array<epoll_event, most_at_once> events_;
};

}  // namespace cohort
