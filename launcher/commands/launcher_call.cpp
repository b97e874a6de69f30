// SPDX-License-Identifier: Apache-2.0
#include "launcher/commands/launcher_call.hpp"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>

#include "cohort/error.hpp"
#include "launcher/job/job_directory.hpp"
#include "launcher/remote/grpc_settings.hpp"
#include "launcher/usage_error.hpp"
#include "proto/status.grpc.pb.h"

namespace cohort {

namespace {

constexpr auto answer_limit = std::chrono::seconds(20);  // a debugger may read stacks meanwhile

template <class Question, class Answer>
Answer call(int launcher, grpc::Status (v1::Status::Stub::*method)(grpc::ClientContext*, const Question&, Answer*),
            const Question& question) {
  silence_grpc();
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);  // a job may have many arguments and many processes
  const auto channel =
      grpc::CreateCustomChannel("unix:" + job_socket(launcher), grpc::InsecureChannelCredentials(), arguments);
  grpc::ClientContext context;
  context.set_deadline(deadline_after(answer_limit));
  Answer answer;
  const grpc::Status status = (v1::Status::NewStub(channel).get()->*method)(&context, question, &answer);
  if (!status.ok()) throw Error(ErrorCode::job, "the launcher does not answer: " + status.error_message());
  return answer;
}

}  // namespace

void expect_job(std::string_view command, int launcher) {
  const std::vector<int> jobs = running_jobs();
  if (std::ranges::find(jobs, launcher) != jobs.end()) return;
  const std::string owner = other_owner(launcher);
  if (!owner.empty()) {
    throw UsageError(std::string(command) + ": job " + std::to_string(launcher) + " is of the user " + owner +
                     ": nobody else may ask about it, or change it");
  }
  throw UsageError(std::string(command) + ": no job " + std::to_string(launcher) +
                   " of yours runs here; cohort status lists them");
}

JobDescription ask_to_describe(int launcher, bool processes) {
  v1::StatusQuestion question;
  question.set_processes(processes);
  const v1::StatusAnswer answer = call(launcher, &v1::Status::Stub::Describe, question);
  return {answer.job(), answer.processes()};
}

std::string ask_to_inject(int launcher, const std::string& faults) {
  v1::InjectQuestion question;
  question.set_faults(faults);
  return call(launcher, &v1::Status::Stub::Inject, question).mistake();
}

}  // namespace cohort
