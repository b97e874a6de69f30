// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/socket_set.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "cohort/error.hpp"
#include "runtime/inert.hpp"

namespace cohort {
namespace {

constexpr unsigned reads_before_leaving = 64;  // leaving and coming back costs as much as a few packets

[[noreturn]] void fail(const char* what) {
  throw Error(ErrorCode::internal, std::string(what) + ": " + std::system_category().message(errno));
}

epoll_event event_of(void* key, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = key;
  return event;
}

}  // namespace

SocketSet::SocketSet() : set_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (set_ < 0) fail("cannot make a set of sockets to wait for");
  detail::close_in_forks(set_);
}

SocketSet::~SocketSet() { detail::close_own(set_); }

void SocketSet::add(int descriptor, void* key, std::uint32_t events) {
  epoll_event event = event_of(key, events);
  if (::epoll_ctl(set_, EPOLL_CTL_ADD, descriptor, &event) != 0 && errno != EEXIST) fail("cannot wait for a socket");
}

void SocketSet::change(int descriptor, void* key, std::uint32_t events) {
  const std::lock_guard lock(mutex_);
  epoll_event event = event_of(key, events);
  if (::epoll_ctl(set_, EPOLL_CTL_MOD, descriptor, &event) == 0) return;
  if (errno != ENOENT) fail("cannot wait for a socket");
  add(descriptor, key, events);  // the favourite was outside of the set
}

// Closing the descriptor is not enough if a fork holds the socket, too.
void SocketSet::forget(int descriptor) {
  const std::lock_guard lock(mutex_);
  ::epoll_ctl(set_, EPOLL_CTL_DEL, descriptor, nullptr);
  if (descriptor != favourite_) return;
  favourite_ = -1;
  outside_ = nullptr;
}

void SocketSet::count_read(int descriptor, void* key) {
  if (descriptor != favourite_) {
    watch_all_but(nullptr);
    favourite_ = descriptor;
    favourite_key_ = key;
    reads_ = 0;
  }
  if (++reads_ < reads_before_leaving) return;
  if (::epoll_ctl(set_, EPOLL_CTL_DEL, descriptor, nullptr) == 0) outside_ = key;
}

void SocketSet::watch_favourite() {
  const std::lock_guard lock(mutex_);
  if (outside_.exchange(nullptr) == nullptr) return;
  reads_ = 0;
  add(favourite_, favourite_key_, EPOLLIN);
}

std::span<const epoll_event> SocketSet::wait(std::chrono::nanoseconds limit) {
  const auto limit_ms = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
  const int ready = ::epoll_wait(set_, events_.data(), static_cast<int>(events_.size()),
                                 static_cast<int>(std::clamp<std::int64_t>(limit_ms, 0, 3'600'000)));
  return {events_.data(), static_cast<std::size_t>(std::max(ready, 0))};
}

}  // namespace cohort
