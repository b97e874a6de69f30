#include "launcher/typical_network.hpp"

#include <algorithm>

namespace cohort {

namespace {

// The processors' time for a message and for a byte, of sender and receiver together. Where processes have to take
// turns, going to sleep and waking up come on top.
constexpr double message_s = 8e-6;
constexpr double message_between_hosts_s = 34e-6;  // through two network stacks and a bridge, in a call alone
constexpr double byte_s = 0.4e-9;

void share(Network& network, int processes, int cores, double seconds_a_message) {
  if (processes <= cores) return;
  network.shared_alpha = seconds_a_message / std::max(cores, 1);
  network.shared_beta = byte_s / std::max(cores, 1);
}

}  // namespace

Network typical_within_host(int processes, int cores) {
  Network network{3e-6, 0.3e-9, 0.05e-9, 4e-6, 0, 0};
  share(network, processes, cores, message_s);
  return network;
}

void share_cores(Network& network, int processes, int cores) {
  share(network, processes, cores, message_between_hosts_s);
}

}  // namespace cohort
