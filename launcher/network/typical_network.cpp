// SPDX-License-Identifier: Apache-2.0
#include "launcher/network/typical_network.hpp"

#include <algorithm>

#include "launcher/network/fit.hpp"

namespace cohort {

namespace {

// The processor time of a message and of a byte, for sender and receiver together. Sleeping and waking, where processes
// take turns, come on top.
constexpr double message_s = 10e-6;
constexpr double message_through_memory_s = 4e-6;
constexpr double message_between_hosts_s = 16e-6;  // through two network stacks and a bridge
constexpr double byte_s = 0.4e-9;

// A hop where processes take turns, as a part of a message's processor time: the wake-up, too. On two cores it
// takes 1.4 times what the messages take there, as measured (docs/decisions/losses.md).
constexpr double hop_of_message = 0.7;

// The sender's part of a short message within a host where processes take turns.
constexpr double sending_s = 2e-6;
constexpr double sending_through_memory_s = 0.5e-6;

// A round of one message between two hosts on one machine that have a core each.
constexpr double round_between_hosts_s = 8e-6;

void share(Network& network, int cores, double seconds_a_message) {
  share_messages(network, seconds_a_message / std::max(cores, 1));
  network.shared_beta = byte_s / std::max(cores, 1);
}

}  // namespace

Network typical_within_host(int processes, int cores, bool through_memory) {
  constexpr Network loopback{3e-6, 0.3e-9, 0.05e-9, 4e-6, 0, 0};
  constexpr Network memory{0.4e-6, 0.15e-9, 0.02e-9, 0.6e-6, 0, 0};
  Network network = through_memory ? memory : loopback;
  if (processes <= cores) return network;
  const double message = through_memory ? message_through_memory_s : message_s;
  divide_round(network, hop_of_message * message, through_memory ? sending_through_memory_s : sending_s);
  share(network, cores, message);
  return network;
}

void share_cores(Network& network, int processes, int cores) {
  if (processes <= cores) return;
  divide_round(network, round_between_hosts_s, network.alpha);
  share(network, cores, message_between_hosts_s);
}

}  // namespace cohort
