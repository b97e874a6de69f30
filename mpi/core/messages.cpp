// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/messages.hpp"

#include <fmt/format.h>

#include <utility>

#include "cohort/error.hpp"
#include "mpi/core/mistake.hpp"
#include "mpi/core/payload.hpp"
#include "mpi/core/send_buffer.hpp"
#include "runtime/calls/send_at_once.hpp"

namespace cohort::mpi {
namespace {

bool is_peer(const Communicator& communicator, int rank) { return rank >= 0 && rank < communicator.peers(); }

[[noreturn]] void refuse_rank(const Communicator& communicator, const char* role, int rank, const char* others) {
  throw Mistake(abi::err_rank, fmt::format("the {} is rank {}, but the {} has ranks 0 to {}; {}", role, rank,
                                           communicator.is_inter() ? "remote group" : "communicator",
                                           communicator.peers() - 1, others));
}

[[noreturn]] void refuse_tag(int tag, const char* others) {
  throw Mistake(abi::err_tag, fmt::format("the tag is {}, but must be 0 or more{}", tag, others));
}

// A message for the runtime. The letter names the payload's memory, so the two stay together.
struct Inbound {
  explicit Inbound(const Receiving& in) : payload(Payload::to_receive(in.data)), letter(in.wanted.letter()) {
    payload.describe(letter);
  }
  Inbound(const Inbound&) = delete;

  const Payload payload;
  detail::Letter letter;
};

struct Outbound {
  explicit Outbound(const Sending& out, bool copies = false)
      : payload((copies ? Payload::copy_of : Payload::to_send)(out.data)), letter(out.letter()) {
    payload.describe(letter);
  }
  Outbound(const Outbound&) = delete;

  const Payload payload;
  detail::Letter letter;
};

// The message has arrived.
Status finish(const Receiving& in, const Payload& payload, const detail::Received& received) {
  if (payload.is_copy()) in.data.type->unpack(in.data.base, in.data.count, 0, payload.copy(), received.count);
  return in.wanted.status_of(received);
}

// A receive that fails because its message is too long tells what it has met.
template <class Receive>
detail::Received meet(const Wanted& wanted, Status* status, const Receive& receive) {
  detail::Received met;
  try {
    receive(met);
  } catch (const cohort::Error&) {
    if (met.source >= 0) report(wanted.status_of(met), status);
    throw;
  }
  return met;
}

// States the started part in the request, with all that it needs to finish.
void add_receive(Request& request, cohort::Request part, const Receiving& in, const Payload& payload) {
  request.parts.push_back(std::move(part));
  request.is_receive = true;
  if (!payload.is_copy()) return;
  request.finish = [data = in.data, type = Ref(in.data.type), copy = payload.keep()](Request& ended) {
    type->unpack(data.base, data.count, 0, copy->data(), ended.status.bytes);
  };
}

}  // namespace

void Wanted::check() const {
  if (!is_peer(communicator, source) && source != abi::any_source && !of_null_process())
    refuse_rank(communicator, "source", source, "MPI_ANY_SOURCE and MPI_PROC_NULL are allowed, too");
  if (tag < 0 && tag != abi::any_tag) refuse_tag(tag, ", or MPI_ANY_TAG");
}

detail::Letter Wanted::letter() const {
  const bool any_source = source == abi::any_source;
  detail::Letter letter;
  letter.operation = any_source ? Operation::receive_any : Operation::receive;
  if (!any_source) letter.peer = communicator.to_runtime(source);
  letter.any_tag = tag == abi::any_tag;
  if (!letter.any_tag) letter.tag = static_cast<std::uint32_t>(tag);
  letter.as = name;
  return letter;
}

Status Wanted::status_of(const detail::Received& received) const {
  return {communicator.from_runtime(received.source), static_cast<int>(received.tag), abi::success, false,
          received.count};
}

void Receiving::perform(Status* status) const {
  if (wanted.of_null_process()) return report(Status::of_null_process(), status);
  const Inbound message(*this);
  const detail::Received met = meet(wanted, status, [&](detail::Received& received) {
    detail::run(runtime_group(wanted.communicator), nullptr, &message.letter, &received);
  });
  report(finish(*this, message.payload, met), status);
}

void Receiving::start(Request& request) const {
  if (wanted.of_null_process()) {
    request.status = Status::of_null_process();
    return;
  }
  const Inbound message(*this);
  add_receive(request, detail::start(runtime_group(wanted.communicator), nullptr, &message.letter), *this,
              message.payload);
  request.may_be_cancelled = true;
}

void Receiving::perform(detail::MatchedMessage&& taken, Status* status) const {
  const Inbound message(*this);
  const detail::Received met = meet(wanted, status, [&](detail::Received& received) {
    received = {taken.source(), taken.bytes(), taken.tag()};
    detail::start(runtime_group(wanted.communicator), std::move(taken), message.letter).wait();
  });
  report(finish(*this, message.payload, met), status);
}

void Receiving::start(Request& request, detail::MatchedMessage&& taken) const {
  const Inbound message(*this);
  add_receive(request, detail::start(runtime_group(wanted.communicator), std::move(taken), message.letter), *this,
              message.payload);
}

void Sending::check() const {
  if (!is_peer(communicator, destination) && !to_null_process())
    refuse_rank(communicator, "destination", destination, "MPI_PROC_NULL is allowed, too");
  if (tag < 0) refuse_tag(tag, "");
}

detail::Letter Sending::letter() const {
  detail::Letter letter;
  letter.operation = Operation::send;
  letter.peer = communicator.to_runtime(destination);
  letter.tag = static_cast<std::uint32_t>(tag);
  letter.synchronous = mode == Mode::synchronous;
  letter.as = name;
  return letter;
}

void Sending::perform() const {
  if (to_null_process()) return;
  if (mode == Mode::buffered) return send_buffered(*this);
  const Outbound message(*this);
  detail::run(runtime_group(communicator), &message.letter, nullptr);
}

void Sending::start(Request& request) const {
  if (to_null_process()) return;
  if (mode == Mode::buffered) return send_buffered(*this);
  const Outbound message(*this);
  if (detail::send_at_once(runtime_group(communicator), message.letter)) return;
  request.parts.push_back(detail::start(runtime_group(communicator), &message.letter, nullptr));
  request.kept = message.payload.keep();
}

void Sending::start_copy(Request& request) const {
  const Outbound message(*this, true);
  request.parts.push_back(detail::start(runtime_group(communicator), &message.letter, nullptr));
  request.kept = message.payload.keep();
}

void Exchanging::perform(Status* status) const {
  if (out.to_null_process()) return in.perform(status);
  if (in.wanted.of_null_process()) {
    out.perform();
    return report(Status::of_null_process(), status);
  }
  const Outbound sent(out, replaces);
  const Inbound received(in);
  const detail::Received met = meet(in.wanted, status, [&](detail::Received& result) {
    detail::run(runtime_group(out.communicator), &sent.letter, &received.letter, &result);
  });
  report(finish(in, received.payload, met), status);
}

void Exchanging::start(Request& request) const {
  if (out.to_null_process() || in.wanted.of_null_process()) {
    out.start(request);
    in.start(request);
    return;
  }
  const Outbound sent(out, replaces);
  const Inbound received(in);
  add_receive(request, detail::start(runtime_group(out.communicator), &sent.letter, &received.letter), in,
              received.payload);
  request.kept = sent.payload.keep();
}

}  // namespace cohort::mpi
