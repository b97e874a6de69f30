// SPDX-License-Identifier: Apache-2.0
// Results of calls that go on.
#pragma once

#include <utility>

#include "cohort/request.hpp"

namespace cohort {

// A started operation that gives a value. Move-only. A Future is destroyed as a Request is.
template <class T>
class [[nodiscard]] Future {
 public:
  // `kept` keeps alive what the operation reads and writes. On ranks that are not `here` there is no result.
  Future(detail::Shared<const void> kept, const T& result, Request request, bool here)
      : kept_(std::move(kept)), result_(&result), request_(std::move(request)), here_(here) {}

  // Whether the operation is complete. Makes progress, never blocks. Throws the operation's error.
  bool test() { return request_.test(); }

  // Blocks until the operation is complete, and gives its result. To be called once. Throws the operation's error.
  T wait() {
    request_.wait();
    return here_ ? *result_ : T{};  // a copy: a Repeated writes there again
  }

 private:
  detail::Shared<const void> kept_;  // before the request, whose destructor waits for the network to let go of it
  const T* result_;
  Request request_;
  bool here_;
};

// A call with fixed arguments that gives a value at each start. One start at a time.
template <class T>
class [[nodiscard]] Repeated {
 public:
  Repeated(detail::Shared<const void> kept, const T& result, Persistent call, bool here)
      : kept_(std::move(kept)), result_(&result), call_(std::move(call)), here_(here) {}

  // Throws Error(argument) if the operation started last is not complete.
  Future<T> start() { return {kept_, *result_, call_.start(), here_}; }

 private:
  detail::Shared<const void> kept_;
  const T* result_;
  Persistent call_;
  bool here_;
};

}  // namespace cohort
