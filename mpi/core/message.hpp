// SPDX-License-Identifier: Apache-2.0
// A message that a matched probe has taken out of the queue.
#pragma once

#include <optional>
#include <utility>

#include "mpi/core/communicator.hpp"
#include "mpi/core/object.hpp"
#include "runtime/calls/matched_message.hpp"

namespace cohort::mpi {

class Message : public Object {
 public:
  Message(Communicator* of, std::optional<detail::MatchedMessage> taken)
      : Object(Kind::message), communicator(of), matched(std::move(taken)) {}
  static Message& of_null_process();  // MPI_MESSAGE_NO_PROC

  const Ref<Communicator> communicator;           // null for the null process
  std::optional<detail::MatchedMessage> matched;  // nothing for the null process
};

}  // namespace cohort::mpi
