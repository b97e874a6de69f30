// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/greeting.hpp"

#include <algorithm>
#include <utility>

namespace cohort::handshake {

void Incoming::add(ConstBytes bytes) {
  std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(filled_));
  filled_ += bytes.size();
}

AcceptorSide::AcceptorSide(const Endpoints& endpoints, const Nonce& nonce, Nanoseconds now)
    : endpoints_(endpoints), since_(now), challenge_(make_challenge(endpoints, nonce)) {
  incoming_.expect<Hello>();
}

ConstBytes AcceptorSide::take(ConstBytes bytes) {
  incoming_.add(bytes);
  if (wanted() > 0) return {};
  if (state_ == State::awaits_hello) return hear_hello();
  if (state_ == State::awaits_proof) hear_proof();
  return {};
}

ConstBytes AcceptorSide::hear_hello() {
  hello_ = incoming_.message<Hello>();
  Caller caller = check_hello(endpoints_, hello_);
  if (caller.pid < 0) {
    refuse(std::move(caller.complaint));
    return {};
  }
  caller_ = caller.pid;
  state_ = State::awaits_proof;
  incoming_.expect<Proof>();
  return challenge_;
}

void AcceptorSide::hear_proof() {
  if (!check_proof(endpoints_, hello_, challenge_, incoming_.message<Proof>())) {
    return refuse("it says that it is pid " + std::to_string(caller_) + " and does not have the job's secret");
  }
  state_ = State::awaits_verdict;
  incoming_.expect_nothing();
}

ConstBytes AcceptorSide::answer(Verdict verdict) {
  answer_ = make_answer(endpoints_, hello_, challenge_, verdict);
  state_ = State::answered;
  return answer_;
}

void AcceptorSide::refuse(std::string complaint) {
  state_ = State::refused;
  incoming_.expect_nothing();
  complaint_ = std::move(complaint);
}

DialerSide::DialerSide(const Endpoints& endpoints, Pid to, const Nonce& nonce)
    : endpoints_(endpoints), to_(to), hello_(make_hello(endpoints, to, nonce)) {
  incoming_.expect<Challenge>();
}

ConstBytes DialerSide::take(ConstBytes bytes) {
  incoming_.add(bytes);
  if (wanted() > 0) return {};
  if (state_ == State::awaits_challenge) return hear_challenge();
  if (state_ == State::awaits_answer) hear_answer();
  return {};
}

ConstBytes DialerSide::hear_challenge() {
  challenge_ = incoming_.message<Challenge>();
  std::string wrong = check_challenge(endpoints_, to_, challenge_);
  if (!wrong.empty()) {
    end(State::refused, std::move(wrong));
    return {};
  }
  proof_ = make_proof(endpoints_, hello_, challenge_);
  state_ = State::awaits_answer;
  incoming_.expect<Answer>();
  return proof_;
}

void DialerSide::hear_answer() {
  const std::optional<Verdict> verdict = check_answer(endpoints_, hello_, challenge_, incoming_.message<Answer>());
  if (!verdict) return end(State::refused, "what answers does not have the job's secret");
  if (*verdict == Verdict::duplicate) return end(State::duplicate, "it says that another connection has been made");
  end(State::accepted, {});
}

void DialerSide::end(State state, std::string cause) {
  state_ = state;
  incoming_.expect_nothing();
  cause_ = std::move(cause);
}

}  // namespace cohort::handshake
