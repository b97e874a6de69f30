#include "launcher/typical_network.hpp"

namespace cohort {

namespace {

// The processor's time for a message and for a byte, of sender and receiver together. Where processes have to take
// turns, going to sleep and waking up come on top.
constexpr double message_s = 8e-6;
constexpr double byte_s = 0.4e-9;

}  // namespace

Network typical_within_host(int processes, int cores) {
  Network network{3e-6, 0.3e-9, 0.05e-9, 4e-6, 0, 0};
  if (processes > cores) {
    network.shared_alpha = message_s / cores;
    network.shared_beta = byte_s / cores;
  }
  return network;
}

}  // namespace cohort
