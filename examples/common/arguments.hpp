// SPDX-License-Identifier: Apache-2.0
// The options of an example's command line, and --help.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace examples {

// The greatest number that both a Whole and an int64_t can be.
template <std::integral Whole>
inline constexpr std::int64_t greatest = std::in_range<std::int64_t>(std::numeric_limits<Whole>::max())
                                             ? static_cast<std::int64_t>(std::numeric_limits<Whole>::max())
                                             : std::numeric_limits<std::int64_t>::max();

// Each option sets a variable, whose value before is the default. A name without dashes is a word's place.
class Arguments {
 public:
  Arguments(const std::string& program, const std::string& what);

  const std::string& program() const { return program_; }

  // A whole number from `least` to `most`.
  template <std::integral Whole>
  void number(const std::string& name, Whole& value, const std::string& what, std::int64_t least = 0,
              std::int64_t most = greatest<Whole>) {
    whole_number(name, static_cast<std::int64_t>(value), what, least, most,
                 [&value](std::int64_t given) { value = static_cast<Whole>(given); });
  }
  void not_negative(const std::string& name, double& value, const std::string& what);
  void text(const std::string& name, std::string& value, const std::string& what);
  void two_texts(const std::string& name, std::vector<std::string>& values, const std::string& what);
  void flag(const std::string& name, bool& value, const std::string& what);

  void needs(const std::string& name, std::string& value, const std::string& what);
  void needs(const std::string& name, std::vector<std::string>& values, const std::string& what);  // one or more

  // What is added to the result: exactly one of it must be given.
  Arguments one_of(const std::string& title);

  // Sets the variables. Returns the help if it was asked for. Throws BadInput.
  std::optional<std::string> read(int argc, char** argv);

 private:
  Arguments(std::string program, std::shared_ptr<CLI::App> options);
  void whole_number(const std::string& name, std::int64_t usual, const std::string& what, std::int64_t least,
                    std::int64_t most, const std::function<void(std::int64_t)>& set);

  std::string program_;
  std::shared_ptr<CLI::App> options_;
};

}  // namespace examples
