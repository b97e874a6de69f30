// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/silence.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "runtime/frequent_tries.hpp"

namespace cohort {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr int enough_tries = 2;                         // one may be lost
constexpr Nanoseconds answer_time = milliseconds(200);  // or two round trips
constexpr Nanoseconds blur = milliseconds(250);         // a probe was sent at some time between two looks

// A link that is cut for less than this is back at the next try within the limit.
Nanoseconds bridged(Nanoseconds limit) { return std::max(limit - longest_try_interval(limit), limit / 3); }

}  // namespace

bool Silence::lasts(int descriptor, Nanoseconds limit, Nanoseconds now) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return false;

  // Retransmitting before an answer can arrive would make long queues longer.
  const Nanoseconds answer = microseconds(info.tcpi_rtt + 4 * info.tcpi_rttvar);
  if (answer > longest_try_interval(limit)) try_as_slowly(descriptor, 2 * answer);

  // A receiver with a closed window takes no data, but any segment from it shows that it lives. So does any segment on
  // a connection that is only probed.
  const bool data = info.tcpi_unacked > 0 && info.tcpi_snd_wnd > 0;
  const std::uint64_t progress = data ? info.tcpi_bytes_acked : info.tcpi_segs_in;
  const bool waited = std::exchange(waits_, info.tcpi_unacked > 0 || info.tcpi_probes > 0);
  if (!waited || !waits_ || progress != progress_) {
    since_ = tried_at_ = now;
    tries_ = 0;
  } else if (info.tcpi_total_retrans != resent_ || info.tcpi_probes > probes_) {
    ++tries_;
    tried_at_ = data ? now - milliseconds(info.tcpi_last_data_sent) : now;
  }
  progress_ = progress;
  resent_ = info.tcpi_total_retrans;
  probes_ = info.tcpi_probes;

  const bool answer_due = now - tried_at_ >= std::max<Nanoseconds>(answer_time, 2 * microseconds(info.tcpi_rtt));
  const bool tried_late = tried_at_ - since_ >= bridged(limit) - (data ? Nanoseconds(0) : blur);
  return tries_ >= enough_tries && answer_due && (tried_late || now - since_ >= limit);
}

}  // namespace cohort
