// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/shell/status_server.hpp"

#include <grpcpp/grpcpp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <asio/post.hpp>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "cohort/error.hpp"
#include "launcher/job/job_directory.hpp"
#include "launcher/remote/chunks.hpp"
#include "launcher/remote/grpc_settings.hpp"
#include "proto/status.grpc.pb.h"

namespace cohort {

namespace {

constexpr std::size_t descriptors_needed = 64;
constexpr auto answers_limit = std::chrono::seconds(1);  // to send the last answers before the server shuts down

// gRPC aborts the process when no descriptors are left.
bool enough_descriptors() {
  rlimit limit{};
  std::error_code error;
  const std::filesystem::directory_iterator open("/proc/self/fd", error);
  if (error || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  return static_cast<std::size_t>(std::distance(begin(open), end(open))) + descriptors_needed <= limit.rlim_cur;
}

class GrpcStatusServer final : public StatusServer, private v1::Status::CallbackService {
 public:
  GrpcStatusServer(asio::io_context& loop, Job job, std::string path)
      : loop_(loop), job_(std::move(job)), path_(std::move(path)) {
    silence_grpc();
    ::unlink(path_.c_str());  // the socket of an earlier process with the same number
    grpc::ServerBuilder builder;
    builder.AddListeningPort("unix:" + path_, grpc::InsecureServerCredentials());  // other users can't enter the folder
    limit_messages(builder, longest_message);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
  }

  // gRPC requires that every call is finished before the server is destroyed.
  ~GrpcStatusServer() override {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    while (const auto call = take(std::nullopt)) call->reactor->Finish(over);
    if (server_) server_->Shutdown(deadline_after(answers_limit));
    ::unlink(path_.c_str());
  }

 private:
  struct Call {
    grpc::ServerUnaryReactor* reactor;
    std::function<void(const std::string& text)> answer;
  };

  grpc::ServerUnaryReactor* Describe(grpc::CallbackServerContext* context, const v1::StatusQuestion* question,
                                     v1::StatusAnswer* answer) override {
    const auto fill = [this, answer](const std::string& text) {
      answer->set_job(job_.line());
      answer->set_processes(text);
    };
    return begin(*context, fill, [this, processes = question->processes()](std::uint64_t number) {
      if (!processes) return reply(number, "");
      job_.processes([this, number](const std::string& text) { reply(number, text); });
    });
  }

  grpc::ServerUnaryReactor* Inject(grpc::CallbackServerContext* context, const v1::InjectQuestion* question,
                                   v1::InjectAnswer* answer) override {
    return begin(
        *context, [answer](const std::string& mistake) { answer->set_mistake(mistake); },
        [this, faults = question->faults()](std::uint64_t number) { reply(number, job_.inject(faults)); });
  }

  // `handle` is called from the event loop. It must call reply(), at once or later.
  grpc::ServerUnaryReactor* begin(grpc::CallbackServerContext& context,
                                  std::function<void(const std::string& text)> answer,
                                  const std::function<void(std::uint64_t number)>& handle) {
    grpc::ServerUnaryReactor* const reactor = context.DefaultReactor();
    const std::lock_guard lock(mutex_);
    if (closing_) {
      reactor->Finish(over);
    } else {
      open_.emplace(++calls_, Call{reactor, std::move(answer)});
      asio::post(loop_, [handle, number = calls_] { handle(number); });
    }
    return reactor;
  }

  void reply(std::uint64_t number, const std::string& text) {
    const std::optional<Call> call = take(number);
    if (!call) return;
    call->answer(text);
    call->reactor->Finish(grpc::Status::OK);
  }

  // Removes and returns the call with this number; without a number, any call.
  std::optional<Call> take(std::optional<std::uint64_t> number) {
    const std::lock_guard lock(mutex_);
    const auto found = number ? open_.find(*number) : open_.begin();
    if (found == open_.end()) return std::nullopt;
    Call call = std::move(found->second);
    open_.erase(found);
    return call;
  }

  inline static const grpc::Status over{grpc::StatusCode::UNAVAILABLE, "the job has ended"};

  asio::io_context& loop_;
  const Job job_;
  const std::string path_;
  std::mutex mutex_;
  bool closing_ = false;
  std::uint64_t calls_ = 0;
  std::map<std::uint64_t, Call> open_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace

std::unique_ptr<StatusServer> StatusServer::start(asio::io_context& loop, Job job) {
  if (!enough_descriptors()) return nullptr;
  try {
    return std::make_unique<GrpcStatusServer>(loop, std::move(job), job_socket(::getpid()));
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace cohort
