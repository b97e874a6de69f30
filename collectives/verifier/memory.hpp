// SPDX-License-Identifier: Apache-2.0
// The symbolic buffers of one rank and their rules: no access outside of a buffer, no undefined value sent or combined,
// no write to the input or to an output that must not change.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "collectives/verifier/specification.hpp"
#include "collectives/verifier/words.hpp"

namespace cohort::verifier {

// A schedule breaks a rule. The text names the mistake, the rank and the round.
class Complaint : public std::runtime_error {
 public:
  explicit Complaint(const std::string& what) : std::runtime_error(what) {}
  Complaint(Rank rank, std::size_t round, const std::string& what)
      : Complaint("rank " + std::to_string(rank) + ", round " + std::to_string(round) + ": " + what) {}
};

using Values = std::vector<Value>;

class Memory {
 public:
  Memory(const Specification& specification, Words& words, Rank rank, Count scratch);

  // Throws a Complaint unless the round's messages and steps are well formed: peers other than this rank, segments
  // within their buffers, no receive that touches what the same round sends or receives, no forbidden write.
  void check_form(const Round& round, std::size_t index) const;

  // Appends the values of the segments.
  void read(const Segments& segments, std::size_t round, Values& values) const;
  void write(const Segments& segments, const Values& values);
  void perform(const Step& step, std::size_t round);

  // Throws a Complaint unless the output is as specified.
  void check_result() const;

 private:
  void check_readable(const Segment& segment, std::size_t round, const char* what) const;
  void check_writable(const Segment& segment, std::size_t round, const char* what) const;
  void check_peer(Rank peer, std::size_t round) const;
  Values& values_of(Buffer buffer) { return buffers_[static_cast<std::size_t>(buffer)]; }
  const Values& values_of(Buffer buffer) const { return buffers_[static_cast<std::size_t>(buffer)]; }

  const Specification& specification_;
  Words& words_;
  Rank rank_;
  bool output_stays_ = false;
  std::array<Values, 3> buffers_;
};

}  // namespace cohort::verifier
