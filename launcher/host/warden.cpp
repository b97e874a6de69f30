#include "launcher/host/warden.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <optional>
#include <system_error>
#include <vector>

#include "launcher/host/orphans.hpp"

namespace cohort {

namespace {

enum class Word : int { watch, forget, job, alive, ended_in_order };

constexpr int looks_per_limit = 5;

struct Note {
  Word word;
  pid_t group = 0;        // to watch, or to forget
  int look_ms = -1;       // alive: how long is a look's time
  std::uint64_t job = 0;  // whose processes there are
};

// Notes are shorter than PIPE_BUF: those of many writers never mix.
void write_note(int pipe, Note note) {
  while (::write(pipe, &note, sizeof note) < 0 && errno == EINTR) {
  }
}

// Whether the pipe says nothing for the whole limit. In parts: a machine that was suspended has missed one only.
bool is_silent(int pipe, int look_ms) {
  pollfd entry{pipe, POLLIN, 0};
  for (int look = 0; look < looks_per_limit; ++look) {
    if (::poll(&entry, 1, look_ms) != 0) return false;
  }
  return true;
}

bool read_note(int pipe, Note& note) {
  for (;;) {
    const ssize_t got = ::read(pipe, &note, sizeof note);
    if (got == static_cast<ssize_t>(sizeof note)) return true;
    if (got < 0 && errno == EINTR) continue;
    return false;
  }
}

// Holds nothing of the parent's: whoever reads the launcher's output must see its end.
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
  if (::chdir("/") != 0) return;  // a file system may be unmounted under us otherwise; harmless
}

[[noreturn]] void watch(int pipe, const std::function<void()>& clean_up) {
  let_go_of_everything_but(pipe);
  const pid_t parent = ::getppid();
  std::vector<pid_t> groups;
  std::optional<std::uint64_t> job;
  Note note{};
  for (int look_ms = -1;;) {
    if (is_silent(pipe, look_ms) && ::getppid() == parent) ::kill(parent, SIGKILL);  // the pipe ends with it
    if (!read_note(pipe, note)) break;
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
      case Word::ended_in_order:
        ::_exit(0);
    }
  }
  for (const pid_t group : groups) ::kill(-group, SIGKILL);
  if (clean_up) clean_up();
  if (job) Orphans::end_everywhere(*job, parent);
  ::_exit(0);
}

}  // namespace

Warden::Warden(const std::function<void()>& clean_up) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  process_ = ::fork();
  if (process_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (process_ == 0) {
    ::close(ends[1]);
    watch(ends[0], clean_up);
  }
  ::close(ends[0]);
  pipe_ = ends[1];
}

Warden::~Warden() {
  write_note(pipe_, {Word::ended_in_order});
  ::close(pipe_);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Warden::forget(pid_t group) { write_note(pipe_, {Word::forget, group}); }

void Warden::know(std::uint64_t job) { write_note(pipe_, {.word = Word::job, .job = job}); }

void Warden::alive(std::chrono::nanoseconds limit) {
  const auto look = std::chrono::ceil<std::chrono::milliseconds>(limit / looks_per_limit);
  write_note(pipe_, {.word = Word::alive, .look_ms = static_cast<int>(look.count())});
}

void Warden::watch_me(int descriptor) { write_note(descriptor, {Word::watch, ::getpid()}); }

}  // namespace cohort
