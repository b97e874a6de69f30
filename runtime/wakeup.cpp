#include "runtime/wakeup.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace cohort::detail {

Wakeup::Wakeup() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::system_category(), "a thread cannot be woken");
}

Wakeup::~Wakeup() { ::close(descriptor_); }

// Neither can fail in a way that matters: it is set already, or not.
void Wakeup::set() { ::eventfd_write(descriptor_, 1); }

void Wakeup::clear() {
  eventfd_t count = 0;
  ::eventfd_read(descriptor_, &count);
}

}  // namespace cohort::detail
