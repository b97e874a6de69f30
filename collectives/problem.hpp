// SPDX-License-Identifier: Apache-2.0
// A problem: everything that decides a collective's communication, and nothing else.
//
// The buffers of each operation on each rank (in elements; p = ranks, m = count):
//
//   bcast                      output: the vector (m) on every rank
//   reduce                     input: m on every rank; output: m at the root only
//   combine, prefix            input: m; output: m
//   exclusive_prefix           input: m; output: m, unchanged on rank 0
//   scatter                    input: all blocks, at the root only; output: my block
//   gather                     input: my block; output: all blocks, at the root only
//   concat                     input: my block; output: all blocks
//   index                      input: a block for each rank (blocks); output: a block from each (receive_blocks)
//   reduce_scatter             input: all blocks; output: my block of the result
//   shift                      input: m; output: m, unchanged if no rank shifts to this one
//   sync                       none
//
// In place (reduce at the root, combine, prefix, exclusive_prefix, concat) there is no input buffer: the output holds
// the input when the operation starts; for concat at my block's place. Blocks are in rank order without gaps.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectives/network.hpp"
#include "collectives/schedule.hpp"

namespace cohort {

// The places of p blocks in a buffer: equal blocks, one size for each rank, or a vector that is split as evenly as
// possible (which also serves for the blocks of a pipeline).
class Blocks {
 public:
  Blocks() = default;
  Blocks(Rank ranks, Count each) : ranks_(ranks), each_(each) {}
  explicit Blocks(const std::vector<Count>& counts);
  static Blocks split(Rank parts, Count total);

  Rank size() const { return ranks_; }
  bool equal() const { return offsets_.empty() && longer_ == 0; }
  Count offset(Rank rank) const {
    return offsets_.empty() ? rank * each_ + std::min<Count>(rank, longer_) : offsets_[static_cast<std::size_t>(rank)];
  }
  Count count(Rank rank) const { return offset(rank + 1) - offset(rank); }
  Count total() const { return offset(ranks_); }
  Count largest() const;
  bool any_empty() const;
  Segment block(Buffer buffer, Rank rank) const { return range(buffer, rank, rank + 1); }
  Segment range(Buffer buffer, Rank first, Rank last) const {  // blocks first ... last - 1
    return {buffer, offset(first), offset(last) - offset(first)};
  }

  // The places within `vector`, which begins with the first block.
  Segment block(const Segment& vector, Rank rank) const { return range(vector, rank, rank + 1); }
  Segment range(const Segment& vector, Rank first, Rank last) const;

  friend bool operator==(const Blocks&, const Blocks&) = default;

 private:
  Rank ranks_ = 0;
  Count each_ = 0;
  Count longer_ = 0;            // the first `longer_` blocks have one element more
  std::vector<Count> offsets_;  // p + 1 of them, or none
};

// The numbers behind an algorithm's name on the command line: "two_tree:blocks=64".
class Parameters {
 public:
  void set(const std::string& name, Count value);
  Count get(const std::string& name, Count otherwise) const;
  const std::vector<std::pair<std::string, Count>>& list() const { return list_; }

  friend bool operator==(const Parameters&, const Parameters&) = default;

 private:
  std::vector<std::pair<std::string, Count>> list_;
};

struct Problem {
  Operation operation = Operation::sync;
  Rank ranks = 1;
  Rank root = 0;                     // bcast, reduce, scatter, gather
  Count count = 0;                   // elements of the vector: bcast, reduce, combine, prefix, exclusive_prefix, shift
  Blocks blocks;                     // scatter, gather, concat, reduce_scatter; index: what this rank sends
  Blocks receive_blocks;             // index: what this rank receives
  std::vector<Count> transit_sizes;  // index in hops with unequal blocks: sizes of the blocks that pass, hop by hop
  Count distance = 0;                // shift: rank r's data go to rank r + distance
  bool cyclic = true;                // shift: modulo p; otherwise data that leave the range are dropped
  bool commutative = true;           // whether the operator commutes, if there is one
  bool in_place = false;
  bool barrier = false;     // its price contains the signals of barrier mode
  Count element_bytes = 1;  // for choosing block counts
  Network network;          // for choosing block counts
  Parameters parameters;
  std::vector<Rank> mesh;  // the ranks' mesh, row by row: {rows, columns}; none: they are a line
  std::optional<Network>
      within_host;  // the ranks of a row share a host, where messages cost this; none: all cost alike

  Segment all(Buffer buffer = Buffer::output) const { return {buffer, 0, count}; }

  friend bool operator==(const Problem&, const Problem&) = default;
};

// How many ranks share a host and its link to other hosts: 1 if the hosts are not known.
Rank ranks_per_host(const Problem& problem);

// The network within a host while all ranks there send: they share its cores.
Network network_within_host(const Problem& problem);

std::string mesh_name(const std::vector<Rank>& sides);  // "4x6"

// Whether the operation combines operands.
bool reduces(Operation operation);

// Whether the operation takes one vector of `count` elements, not blocks.
bool has_vector(Operation operation);

// The same problem with the vector divided into a block for each rank: for algorithms that divide the vector.
Problem in_blocks(Problem problem);

// Whether the operation has a root.
bool has_root(Operation operation);

// The buffer that holds this rank's operand when a reduction or concat starts.
Buffer operand_buffer(const Problem& problem, Rank me);

// The schedule of a single rank in a reduction or combine: its operand is the result.
Schedule alone(const Problem& problem);

// The begin of a concat: brings this rank's block to its place in the output.
void add_own_block(Schedule& schedule, const Problem& problem, Rank me);

}  // namespace cohort
