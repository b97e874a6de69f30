// SPDX-License-Identifier: Apache-2.0
#include "bench/streams.hpp"

#include <vector>

namespace cohort::bench {
namespace {

constexpr Tag data_tag{0}, answer_tag{1};

// The messages of a stream leave from one buffer and arrive in one: their contents do not matter.
void start_sends(const Group& group, std::span<const float> message, Rank to, std::vector<Request>& requests) {
  for (int i = 0; i < messages_in_stream; ++i) requests.push_back(group.start().send(message, to, data_tag));
}

void start_receives(const Group& group, std::span<float> message, Rank from, std::vector<Request>& requests) {
  for (int i = 0; i < messages_in_stream; ++i) requests.push_back(group.start().receive(message, from, data_tag));
}

void send_stream(const Group& group, const Vectors& vectors, Rank to) {
  std::vector<Request> requests;
  start_sends(group, vectors.in, to, requests);
  wait_all(requests);
  group.receive(std::span<std::byte>(), to, answer_tag);
}

void receive_stream(const Group& group, const Vectors& vectors, Rank from) {
  std::vector<Request> requests;
  start_receives(group, vectors.out, from, requests);
  wait_all(requests);
  group.send(std::span<const std::byte>(), from, answer_tag);
}

}  // namespace

void pingpong(const Group& group, const Vectors& vectors) {
  const Rank last = group.size() - 1;
  if (group.rank() == 0) {
    group.send(vectors.in, last);
    group.receive(vectors.out, last);
  } else if (group.rank() == last) {
    group.receive(vectors.out, 0);
    group.send(vectors.in, 0);
  }
}

void stream(const Group& group, const Vectors& vectors) {
  const Rank last = group.size() - 1;
  if (group.rank() == 0) send_stream(group, vectors, last);
  if (group.rank() == last) receive_stream(group, vectors, 0);
}

void streams_both_ways(const Group& group, const Vectors& vectors) {
  const Rank last = group.size() - 1;
  if (group.rank() != 0 && group.rank() != last) return;
  const Rank partner = last - group.rank();
  std::vector<Request> requests;
  start_receives(group, vectors.out, partner, requests);
  start_sends(group, vectors.in, partner, requests);
  wait_all(requests);
}

void streams_of_pairs(const Group& group, const Vectors& vectors) {
  const Rank half = group.size() / 2;
  if (group.rank() < half) {
    send_stream(group, vectors, group.rank() + half);
  } else if (group.rank() < 2 * half) {
    receive_stream(group, vectors, group.rank() - half);
  }
}

}  // namespace cohort::bench
