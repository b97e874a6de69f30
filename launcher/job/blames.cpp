// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/blames.hpp"

#include <algorithm>
#include <utility>

#include "launcher/printable.hpp"

namespace cohort {

namespace {

constexpr std::size_t most_each = 128;

bool is_uncaught(const Blamed& blamed) { return blamed.by == Blamed::By::error || blamed.by == Blamed::By::exception; }

}  // namespace

void Blames::heard(Pid by, Blamed blamed) {
  std::vector<Blamed>& said = said_.at(static_cast<std::size_t>(by));
  blamed.cause = printable(on_one_line(blamed.cause));  // a program may throw whatever bytes it likes
  if (said.size() < most_each) said.push_back(std::move(blamed));
}

const Blamed* Blames::last_of(Pid pid) const {
  const auto found = std::ranges::find_if(said_by(pid), is_uncaught);
  return found == said_by(pid).end() ? nullptr : &*found;
}

std::string Blames::words(Pid pid, const std::string& ending) const {
  const Blamed* const last = last_of(pid);
  const auto own = std::ranges::find_if(
      said_by(pid), [&](const Blamed& blamed) { return !is_uncaught(blamed) && blamed.culprit == pid; });
  const bool has_own = own != said_by(pid).end();
  if (last == nullptr) return has_own ? ending + ", after a mistake of its own: " + own->cause : ending;
  // An exception of an operator has passed through the call, which has reported it: that says more.
  if (has_own && last->by == Blamed::By::exception && own->cause.find(last->cause) != std::string::npos)
    return ending + ": " + own->cause;
  return ending + (last->by == Blamed::By::error ? ": nobody caught the error: " : ": nobody caught an exception: ") +
         last->cause;
}

// An uncaught Error names its cause, so only a mistake with that cause counts. Otherwise the first reported mistake of
// a group is the likeliest cause.
std::optional<Blamed> Blames::behind(Pid pid) const {
  const Blamed* const last = last_of(pid);
  const bool is_error = last != nullptr && last->by == Blamed::By::error;
  for (const Blamed& blamed : said_by(pid)) {
    if (blamed.by != Blamed::By::group || (is_error && last->cause.find(blamed.cause) == std::string::npos)) continue;
    return blamed.culprit == pid ? std::nullopt : std::optional(blamed);
  }
  return std::nullopt;
}

}  // namespace cohort
