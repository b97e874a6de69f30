#include "launcher/host/process_faults.hpp"

#include <chrono>
#include <csignal>
#include <utility>

#include "launcher/clock.hpp"

namespace cohort {

namespace {

constexpr std::chrono::duration<double> period(0.02);  // of a process that is slow: it runs for a share of it
constexpr std::chrono::milliseconds first_pause(10);
constexpr std::chrono::milliseconds longest_pause(640);

}  // namespace

ProcessFaults::ProcessFaults(asio::io_context& loop, Handler handler) : loop_(loop), handler_(std::move(handler)) {}

void ProcessFaults::add(const FaultPlan& plan) {
  for (const PlannedFault& fault : plan.faults) {
    if (!fault.of_process() || !handler_.runs(fault.rank)) continue;
    Entry& entry = entries_.emplace_back(Entry{fault, asio::steady_timer(loop_), asio::steady_timer(loop_)});
    if (fault.trigger != FaultTrigger::time) continue;
    entry.timer.expires_after(duration_of(fault.at_s));
    entry.timer.async_wait([this, &entry](const asio::error_code& error) {
      if (error || !handler_.runs(entry.fault.rank)) return;
      if (entry.fault.kind == FaultKind::kill) handler_.signal(entry.fault.rank, SIGKILL);
      if (entry.fault.kind == FaultKind::stop) handler_.signal(entry.fault.rank, SIGSTOP);
      handler_.happened(entry.fault.rank, {entry.fault.number, 1, entry.fault.at_s});
      begin(entry);
    });
  }
}

void ProcessFaults::begun_by_itself(std::uint32_t number) {
  for (Entry& entry : entries_) {
    if (entry.fault.number == number && entry.fault.trigger != FaultTrigger::time) begin(entry);
  }
}

void ProcessFaults::begin(Entry& entry) {
  entry.over = false;
  if (entry.fault.kind == FaultKind::slow) slow(entry, false);
  if (entry.fault.kind == FaultKind::kill || entry.fault.for_s <= 0) return;
  entry.end.expires_after(duration_of(entry.fault.for_s));
  entry.end.async_wait([this, &entry](const asio::error_code& error) {
    if (error) return;
    entry.over = true;
    wake(entry, first_pause);
  });
}

// Stops it and lets it run, in turn.
void ProcessFaults::slow(Entry& entry, bool runs) {
  if (entry.over || !handler_.runs(entry.fault.rank)) return;
  handler_.signal(entry.fault.rank, runs ? SIGCONT : SIGSTOP);
  const double share = runs ? entry.fault.amount : 1 - entry.fault.amount;
  entry.timer.expires_after(duration_of(share * period.count()));
  entry.timer.async_wait([this, &entry, runs](const asio::error_code& error) {
    if (!error) slow(entry, !runs);
  });
}

// And again: a process that stops itself may only be about to do so.
void ProcessFaults::wake(Entry& entry, std::chrono::milliseconds pause) {
  if (!handler_.runs(entry.fault.rank)) return;
  handler_.signal(entry.fault.rank, SIGCONT);
  if (pause > longest_pause) return;
  entry.timer.expires_after(pause);
  entry.timer.async_wait([this, &entry, pause](const asio::error_code& error) {
    if (!error) wake(entry, 2 * pause);
  });
}

}  // namespace cohort
