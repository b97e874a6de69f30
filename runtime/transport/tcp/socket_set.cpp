#include "runtime/transport/tcp/socket_set.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "cohort/error.hpp"

namespace cohort {
namespace {

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
}

SocketSet::~SocketSet() { ::close(set_); }

void SocketSet::add(int descriptor, void* key, std::uint32_t events) {
  epoll_event event = event_of(key, events);
  if (::epoll_ctl(set_, EPOLL_CTL_ADD, descriptor, &event) != 0 && errno != EEXIST) fail("cannot wait for a socket");
}

void SocketSet::change(int descriptor, void* key, std::uint32_t events) {
  epoll_event event = event_of(key, events);
  if (::epoll_ctl(set_, EPOLL_CTL_MOD, descriptor, &event) != 0) fail("cannot wait for a socket");
}

std::span<const epoll_event> SocketSet::wait(std::chrono::nanoseconds limit) {
  const auto limit_ms = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
  const int ready = ::epoll_wait(set_, events_.data(), static_cast<int>(events_.size()),
                                 static_cast<int>(std::clamp<std::int64_t>(limit_ms, 0, 3'600'000)));
  return {events_.data(), static_cast<std::size_t>(std::max(ready, 0))};
}

}  // namespace cohort
