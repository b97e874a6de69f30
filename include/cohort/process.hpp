// SPDX-License-Identifier: Apache-2.0
// A process's membership in its job.
#pragma once

#include <initializer_list>
#include <span>
#include <string>

#include "cohort/detail/shared.hpp"
#include "cohort/group.hpp"

namespace cohort {

namespace detail {
class Runtime;
}

// The destructor (or leave()) waits until all processes leave, so that no last message is lost. A process that ends
// without leaving counts as failed. Move-only; at most one in a process.
class Process {
 public:
  explicit Process(detail::Shared<detail::Runtime> runtime);
  Process(Process&&) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();

  Pid pid() const;
  Pid size() const;              // processes in the job
  std::string host() const;      // the name of this process's host, as the launcher knows it
  bool barrier() const;          // whether collectives imply a barrier (the default)
  bool develop() const;          // whether the costlier checks are on
  bool progress_thread() const;  // whether started operations go on while the program computes

  Group all() const;  // every process of the job, rank = pid

  // A new group of these processes, in this order. Every member makes this call with the same list, and only members
  // do. The call is no barrier. Throws Error(argument) if the list is empty, names a process twice or an unknown one,
  // or lacks the caller.
  Group group(std::span<const Pid> list, std::int64_t label = 0, Where where = Where::current()) const;
  Group group(std::initializer_list<Pid> list, std::int64_t label = 0, Where where = Where::current()) const {
    return group(std::span(list.begin(), list.size()), label, where);
  }

  // In develop mode, throws Error(mismatch) if messages or requests are left over, or if another process makes another
  // call instead.
  void leave(Where where = Where::current());

 private:
  detail::Shared<detail::Runtime> runtime_;
  detail::Shared<detail::GroupState> all_;  // kept, because the group counts its calls
};

// Joins the job that `cohort run` started this process for; without the launcher, a job of one process. Blocks until
// all processes have joined. Throws Error(job), also when called a second time.
Process join();

namespace detail {
// The same for another interface, whose collectives imply no barrier whatever the job says.
Process join_without_barriers();
}  // namespace detail

}  // namespace cohort
