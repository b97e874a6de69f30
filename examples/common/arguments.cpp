// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <utility>

#include "bad_input.hpp"

namespace examples {

Arguments::Arguments(const std::string& program, const std::string& what)
    : Arguments(program, std::make_shared<CLI::App>(what, program)) {}

Arguments::Arguments(std::string program, std::shared_ptr<CLI::App> options)
    : program_(std::move(program)), options_(std::move(options)) {}

void Arguments::whole_number(const std::string& name, std::int64_t usual, const std::string& what, std::int64_t least,
                             std::int64_t most, const std::function<void(std::int64_t)>& set) {
  CLI::Option* const option = options_->add_option_function<std::int64_t>(name, set, what);
  CLI::Range range(least, most);
  if (most >= greatest<int>) range.description("");
  option->check(range)->default_str(std::to_string(usual));
}

void Arguments::not_negative(const std::string& name, double& value, const std::string& what) {
  options_->add_option(name, value, what)->check(CLI::NonNegativeNumber)->capture_default_str();
}

void Arguments::text(const std::string& name, std::string& value, const std::string& what) {
  options_->add_option(name, value, what)->capture_default_str();
}

void Arguments::two_texts(const std::string& name, std::vector<std::string>& values, const std::string& what) {
  options_->add_option(name, values, what)->delimiter(',')->expected(2);
}

void Arguments::flag(const std::string& name, bool& value, const std::string& what) {
  options_->add_flag(name, value, what);
}

void Arguments::needs(const std::string& name, std::string& value, const std::string& what) {
  options_->add_option(name, value, what)->required();
}

void Arguments::needs(const std::string& name, std::vector<std::string>& values, const std::string& what) {
  options_->add_option(name, values, what)->required();
}

Arguments Arguments::one_of(const std::string& title) {
  CLI::App* const group = options_->add_option_group(title)->require_option(1);
  return {program_, std::shared_ptr<CLI::App>(options_, group)};
}

std::optional<std::string> Arguments::read(int argc, char** argv) {
  try {
    options_->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success&) {
    return options_->help();
  } catch (const CLI::ParseError& error) {
    throw BadInput(error.what() + std::string(" (see --help)"));
  }
}

}  // namespace examples
