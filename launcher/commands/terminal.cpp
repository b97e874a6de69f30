// SPDX-License-Identifier: Apache-2.0
#include "launcher/commands/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace cohort {

namespace {

constexpr std::size_t least_width = 40, most_width = 100;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Terminal::Terminal(int descriptor) : is_there_(::isatty(descriptor) == 1) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style_.width = std::clamp<std::size_t>(size.ws_col, least_width, most_width);
  }
  style_.bold = is_there_ && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

std::string Terminal::painted(const char* how, const std::string& text) const {
  return style_.bold ? "\033[" + std::string(how) + "m" + text + "\033[0m" : text;
}

void show_in_pager(const std::string& text) {
  if (Terminal(STDOUT_FILENO).is_there()) {
    const std::string own(variable("PAGER"));
    std::FILE* const pager = ::popen(own.empty() ? "less -FRX 2>/dev/null || cat" : own.c_str(), "w");
    if (pager != nullptr) {
      std::fwrite(text.data(), 1, text.size(), pager);
      ::pclose(pager);
      return;
    }
  }
  std::cout << text << std::flush;
}

}  // namespace cohort
