// SPDX-License-Identifier: Apache-2.0
// Requests: operations in progress, of the runtime or of the program (generalized).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "cohort/request.hpp"
#include "mpi/core/callbacks.hpp"
#include "mpi/core/communicator.hpp"
#include "mpi/core/object.hpp"
#include "mpi/core/status.hpp"
#include "runtime/spare_blocks.hpp"

namespace cohort::mpi {

// The runtime's operations of one request. Most requests have one, which needs no memory of its own.
class Parts {
 public:
  Parts() = default;
  Parts& operator=(std::vector<cohort::Request> several) {
    clear();
    count_ = several.size();
    if (count_ == 1) {
      one_ = std::move(several.front());
    } else {
      several_ = std::move(several);
    }
    return *this;
  }

  void push_back(cohort::Request part) {
    if (count_ == 1) several_.push_back(std::move(one_));
    if (count_++ == 0) {
      one_ = std::move(part);
    } else {
      several_.push_back(std::move(part));
    }
  }
  void clear() {
    one_ = {};
    several_.clear();
    count_ = 0;
  }

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  cohort::Request* begin() { return count_ == 1 ? &one_ : several_.data(); }
  cohort::Request* end() { return begin() + count_; }
  cohort::Request& operator[](std::size_t i) { return begin()[i]; }

 private:
  std::size_t count_ = 0;
  cohort::Request one_;                   // if there is one
  std::vector<cohort::Request> several_;  // if there are more
};

// A request is complete when all of its parts are, and `finish` has been called. MPI's functions for waiting and
// testing are in completion.hpp.
class Request final : public Object {
 public:
  explicit Request(Communicator* of) : Object(Kind::request), communicator(of) { ++starts; }
  ~Request() override;

  static void* operator new(std::size_t) { return detail::SpareBlocks<sizeof(Request)>::take(); }
  static void operator delete(void* block) { detail::SpareBlocks<sizeof(Request)>::give(block); }

  // A number from 1 on that grows whenever a request starts, or an operation of the runtime ends that a request is made
  // of.
  static std::uint64_t moment();

  // Starts a persistent one that is inactive.
  void start();

  // Whether the operation has ended; then `status` and `error` are known. look() makes no progress, test() makes one
  // round of it, wait() blocks. They throw no error of the operation.
  bool look();
  bool test();
  void wait();

  // The part that has to end next. Null: the operation has ended, or does not depend on the runtime alone.
  cohort::Request* open_part() { return next_ < parts.size() ? &parts[next_] : nullptr; }

  const Ref<Communicator> communicator;  // whose error handler is called; null for a generalized request

  Parts parts;                          // in progress
  std::function<void(Request&)> begin;  // of a persistent one: starts the parts
  std::function<bool()> over;           // if not empty: whether what else the operation waits for has happened
  // Called once, after the parts, unless one has failed: unpacks, combines, states the status. Throws.
  std::function<void(Request&)> finish;
  std::shared_ptr<void> kept;  // memory that the operation uses
  Status status;
  std::exception_ptr error;  // the first one
  bool persistent = false;
  bool active = true;
  bool is_receive = false;        // `parts[0]` is a receive: its source, tag and bytes are the status
  bool may_be_cancelled = false;  // `parts[0]` is a receive that can be taken back

  struct Generalized {
    QueryFunction query;
    FreeFunction free;
    CancelFunction cancel;
    void* extra_state = nullptr;

    // What the program has done, in any order and by any thread.
    static constexpr unsigned complete = 1;
    static constexpr unsigned freed = 2;
    std::atomic<unsigned> events{0};
  };
  std::unique_ptr<Generalized> generalized;

 private:
  void take_part();
  void keep_error();
  void end();

  static inline std::atomic<std::uint64_t> starts{1};
  std::size_t next_ = 0;  // the parts before it have ended
  bool ended_ = false;
};

// One round of the runtime's progress.
void make_progress();

}  // namespace cohort::mpi
