// The sockets that carry frames, and whatever else ends a wait: an epoll set. A socket stays in it for as long as it is
// open, so that a wait costs one system call whatever has happened before.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <chrono>
#include <span>

namespace cohort {

class SocketSet {
 public:
  SocketSet();  // throws Error(internal) when the system has no descriptors left
  ~SocketSet();
  SocketSet(const SocketSet&) = delete;

  int descriptor() const { return set_; }  // can itself be waited for

  // `events` as epoll has them. The set knows a descriptor by its key. A closed descriptor leaves by itself.
  void add(int descriptor, void* key, std::uint32_t events);
  void change(int descriptor, void* key, std::uint32_t events);

  // What is ready, at the latest when the limit has passed. Valid until the next call.
  std::span<const epoll_event> wait(std::chrono::nanoseconds limit);

 private:
  const int set_;
  std::array<epoll_event, 64> events_;
};

}  // namespace cohort
