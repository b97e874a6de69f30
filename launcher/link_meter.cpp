#include "launcher/link_meter.hpp"

#include <algorithm>
#include <array>
#include <asio/post.hpp>
#include <chrono>
#include <utility>
#include <vector>

#include "cohort/cohort.hpp"
#include "runtime/runtime.hpp"
#include "runtime/transport/tcp/tcp_transport.hpp"

namespace cohort {

namespace {

using Clock = std::chrono::steady_clock;

constexpr Pid far_end = 0, near_end = 1;
constexpr int round_trips = 16;
constexpr int burst = 64;  // small messages in a row
constexpr std::array<Count, 4> trains = {32 << 10, 256 << 10, 1 << 20, 4 << 20};
constexpr double long_enough_s = 10e-3;  // of a train
constexpr double least_gap = 0.05;       // of half a round trip: what is less is noise

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// One side sends messages of so many bytes, the other answers the last.
double there_and_back(const Group& pair, std::vector<std::byte>& data, int messages) {
  const auto start = Clock::now();
  for (int i = 0; i < messages; ++i) pair.send(data, far_end);
  pair.receive<std::byte>(far_end);
  return seconds_since(start);
}

void answer(const Group& pair, std::vector<std::byte>& data, int messages) {
  for (int i = 0; i < messages; ++i) pair.receive(data, near_end);
  pair.send(std::byte{}, near_end);
}

Network measure(const Group& pair) {
  std::vector<std::byte> small(8);
  there_and_back(pair, small, 1);  // connects
  std::vector<double> round_trip_s;
  for (int i = 0; i < round_trips; ++i) round_trip_s.push_back(there_and_back(pair, small, 1));
  std::ranges::sort(round_trip_s);
  const double half_s = round_trip_s[round_trips / 4] / 2;  // the hosts are busy starting processes

  Network network;
  const double gap_s = (there_and_back(pair, small, burst) - 2 * half_s) / (burst - 1);
  network.alpha = std::clamp(gap_s, least_gap * half_s, half_s);
  network.latency = half_s - network.alpha;

  double train_s = 0;
  for (const Count bytes : trains) {
    std::vector<std::byte> train(static_cast<std::size_t>(bytes));
    pair.send(bytes, far_end);
    train_s = there_and_back(pair, train, 1) - 2 * half_s;
    network.beta = std::max(train_s, 0.0) / static_cast<double>(bytes);
    if (train_s > long_enough_s) break;
  }
  pair.send(Count{0}, far_end);
  return network;
}

void be_measured(const Group& pair) {
  std::vector<std::byte> small(8);
  for (int i = 0; i < 1 + round_trips; ++i) answer(pair, small, 1);
  answer(pair, small, burst);
  while (const Count bytes = pair.receive<Count>(near_end)) {
    std::vector<std::byte> train(static_cast<std::size_t>(std::min(bytes, trains.back())));
    answer(pair, train, 1);
  }
}

}  // namespace

void LinkMeter::join_two(Job job, const std::string& listen_on, Pid me, ProcessAddress far) {
  TcpListener listener(listen_on);
  port_ = listener.port();
  job.me = me;
  // Incarnations tell a job's processes from earlier ones: here the two ends from one another.
  job.processes = {{"far", far.ip, far.port, 1}, {"near", "", 0, 2}};
  job.processes[static_cast<std::size_t>(me)].ip = listen_on;
  job.processes[static_cast<std::size_t>(me)].port = port_;
  std::unique_ptr<Transport> transport = make_tcp_transport(job, std::move(listener));
  runtime_ = std::make_shared<detail::Runtime>(std::move(job), std::move(transport), nullptr);
}

LinkMeter::LinkMeter(const Job& job, const std::string& listen_on) {
  join_two(job, listen_on, far_end, {});
  thread_ = std::thread([runtime = runtime_] {
    try {
      Process self(runtime);
      be_measured(self.all());
    } catch (const std::exception&) {  // the near end knows
    }
  });
}

LinkMeter::LinkMeter(const Job& job, const std::string& listen_on, ProcessAddress far, asio::io_context& loop,
                     Measured measured) {
  join_two(job, listen_on, near_end, std::move(far));
  thread_ = std::thread([runtime = runtime_, &loop, measured = std::move(measured)] {
    std::optional<Network> network;
    try {
      Process self(runtime);
      network = measure(self.all());
    } catch (const std::exception&) {  // it is not measured
    }
    asio::post(loop, [measured, network] { measured(network); });
  });
}

LinkMeter::~LinkMeter() {
  runtime_->leave();
  thread_.join();
}

}  // namespace cohort
