#include "runtime/transport/tcp/silence.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

namespace cohort {
namespace {

constexpr int probes = 3;                   // one may be lost
constexpr std::uint32_t enough_resent = 2;  // while the receiver takes nothing, each of the few is answered

}  // namespace

void keep_alive(int descriptor, std::chrono::nanoseconds limit) {
  const auto set = [&](int level, int option, int value) {
    ::setsockopt(descriptor, level, option, &value, sizeof value);  // without it, it works, only less well
  };
  set(SOL_SOCKET, SO_KEEPALIVE, limit > limit.zero() ? 1 : 0);
  const int limit_s = static_cast<int>(std::chrono::ceil<std::chrono::seconds>(limit).count());
  const int interval_s = std::max(limit_s / (probes + 2), 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, std::max(limit_s - probes * interval_s, 1));
  set(IPPROTO_TCP, TCP_KEEPINTVL, interval_s);
  set(IPPROTO_TCP, TCP_KEEPCNT, probes);
}

bool Silence::lasts(int descriptor, std::chrono::nanoseconds limit) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return false;
  const auto now = std::chrono::steady_clock::now();
  const bool waited = std::exchange(waits_, info.tcpi_unacked > 0);
  if (!waited || !waits_ || info.tcpi_segs_in != heard_) {
    heard_ = info.tcpi_segs_in;
    resent_ = info.tcpi_total_retrans;
    since_ = now;
  }
  return now - since_ >= limit && info.tcpi_total_retrans - resent_ >= enough_resent;
}

}  // namespace cohort
