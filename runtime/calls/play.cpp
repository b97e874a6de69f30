// SPDX-License-Identifier: Apache-2.0
#include "runtime/calls/play.hpp"

#include <algorithm>
#include <utility>

#include "runtime/copy_bytes.hpp"
#include "runtime/inert.hpp"

namespace cohort {

Play::Play(Messenger& messenger, const Schedule& schedule, const Members& members, const PlayMemory& memory,
           const Envelope& envelope, const CallKind& call, std::function<void()> broken, std::function<void()> over)
    : messenger_(messenger),
      schedule_(schedule),
      members_(members),
      memory_(memory),
      envelope_(envelope),
      call_(call),
      broken_(std::move(broken)),
      over_(std::move(over)) {
  const std::size_t scratch = static_cast<std::size_t>(schedule_.scratch()) * memory.element_bytes;
  if (scratch > scratch_inside) {
    long_scratch_ = RecycledMemory(scratch);
    scratch_ = long_scratch_.data();
  } else {
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(short_scratch_.data()) % RecycledMemory::alignment;
    scratch_ = short_scratch_.data() + RecycledMemory::alignment - beyond;
  }
}

std::byte* Play::at(const Segment& segment) const {
  const auto offset = static_cast<std::size_t>(segment.offset) * memory_.element_bytes;
  switch (segment.buffer) {
    case Buffer::input:
      return const_cast<std::byte*>(memory_.input) + offset;  // schedules never write their input
    case Buffer::output:
      return memory_.output + offset;
    case Buffer::scratch:
      return scratch_ + offset;
  }
  return nullptr;
}

void Play::begin(Looks& looks) {
  const std::vector<Round>* const rounds = schedule_.sends_on_request() ? nullptr : schedule_.made_rounds();
  const Dataflow::Place reached = rounds != nullptr ? play_at_once(*rounds, looks) : Dataflow::Place{};
  is_complete_ = reached.round == schedule_.rounds();
  if (is_complete_ || failed()) return;
  dataflow_.emplace(schedule_, Dataflow::default_window, reached);
  advance();
}

// Plays whole rounds, one after the other. Returns how far it came.
Dataflow::Place Play::play_at_once(const std::vector<Round>& rounds, Looks& looks) {
  Dataflow::Place place;
  for (const Round& round : rounds) {
    place.action = 0;
    for (const Message& message : round.sends()) {
      if (!send_at_once(message)) return place;
      ++place.action;
    }
    for (const Message& message : round.receives()) {
      if (!receive_at_once(message, looks)) return place;
      ++place.action;
    }
    for (const Step& step : round.steps()) {
      perform(step);
      if (failed()) return place;
    }
    ++place.round;
  }
  return {place.round, 0};
}

// Calls the function with the pieces of memory of a message: usually one, on the stack.
template <class Piece, class Function>
bool Play::with_pieces(const Segments& segments, const Function& function) const {
  if (segments.empty()) return function(std::span<const Piece>());
  if (segments.size() == 1) {
    const Piece only{at(*segments.begin()), bytes(*segments.begin())};
    return function(std::span(&only, 1));
  }
  SmallVector<Piece, 2> pieces;
  add_pieces(segments, pieces);
  return function(std::span<const Piece>(pieces));
}

bool Play::send_at_once(const Message& message) {
  return with_pieces<ConstPiece>(message.segments, [&](std::span<const ConstPiece> data) {
    return messenger_.send_at_once(members_.pid_of(message.peer), envelope_, call_, data);
  });
}

bool Play::receive_at_once(const Message& message, Looks& looks) {
  return with_pieces<Piece>(message.segments, [&](std::span<const Piece> memory) {
    const Messenger::Awaited awaited{members_.pid_of(message.peer), envelope_, memory, call_, true};
    return messenger_.receive_at_once(awaited, looks).has_value();
  });
}

void Play::advance() {
  while (!failed()) {
    Action* action = dataflow_->next();
    if (action == nullptr) return;
    start(*action);
  }
}

void Play::start(Action& action) {
  if (action.kind == Action::Kind::step) {
    perform(action.step);
    return dataflow_->completed(action);
  }
  Part& part = new_part();
  part.action = &action;
  action.performer = &part;
  Transfer& transfer = part.transfer();
  transfer.peer = members_.pid_of(action.peer);
  transfer.envelope = envelope_;
  transfer.call = call_;
  transfer.owner = this;
  transfer.context = &part;
  ++active_;
  if (action.kind == Action::Kind::send) {
    part.send.data.clear();
    add_pieces(action.segments, part.send.data);
    part.send.on_request = schedule_.sends_on_request();
    messenger_.start(part.send);
  } else {
    part.receive.memory.clear();
    add_pieces(action.segments, part.receive.memory);
    part.receive.exact = true;
    messenger_.start(part.receive);
  }
}

void Play::perform(const Step& step) {
  std::byte* target = at(step.target);
  const std::byte* source = at(step.source);
  if (step.kind == Step::Kind::copy) {
    if (target != source) detail::copy_bytes(target, source, bytes(step.target));
    return;
  }
  const detail::Reduction& reduction = *memory_.reduction;
  const auto count = static_cast<std::size_t>(step.target.count);
  const bool left = step.kind == Step::Kind::combine_left;
  try {
    const detail::OperatorCall inside(call_.operation, envelope_.tag, envelope_.group);
    reduction.apply(reduction.operation.get(), left ? source : target, left ? target : source, target, count);
    if (detail::is_fork()) detail::refuse_fork();
  } catch (...) {
    if (detail::is_fork()) throw;
    exception_ = std::current_exception();
    fault_ = std::make_shared<const Fault>(Fault{ErrorCode::internal, "the operator threw an exception"});
    cancel_messages();
    broken_();
  }
}

Play::Part& Play::new_part() {
  if (free_ == nullptr) return parts_.emplace_back();
  return *std::exchange(free_, free_->after);
}

void Play::transfer_ended(Transfer& transfer) {
  Part& part = *static_cast<Part*>(transfer.context);
  Action& action = *part.action;
  part.action = nullptr;
  part.after = std::exchange(free_, &part);
  --active_;
  if (transfer.fault && !failed()) {
    fail(transfer.fault, transfer.peer);
    broken_();
  } else if (!failed()) {
    dataflow_->completed(action);
    advance();
  }
  if (over_ && ended()) over_();
}

void Play::fail(FaultPointer fault, Pid peer) {
  if (failed() || ended()) return;
  fault_ = std::move(fault);
  failed_peer_ = peer;
  cancel_messages();
}

void Play::cancel_messages() {
  parts_.for_each([this](Part& part) {
    if (part.action == nullptr) return;
    const bool given_up =
        part.action->kind == Action::Kind::send ? messenger_.cancel(part.send) : messenger_.cancel(part.receive);
    if (!given_up) return;
    part.action = nullptr;
    part.after = std::exchange(free_, &part);
    --active_;
  });
}

void Play::describe(Doing::Call& call) const {
  call.round = schedule_.rounds();
  parts_.for_each([&call](const Part& part) {
    if (part.action == nullptr) return;
    const bool out = part.action->kind == Action::Kind::send;
    const Transfer& transfer = out ? static_cast<const Transfer&>(part.send) : part.receive;
    if (!(out ? part.send.active() : part.receive.active())) return;
    call.round = std::min(call.round, part.action->round);
    call.add({transfer.peer, part.action->peer, out, out ? part.send.standing() : part.receive.standing()});
  });
}

Pid Play::waits_for() const {
  const Action* const receive = failed() || !dataflow_ ? nullptr : dataflow_->awaited();
  return receive != nullptr ? members_.pid_of(receive->peer) : -1;
}

}  // namespace cohort
