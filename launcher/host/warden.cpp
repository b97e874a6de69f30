// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/warden.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <system_error>
#include <vector>

#include "launcher/host/orphans.hpp"

namespace cohort {

namespace {

enum class Word : int { watch, forget, job, alive };

constexpr int looks_per_limit = 5;
constexpr int patience_ms = 1'000;  // time limit for a warden to read a note, or to end

}  // namespace

struct Warden::Note {
  Word word;
  pid_t group = 0;        // to watch, or to forget
  int look_ms = -1;       // alive: duration of one look
  std::uint64_t job = 0;  // the job whose processes the parent starts
};

namespace {

// Whether nothing arrives on the pipe within the whole limit. Waits in several looks, because a suspend of the machine
// can use up only one look.
bool is_silent(int pipe, int look_ms) {
  pollfd entry{pipe, POLLIN, 0};
  for (int look = 0; look < looks_per_limit; ++look) {
    if (::poll(&entry, 1, look_ms) != 0) return false;
  }
  return true;
}

bool read_whole(int pipe, void* bytes, std::size_t size) {
  for (;;) {
    const ssize_t got = ::read(pipe, bytes, size);
    if (got == static_cast<ssize_t>(size)) return true;
    if (got < 0 && errno == EINTR) continue;
    return false;
  }
}

// Closes the parent's descriptors, so that the reader of the launcher's output sees its end.
void let_go_of_everything_but(int pipe) {
  ::setsid();
  ::prctl(PR_SET_NAME, "cohort-warden");
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGPIPE}) {
    ::signal(number, SIG_IGN);
  }
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int standard = 0; standard < 3; ++standard) ::dup2(nothing, standard);
  if (pipe > 3) ::close_range(3, static_cast<unsigned>(pipe) - 1, 0);
  ::close_range(static_cast<unsigned>(pipe) + 1, ~0U, 0);
  if (::chdir("/") != 0) return;  // so that file systems can be unmounted
}

}  // namespace

// Notes are shorter than PIPE_BUF, so notes of several writers never mix. Returns false if the pipe stays full.
bool Warden::write_note(int pipe, const Note& note, int limit_ms) {
  while (::write(pipe, &note, sizeof note) < 0) {
    if (errno == EINTR) continue;
    pollfd room{pipe, POLLOUT, 0};
    if (errno != EAGAIN || ::poll(&room, 1, limit_ms) <= 0) return false;
  }
  return true;
}

void Warden::watch(int pipe, const std::function<void()>& clean_up) {
  let_go_of_everything_but(pipe);
  const pid_t parent = ::getppid();
  std::vector<pid_t> groups;
  std::optional<std::uint64_t> job;
  Note note{};
  for (int look_ms = -1;;) {
    if (is_silent(pipe, look_ms) && ::getppid() == parent) ::kill(parent, SIGKILL);  // this also closes the pipe
    if (!read_whole(pipe, &note, sizeof note)) break;
    switch (note.word) {
      case Word::watch:
        groups.push_back(note.group);
        break;
      case Word::forget:
        groups.erase(std::remove(groups.begin(), groups.end(), note.group), groups.end());
        break;
      case Word::job:
        job = note.job;
        break;
      case Word::alive:
        look_ms = note.look_ms;
        break;
    }
  }
  for (const pid_t group : groups) ::kill(-group, SIGKILL);
  if (clean_up) clean_up();
  if (job) Orphans::end_everywhere(*job, parent);
  ::_exit(0);
}

Warden::Warden(const std::function<void()>& clean_up) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    ::close(ends[1]);
    watch(ends[0], clean_up);
  }
  ::close(ends[0]);
  pipe_ = ends[1];
  ::fcntl(pipe_, F_SETFL, O_NONBLOCK);
  process_ = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  if (process_ < 0) throw std::system_error(errno, std::generic_category(), "pidfd_open");
}

// Kills the warden before the pipe closes: the warden would take a closed pipe for its parent's death.
Warden::~Warden() {
  signal(SIGKILL);
  ::close(pipe_);
  pollfd end{process_, POLLIN, 0};
  while (::poll(&end, 1, patience_ms) < 0 && errno == EINTR) {
  }
  if (end.revents != 0) ::waitid(P_PIDFD, static_cast<id_t>(process_), nullptr, WEXITED);
  ::close(process_);
}

void Warden::signal(int number) const { ::syscall(SYS_pidfd_send_signal, process_, number, nullptr, 0); }

// If the pipe is full, something has stopped the warden, perhaps together with this process: sends SIGCONT and waits
// for room.
void Warden::tell(const Note& note, int limit_ms) const {
  if (write_note(pipe_, note, 0)) return;
  signal(SIGCONT);
  if (limit_ms > 0) write_note(pipe_, note, limit_ms);
}

void Warden::forget(pid_t group) { tell({Word::forget, group}, patience_ms); }

void Warden::know(std::uint64_t job) { tell({.word = Word::job, .job = job}, patience_ms); }

// If the pipe is full, this note may be dropped: the warden still has others of its kind to read.
void Warden::alive(std::chrono::nanoseconds limit) {
  const auto look = std::chrono::ceil<std::chrono::milliseconds>(limit / looks_per_limit);
  tell({.word = Word::alive, .look_ms = static_cast<int>(look.count())}, 0);
}

void Warden::watch_me(int descriptor) { write_note(descriptor, {Word::watch, ::getpid()}, patience_ms); }

}  // namespace cohort
