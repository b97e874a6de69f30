// SPDX-License-Identifier: Apache-2.0
#include "runtime/frequent_tries.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>

namespace cohort {
namespace {

using std::chrono::floor;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr int longest_backoff = 44;                                 // TCP_RTO_MAX_MS, which older headers lack
constexpr nanoseconds shortest_interval = std::chrono::seconds(1);  // the shortest that the system allows
constexpr int tries_in_limit = 4;

// A system that lacks an option refuses it, and the connection works without.
void set(int descriptor, int level, int option, int value) {
  ::setsockopt(descriptor, level, option, &value, sizeof value);
}

void bound_backoff(int descriptor, nanoseconds bound) {
  set(descriptor, IPPROTO_TCP, longest_backoff, static_cast<int>(floor<milliseconds>(bound).count()));
}

}  // namespace

nanoseconds longest_try_interval(nanoseconds limit) { return std::max(limit / tries_in_limit, shortest_interval); }

void try_often(int descriptor, nanoseconds limit) {
  const bool limited = limit > limit.zero();
  set(descriptor, SOL_SOCKET, SO_KEEPALIVE, limited ? 1 : 0);
  if (!limited) return;
  const nanoseconds interval = longest_try_interval(limit);
  const int interval_s = static_cast<int>(floor<std::chrono::seconds>(interval).count());
  set(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, interval_s);
  set(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, interval_s);
  set(descriptor, IPPROTO_TCP, TCP_KEEPCNT, 2 * tries_in_limit);  // the runtime's own limit ends the connection earlier
  bound_backoff(descriptor, interval);
}

void try_as_slowly(int descriptor, nanoseconds interval) { bound_backoff(descriptor, interval); }

}  // namespace cohort
