// cohort status: which jobs run, and what the processes of one are doing.
#include <grpcpp/grpcpp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>

#include "cohort/error.hpp"
#include "launcher/commands.hpp"
#include "launcher/grpc_settings.hpp"
#include "launcher/job_directory.hpp"
#include "launcher/usage_error.hpp"
#include "proto/status.grpc.pb.h"

namespace cohort {

namespace {

constexpr auto answer_limit = std::chrono::seconds(20);  // a debugger may have to read stacks

grpc::Status ask(int launcher, bool processes, v1::StatusAnswer& answer) {
  silence_grpc();
  const auto channel = grpc::CreateChannel("unix:" + job_socket(launcher), grpc::InsecureChannelCredentials());
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + answer_limit);
  v1::StatusQuestion question;
  question.set_processes(processes);
  return v1::Status::NewStub(channel)->Describe(&context, question, &answer);
}

int list_jobs() {
  for (const int launcher : running_jobs()) {
    v1::StatusAnswer answer;
    if (ask(launcher, false, answer).ok()) std::cout << launcher << "  " << answer.job() << "\n";
  }
  return 0;
}

int describe_job(int launcher) {
  const std::vector<int> jobs = running_jobs();
  if (std::ranges::find(jobs, launcher) == jobs.end()) {
    throw UsageError("status: no job " + std::to_string(launcher) + " of yours runs here; cohort status lists them");
  }
  v1::StatusAnswer answer;
  const grpc::Status status = ask(launcher, true, answer);
  if (!status.ok()) throw Error(ErrorCode::job, "the launcher does not answer: " + status.error_message());
  std::cout << launcher << "  " << answer.job() << "\n" << answer.processes();
  return 0;
}

constexpr const char* footer = R"(
Without JOB: the jobs that this user's launchers run on this host, one a line. With it: what each process of that job is
doing. A job's name is the process number of its launcher. The same report comes from the launcher itself on Ctrl-\
(SIGQUIT), when a process has waited for longer than --patience, and when --timeout ends the job.)";

}  // namespace

void add_status_command(CLI::App& app, Action& action) {
  const auto job = std::make_shared<int>(0);
  CLI::App* command = app.add_subcommand("status", "Say what the processes of a running job are doing");
  command->add_option("JOB", *job, "Which one; without it, all are listed")->check(CLI::PositiveNumber);
  command->footer(footer);
  command->callback([job, &action] { action = [job] { return *job == 0 ? list_jobs() : describe_job(*job); }; });
}

}  // namespace cohort
