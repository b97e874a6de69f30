// SPDX-License-Identifier: Apache-2.0
// The linear model of a network and its machines: a message of n bytes keeps its sender and its receiver busy for alpha
// + beta n seconds, and the receiver has it `latency` seconds later. Combining n bytes takes gamma n.
//
// All messages may use a resource that all ranks share, such as the cores of one machine or the backplane of a switch.
// The resource takes shared_alpha + shared_beta n for each message, one after the other. An operation ends only when
// all its messages have passed.
//
// A link whose rate a shaper limits may let the first bytes after a pause pass at once. Its bucket holds `burst` bytes
// and fills at the link's rate. Bytes from the bucket take no beta.
//
// The defaults are a cluster on 100 Mbit/s Ethernet. With beta = 0, alpha is the postal model's sender gap s and the
// latency is its r.
#pragma once

#include <compare>

namespace cohort {

struct Network {
  double alpha = 50e-6;      // seconds a message
  double beta = 1 / 12.5e6;  // seconds a byte
  double gamma = 0.2e-9;     // seconds a byte combined
  double latency = 0;        // seconds
  double shared_alpha = 0;   // seconds a message
  double shared_beta = 0;    // seconds a byte
  double burst = 0;          // bytes

  friend bool operator==(const Network&, const Network&) = default;
  friend std::partial_ordering operator<=>(const Network&, const Network&) = default;
};

}  // namespace cohort
