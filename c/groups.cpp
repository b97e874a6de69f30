// SPDX-License-Identifier: Apache-2.0
// Groups.
#include <span>
#include <string>

#include "c/guard.hpp"

namespace cohort::c {
namespace {

// A function that makes a group of an object: `make` gives it.
template <class From, class Make>
int give_group(const char* function, const From* from, cohort_group** place, const Make& make) {
  return guarded(function, [&](const Where& where) {
    existing(from, "the process or group", where);
    cohort_group*& group = existing(place, "the place for the group", where);
    group = new cohort_group{{detail::state_of(make(where)), nullptr}};
  });
}

}  // namespace
}  // namespace cohort::c

using cohort::Where;
namespace c = cohort::c;

int cohort_group_all(cohort_process* process, cohort_group** group) {
  return c::give_group("cohort_group_all", process, group, [&](const Where&) { return process->process.all(); });
}

int cohort_group_of(cohort_process* process, const int32_t* pids, int32_t count, int64_t label, cohort_group** group) {
  return c::give_group("cohort_group_of", process, group, [&](const Where& where) {
    if (count < 0) c::refuse(where, "the list has the negative size " + std::to_string(count));
    if (count > 0) c::existing(pids, "the list", where);
    return process->process.group(std::span(pids, static_cast<std::size_t>(count)), label, where);
  });
}

int cohort_group_partition(cohort_group* group, int64_t value, int64_t key, cohort_group** part) {
  return c::give_group("cohort_group_partition", group, part,
                       [&](const Where& where) { return group->group().partition(value, key, where); });
}

int cohort_group_subrange(cohort_group* group, int32_t first, int32_t stride, int32_t count, cohort_group** part) {
  return c::give_group("cohort_group_subrange", group, part,
                       [&](const Where& where) { return group->group().subrange(first, stride, count, where); });
}

int cohort_group_survivors(cohort_group* group, cohort_group** survivors) {
  return c::give_group("cohort_group_survivors", group, survivors,
                       [&](const Where& where) { return group->group().survivors(where); });
}

int cohort_group_by(cohort_group* group, const char* algorithm, cohort_group** same) {
  return c::guarded("cohort_group_by", [&](const Where& where) {
    c::existing(group, "the group", where);
    c::existing(algorithm, "the algorithm", where);
    cohort_group*& place = c::existing(same, "the place for the group", where);
    place = new cohort_group{{group->handle.group, cohort::detail::name_algorithm(algorithm)}};
  });
}

int32_t cohort_group_size(const cohort_group* group) { return group->group().size(); }
int32_t cohort_group_rank(const cohort_group* group) { return group->group().rank(); }
int64_t cohort_group_label(const cohort_group* group) { return group->group().label(); }

cohort_id cohort_group_id(const cohort_group* group) {
  const cohort::GroupId id = group->group().id();
  return {id.counter, id.pid, id.derivation};
}

void cohort_group_members(const cohort_group* group, int32_t* pids) {
  const Where where = c::place_of_call("cohort_group_members");
  for (int32_t rank = 0; rank < cohort_group_size(group); ++rank) pids[rank] = group->group().pid_of(rank, where);
}

int cohort_group_rank_of(const cohort_group* group, int32_t pid, int32_t* rank) {
  return c::guarded("cohort_group_rank_of", [&](const Where& where) {
    c::existing(rank, "the place for the rank", where) =
        c::existing(group, "the group", where).group().rank_of(pid, where);
  });
}

int cohort_group_pid_of(const cohort_group* group, int32_t rank, int32_t* pid) {
  return c::guarded("cohort_group_pid_of", [&](const Where& where) {
    c::existing(pid, "the place for the pid", where) =
        c::existing(group, "the group", where).group().pid_of(rank, where);
  });
}

const char* cohort_group_latest_algorithm(const cohort_group* group) {
  thread_local std::string latest;
  const int code =
      c::guarded("cohort_group_latest_algorithm", [&](const Where&) { latest = group->group().latest_algorithm(); });
  return code == COHORT_OK ? latest.c_str() : "";
}

void cohort_group_free(cohort_group* group) { delete group; }
