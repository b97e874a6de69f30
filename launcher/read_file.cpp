// SPDX-License-Identifier: Apache-2.0
#include "launcher/read_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "launcher/usage_error.hpp"

namespace cohort {

std::string read_file(std::string_view option, const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw UsageError(fmt::format("{}: cannot read {}: {}", option, file, std::strerror(errno)));
  return text.str();
}

}  // namespace cohort
