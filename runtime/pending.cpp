#include "runtime/pending.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/group_state.hpp"
#include "runtime/problem_of.hpp"
#include "runtime/where.hpp"

namespace cohort::detail {

Pending::Pending(std::shared_ptr<GroupState> group) : group_(std::move(group)) {}

Pending::~Pending() {
  if (!begun_ || is_inert()) return;
  const Runtime::Lock lock(group_->runtime());
  leave_group();
}

void Pending::leave_group() {
  if (!std::exchange(begun_, false)) return;
  group_->remove(*this);
  runtime().forget_request(end_, std::exchange(goes_on_, false));
}

void Pending::begin() {
  group_->add(*this);
  begun_ = true;
  try {
    start();
  } catch (const std::exception& error) {
    if (is_fork()) throw;  // made by an operator
    fail(std::make_shared<const Fault>(Fault{ErrorCode::internal, error.what()}), -1);
  }
}

bool Pending::asks(Pid pid) {
  if (std::ranges::find(asked_, pid) != asked_.end()) return false;
  asked_.push_back(pid);
  return true;
}

Runtime& Pending::runtime() const { return group_->runtime(); }

std::exception_ptr Pending::as_error(const FaultPointer& fault, Operation operation,
                                     std::optional<std::uint64_t> number, Pid peer, const Where& where) const {
  const std::string call =
      number ? fmt::format("{} #{}", name_of(operation), *number) : std::string(name_of(operation));
  return std::make_exception_ptr(
      error_of(*fault,
               fmt::format("{} on group {}: {} (called at {})", call, to_string(group_->id()), group_->describe(*fault),
                           to_string(where)),
               peer));
}

namespace {

std::string words_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& exception) {
    return std::string(": ") + exception.what();
  } catch (...) {
    return "";
  }
}

PlayMemory memory_of(const Call& call) {
  return {call.input.data, call.output.data, call.element_bytes, &call.reduction};
}

Envelope envelope_of(const GroupState& group, const Call& call, std::uint64_t number) {
  if (call.operation == Operation::group) return {group.id(), 0, Channel::setup};
  return {group.id(), number, Channel::collective};
}

}  // namespace

PendingCollective::PendingCollective(std::shared_ptr<GroupState> state, std::shared_ptr<const Call> call,
                                     const Problem& problem, std::shared_ptr<const Schedule> schedule)
    : Pending(std::move(state)),
      call_(std::move(call)),
      number_(this->group().next_number(made_call(*call_, problem))),
      play_(
          runtime().messenger(), std::move(schedule), group().members(), memory_of(*call_),
          envelope_of(group(), *call_, number_), group().called(number_)->kind,
          [this] { group().break_off(fault_of_play(), play_.failed_peer()); }, [this] { may_have_ended(); }) {}

// What its operator has thrown is this caller's; the others are told at whom.
FaultPointer PendingCollective::fault_of_play() const {
  if (!play_.exception()) return play_.fault();
  Fault fault = *play_.fault();
  fault.cause += " at " + group().describe(runtime().job().me) + words_of(play_.exception());
  return std::make_shared<const Fault>(std::move(fault));
}

// A member that made another call may have sent its message to where none is awaited yet.
void PendingCollective::look_for_mismatch() {
  Pid caller = -1;
  const Envelope envelope = envelope_of(group(), *call_, number_);
  const FaultPointer fault = runtime().messenger().other_call(envelope, kind(), caller);
  if (fault) group().break_off(fault, caller);
}

void PendingCollective::give_up(const FaultPointer& fault) { group().break_off(fault, -1); }

std::exception_ptr PendingCollective::error() const {
  if (play_.exception()) return play_.exception();
  if (!play_.fault()) return nullptr;
  return as_error(play_.fault(), call_->operation, number_, play_.failed_peer(), call_->where);
}

std::string PendingCollective::name() const {
  return fmt::format("{} #{} on group {} (called at {})", name_of(call_->operation), number_, to_string(group().id()),
                     to_string(call_->where));
}

Doing::Call PendingCollective::describe() const {
  const Envelope envelope = envelope_of(group(), *call_, number_);
  Doing::Call call;
  call.operation = call_->operation;
  call.group = group().id();
  call.rank = group().me();
  call.channel = envelope.channel;
  call.number = number_;
  call.algorithm = group().algorithm_of(play_.schedule());
  call.where = to_string(call_->where);
  play_.describe(call);
  return call;
}

PendingMessages::PendingMessages(std::shared_ptr<GroupState> state, const Letter* out, const Letter* in)
    : Pending(std::move(state)), letter_(in != nullptr ? *in : *out), element_bytes_(letter_.element_bytes) {
  if (in != nullptr) {
    address(receive_.emplace(), *in);
    if (in->memory.count > 0)
      receive_->memory.push_back({in->memory.data, static_cast<std::size_t>(in->memory.count) * in->element_bytes});
  }
  if (out != nullptr) {
    address(send_.emplace(), *out);
    if (out->memory.count > 0)
      send_->data.push_back({out->memory.data, static_cast<std::size_t>(out->memory.count) * out->element_bytes});
  }
}

