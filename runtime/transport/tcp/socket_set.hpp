// The sockets that carry frames, and whatever else ends a wait: an epoll set. A socket stays in it for as long as it is
// open, so that a wait costs one system call whatever has happened before. But for one, the favourite: it has been read
// again and again without being looked for here, and each packet of a socket that is in no set costs the kernel less.
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

  int descriptor() const { return set_; }  // can itself be waited for

  // `events` as epoll has them; 0: none for now. The set knows a descriptor by its key. It leaves when it is closed. By
  // any thread.
  void add(int descriptor, void* key, std::uint32_t events);
  void change(int descriptor, void* key, std::uint32_t events);

  void forget(int descriptor);  // before it is closed

  // The socket was read without being looked for here, and had something.
  void was_read(int descriptor, void* key) {
    if (outside_.load(std::memory_order_relaxed) != key) count_read(descriptor, key);
  }
  // Before others than this one may bring what is awaited. Null: any may.
  void watch_all_but(const void* key) {
    const void* outside = outside_.load(std::memory_order_relaxed);
    if (outside != nullptr && outside != key) watch_favourite();
  }

  static constexpr std::size_t most_at_once = 64;
  // What is ready, at the latest when the limit has passed. Valid until the next call.
  std::span<const epoll_event> wait(std::chrono::nanoseconds limit);

 private:
  void count_read(int descriptor, void* key);
  void watch_favourite();

  const int set_;
  std::mutex mutex_;  // of the rest, but for the events: a socket may be closed while another thread waits
  int favourite_ = -1;
  void* favourite_key_ = nullptr;
  unsigned reads_ = 0;                  // of it, in a row
  std::atomic<const void*> outside_{};  // its key, while it is not in the set
  std::array<epoll_event, most_at_once> events_;
};

}  // namespace cohort
