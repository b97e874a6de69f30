// SPDX-License-Identifier: Apache-2.0
// A wall clock that is wrong: a library to be preloaded. Programs see it moved by as many seconds as the file holds
// that COHORT_TEST_CLOCK names (a number of 8 bytes), which may change while they run: somebody sets the clock. A wait
// until a time of that clock ends when the moved one says so, as of the moment at which it begins.
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace {

using SystemCall = long (*)(long, ...);

SystemCall system_call() {
  static const auto call = reinterpret_cast<SystemCall>(::dlsym(RTLD_NEXT, "syscall"));
  return call;
}

const volatile std::int64_t* mapped_shift() {
  const char* name = std::getenv("COHORT_TEST_CLOCK");
  const int file = name != nullptr ? ::open(name, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) std::abort();  // a test that would test nothing
  void* const bytes = ::mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, file, 0);
  ::close(file);
  if (bytes == MAP_FAILED) std::abort();
  return static_cast<const volatile std::int64_t*>(bytes);
}

std::int64_t shift_s() {
  static const volatile std::int64_t* const shift = mapped_shift();
  return *shift;
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const auto status = static_cast<int>(system_call()(SYS_clock_gettime, clock, time));
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += shift_s();
  return status;
}

int gettimeofday(timeval* time, void*) noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* seconds) noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  if (seconds != nullptr) *seconds = now.tv_sec;
  return now.tv_sec;
}

long syscall(long number, ...) noexcept {
  std::va_list list;
  va_start(list, number);
  long words[6];
  for (long& word : words) word = va_arg(list, long);
  va_end(list);
  timespec until{};
  const long waits = FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME;
  if (number == SYS_futex && (words[1] & waits) == waits && words[3] != 0) {
    until = *reinterpret_cast<const timespec*>(words[3]);
    until.tv_sec -= shift_s();
    words[3] = reinterpret_cast<long>(&until);
  }
  return system_call()(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
}