void PendingMessages::follow_record() {
  if (letter_.operation != Operation::receive_any) return;
  ReceiveOrder& order = runtime().checks().receive_order;
  const AnyChannel channel{group().id(), letter_.tag};
  number_ = order.next(channel);
  if (!order.replays()) return;
  const std::optional<Rank> source = order.recorded(channel, number_);
  if (!source || *source >= group().members().size()) {
    throw Error(ErrorCode::mismatch,
                fmt::format("{}: this run departs from the record: {} at {} (called at {})", cohort::describe(channel),
                            source ? fmt::format("there call #{} took a message from rank {}, which there is not",
                                                 number_ + 1, *source)
                                   : fmt::format("call #{} is not in it", number_ + 1),
                            group().describe(runtime().job().me), to_string(letter_.where)));
  }
  parked_ = *source == no_source;
  if (!parked_) receive_->peer = group().members().pid_of(*source);
}

void PendingMessages::start() {
  Messenger& messenger = runtime().messenger();
  const bool synchronous = runtime().job().synchronous;
  const auto calls_with = [&](Pid pid) { return synchronous ? runtime().checks().overlaps.calls_with(pid) : 0; };
  if (receive_) {
    ++active_;
    if (receive_->peer != Transfer::any_peer) called_after_ = calls_with(receive_->peer);
    if (!parked_) messenger.start(*receive_);
  }
  if (send_) {
    ++active_;
    send_->on_request = synchronous;
    if (runtime().job().develop) messenger.note(send_->peer, {to_string(letter_.where), calls_with(send_->peer)});
    messenger.start(*send_);
  }
}

void PendingMessages::address(Transfer& transfer, const Letter& letter) {
  transfer.peer =
      letter.operation == Operation::receive_any ? Transfer::any_peer : group().members().pid_of(letter.peer);
  transfer.envelope = {group().id(), letter.tag, Channel::user};
  // What is received as bytes, or sent as bytes, has any type at the other end.
  const bool typed = runtime().job().develop && letter.type != byte_code;
  transfer.call = {letter.operation, 0, typed ? letter.type : 0};
  transfer.owner = this;
}

void PendingMessages::transfer_ended(Transfer& transfer) {
  --active_;
  record();
  const bool received = receive_ && &transfer == &*receive_;
  const bool filled = received && receive_->length == receive_->capacity;  // usual, and sooner known than a remainder
  if (!transfer.fault && received && !filled && receive_->length % element_bytes_ != 0) {
    transfer.fault = std::make_shared<const Fault>(
        Fault{ErrorCode::mismatch,
              fmt::format("the message of {} bytes from pid {} is no whole number of elements of {} bytes",
                          receive_->length, receive_->peer, element_bytes_)});
  }
  if (transfer.fault && !fault_) {
    fault_ = transfer.fault;  // the other half of an exchange goes on: its peer has done nothing wrong
    failed_peer_ = transfer.peer;
  }
  may_have_ended();
}

void PendingMessages::record() {
  if (letter_.operation != Operation::receive_any) return;
  runtime().took({{group().id(), letter_.tag}, number_, source()});
}

void PendingMessages::met(const Transfer& transfer, const Origin& origin) {
  const std::string where = to_string(letter_.where);
  const std::string between =
      runtime().checks().overlaps.between(transfer.peer, origin.sent_after, called_after_, origin.where, where);
  if (between.empty()) return;
  runtime().warn(fmt::format("{} received, at {}, what {} had sent, at {}, before {}",
                             group().describe(runtime().job().me), where, group().describe(transfer.peer), origin.where,
                             between));
}

void PendingMessages::fail(const FaultPointer& fault, Pid peer) {
  if (active_ == 0) return;
  if (!fault_) {
    fault_ = fault;
    failed_peer_ = peer;
  }
  drop_transfers();
}

void PendingMessages::drop_transfers() {
  if (send_ && runtime().messenger().cancel(*send_)) --active_;
  if (!receive_ || !(std::exchange(parked_, false) || runtime().messenger().cancel(*receive_))) return;
  --active_;
  record();
}

std::exception_ptr PendingMessages::error() const {
  return fault_ ? as_error(fault_, letter_.operation, std::nullopt, failed_peer_, letter_.where) : nullptr;
}

Rank PendingMessages::source() const {
  return receive_ && receive_->peer >= 0 ? group().members().rank_of(receive_->peer).value_or(-1) : -1;
}

Buffers PendingMessages::buffers() const {
  Buffers used;
  if (send_ && send_->active && !send_->data.empty()) used[0] = {send_->data[0].data, send_->data[0].size, false};
  if (receives() && !receive_->memory.empty()) used[1] = {receive_->memory[0].data, receive_->memory[0].size, true};
  return used;
}

std::string PendingMessages::name() const {
  return fmt::format("{} with tag {} on group {} (called at {})", name_of(letter_.operation), letter_.tag,
                     to_string(group().id()), to_string(letter_.where));
}

Count PendingMessages::received() const { return receive_ ? static_cast<Count>(receive_->length / element_bytes_) : 0; }

Doing::Call PendingMessages::describe() const {
  Doing::Call call;
  call.operation = letter_.operation;
  call.group = group().id();
  call.rank = group().me();
  call.tag = letter_.tag;
  call.where = to_string(letter_.where);
  const auto rank_of = [&](const Transfer& transfer) { return group().members().rank_of(transfer.peer).value_or(-1); };
  call.any = receives() && receive_->peer == Transfer::any_peer;
  for (Rank rank = 0; call.any && rank < group().members().size(); ++rank)
    call.add({group().members().pid_of(rank), rank, false, true});
  if (receives() && !call.any) call.add({receive_->peer, rank_of(*receive_), false, receive_->standing()});
  if (send_ && send_->active) call.add({send_->peer, rank_of(*send_), true, send_->standing()});
  return call;
}

}  // namespace cohort::detail
