// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/payload.hpp"

#include "runtime/transport/frame.hpp"

namespace cohort::mpi {

// Takes the program's memory. Returns whether that is better than a packed copy.
bool Payload::take(const Data& data) {
  const Count bytes = data.bytes();
  if (bytes == 0) return true;
  if (data.in_one_piece()) {
    memory_ = {data.first_byte(), bytes};
    return true;
  }
  Pieces pieces;
  if (!data.type->pieces(data.base, data.count, pieces)) return false;
  for (const Piece& piece : pieces) pieces_.push_back({piece.data, static_cast<Count>(piece.size)});
  return true;
}

Payload Payload::to_send(const Data& data) {
  Payload payload;
  if (!payload.take(data)) return copy_of(data);
  return payload;
}

Payload Payload::to_receive(const Data& data) {
  Payload payload;
  if (!payload.take(data)) payload.allocate(data.bytes());
  return payload;
}

Payload Payload::copy_of(const Data& data) {
  Payload payload;
  const Count bytes = data.bytes();
  if (bytes == 0) return payload;
  payload.allocate(bytes);
  data.type->pack(data.base, data.count, 0, payload.copy_->data(), bytes);
  return payload;
}

void Payload::describe(detail::Letter& letter) const {
  letter.memory = memory_;
  letter.pieces = {pieces_.data(), pieces_.size()};
}

void Payload::allocate(Count bytes) {
  copy_ = std::make_shared<RecycledMemory>(static_cast<std::size_t>(bytes));
  memory_ = {copy_->data(), bytes};
}

}  // namespace cohort::mpi
