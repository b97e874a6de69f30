// SPDX-License-Identifier: Apache-2.0
#include "launcher/network/link_meter.hpp"

#include <algorithm>
#include <array>
#include <asio/post.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "cohort/cohort.hpp"
#include "launcher/clock.hpp"
#include "launcher/network/fit.hpp"
#include "runtime/runtime.hpp"
#include "runtime/transport/tcp/tcp_transport.hpp"

namespace cohort {

namespace {

constexpr Pid far_end = 0, near_end = 1;
constexpr int fewest_round_trips = 8, most_round_trips = 16;
constexpr int many_in_a_row = 64;  // small messages
constexpr std::array<Count, 4> trains = {16 << 10, 128 << 10, 1 << 20, 4 << 20};
constexpr int fewest_meterings = 3, most_meterings = 5;
constexpr double long_enough_s =
    8e-3;  // how much longer than a short message a train must take; delays of busy hosts are shorter
constexpr double patience_s = 20e-3;  // for repetitions on slow networks
constexpr int most_attempts = 3;

// The near end sends words of 8 bytes. A positive word is the length of the train that follows. The far end answers
// every word except `hush` and `over`.
constexpr Count over = 0, ping = -1, hush = -2;

void be_measured(const Group& pair) {
  while (const Count word = pair.receive<Count>(near_end)) {
    std::vector<std::byte> train(static_cast<std::size_t>(std::clamp<Count>(word, 0, trains.back())));
    if (word > 0) pair.receive(train, near_end);
    if (word != hush) pair.send(std::byte{}, near_end);
  }
}

class NearEnd {
 public:
  explicit NearEnd(const Group& pair) : pair_(pair) {}

  // Repeats the measurement if long trains took no longer than a short message, because the hosts are busy starting
  // processes. Returns nothing after several such results.
  std::optional<Network> measure() const {
    round_trip_s();  // connects
    std::optional<Network> network;
    for (int attempt = 0; attempt < most_attempts && !network; ++attempt) network = measure_once();
    pair_.send(over, far_end);
    return network;
  }

 private:
  std::optional<Network> measure_once() const {
    std::vector<double> round_trips;
    const auto start = Clock::now();
    for (int i = 0; i < fewest_round_trips || (i < most_round_trips && seconds_since(start) < patience_s); ++i) {
      round_trips.push_back(round_trip_s());
    }
    // The slower round trips contain delays of the hosts.
    std::ranges::sort(round_trips);
    const double round_trip = round_trips[round_trips.size() / 4];

    Network network;
    const double gap_s = (fastest_s([this] { return small_messages_s(); }) - round_trip) / (many_in_a_row - 1);
    network.beta = seconds_a_byte(round_trips.front());
    if (network.beta == 0) return std::nullopt;
    network.burst = burst_bytes(round_trips.front(), network.beta);
    // If a round trip is now much faster, a disturbance delayed all earlier ones, and the results are wrong.
    if (2 * fastest_s([this] { return round_trip_s(); }) < round_trips.front()) return std::nullopt;
    divide_round(network, round_trip / 2, gap_s);
    return network;
  }

  double seconds_to_answer(Clock::time_point start) const {
    pair_.receive<std::byte>(far_end);
    return seconds_since(start);
  }
  double round_trip_s() const {
    const auto start = Clock::now();
    pair_.send(ping, far_end);
    return seconds_to_answer(start);
  }
  double small_messages_s() const {
    const auto start = Clock::now();
    for (int i = 1; i < many_in_a_row; ++i) pair_.send(hush, far_end);
    pair_.send(ping, far_end);
    return seconds_to_answer(start);
  }
  double train_s(Count bytes) const {
    std::vector<std::byte> train(static_cast<std::size_t>(bytes));
    const auto start = Clock::now();
    pair_.send(bytes, far_end);
    pair_.send(train, far_end);
    return seconds_to_answer(start);
  }

  // The fastest of some repetitions: other work of the hosts delays the slower ones.
  static double fastest_s(const std::function<double()>& timed) {
    const auto start = Clock::now();
    double fastest = timed();
    for (int i = 1; i < fewest_meterings || (i < most_meterings && seconds_since(start) < patience_s); ++i) {
      fastest = std::min(fastest, timed());
    }
    return fastest;
  }

  // Uses the first train that takes long enough. A traffic shaper lets some first bytes pass at once: at most a tenth
  // of such a train. Combines the fastest train with the fastest round trip, because on busy hosts the others may take
  // milliseconds longer.
  double seconds_a_byte(double round_trip_s) const {
    const auto rate = [&](Count bytes, double seconds) {
      return std::max(seconds - round_trip_s, 0.0) / static_cast<double>(bytes);
    };
    double beta = 0;
    for (const Count bytes : trains) {
      const double seconds = fastest_s([&] { return train_s(bytes); });
      beta = rate(bytes, seconds);
      if (seconds - round_trip_s <= long_enough_s) continue;
      // Either the link is slow, or busy hosts have delayed the first train: a longer train decides.
      if (bytes == trains[0] && seconds < patience_s) beta = std::min(beta, rate(trains[1], train_s(trains[1])));
      break;
    }
    return beta;
  }

  // The bytes that pass at once after a pause: a train is faster by their time on the wire.
  double burst_bytes(double round_trip_s, double beta) const {
    const Count bytes = trains.front();
    const double wire_s = beta * static_cast<double>(bytes);
    if (wire_s > patience_s) return 0;
    const double seconds = fastest_s([&] {
      std::this_thread::sleep_for(std::chrono::duration<double>(2 * wire_s));
      return train_s(bytes);
    });
    return burst_of(bytes, seconds, round_trip_s, beta);
  }

  const Group& pair_;
};

}  // namespace

void LinkMeter::join_two(Job job, const ListenAt& listen_at, Pid me, ProcessAddress far) {
  TcpListener listener(listen_at);
  port_ = listener.port();
  job.me = me;
  // Incarnations distinguish a job's processes from earlier ones. Here they distinguish the two ends.
  job.processes = {{"far", far.ip, far.port, 1}, {"near", "", 0, 2}};
  job.processes[static_cast<std::size_t>(me)].ip = listen_at.ip;
  job.processes[static_cast<std::size_t>(me)].port = port_;
  std::unique_ptr<Transport> transport = make_tcp_transport(job, std::move(listener), {.silence = job.silence_limit()});
  runtime_ = std::make_shared<detail::Runtime>(std::move(job), std::move(transport), nullptr);
}

LinkMeter::LinkMeter(const Job& job, const ListenAt& listen_at) {
  join_two(job, listen_at, far_end, {});
  thread_ = std::thread([runtime = runtime_] {
    try {
      Process self(runtime);
      be_measured(self.all());
    } catch (const std::exception&) {  // the near end reports the failure
    }
  });
}

LinkMeter::LinkMeter(const Job& job, const ListenAt& listen_at, ProcessAddress far, asio::io_context& loop,
                     Measured measured) {
  join_two(job, listen_at, near_end, std::move(far));
  thread_ = std::thread([runtime = runtime_, &loop, measured = std::move(measured)] {
    Result result;
    try {
      Process self(runtime);
      const Group pair = self.all();
      result = {true, NearEnd(pair).measure()};
    } catch (const std::exception&) {  // the network stays unmeasured
    }
    asio::post(loop, [measured, result] { measured(result); });
  });
}

LinkMeter::~LinkMeter() {
  try {
    runtime_->leave();
  } catch (const std::exception&) {  // the link was broken: the thread ends by itself
  }
  thread_.join();
}

}  // namespace cohort
