#include "runtime/group_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "collectives/barrier_mode.hpp"
#include "groups/mesh_detection.hpp"
#include "runtime/pending.hpp"
#include "runtime/where.hpp"

namespace cohort::detail {

namespace {

constexpr std::size_t rounds_kept = 16;  // at most: longer schedules make theirs while they are played

std::vector<Rank> mesh_of(const Runtime& runtime, const Members& members) {
  std::vector<Rank> hosts;
  hosts.reserve(static_cast<std::size_t>(members.size()));
  for (Rank rank = 0; rank < members.size(); ++rank)
    hosts.push_back(runtime.job().address(members.pid_of(rank)).host_number);
  return detect_hosts(hosts);
}

}  // namespace

GroupState::GroupState(std::shared_ptr<Runtime> runtime, GroupId id, Members members, Rank me, std::int64_t label)
    : runtime_(std::move(runtime)),
      id_(id),
      members_(std::move(members)),
      me_(me),
      label_(label),
      mesh_(mesh_of(*runtime_, members_)) {
  runtime_->add(*this);
}

GroupState::~GroupState() { runtime_->remove(*this); }

const Network& GroupState::network() const {
  const Tuning& tuning = runtime_->job().tuning;
  return mesh_.size() == 2 && mesh_[0] == 1 ? tuning.within_host : tuning.between_hosts;
}

std::shared_ptr<const Schedule> GroupState::schedule(const Task& task) {
  const auto known = std::ranges::find(cache_, task, &Cached::task);
  if (known != cache_.end()) {
    cache_.splice(cache_.begin(), cache_, known);
    return known->schedule;
  }
  const Problem problem = on_hosts(task.problem);
  const Choice choice = task.algorithm == nullptr          ? runtime_->choices().choose(problem)
                        : task.algorithm->traits.uses_mesh ? Choice{task.algorithm, problem.parameters, problem.mesh}
                                                           : Choice{task.algorithm, problem.parameters, {}};
  std::shared_ptr<const Schedule> made = schedule(choice, problem);
  cache_.push_front({task, choice, made});
  if (cache_.size() > cached_schedules) cache_.pop_back();
  return made;
}

std::string GroupState::algorithm_of(const std::shared_ptr<const Schedule>& schedule) const {
  const auto known = std::ranges::find(cache_, schedule, &Cached::schedule);
  if (known == cache_.end()) return "";
  const std::string name = to_string(known->choice);
  return name.substr(name.find('/') + 1);
}

std::shared_ptr<const Schedule> GroupState::schedule(const Choice& choice, const Problem& problem) const {
  const Algorithm& algorithm = *choice.algorithm;
  Problem own = problem;
  own.parameters = choice.parameters;
  own.mesh = choice.mesh;
  if (!algorithm.traits.knows_hosts) own.within_host.reset();
  Schedule schedule = algorithm.schedule(own, me_);
  if (runtime_->job().barrier) schedule = with_signals(std::move(schedule), problem, me_);
  if (schedule.rounds() <= rounds_kept) schedule.make_rounds();
  return std::make_shared<const Schedule>(std::move(schedule));
}

Problem GroupState::on_hosts(Problem problem) const {
  const bool share_hosts = mesh_.size() == 2 && mesh_[0] > 1 && mesh_[1] > 1;
  if (!share_hosts || !problem.mesh.empty()) return problem;
  problem.mesh = mesh_;
  problem.within_host = runtime_->job().tuning.within_hosts;
  return problem;
}

void GroupState::fail(const FaultPointer& fault, Pid peer) {
  if (fault_) return;
  fault_ = fault;
  failed_peer_ = peer;
  if (runtime_->job().develop) {
    runtime_->checks().lists.forget(setup_id(members_.pids()));
    runtime_->checks().latest_group_fault = fault;
  }
  runtime_->blame(*fault);
  pending_.for_each([&](Pending& pending) {
    pending.fail(fault, peer);
    pending.may_have_ended();
  });
  runtime_->messenger().abandon(id_);
}

void GroupState::break_off(const FaultPointer& fault, Pid peer, Pid knows) {
  if (fault_) return;
  const bool launcher_tells = fault->failure && members_.rank_of(fault->failure->pid);
  for (Rank rank = 0; rank < members_.size() && !launcher_tells; ++rank) {
    const Pid pid = members_.pid_of(rank);
    if (pid != knows) runtime_->messenger().tell_failure(pid, id_, *fault);
  }
  fail(fault, peer);  // what is let go of ends at its sender: with this fault, which is on its way already
}

void GroupState::look_for_mismatch() {
  pending_.for_each([&](Pending& pending) {
    if (!fault_ && !pending.ended()) pending.look_for_mismatch();
  });
  Pid caller = -1;
  if (const FaultPointer fault = unwanted_message(caller)) break_off(fault, caller);
}

FaultPointer GroupState::unwanted_message(Pid& caller) const {
  FaultPointer fault;
  runtime_->messenger().for_each_unexpected([&](Pid from, const FrameHeader& header, const std::string&) {
    if (header.channel != Channel::collective || header.group != id_ || header.tag > calls_ || fault || fault_) return;
    const MadeCall* const mine = called(header.tag);
    const bool differs = mine != nullptr && mine->kind != header.call;
    if (!differs && goes_on(header.tag)) return;
    caller = from;
    fault = differs ? mismatch(header.tag,
                               difference(describe(from), header.call, describe(members_.pid_of(me_)), mine->kind))
                    : std::make_shared<const Fault>(
                          Fault{ErrorCode::mismatch,
                                fmt::format("in call #{}, {}, pid {} sent pid {} a message that it does not receive: "
                                            "their arguments or algorithms differ",
                                            header.tag, to_string(header.call), from, runtime_->job().me)});
  });
  return fault;
}

FaultPointer GroupState::mismatch(std::uint64_t number, const std::string& difference) const {
  return std::make_shared<const Fault>(Fault{ErrorCode::mismatch, fmt::format("in call #{} {}", number, difference)});
}

bool GroupState::asked(Pid by, std::uint64_t number, const MadeCall& call) {
  const MadeCall* const mine = called(number);
  if (mine != nullptr && mine->differs(call) && !fault_) {
    const auto in_words = [](const MadeCall& one) {
      return fmt::format("{} of {} bytes", to_string(one.kind), one.bytes);
    };
    const std::string peer = describe(by), me = describe(members_.pid_of(me_));
    break_off(mismatch(number, call.kind == mine->kind ? difference(peer, in_words(call), me, in_words(*mine))
                                                       : difference(peer, call.kind, me, mine->kind)),
              by);
  }
  return !fault_ && (number > calls_ || goes_on(number));
}

const MadeCall* GroupState::called(std::uint64_t number) const {
  const bool known = number > 0 && number <= calls_ && number + latest_.size() > calls_;
  return known ? &latest_[number % latest_.size()] : nullptr;
}

bool GroupState::goes_on(std::uint64_t number) const {
  bool found = false;
  pending_.for_each([&](const Pending& pending) { found = found || (!pending.ended() && pending.number() == number); });
  return found;
}

void GroupState::for_each_pending(const std::function<void(const Pending&)>& visit) const { pending_.for_each(visit); }

bool GroupState::waits_for(Pid pid) const {
  bool waits = false;
  pending_.for_each([&](const Pending& pending) {
    if (waits || pending.ended()) return;
    waits = std::ranges::any_of(pending.describe().awaited,
                                [&](const Doing::Awaited& awaited) { return awaited.pid == pid && awaited.standing; });
  });
  return waits;
}

void GroupState::add(Pending& pending) { pending_.add(pending); }

void GroupState::remove(Pending& pending) {
  pending_.remove(pending);
  if (blocking_ == &pending) blocking_ = nullptr;
}

void GroupState::check() const {
  if (runtime_->left())
    throw Error(ErrorCode::left, fmt::format("group {}: this process has left the job", to_string(id_)));
  if (!fault_) return;
  throw error_of(*fault_, fmt::format("group {} has failed: {}", to_string(id_), describe(*fault_)), failed_peer_);
}

void GroupState::check_alone(Operation operation, const Where& where) const {
  if (blocking_ == nullptr) return;
  throw Error(ErrorCode::argument,
              fmt::format("{} on group {}, rank {}: another thread is in a collective call on this group; give each "
                          "thread a group of its own (called at {})",
                          name_of(operation), to_string(id_), me_, to_string(where)));
}

std::string GroupState::describe(Pid pid) const {
  const std::optional<Rank> rank = members_.rank_of(pid);
  return rank ? fmt::format("rank {} ({})", *rank, runtime_->describe(pid)) : runtime_->describe(pid);
}

std::string GroupState::describe(const Fault& fault) const {
  return fault.failure ? fmt::format("{} {}", describe(fault.failure->pid), fault.cause) : fault.cause;
}

}  // namespace cohort::detail
