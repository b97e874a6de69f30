#include "launcher/job/inquiry.hpp"

#include <asio/post.hpp>
#include <utility>

namespace cohort {

Inquiry::Inquiry(asio::io_context& loop, int ranks)
    : loop_(loop), limit_(loop), answers_(static_cast<std::size_t>(ranks)) {}

void Inquiry::begin(std::uint64_t question, std::set<Pid> asked, std::chrono::milliseconds limit,
                    std::function<void()> over) {
  question_ = question;
  missing_ = std::move(asked);
  answers_.assign(answers_.size(), std::nullopt);
  over_ = std::move(over);
  limit_.begin(limit, [this] { end(); });
  asio::post(loop_, [this, question] {
    if (question == question_) end_if_complete();
  });
}

void Inquiry::stop() {
  limit_.cancel();
  over_ = nullptr;
}

void Inquiry::answered(Pid pid, process::v1::Doing&& doing) {
  if (!running() || doing.question() != question_) return;
  answers_.at(static_cast<std::size_t>(pid)) = std::move(doing);
  missing_.erase(pid);
  end_if_complete();
}

void Inquiry::unable(Pid pid) {
  if (missing_.erase(pid) > 0) end_if_complete();
}

void Inquiry::end_if_complete() {
  if (missing_.empty()) end();
}

void Inquiry::end() {
  limit_.cancel();
  if (over_) std::exchange(over_, nullptr)();
}

}  // namespace cohort
