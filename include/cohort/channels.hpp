// Point-to-point messages in a group: a FIFO channel from every member to every other, and to itself, for each tag.
//
// `send` returns when the buffer may be reused, `receive` when the message is in the buffer. Until then nothing else
// may touch the buffer. A message may be buffered on its way, but a program must not count on it: a send may wait for
// its receive. A message to oneself is always buffered. Every function throws Error. A message that is longer than the
// receive's buffer is dropped (ErrorCode::truncated). A shorter one leaves the rest of the buffer as it was.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "cohort/detail/call.hpp"

namespace cohort {

// The members of a group: the base of all its interfaces.
class Membership {
 public:
  Rank size() const;
  Rank rank() const;                 // of this process
  GroupId id() const;                // the PGID
  std::int64_t label() const;        // the label passed to group(), or the value passed to partition()
  std::vector<Pid> members() const;  // by rank
  Rank rank_of(Pid pid) const;       // throws Error(argument) if it is not a member
  Pid pid_of(Rank rank) const;       // throws Error(argument) if out of range

 protected:
  explicit Membership(detail::Handle handle) : handle_(std::move(handle)) {}
  const detail::Handle& handle() const { return handle_; }
  const std::shared_ptr<detail::GroupState>& state() const { return handle_.group; }

 private:
  friend const std::shared_ptr<detail::GroupState>& detail::state_of(const Membership& group);
  detail::Handle handle_;
};

class Channels : public Membership {
 public:
  template <Elements R>
  void send(R&& data, Rank to, Tag tag = 0, Where where = Where::current()) const {
    detail::run(state(), letter<R>(Operation::send, detail::memory_of(data), to, tag, where));
  }

  // Returns the number of elements that arrived: at most the buffer's.
  template <MutableElements R>
  Count receive(R&& data, Rank from, Tag tag = 0, Where where = Where::current()) const {
    return detail::run(state(), letter<R>(Operation::receive, detail::memory_of(data), from, tag, where));
  }

  // Sends and receives at once: no deadlock in a cycle of exchanges, no extra buffer. Returns the elements received.
  template <Elements Out, MutableElements In>
  Count exchange(Out&& out, Rank to, In&& in, Rank from, Tag tag = 0, Where where = Where::current()) const {
    return detail::run_both(state(), letter<Out>(Operation::exchange, detail::memory_of(out), to, tag, where),
                            letter<In>(Operation::exchange, detail::memory_of(in), from, tag, where))
        .count;
  }

  // One value.
  template <Value T>
  void send(const T& value, Rank to, Tag tag = 0, Where where = Where::current()) const {
    send(std::span(&value, 1), to, tag, where);
  }
  template <Value T>
  T receive(Rank from, Tag tag = 0, Where where = Where::current()) const {
    T value{};
    receive(std::span(&value, 1), from, tag, where);
    return value;
  }

  // Nondeterministic: takes the first message with this tag from any member. The result of a program that uses it may
  // depend on the network, the mode and the algorithms of collectives. A receive that was called earlier and names its
  // source has precedence.
  template <MutableElements R>
  Arrival receive_any(R&& data, Tag tag = 0, Where where = Where::current()) const {
    const detail::Received received =
        detail::run_any(state(), letter<R>(Operation::receive_any, detail::memory_of(data), 0, tag, where));
    return {received.source, received.count};
  }
  template <Value T>
  Rank receive_any(T& value, Tag tag = 0, Where where = Where::current()) const {  // returns the source
    return receive_any(std::span(&value, 1), tag, where).source;
  }

  // Non-blocking.
  template <Elements R>
  Request start_send(R&& data, Rank to, Tag tag = 0, Where where = Where::current()) const {
    return detail::start(state(), letter<R>(Operation::send, detail::memory_of(data), to, tag, where));
  }
  template <MutableElements R>
  Request start_receive(R&& data, Rank from, Tag tag = 0, Where where = Where::current()) const {
    return detail::start(state(), letter<R>(Operation::receive, detail::memory_of(data), from, tag, where));
  }
  template <MutableElements R>
  Request start_receive_any(R&& data, Tag tag = 0,
                            Where where = Where::current()) const {  // Request::source() returns the source
    return detail::start(state(), letter<R>(Operation::receive_any, detail::memory_of(data), 0, tag, where));
  }
  template <Elements Out, MutableElements In>
  Request start_exchange(Out&& out, Rank to, In&& in, Rank from, Tag tag = 0, Where where = Where::current()) const {
    return detail::start_both(state(), letter<Out>(Operation::exchange, detail::memory_of(out), to, tag, where),
                              letter<In>(Operation::exchange, detail::memory_of(in), from, tag, where));
  }

  // Persistent.
  template <Elements R>
  Persistent prepare_send(R&& data, Rank to, Tag tag = 0, Where where = Where::current()) const {
    return detail::prepare(state(), letter<R>(Operation::send, detail::memory_of(data), to, tag, where));
  }
  template <MutableElements R>
  Persistent prepare_receive(R&& data, Rank from, Tag tag = 0, Where where = Where::current()) const {
    return detail::prepare(state(), letter<R>(Operation::receive, detail::memory_of(data), from, tag, where));
  }
  template <MutableElements R>
  Persistent prepare_receive_any(R&& data, Tag tag = 0, Where where = Where::current()) const {
    return detail::prepare(state(), letter<R>(Operation::receive_any, detail::memory_of(data), 0, tag, where));
  }

 protected:
  using Membership::Membership;

 private:
  template <Elements R>
  static detail::Letter letter(Operation operation, detail::Memory memory, Rank peer, Tag tag, const Where& where) {
    using Element = detail::ElementOf<R>;
    return {operation, memory, sizeof(Element), detail::code_of_type<Element>(), peer, tag, where};
  }
};

}  // namespace cohort
