// SPDX-License-Identifier: Apache-2.0
#include "launcher/write_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace cohort {

void write_file(std::string_view command, const std::string& file, std::string_view text) {
  if (file == "-") {
    std::cout << text << std::flush;
    if (!std::cout) throw std::runtime_error(fmt::format("{}: standard output can't be written", command));
    return;
  }
  std::ofstream stream(file, std::ios::binary);
  stream << text << std::flush;
  if (!stream) throw std::runtime_error(fmt::format("{}: cannot write {}: {}", command, file, std::strerror(errno)));
}

}  // namespace cohort
