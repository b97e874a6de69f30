// SPDX-License-Identifier: Apache-2.0
// A collective as this process takes part in it: described once, then run, started, or kept to be started again.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cohort/detail/call.hpp"
#include "mpi/core/data.hpp"
#include "mpi/core/exchange.hpp"
#include "mpi/core/op.hpp"
#include "mpi/core/request.hpp"
#include "runtime/recycled_memory.hpp"

namespace cohort::mpi {

// The runtime works on pieces of memory. If the program's data are one piece, that is the program's memory itself.
// Other data have a copy, which is packed before the start or unpacked after the end.
class Plan {
 public:
  Plan(const char* name, Communicator& on, Operation operation);
  // A plan of messages (exchange.hpp) instead of one of the runtime's collectives.
  Plan(const char* name, Communicator& on);

  // Of a collective of the runtime: what else than memory describes it.
  detail::Call call;
  // Whether input and output may overlap.
  bool in_place = false;
  // Called when all data have arrived, before they are unpacked.
  std::function<void()> then;

  // Memory that holds these data at the start, or brings them to the program at the end. Blocks follow one another
  // without gaps. Sizes are in bytes.
  detail::Memory reads(std::span<const Data> blocks);
  detail::Memory reads(const Data& data) { return reads(std::span(&data, 1)); }
  detail::Memory writes(std::span<const Data> blocks);
  detail::Memory writes(const Data& data) { return writes(std::span(&data, 1)); }
  detail::Memory updates(const Data& data);
  // The same, always a copy.
  detail::Memory reads_copy(std::span<const Data> blocks);
  detail::Memory writes_copy(std::span<const Data> blocks);
  // Brings the data to this place at the start, unless they are there already.
  void fill(std::byte* place, const Data& data);
  // Without meaning to the program.
  detail::Memory space(Count bytes);

  // The call combines elements: memory that has been set in bytes becomes memory of elements.
  void reduce_by(const ReductionOfType& by);

  // Of an exchange: `peer` as in exchange.hpp.
  void send(int peer, const Data& data);
  void send(int peer, const detail::Memory& memory);
  void receive(int peer, const Data& data);
  void receive(int peer, const detail::Memory& memory);
  // What this process sends to itself.
  void copy(const Data& from, const Data& to);

  // The three forms of MPI's functions. Each uses up the plan. run() blocks. The requests are the caller's.
  void run();
  Request* start();
  Request* keep();

 private:
  // Data of the program, and where they are packed.
  struct Copy {
    Copy(const Data& data, std::byte* place) : type(data.type), base(data.base), count(data.count), packed(place) {}
    Ref<Datatype> type;
    std::byte* base;
    Count count;
    std::byte* packed;
  };

  void check_apart() const;
  detail::Handle handle() const { return {detail::state_of(own_ ? *own_ : on_.all)}; }
  std::vector<cohort::Request> start_exchange() const;
  void pack() const;
  void begin(Request& request);
  void end() const;
  bool has_end() const { return then || !unpacked_.empty(); }

  const char* name_;
  Communicator& on_;
  bool exchange_;
  std::vector<Copy> packed_;
  std::vector<Copy> unpacked_;
  std::vector<RecycledMemory> spaces_;
  std::vector<std::pair<int, ConstPieces>> sends_;
  std::vector<std::pair<int, Pieces>> receives_;
  std::optional<cohort::Group> own_;  // of a persistent one: members may start theirs in different orders
  std::optional<Persistent> prepared_;
};

}  // namespace cohort::mpi
