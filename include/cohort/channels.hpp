// SPDX-License-Identifier: Apache-2.0
// Point-to-point messages in a group: a FIFO channel from every member to every other, and to itself, for each tag.
//
// Elements are passed as a span, a vector, an array, a string, strided(), or one value. `send` returns when the buffer
// may be reused, `receive` when the message is in the buffer. Until then nothing else may touch the buffer. A message
// may be buffered on its way, but a program must not count on it: a send may wait for its receive. A message to oneself
// is always buffered. Every function throws Error. A message that is longer than the receive's buffer is dropped
// (ErrorCode::truncated). A shorter one leaves the rest of the buffer as it was.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cohort/detail/message.hpp"
#include "cohort/detail/ways.hpp"

namespace cohort {

// The members of a group: the base of all its interfaces.
class Membership {
 public:
  Rank size() const;
  Rank rank() const;                 // of this process
  GroupId id() const;                // the PGID
  std::int64_t label() const;        // the label passed to group(), or the value passed to partition()
  std::vector<Pid> members() const;  // by rank
  bool contains(Pid pid) const;      // whether it is a member

  // These throw Error(argument) for a pid that is no member, and for a rank out of range.
  Rank rank_of(Pid pid, Where where = Where::current()) const;
  Pid pid_of(Rank rank, Where where = Where::current()) const;

 protected:
  explicit Membership(detail::Handle handle) : handle_(std::move(handle)) {}
  const detail::Handle& handle() const { return handle_; }
  const detail::Shared<detail::GroupState>& state() const { return handle_.group; }

 private:
  friend const detail::Shared<detail::GroupState>& detail::state_of(const Membership& group);
  detail::Handle handle_;
};

// The messages of a group. Way is how a call is made: all.send() is complete when it returns, all.start().send()
// returns a Request, all.prepare().send() a Persistent. The comments say what a blocking call returns. Where that is a
// value T, start() returns a Future<T>, and prepare() a Repeated<T>.
template <class Way>
class Channels : public Membership {
 public:
  explicit Channels(detail::Handle handle) : Membership(std::move(handle)) {}

  // Returns when the buffer may be reused.
  template <class Data>
  auto send(Data&& data, Rank to, Tag tag = {}, Where where = Where::current()) const {
    return Way::begin_send(handle(), reading<Data>(Operation::send, data, to, tag, where).letter());
  }

  // Returns the number of elements that arrived: at most the buffer's.
  template <class Data>
  auto receive(Data&& data, Rank from, Tag tag = {}, Where where = Where::current()) const {
    return Way::begin_receive(handle(), writing<Data>(Operation::receive, data, from, tag, where).letter());
  }

  // Returns what arrived: receive<double>(0). In a blocking call also a vector or a string of the size that was sent:
  // receive<std::vector<double>>(0), receive<std::string>(0).
  template <class T>
  auto receive(Rank from, Tag tag = {}, Where where = Where::current()) const {
    if constexpr (Growing<T>) {
      static_assert(!Way::goes_on, "cohort: start() and prepare() receive into memory that is there. Give a buffer");
      T data;
      if constexpr (detail::can_be_received<T>()) {
        detail::run(state(), detail::letter_without_memory<T>(Operation::receive, from, tag, where),
                    detail::Patience::waits, detail::room_in(data));
      }
      return data;
    } else {
      return Way::give(detail::NoInput(), T{}, true, [&](detail::NoInput, T& value) {
        return Way::begin_receive(handle(), writing<T&>(Operation::receive, value, from, tag, where).letter());
      });
    }
  }

  // Sends and receives at once: no deadlock in a cycle of exchanges, no extra buffer. Returns the elements received.
  // A neighbour that is not there is std::nullopt: nothing is sent to it, and nothing received.
  template <class Out, class In>
  auto exchange(Out&& out, std::optional<Rank> to, In&& in, std::optional<Rank> from, Tag tag = {},
                Where where = Where::current()) const {
    const auto sent = reading<Out>(Operation::exchange, out, to.value_or(0), tag, where);
    const auto received = writing<In>(Operation::exchange, in, from.value_or(0), tag, where);
    return Way::begin_exchange(handle(), to ? &sent.letter() : nullptr, from ? &received.letter() : nullptr);
  }

  // Nondeterministic: takes the first message with this tag from any member. The result of a program that uses it may
  // depend on the network, the mode and the algorithms of collectives. A receive that was called earlier and names its
  // source has precedence. Returns an Arrival; after start(), Request::source() and Request::received() say the same.
  template <class Data>
  auto receive_any(Data&& data, Tag tag = {}, Where where = Where::current()) const {
    return Way::begin_receive_any(handle(), writing<Data>(Operation::receive_any, data, 0, tag, where).letter());
  }

  // @cond What does not compile, for the compiler's words.
  template <class Data, std::integral Number>
  auto send(Data&&, Rank, Number, Where = Where::current()) const {
    return detail::refuse_number_as_tag<Operation::send, Data>();
  }
  template <class Data, std::integral Number>
  auto receive(Data&&, Rank, Number, Where = Where::current()) const {
    return detail::refuse_number_as_tag<Operation::receive, Data>();
  }
  template <class Data, std::integral Number>
  auto receive_any(Data&&, Number, Where = Where::current()) const {
    return detail::refuse_number_as_tag<Operation::receive_any, Data>();
  }
  template <class Out, class In, std::integral Number>
  auto exchange(Out&&, std::optional<Rank>, In&&, std::optional<Rank>, Number, Where = Where::current()) const {
    return detail::refuse_number_as_tag<Operation::exchange, Out, In>();
  }
  template <class Data>
  auto send(Data&&, Tag, Rank, Where = Where::current()) const {
    return detail::refuse_tag_before_rank<Operation::send, Data>();
  }
  template <class Data>
  auto receive(Data&&, Tag, Rank, Where = Where::current()) const {
    return detail::refuse_tag_before_rank<Operation::receive, Data>();
  }
  template <class T>
  auto receive(Tag, Rank, Where = Where::current()) const {
    return detail::refuse_tag_before_rank<Operation::receive, T>();
  }
  template <std::integral Number>
  auto receive(Number, Where = Where::current()) const {
    static_assert(detail::always_false<Number>, "cohort: say what to receive: receive<double>(0), or receive(data, 0)");
    return detail::Refused();
  }
  template <class Data>
  requires std::is_lvalue_reference_v<Data>  // receive<long>(rank, tag) is right
  auto receive(Data&&, Tag, Where = Where::current()) const {
    static_assert(detail::always_false<Data>, "cohort: say from which rank: receive(data, 0, tag), or receive_any()");
    return detail::Refused();
  }
  template <class Out, std::ranges::range In, std::integral To, std::integral From>
  auto exchange(Out&&, In&&, To, From, Where = Where::current()) const {
    static_assert(detail::always_false<Out>, "cohort: each rank comes behind its data: exchange(out, to, in, from)");
    return detail::Refused();
  }
  // @endcond

 private:
  template <class Data>
  static auto reading(Operation operation, Data& data, Rank peer, Tag tag, const Where& where) {
    return detail::message<detail::Access::read, Way::goes_on, Data>(operation, data, peer, tag, where);
  }
  template <class Data>
  static auto writing(Operation operation, Data& data, Rank peer, Tag tag, const Where& where) {
    return detail::message<detail::Access::write, Way::goes_on, Data>(operation, data, peer, tag, where);
  }
};

}  // namespace cohort
