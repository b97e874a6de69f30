// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/shell/starting.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

#include "launcher/host/environment.hpp"
#include "launcher/host/orphans.hpp"
#include "launcher/host/signal_settings.hpp"
#include "launcher/host/warden.hpp"
#include "runtime/control/control_frames.hpp"

namespace cohort {

namespace {

struct Ends {
  int ours;
  int theirs;
};

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// `ours` is non-blocking; both close on exec.
Ends make_pipe(bool we_read) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  const Ends result = we_read ? Ends{ends[0], ends[1]} : Ends{ends[1], ends[0]};
  ::fcntl(result.ours, F_SETFL, O_NONBLOCK);
  return result;
}

Ends make_link() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0) fail("socketpair");
  return {ends[0], ends[1]};
}

// Each process gets its own values of these variables; those of an outer job are removed.
bool is_of_a_process(const std::string& setting) {
  const std::string_view name = std::string_view(setting).substr(0, setting.find('='));
  return name == control_variable || tells_the_place(name);
}

std::vector<std::string> environment_for(const v1::Start& job, const Orphans& orphans, const MpiFaces& faces) {
  std::vector<std::string> settings{job.environment().begin(), job.environment().end()};
  const std::string of_user = value_of("LD_LIBRARY_PATH", environment_with(settings));
  const std::string libraries = faces.library_path(of_user);
  if (libraries != of_user) settings.push_back("LD_LIBRARY_PATH=" + libraries);
  std::vector<std::string> environment = environment_with(settings);
  orphans.mark(environment);
  std::erase_if(environment, is_of_a_process);
  return environment;
}

}  // namespace

Starting::Starting(const v1::Start& job, const std::string& host, int host_number, const Orphans& orphans,
                   const Warden& warden, const MpiFaces& faces)
    : first_(job.first_pid()),
      place_{.ranks = job.ranks(),
             .local_ranks = job.count(),
             .host = host,
             .host_number = host_number,
             .job = job.job()} {
  order_.environment = environment_for(job, orphans, faces);
  for_all_ = order_.environment.size();
  file_ = find_program(job.program(), job.directory(), value_of("PATH", order_.environment));
  order_.path = file_.path;
  order_.arguments.push_back(job.program());
  order_.arguments.insert(order_.arguments.end(), job.arguments().begin(), job.arguments().end());
  order_.directory = job.directory();
  order_.warden = warden.descriptor();
  order_.descriptors = raise_descriptor_limit();
  order_.signals = read(job.signals());
  null_input_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const Ends errors = make_pipe(/*we_read=*/true);
  errors_ = errors.ours;
  order_.errors = errors.theirs;
}

Starting::~Starting() {
  ::close(order_.errors);
  ::close(null_input_);
}

Starting::Started Starting::start_next() {
  place_.rank = first_ + started_;
  place_.local_rank = started_++;
  const Ends link = make_link();
  const Ends output = make_pipe(/*we_read=*/true);
  const Ends error = make_pipe(/*we_read=*/true);
  const Ends input = place_.rank == 0 ? make_pipe(/*we_read=*/false) : Ends{-1, null_input_};

  order_.number = place_.rank;
  order_.input = input.theirs;
  order_.output = output.theirs;
  order_.error = error.theirs;
  order_.kept = link.theirs;
  order_.environment.resize(for_all_);
  std::ranges::move(variables_of(place_), std::back_inserter(order_.environment));
  order_.environment.push_back(std::string(control_variable) + "=" + std::to_string(link.theirs));
  const pid_t process = spawn(order_);
  if (input.theirs != null_input_) ::close(input.theirs);
  for (const int descriptor : {output.theirs, error.theirs, link.theirs}) ::close(descriptor);
  return {place_.rank, process, link.ours, output.ours, error.ours, input.ours};
}

}  // namespace cohort
