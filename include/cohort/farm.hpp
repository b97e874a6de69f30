// SPDX-License-Identifier: Apache-2.0
// A task farm: one rank has the tasks, the others do them. A worker that is slow gets fewer of them. In a job that goes
// on without lost processes (--on-failure continue), the task of a worker that dies is given to another one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "cohort/cohort.hpp"

namespace cohort {

namespace detail {

inline constexpr Tag farm_call{1}, farm_data{2};

// The group of a worker and the rank with the tasks. Each worker has its own, so that its death fails no other one's.
inline Group farm_pair(const Group& group, Rank queue, Rank worker) {
  return group.subrange(std::min(queue, worker), std::max(queue, worker) - std::min(queue, worker), 2);
}

template <class Task, class Work>
void farm_work(const Group& pair, Work& work) {
  const Rank queue = 1 - pair.rank();
  while (pair.receive<bool>(queue, farm_call)) {
    const auto result = work(pair.receive<Task>(queue, farm_data));
    pair.send(true, queue, farm_call);  // of a size that is known: the queue waits for this from all workers
    pair.send(result, queue, farm_data);
  }
}

template <class Task, class Result>
class FarmQueue {
 public:
  FarmQueue(const Group& group, const std::vector<Task>& tasks) : tasks_(tasks), results_(tasks.size()) {
    for (std::size_t i = 0; i < tasks.size(); ++i) open_.push_back(i);
    for (Rank worker = 0; worker < group.size(); ++worker) {
      if (worker != group.rank()) workers_.push_back({farm_pair(group, group.rank(), worker)});
    }
    answers_.resize(workers_.size());
    calls_.resize(workers_.size());
  }

  template <class Work>
  std::vector<Result> run(Work& work) {
    do {
      for (std::size_t i = 0; i < workers_.size(); ++i) give(i);
    } while (take_some());
    for (const std::size_t task : open_) results_[task] = work(tasks_[task]);  // no worker is left
    for (std::size_t i = 0; i < workers_.size(); ++i)
      talk(i, [&](const Group& pair, Rank worker) { pair.send(false, worker, farm_call); });
    return std::move(results_);
  }

 private:
  struct Worker {
    Group pair;
    bool alive = true;
    std::optional<std::size_t> task{};
  };

  void give(std::size_t i) {
    if (open_.empty() || workers_[i].task || !workers_[i].alive) return;
    workers_[i].task = open_.front();
    open_.pop_front();
    talk(i, [&](const Group& pair, Rank worker) {
      pair.send(true, worker, farm_call);
      pair.send(tasks_[*workers_[i].task], worker, farm_data);
      answers_[i] = pair.start().receive(calls_[i].value, worker, farm_call);
    });
  }

  // Waits for an answer. Returns whether there is work that a worker can do.
  bool take_some() {
    try {
      if (wait_any(answers_) == answers_.size()) return false;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::peer_lost) throw;
    }
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      if (workers_[i].task && answers_[i].ended()) take(i);
    }
    return true;
  }
  void take(std::size_t i) {
    talk(i, [&](const Group& pair, Rank worker) {
      answers_[i].wait();
      if (answers_[i].received() == 0) return lose(i);  // wait_any() has thrown its error
      results_[*workers_[i].task] = pair.template receive<Result>(worker, farm_data);
      workers_[i].task.reset();
    });
  }

  template <class Talk>
  void talk(std::size_t i, const Talk& with) {
    if (!workers_[i].alive) return;
    try {
      with(workers_[i].pair, 1 - workers_[i].pair.rank());
    } catch (const Error& error) {
      if (error.code() != ErrorCode::peer_lost) throw;
      lose(i);
    }
  }
  void lose(std::size_t i) {
    workers_[i].alive = false;
    if (workers_[i].task) open_.push_front(*std::exchange(workers_[i].task, std::nullopt));
  }

  struct Call {
    bool value = false;
  };

  const std::vector<Task>& tasks_;
  std::vector<Result> results_;
  std::deque<std::size_t> open_;  // tasks that no worker has
  std::vector<Worker> workers_;
  std::vector<Call> calls_;
  std::vector<Request> answers_;  // after the memory that they write
};

// What a task or a result may be.
template <class T>
inline constexpr bool farmed = Value<T> || (Growing<T> && Elements<T>);

}  // namespace detail

// Every member of the group calls it. The rank `queue` has the tasks, and gets work(task) for each, in their order; the
// others get nothing, and their `tasks` are not used. Tasks and results are values, vectors or strings. `work` runs at
// the other ranks; at `queue` only if no other rank is left. If it throws, its rank leaves the farm with that
// exception. Blocks until all tasks are done. Throws Error.
template <class Task, class Work>
auto farm(const Group& group, const std::vector<Task>& tasks, Work work, Rank queue = 0) {
  using Result = std::remove_cvref_t<std::invoke_result_t<Work&, const Task&>>;
  static_assert(
      detail::farmed<Task> && detail::farmed<Result>,
      "cohort: a task, and what work(task) returns, is a value, a vector or a string, of elements that can be "
      "copied as bytes. Put objects into a string");
  if constexpr (detail::farmed<Task> && detail::farmed<Result>) {
    if (group.rank() == queue) return detail::FarmQueue<Task, Result>(group, tasks).run(work);
    detail::farm_work<Task>(detail::farm_pair(group, queue, group.rank()), work);
    return std::vector<Result>();
  }
}

}  // namespace cohort
