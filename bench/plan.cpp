// SPDX-License-Identifier: Apache-2.0
#include "bench/plan.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

#include "bench/operations.hpp"

namespace cohort::bench {
namespace {

template <class T>
T number(const std::string& word) {
  const std::string text = word.substr(word.find('=') + 1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) {
    throw std::invalid_argument("a number is needed: " + word);
  }
  return value;
}

Task read_task(const std::string& word) {
  std::istringstream parts(word);
  Task task;
  std::getline(parts, task.operation, '@');
  if (find_operation(task.operation) == nullptr) throw std::invalid_argument("there is no '" + task.operation + "'");
  for (std::string algorithm; std::getline(parts, algorithm, '@');) task.algorithms.push_back(algorithm);
  if (task.algorithms.empty()) task.algorithms.emplace_back(chosen);
  return task;
}

}  // namespace

Plan read_plan(const std::vector<std::string>& words) {
  Plan plan;
  for (const std::string& word : words) {
    if (word.starts_with("--min=")) {
      plan.least_bytes = number<std::size_t>(word);
    } else if (word.starts_with("--max=")) {
      plan.most_bytes = number<std::size_t>(word);
    } else if (word.starts_with("--seconds=")) {
      plan.patience.seconds = number<double>(word);
    } else if (word.starts_with("--repetitions=")) {
      plan.patience.least_repetitions = std::clamp(number<int>(word), 1, most_repetitions);
    } else if (word.starts_with("--warm-up=")) {
      plan.patience.warm_up = number<int>(word);
    } else if (word.starts_with("--calls=")) {
      plan.patience.calls = number<int>(word);
    } else if (word.starts_with("--pause=")) {
      plan.patience.pause = number<double>(word);
    } else if (word == "--span") {
      plan.patience.timing = Timing::span;
    } else if (word == "--together") {
      plan.patience.timing = Timing::together;
    } else if (word == "--json") {
      plan.form = Form::json;
    } else if (word == "--table") {
      plan.form = Form::table;
    } else if (word == "--progress") {
      plan.progress = true;
    } else if (word == "--every-algorithm") {
      plan.every_algorithm = true;
    } else {
      plan.tasks.push_back(read_task(word));
    }
  }
  if (plan.least_bytes < sizeof(float)) throw std::invalid_argument("--min: no less than an element, 4 bytes");
  return plan;
}

}  // namespace cohort::bench
