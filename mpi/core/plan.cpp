// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/plan.hpp"

#include <functional>
#include <memory>

#include "mpi/core/mistake.hpp"
#include "mpi/core/new_communicators.hpp"

namespace cohort::mpi {
namespace {

// Nothing if the blocks, one after another, are not one piece of memory.
std::optional<detail::Memory> one_piece(std::span<const Data> blocks) {
  detail::Memory piece;
  for (const Data& block : blocks) {
    if (block.bytes() == 0) continue;
    if (!block.in_one_piece()) return std::nullopt;
    if (piece.count == 0) piece.data = block.first_byte();
    if (block.first_byte() != piece.data + piece.count) return std::nullopt;
    piece.count += block.bytes();
  }
  return piece;
}

}  // namespace

Plan::Plan(const char* name, Communicator& on, Operation operation) : name_(name), on_(on), exchange_(false) {
  call.operation = operation;
  call.as = name;
}

Plan::Plan(const char* name, Communicator& on) : name_(name), on_(on), exchange_(true) {}

detail::Memory Plan::reads(std::span<const Data> blocks) {
  const auto piece = one_piece(blocks);
  return piece ? *piece : reads_copy(blocks);
}

detail::Memory Plan::writes(std::span<const Data> blocks) {
  const auto piece = one_piece(blocks);
  return piece ? *piece : writes_copy(blocks);
}

detail::Memory Plan::updates(const Data& data) {
  in_place = true;
  const detail::Memory memory = writes(data);
  fill(memory.data, data);
  return memory;
}

detail::Memory Plan::reads_copy(std::span<const Data> blocks) {
  const detail::Memory memory = space(bytes_of(blocks));
  std::byte* place = memory.data;
  for (const Data& block : blocks) {
    if (block.bytes() > 0) packed_.emplace_back(block, place);
    place += block.bytes();
  }
  return memory;
}

detail::Memory Plan::writes_copy(std::span<const Data> blocks) {
  const detail::Memory memory = space(bytes_of(blocks));
  std::byte* place = memory.data;
  for (const Data& block : blocks) {
    if (block.bytes() > 0) unpacked_.emplace_back(block, place);
    place += block.bytes();
  }
  return memory;
}

void Plan::fill(std::byte* place, const Data& data) {
  if (data.bytes() == 0) return;
  if (!data.in_one_piece() || data.first_byte() != place) packed_.emplace_back(data, place);
}

detail::Memory Plan::space(Count bytes) {
  if (bytes == 0) return {};
  return {spaces_.emplace_back(static_cast<std::size_t>(bytes)).data(), bytes};
}

void Plan::reduce_by(const ReductionOfType& by) {
  call.element_bytes = by.element_bytes;
  call.type = by.type;
  call.reduction = by.reduction;
  call.input.count /= static_cast<Count>(call.element_bytes);
  call.output.count /= static_cast<Count>(call.element_bytes);
}

void Plan::send(int peer, const Data& data) {
  if (peer == abi::proc_null) return;
  ConstPieces pieces;
  if (data.bytes() == 0 || !data.type->pieces(std::as_const(data.base), data.count, pieces)) {
    send(peer, reads(data));
  } else {
    sends_.emplace_back(peer, pieces);
  }
}

void Plan::send(int peer, const detail::Memory& memory) {
  ConstPieces pieces;
  if (memory.count > 0) pieces.push_back({memory.data, static_cast<std::size_t>(memory.count)});
  sends_.emplace_back(peer, pieces);
}

void Plan::receive(int peer, const Data& data) {
  if (peer == abi::proc_null) return;
  Pieces pieces;
  if (data.bytes() == 0 || !data.type->pieces(data.base, data.count, pieces)) {
    receive(peer, writes(data));
  } else {
    receives_.emplace_back(peer, pieces);
  }
}

void Plan::receive(int peer, const detail::Memory& memory) {
  Pieces pieces;
  if (memory.count > 0) pieces.push_back({memory.data, static_cast<std::size_t>(memory.count)});
  receives_.emplace_back(peer, pieces);
}

void Plan::copy(const Data& from, const Data& to) {
  check_same_bytes(from.bytes(), to.bytes());
  if (from.bytes() == 0) return;
  if (to.in_one_piece()) {
    fill(to.first_byte(), from);
  } else {
    unpacked_.emplace_back(to, reads(from).data);
  }
}

void Plan::run() {
  check_apart();
  pack();
  if (exchange_) {
    std::vector<cohort::Request> parts = start_exchange();
    wait_all(parts);
  } else {
    detail::run(handle(), std::move(call));
  }
  end();
}

Request* Plan::start() {
  check_apart();
  auto request = Ref<Request>::adopt(new Request(&on_));
  if (spaces_.empty() && !has_end()) {
    begin(*request);
    return request.leak();
  }
  const auto plan = std::make_shared<Plan>(std::move(*this));
  plan->begin(*request);
  request->kept = plan;
  if (plan->has_end()) request->finish = [end_of = plan.get()](Request&) { end_of->end(); };
  return request.leak();
}

Request* Plan::keep() {
  check_apart();
  auto request = Ref<Request>::adopt(new Request(&on_));
  const auto plan = std::make_shared<Plan>(std::move(*this));
  plan->own_ = group_of(on_.all, on_.all.members(), {.number = on_.next_creation()});
  on_.note_of_request(*plan->own_);
  if (!plan->exchange_) plan->prepared_.emplace(detail::prepare(plan->handle(), std::move(plan->call)));
  request->persistent = true;
  request->active = false;
  request->kept = plan;
  request->begin = [kept = plan.get()](Request& started) { kept->begin(started); };
  if (plan->has_end()) request->finish = [end_of = plan.get()](Request&) { end_of->end(); };
  return request.leak();
}

// The runtime would refuse it too, with a class of error that is not MPI's.
void Plan::check_apart() const {
  if (exchange_ || in_place || call.input.count == 0 || call.output.count == 0) return;
  const auto bytes = static_cast<Count>(call.element_bytes);
  const bool overlap = std::less<>()(call.input.data, call.output.data + call.output.count * bytes) &&
                       std::less<>()(call.output.data, call.input.data + call.input.count * bytes);
  check(!overlap, abi::err_buffer,
        "the send buffer and the receive buffer overlap: they must be apart, or MPI_IN_PLACE be passed");
}

std::vector<cohort::Request> Plan::start_exchange() const {
  Exchange exchange(on_, name_);
  for (const auto& [peer, pieces] : receives_) exchange.receive(peer, pieces);
  for (const auto& [peer, pieces] : sends_) exchange.send(peer, pieces);
  return own_ ? exchange.start_in(*own_) : exchange.start();
}

void Plan::pack() const {
  for (const Copy& copy : packed_) {
    copy.type->pack(copy.base, copy.count, 0, copy.packed, copy.count * copy.type->size);
  }
}

void Plan::begin(Request& request) {
  pack();
  if (exchange_) {
    request.parts = start_exchange();
  } else {
    request.parts.push_back(prepared_ ? prepared_->start() : detail::start(handle(), std::move(call)));
  }
}

void Plan::end() const {
  if (then) then();
  for (const Copy& copy : unpacked_) {
    copy.type->unpack(copy.base, copy.count, 0, copy.packed, copy.count * copy.type->size);
  }
}

}  // namespace cohort::mpi
