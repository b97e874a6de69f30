// Which members of a group live: the agreement that survivors wait for, at the one place that knows who is lost. No
// I/O.
//
// Each member that lives asks. When all have asked who neither are lost nor have left, those answers are one: the
// members that are absent. So all get the same, and whoever dies before that is in it; whoever dies later fails the new
// group.
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
  // The n-th time that a group's survivors are asked for. All members count alike: it is a collective call.
  struct Question {
    GroupId group;
    std::uint64_t number = 0;
    friend auto operator<=>(const Question&, const Question&) = default;  // NOLINT: clang-tidy 14 sees a null pointer
  };
  struct Answer {
    Question question;
    std::vector<Pid> absent;
  };

  // A member asks. Returns the answer if it was the last.
  std::optional<Answer> asked(Pid by, const Question& question, const std::vector<Pid>& members);

  // These are lost, together, or have left the job: nobody waits for them any more. Returns what can be answered now.
  std::vector<Answer> gone(const std::vector<Pid>& pids);

  // For each question of a process that is not answered: the members that are there and have not asked.
  std::vector<std::set<Pid>> missing_for(Pid by) const;

 private:
  struct Open {
    std::set<Pid> missing;  // members that are there and have not asked
    std::vector<Pid> members;
  };
  Answer answer(const Question& question, const Open& open) const;

  std::map<Question, Open> open_;
  std::set<Pid> gone_;
};

// Pids as arithmetic sequences, three numbers each: first, stride, count. Groups are mostly one or few of these.
std::vector<Pid> in_sequences(const std::vector<Pid>& pids);

// Nothing if it makes no sense, or more than `most` pids.
std::optional<std::vector<Pid>> from_sequences(const std::vector<Pid>& sequences, Pid most);

}  // namespace cohort
