// SPDX-License-Identifier: Apache-2.0
// The agreement on which members of a group survive. It is made at the launcher, which knows the lost processes. No
// I/O.
//
// Each living member asks. The answer is given when every member has asked, is lost, or has left: it lists the members
// that are lost or have left. So all get the same answer. A member that dies before it is in the answer; one that dies
// later fails the new group.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

class Survivors {
 public:
  // The n-th question about the survivors of a group. All members count alike: it is a collective call.
  struct Question {
    GroupId group;
    std::uint64_t number = 0;
    friend auto operator<=>(const Question&, const Question&) = default;  // NOLINT: clang-tidy 14 sees a null pointer
  };
  struct Answer {
    Question question;
    std::vector<Pid> gone;
  };

  // As many as anybody has threads: each question keeps memory for all of its members until it is answered.
  static constexpr std::ptrdiff_t most_opened = 1024;

  // A member asks. Returns the answer if it was the last. What makes no sense is never answered: a question about a
  // group of others, or one more from a process whose first `most_opened` are still open.
  std::optional<Answer> asked(Pid by, const Question& question, const std::vector<Pid>& members);

  // These processes are lost, or have left the job: they are not waited for any more. Returns the questions that can be
  // answered now.
  std::vector<Answer> gone(const std::vector<Pid>& pids);

  // For each open question that this process has asked: the living members that have not asked.
  std::vector<std::set<Pid>> missing_for(Pid by) const;

 private:
  struct Open {
    Pid opened_by = -1;
    std::set<Pid> missing;  // living members that have not asked
    std::vector<Pid> members;
  };
  Answer answer(const Question& question, const Open& open) const;

  std::map<Question, Open> open_;
  std::set<Pid> gone_;
};

// Pids as arithmetic sequences, three numbers each: first, stride, count. Groups are mostly one or few of these.
std::vector<Pid> in_sequences(const std::vector<Pid>& pids);

// Nothing if the numbers are invalid, or stand for more than `most` pids.
std::optional<std::vector<Pid>> from_sequences(const std::vector<Pid>& sequences, Pid most);

}  // namespace cohort
