// SPDX-License-Identifier: Apache-2.0
#include "bench/calls.hpp"

#include <stdexcept>
#include <string>

#include "bench/overlap.hpp"
#include "bench/streams.hpp"

namespace cohort::bench {
namespace {

// A sum that is not declared to commute.
struct OrderedSum {
  static constexpr bool commutative = false;
  float operator()(float a, float b) const { return a + b; }
};
constexpr OrderedSum ordered_sum;

struct NamedCall {
  std::string_view name;
  Call call;
};

constexpr NamedCall calls[] = {
    {"sync", {[](const Group& group, const Vectors&) { group.sync(); }, false}},
    {"bcast", {[](const Group& group, const Vectors& v) { group.bcast(v.in, 0); }}},
    {"reduce", {[](const Group& group, const Vectors& v) { group.reduce(v.in, v.out, sum, 0); }}},
    {"combine", {[](const Group& group, const Vectors& v) { group.combine(v.in, v.out, sum); }}},
    {"scatter", {[](const Group& group, const Vectors& v) { group.scatter(v.in, v.block_out, 0); }, true, true}},
    {"gather", {[](const Group& group, const Vectors& v) { group.gather(v.block_in, v.out, 0); }, true, true}},
    {"concat", {[](const Group& group, const Vectors& v) { group.concat(v.block_in, v.out); }, true, true}},
    {"index", {[](const Group& group, const Vectors& v) { group.index(v.in, v.out); }, true, true}},
    {"reduce_scatter",
     {[](const Group& group, const Vectors& v) { group.reduce_scatter(v.in, v.block_out, sum); }, true, true}},
    {"prefix", {[](const Group& group, const Vectors& v) { group.prefix(v.in, v.out, sum); }}},
    {"exclusive_prefix", {[](const Group& group, const Vectors& v) { group.exclusive_prefix(v.in, v.out, sum); }}},
    {"shift", {[](const Group& group, const Vectors& v) { group.shift(v.in, v.out, 1); }}},
    {"reduce_ordered", {[](const Group& group, const Vectors& v) { group.reduce(v.in, v.out, ordered_sum, 0); }}},
    {"combine_ordered", {[](const Group& group, const Vectors& v) { group.combine(v.in, v.out, ordered_sum); }}},
    {"reduce_scatter_ordered",
     {[](const Group& group, const Vectors& v) { group.reduce_scatter(v.in, v.block_out, ordered_sum); }, true, true}},
    {"pingpong", {pingpong, true, false, 2, true}},
    {"bandwidth", {stream, true, false, messages_in_stream, true}},
    {"bidirectional", {streams_both_ways, true, false, messages_in_stream, true}},
    {"message_rate", {streams_of_pairs, true, false, messages_in_stream, true}},
    {"computation", {computation, true, false, 1, false, true}},
    {"overlap", {overlap, true, false, 1, false, true}},
    {"overlap_tested", {overlap_tested, true, false, 1, false, true}},
};

}  // namespace

Call call_of(std::string_view operation) {
  for (const NamedCall& known : calls) {
    if (known.name == operation) return known.call;
  }
  throw std::invalid_argument("there is no operation '" + std::string(operation) + "'");
}

}  // namespace cohort::bench
