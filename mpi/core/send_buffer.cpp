// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/send_buffer.hpp"

#include <fmt/format.h>

#include <mutex>
#include <thread>
#include <utility>

#include "mpi/core/detached_requests.hpp"
#include "mpi/core/mistake.hpp"
#include "mpi/core/point_to_point.hpp"
#include "mpi/core/request.hpp"

namespace cohort::mpi {
namespace {

// What a message takes besides its data: not more than the smallest MPI_BSEND_OVERHEAD of the interfaces.
constexpr Count overhead = 64;

std::mutex attaching;  // protects all places of buffers
std::shared_ptr<SendBuffer> process_buffer;

using Place = std::shared_ptr<SendBuffer>;

Place attached_to(const Place& place) {
  const std::lock_guard lock(attaching);
  return place;
}

void attach(Place& place, void* memory, Count size) {
  const bool automatic = memory == buffer_automatic;
  if (size < 0 && !automatic)
    throw Mistake(abi::err_arg, fmt::format("the buffer's size is {}, but must be 0 or more", size));
  check(memory != nullptr || size == 0, abi::err_buffer, "the buffer is a null pointer");
  const std::lock_guard lock(attaching);
  check(!place, abi::err_buffer, "a buffer is attached already: detach it first");
  place = std::make_shared<SendBuffer>(memory, automatic ? 0 : size);
}

void flush(const Place& place) {
  if (const Place buffer = attached_to(place)) DetachedRequests::of_process().complete_all_of(*buffer);
}

void detach(Place& place, void*& memory, Count& size) {
  flush(place);
  Place buffer;
  {
    const std::lock_guard lock(attaching);
    buffer = std::move(place);
    place = nullptr;
  }
  memory = buffer ? buffer->memory : nullptr;
  size = buffer ? buffer->size : 0;
}

void start_flush(const Place& place, Request*& request) {
  request = new Request(nullptr);
  if (Place buffer = attached_to(place)) {
    request->over = [buffer = std::move(buffer)] {
      DetachedRequests::of_process().reap();
      return buffer->unused();
    };
  }
}

// A copy of a message and its room in the buffer.
struct Held {
  Held(Place buffer, Count size) : in(std::move(buffer)), bytes(size) {}
  Held(const Held&) = delete;
  ~Held() { in->give_back(bytes); }

  const Place in;
  const Count bytes;
  std::shared_ptr<void> copy;
};

std::shared_ptr<Held> hold(Place buffer, Count bytes) {
  while (!buffer->take(bytes)) {
    make_progress();
    const bool all_seen = DetachedRequests::of_process().reap_some();
    if (buffer->take(bytes)) break;
    if (all_seen) {
      throw Mistake(
          abi::err_buffer,
          fmt::format("the message needs {} bytes of the attached buffer, which has {} in all", bytes, buffer->size));
    }
    std::this_thread::yield();  // another thread is giving room back
  }
  return std::make_shared<Held>(std::move(buffer), bytes);
}

}  // namespace

bool SendBuffer::take(Count bytes) {
  Count before = used_.load(std::memory_order_relaxed);
  while (memory == buffer_automatic || before + bytes <= size) {
    if (used_.compare_exchange_weak(before, before + bytes, std::memory_order_acquire)) return true;
  }
  return false;
}

void send_buffered(const Sending& sending) {
  DetachedRequests& detached = DetachedRequests::of_process();
  detached.reap();
  Place buffer = attached_to(sending.communicator.send_buffer);
  if (!buffer) buffer = attached_to(process_buffer);
  check(buffer != nullptr, abi::err_buffer, "no buffer is attached: call MPI_Buffer_attach first");
  const std::shared_ptr<Held> held = hold(std::move(buffer), sending.data.bytes() + overhead);
  Ref<Request> request = Ref<Request>::adopt(new Request(&sending.communicator));
  sending.start_copy(*request);
  held->copy = std::exchange(request->kept, held);
  detached.add(std::move(request), held->in.get());
}

void buffer_attach(void* buffer, Count size) { attach(process_buffer, buffer, size); }
void buffer_detach(void*& buffer, Count& size) { detach(process_buffer, buffer, size); }
void buffer_flush() { flush(process_buffer); }
void buffer_iflush(Request*& request) { start_flush(process_buffer, request); }

void comm_attach_buffer(Communicator& comm, void* buffer, Count size) { attach(comm.send_buffer, buffer, size); }
void comm_detach_buffer(Communicator& comm, void*& buffer, Count& size) { detach(comm.send_buffer, buffer, size); }
void comm_flush_buffer(Communicator& comm) { flush(comm.send_buffer); }
void comm_iflush_buffer(Communicator& comm, Request*& request) { start_flush(comm.send_buffer, request); }

}  // namespace cohort::mpi
