// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/group_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "mpi/core/communicator.hpp"
#include "mpi/core/mistake.hpp"

namespace cohort::mpi {
namespace {

// For many look-ups in one group.
class Places {
 public:
  explicit Places(const ProcessGroup& group) {
    ranks_.reserve(group.members.size());
    for (const Pid pid : group.members) ranks_.emplace(pid, static_cast<int>(ranks_.size()));
  }
  bool contains(Pid pid) const { return ranks_.contains(pid); }
  int rank_of(Pid pid) const {
    const auto found = ranks_.find(pid);
    return found == ranks_.end() ? abi::undefined : found->second;
  }

 private:
  std::unordered_map<Pid, int> ranks_;
};

// All functions return MPI_GROUP_EMPTY instead of a new empty group.
ProcessGroup* make_group(std::vector<Pid> members) {
  return members.empty() ? &ProcessGroup::empty() : new ProcessGroup(std::move(members));
}

// The members of `a` that are also in `b`, or are not.
std::vector<Pid> members_of(const ProcessGroup& a, const ProcessGroup& b, bool also_in_b) {
  const Places places(b);
  std::vector<Pid> members;
  std::ranges::copy_if(a.members, std::back_inserter(members),
                       [&](Pid pid) { return places.contains(pid) == also_in_b; });
  return members;
}

void check_list(int n, const int* list) {
  check(n >= 0, abi::err_arg, "the length of the list is negative");
  check(n == 0 || list != nullptr, abi::err_arg, "the list is null");
}

void check_rank(const ProcessGroup& group, std::int64_t rank) {
  if (rank >= 0 && rank < group.size()) return;
  throw Mistake(abi::err_rank, fmt::format("rank {} is out of range: the group has {} processes", rank, group.size()));
}

std::vector<int> ranks_in_list(int n, const int* ranks) {
  check_list(n, ranks);
  return {ranks, ranks + n};
}

std::vector<int> ranks_in_ranges(const ProcessGroup& group, int n, const int* ranges) {
  check_list(n, ranges);
  std::vector<int> ranks;
  for (int i = 0; i < n; ++i) {
    const std::int64_t first = ranges[3 * i], last = ranges[3 * i + 1], stride = ranges[3 * i + 2];
    check(stride != 0, abi::err_arg, "the stride of a range is zero");
    if ((last - first) * stride < 0) {
      throw Mistake(abi::err_arg,
                    fmt::format("the stride {} does not lead from rank {} to rank {}", stride, first, last));
    }
    const std::int64_t steps = (last - first) / stride;
    check_rank(group, first);
    check_rank(group, first + steps * stride);
    for (std::int64_t step = 0; step <= steps; ++step) ranks.push_back(static_cast<int>(first + step * stride));
  }
  return ranks;
}

// Whether each rank of the group is in the list. The list must not have a rank twice.
std::vector<bool> marked(const ProcessGroup& group, const std::vector<int>& ranks) {
  std::vector<bool> marks(group.members.size());
  for (const int rank : ranks) {
    check_rank(group, rank);
    const auto i = static_cast<std::size_t>(rank);
    if (marks[i]) throw Mistake(abi::err_rank, fmt::format("rank {} is in the list twice", rank));
    marks[i] = true;
  }
  return marks;
}

ProcessGroup* with(const ProcessGroup& group, const std::vector<int>& ranks) {
  marked(group, ranks);  // for its checks
  std::vector<Pid> members;
  for (const int rank : ranks) members.push_back(group.members[static_cast<std::size_t>(rank)]);
  return make_group(std::move(members));
}

ProcessGroup* without(const ProcessGroup& group, const std::vector<int>& ranks) {
  const std::vector<bool> left_out = marked(group, ranks);
  std::vector<Pid> members;
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    if (!left_out[i]) members.push_back(group.members[i]);
  }
  return make_group(std::move(members));
}

}  // namespace

void group_size(ProcessGroup& group, int& size) { size = group.size(); }

void group_rank(ProcessGroup& group, int& rank) {
  const Communicator& world = Communicator::world();
  const int found = group.rank_of(world.all.pid_of(world.rank));
  rank = found >= 0 ? found : abi::undefined;
}

void group_translate_ranks(ProcessGroup& from, int n, const int* ranks, ProcessGroup& to, int* translated) {
  check_list(n, ranks);
  check_list(n, translated);
  const Places places(to);
  for (int i = 0; i < n; ++i) {
    if (ranks[i] == abi::proc_null) {
      translated[i] = abi::proc_null;
    } else {
      check_rank(from, ranks[i]);
      translated[i] = places.rank_of(from.members[static_cast<std::size_t>(ranks[i])]);
    }
  }
}

void group_compare(ProcessGroup& a, ProcessGroup& b, int& result) {
  if (a.members == b.members) {
    result = abi::ident;
  } else {
    result = a.size() == b.size() && members_of(a, b, false).empty() ? abi::similar : abi::unequal;
  }
}

void group_union(ProcessGroup& a, ProcessGroup& b, ProcessGroup*& result) {
  std::vector<Pid> members = a.members;
  for (const Pid pid : members_of(b, a, false)) members.push_back(pid);
  result = make_group(std::move(members));
}

void group_intersection(ProcessGroup& a, ProcessGroup& b, ProcessGroup*& result) {
  result = make_group(members_of(a, b, true));
}

void group_difference(ProcessGroup& a, ProcessGroup& b, ProcessGroup*& result) {
  result = make_group(members_of(a, b, false));
}

void group_incl(ProcessGroup& group, int n, const int* ranks, ProcessGroup*& result) {
  result = with(group, ranks_in_list(n, ranks));
}

void group_excl(ProcessGroup& group, int n, const int* ranks, ProcessGroup*& result) {
  result = without(group, ranks_in_list(n, ranks));
}

void group_range_incl(ProcessGroup& group, int n, const int* ranges, ProcessGroup*& result) {
  result = with(group, ranks_in_ranges(group, n, ranges));
}

void group_range_excl(ProcessGroup& group, int n, const int* ranges, ProcessGroup*& result) {
  result = without(group, ranks_in_ranges(group, n, ranges));
}

void group_free(ProcessGroup*& group) { free_handle(group); }

}  // namespace cohort::mpi
