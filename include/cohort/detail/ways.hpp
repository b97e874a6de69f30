// SPDX-License-Identifier: Apache-2.0
// The three ways to make a call: what a call gives back, and how its description is handed to the runtime.
#pragma once

#include <utility>

#include "cohort/detail/arguments.hpp"
#include "cohort/future.hpp"

namespace cohort::detail {

// The input of a call that gives a value and has none.
struct NoInput {};

// Returns when the operation is complete.
struct Blocking {
  static constexpr bool goes_on = false;  // uses arguments after it has returned
  static constexpr bool keeps_values = true;

  static void begin(const Handle& group, Call&& call) { run(group, std::move(call)); }
  static void begin_send(const Handle& group, const Letter& out) { run(group.group, &out, nullptr); }
  static Count begin_receive(const Handle& group, const Letter& in) { return run(group.group, nullptr, &in).count; }
  static Arrival begin_receive_any(const Handle& group, const Letter& in) {
    const Received received = run(group.group, nullptr, &in);
    return {received.source, received.count};
  }
  static Count begin_exchange(const Handle& group, const Letter* out, const Letter* in) {
    return run(group.group, out, in).count;
  }

  // Begins the call that reads `in` and writes `out`. Returns `out`, or an empty one if it is not `here`, on this rank.
  template <class In, class Out, class Begin>
  static Out give(const In& in, Out out, bool here, const Begin& begin) {
    begin(in, out);
    return here ? std::move(out) : Out{};
  }
};

// Returns at once.
struct Started {
  static constexpr bool goes_on = true;
  static constexpr bool keeps_values = true;  // gives what was passed by value a place of its own

  static Request begin(const Handle& group, Call&& call) { return start(group, std::move(call)); }
  static Request begin_send(const Handle& group, const Letter& out) { return start(group.group, &out, nullptr); }
  static Request begin_receive(const Handle& group, const Letter& in) { return start(group.group, nullptr, &in); }
  static Request begin_receive_any(const Handle& group, const Letter& in) { return begin_receive(group, in); }
  static Request begin_exchange(const Handle& group, const Letter* out, const Letter* in) {
    return start(group.group, out, in);
  }

  // Keeps a copy of `in`, which may be a temporary.
  template <class In, class Out, class Begin>
  static Future<Out> give(const In& in, Out out, bool here, const Begin& begin) {
    struct Kept {
      In in;
      Out out;
    };
    auto* const all = new Kept{in, std::move(out)};
    Shared<const void> kept = share(all);
    Request request = begin(all->in, all->out);
    return {std::move(kept), all->out, std::move(request), here};
  }
};

// Communicates nothing: the call is made at each start.
struct Prepared {
  static constexpr bool goes_on = true;
  static constexpr bool keeps_values = false;

  static Persistent begin(const Handle& group, Call&& call) { return prepare(group, std::move(call)); }
  static Persistent begin_send(const Handle& group, const Letter& out) { return prepare(group.group, &out, nullptr); }
  static Persistent begin_receive(const Handle& group, const Letter& in) { return prepare(group.group, nullptr, &in); }
  static Persistent begin_receive_any(const Handle& group, const Letter& in) { return begin_receive(group, in); }
  static Persistent begin_exchange(const Handle& group, const Letter* out, const Letter* in) {
    return prepare(group.group, out, in);
  }

  // Reads `in` at each start.
  template <class In, class Out, class Begin>
  static Repeated<Out> give(const In& in, Out out, bool here, const Begin& begin) {
    Out* const result = new Out(std::move(out));
    Shared<const void> kept = share(result);
    Persistent call = begin(in, *result);
    return {std::move(kept), *result, std::move(call), here};
  }
};

}  // namespace cohort::detail
