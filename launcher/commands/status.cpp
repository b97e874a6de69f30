// SPDX-License-Identifier: Apache-2.0
// cohort status: lists the running jobs, or shows what the processes of one job are doing.
#include <iostream>
#include <memory>

#include "cohort/error.hpp"
#include "launcher/commands/commands.hpp"
#include "launcher/commands/launcher_call.hpp"
#include "launcher/job/job_directory.hpp"
#include "launcher/printable.hpp"

namespace cohort {

namespace {

int list_jobs() {
  bool is_any = false;
  for (const int launcher : running_jobs()) {
    try {
      const std::string job = ask_to_describe(launcher, false).job;
      std::cout << launcher << "  " << printable(job) << "\n";
      is_any = true;
    } catch (const Error&) {  // the job has just ended
    }
  }
  if (!is_any) std::cerr << "cohort: no launcher of this user runs a job on this host\n";
  return 0;
}

int describe_job(int launcher) {
  expect_job("status", launcher);
  const JobDescription description = ask_to_describe(launcher, true);
  std::cout << launcher << "  " << printable(description.job + "\n" + description.processes);
  return 0;
}

constexpr const char* status_footer = R"(
Without JOB: the jobs that this user's launchers run on this host, one a line. With it: what each process of that job is
doing. A job's name is the process number of its launcher. The launcher itself gives the same report on
Ctrl-\ (SIGQUIT). It also does so when a process has waited for longer than --patience, and when --timeout ends the job.)";

}  // namespace

void add_status_command(CliCommand app, Action& action) {
  const auto job = std::make_shared<int>(0);
  const CliCommand command = app.add_subcommand("status", "Say what the processes of a running job are doing");
  command.add_option("JOB", *job, "Which one; without it, all are listed").positive(is_no_job);
  command.footer(status_footer);
  command.callback([job, &action] { action = [job] { return *job == 0 ? list_jobs() : describe_job(*job); }; });
}

}  // namespace cohort
