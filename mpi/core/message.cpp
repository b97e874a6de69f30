// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/message.hpp"

namespace cohort::mpi {

Message& Message::of_null_process() {
  static Message& message = make_predefined<Message>(nullptr, std::nullopt);
  return message;
}

}  // namespace cohort::mpi
