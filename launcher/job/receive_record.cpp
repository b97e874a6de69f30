// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/receive_record.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>

#include "launcher/usage_error.hpp"

namespace cohort {

namespace {

constexpr const char* head =
    "# Whom each receive_any took its message from, in the order in which they were called; '-' was given up.\n"
    "# Groups are named by counter, pid and derivation.\n";
constexpr const char* form = "'process PID group COUNTER PID DERIVATION tag TAG from RANK ...' is needed";

class RecordReader {
 public:
  RecordReader(std::string file, int processes) : file_(std::move(file)), processes_(processes) {}

  ReceiveRecord read() {
    std::ifstream stream(file_, std::ios::binary);
    if (!stream) throw UsageError(fmt::format("--replay: cannot read {}: {}", file_, std::strerror(errno)));
    for (std::string line; std::getline(stream, line);) {
      ++number_;
      if (line.empty() || line.front() == '#') continue;
      words_ = std::istringstream(line);
      record_.empty() ? begin() : add();
    }
    if (record_.empty()) refuse("it holds no record");
    return std::move(record_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw UsageError(fmt::format("--replay: {}, line {}: {}", file_, number_, why));
  }

  void begin() {
    expect("processes", "'processes P' is needed");
    const int processes = number<int>(1, 1'000'000);
    if (processes != processes_)
      refuse(fmt::format("it is a record of {} processes, not of {}", processes, processes_));
    record_.resize(static_cast<std::size_t>(processes));
  }

  void add() {
    expect("process", form);
    const auto pid = number<std::size_t>(0, record_.size() - 1);
    expect("group", form);
    AnyChannel channel;
    channel.group.counter = number<std::uint32_t>(0, ~std::uint32_t{0});
    channel.group.pid = number<Pid>(0, processes_ - 1);
    channel.group.derivation = number<std::uint64_t>(0, ~std::uint64_t{0});
    expect("tag", form);
    channel.tag = number<std::uint32_t>(0, ~std::uint32_t{0});
    expect("from", form);
    const auto [known, is_new] = record_[pid].channels.try_emplace(channel);
    if (!is_new) refuse(describe(channel) + " stands there twice for this process");
    for (std::string word; words_ >> word;) {
      known->second.push_back(word == "-" ? no_source : parse<Rank>(word, 0, processes_ - 1));
    }
  }

  void expect(const char* word, const char* otherwise) {
    std::string got;
    if (!(words_ >> got) || got != word) refuse(otherwise);
  }

  template <class T>
  T number(T lowest, T highest) {
    std::string word;
    words_ >> word;
    return parse<T>(word, lowest, highest);
  }

  template <class T>
  T parse(const std::string& word, T lowest, T highest) const {
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < lowest || value > highest) {
      refuse(fmt::format("a whole number from {} to {} is needed, not '{}'", lowest, highest, word));
    }
    return value;
  }

  const std::string file_;
  const int processes_;
  int number_ = 0;  // of the line
  std::istringstream words_;
  ReceiveRecord record_;
};

}  // namespace

std::string to_text(const ReceiveRecord& record) {
  std::string text = fmt::format("{}processes {}\n", head, record.size());
  for (std::size_t pid = 0; pid < record.size(); ++pid) {
    for (const auto& [channel, sources] : record[pid].channels) {
      const auto& [counter, first, derivation] = channel.group;
      text += fmt::format("process {} group {} {} {} tag {} from", pid, counter, first, derivation, channel.tag);
      for (const Rank source : sources) text += source < 0 ? " -" : fmt::format(" {}", source);
      text += '\n';
    }
  }
  return text;
}

ReceiveRecord read_receive_record(const std::string& file, int processes) {
  return RecordReader(file, processes).read();
}

void begin_receive_record(const std::string& file) {
  if (!std::ofstream(file)) throw UsageError(fmt::format("--record: cannot write {}: {}", file, std::strerror(errno)));
}

}  // namespace cohort
