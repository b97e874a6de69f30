// SPDX-License-Identifier: Apache-2.0
#include "runtime/wakeup.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "cohort/error.hpp"
#include "runtime/inert.hpp"

namespace cohort::detail {

Wakeup::Wakeup() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  close_in_forks(descriptor_);
  if (descriptor_ >= 0) return;
  throw Error(ErrorCode::job, "no descriptor to wake a thread by can be had: " + std::system_category().message(errno));
}

Wakeup::~Wakeup() { close_own(descriptor_); }

// The only failures do not matter: the descriptor is set already, or cleared already.
void Wakeup::set() { ::eventfd_write(descriptor_, 1); }

void Wakeup::clear() {
  eventfd_t count = 0;
  ::eventfd_read(descriptor_, &count);
}

}  // namespace cohort::detail
