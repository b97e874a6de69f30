// SPDX-License-Identifier: Apache-2.0
// Operations in progress.
#pragma once

#include <cstddef>
#include <span>

#include "cohort/detail/shared.hpp"
#include "cohort/types.hpp"

namespace cohort {

namespace detail {
class Pending;
class WaitForAny;
class WaitForOneOf;
struct PreparedCall;
}  // namespace detail

// A started operation. Its buffers belong to it until it is complete. Move-only.
class [[nodiscard]] Request {
 public:
  Request();  // complete
  explicit Request(detail::Shared<detail::Pending> pending);
  Request(Request&& other) noexcept;
  Request& operator=(Request&&) noexcept;  // drops the old operation, as the destructor does

  // Destroying the request of an operation that is not complete is a mistake: the operation is cancelled, its group
  // fails at all members, and Process::leave() throws an error that names the operation. While an exception passes, the
  // operation is only cancelled; for a collective, its group fails too. The destructor waits until the network does not
  // use the buffers any more.
  ~Request();

  // Whether the operation is complete. Makes progress, never blocks. Throws the operation's error.
  bool test();

  // Whether test() would return true without making progress.
  bool ended() const;

  // Blocks until the operation is complete. Throws the operation's error.
  void wait();

  // A completed receive: the number of elements that arrived. 0 for everything else.
  Count received() const;

  // A completed receive: the rank of the sender. -1 for everything else.
  Rank source() const;

  // A completed receive: the message's tag. Tag{0} for everything else.
  Tag tag() const;

  // Cancels a receive that has not met its message. Returns whether it did; the request is complete then. A message may
  // meet the receive first: then the request goes on.
  bool cancel();

 private:
  friend std::size_t wait_any(std::span<Request> requests);
  friend class detail::WaitForAny;
  friend class detail::WaitForOneOf;
  detail::Shared<detail::Pending> pending_;
  Count received_ = 0;
  Rank source_ = -1;
  std::uint32_t tag_ = 0;
  int exceptions_ = 0;    // how many exceptions were passing when the request was made
  std::size_t open_ = 0;  // in a span that begins with this request: the place where wait_any() last found an open one
};

// Blocks until one of the requests that have not been waited for is complete, and returns its place; if several are,
// the place of the one that completed first. Throws that operation's error. Returns requests.size() if all have been
// waited for.
std::size_t wait_any(std::span<Request> requests);

// Blocks until all are complete. Throws the first error, after all have ended.
void wait_all(std::span<Request> requests);

// A call with fixed arguments: it can be started again and again, one start at a time.
class [[nodiscard]] Persistent {
 public:
  explicit Persistent(detail::Shared<detail::PreparedCall> call);

  // Throws Error(argument) if the operation started last is not complete.
  Request start();

 private:
  detail::Shared<detail::PreparedCall> call_;
};

}  // namespace cohort
