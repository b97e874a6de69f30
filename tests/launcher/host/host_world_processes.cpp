// SPDX-License-Identifier: Apache-2.0
// What happens to the processes of the world, and how it is heard.
#include <csignal>
#include <utility>

#include "tests/launcher/host/host_world.hpp"

namespace cohort {

namespace {

using process::v1::FromProcess;

constexpr int exited_3 = 3 << 8;  // as a wait status
constexpr int largest_block = 200'000;

}  // namespace

void HostWorld::signal(Rank& rank, int number) {
  if (rank.child_end) return;
  if (number == SIGSTOP && !rank.stopped) rank.stopped = now_;
  if (number == SIGCONT && rank.stopped) {
    rank.stopped.reset();
    ++rank.turns;
  }
  if (number == SIGKILL || (number == SIGTERM && !rank.stopped && chance(50))) {
    if (!rank.member_end) rank.member_end = number;
    end_child(rank, number);
  }
}

void HostWorld::end_child(Rank& rank, int wait_status) {
  if (rank.child_end) return;
  rank.child_end = wait_status;
  rank.stopped.reset();
  if (!rank.below_shell && !rank.member_end) rank.member_end = wait_status;
}

void HostWorld::live(Rank& rank) {
  if (rank.stopped || rank.child_end) return;
  if (rank.member_end) {  // the shell goes on for a while, and ends with the same status
    if (chance(10)) rank.link_closed = true;
    if (chance(30)) end_child(rank, *rank.member_end);
    return;
  }
  if (chance(4)) return go_wrong(rank);
  switch (rank.life) {
    case Life::running:
      rank.says.emplace_back().mutable_hello()->set_version(COHORT_VERSION);
      break;
    case Life::greeted:
      rank.says.emplace_back().mutable_listening()->set_port(1);
      break;
    case Life::listening:
      if (!table_told_) return;
      break;
    case Life::playing:
      if (chance(80)) {
        rank.streams.at(static_cast<std::size_t>(pick(2))).unread += pick(largest_block);
        return;
      }
      rank.says.emplace_back().mutable_leave();
      break;
    case Life::left:
      rank.member_end = 0;
      if (!rank.below_shell) end_child(rank, 0);
      return;
  }
  rank.life = static_cast<Life>(static_cast<int>(rank.life) + 1);
}

void HostWorld::go_wrong(Rank& rank) {
  switch (pick(10)) {
    case 0:
      rank.member_end = exited_3;
      return;
    case 1:
      return end_child(rank, exited_3);  // with what it has started still there
    case 2:
      rank.link_closed = true;
      return;
    case 3:
      rank.says.emplace_back().mutable_hello()->set_version(chance(50) ? "0.0" : COHORT_VERSION);
      return;
    case 4:
      rank.says.emplace_back().mutable_leave();  // perhaps before it has said hello
      rank.life = Life::left;
      return;
    case 5:
    case 6:
      rank.stopped = now_;
      return;
    case 7:
      hear(host_event::SaidNonsense{rank.pid, "nonsense"});
      return;
    case 8:
      rank.says.emplace_back().mutable_suspect()->set_pid(pick(3));
      return;
    default:
      rank.says.emplace_back().mutable_injected()->set_number(static_cast<std::uint32_t>(pick(4)));
      return;
  }
}

void HostWorld::read_link(Rank& rank, bool all) {
  while (!rank.says.empty()) {
    FromProcess message = std::move(rank.says.front());
    rank.says.pop_front();
    hear(host_event::Said{rank.pid, std::move(message)});
    if (!all) return;
  }
  const bool closed = rank.link_closed || (rank.member_end && !rank.below_shell);
  if (closed && !rank.child_end && !std::exchange(rank.link_end_heard, true)) hear(host_event::LinkClosed{rank.pid});
}

void HostWorld::hear_ends(Rank& rank) {
  if (rank.child_end_heard) return;
  read_link(rank, /*all=*/true);
  if (rank.watched && rank.member_end && !rank.child_end && !std::exchange(rank.member_end_heard, true)) {
    hear(host_event::MemberEnded{rank.pid, *rank.member_end, false});
  }
  if (!rank.child_end) return;
  rank.child_end_heard = true;
  hear(host_event::Ended{rank.pid, *rank.child_end, false});
}

void HostWorld::read_stream(Rank& rank) {
  for (Stream& stream : rank.streams) {
    if (!stream.open || stream.paused) continue;
    if (!host_.takes_output()) {
      stream.paused = true;
    } else if (stream.unread > 0) {
      hear(host_event::Wrote{rank.pid, &stream != rank.streams.data(),
                             std::string(static_cast<std::size_t>(std::exchange(stream.unread, 0)), 'x')});
    } else if (rank.child_end && rank.member_end && !stream.held) {
      stream.open = false;
      hear(host_event::StreamEnded{rank.pid});
    }
  }
}

}  // namespace cohort
