// SPDX-License-Identifier: Apache-2.0
#include "launcher/toml.hpp"

#include <algorithm>

namespace cohort {

toml::table parse_toml(std::string text) {
  std::ranges::replace_if(
      text, [](char byte) { return static_cast<unsigned char>(byte) >= 0x80; }, '?');
  return toml::parse(text);
}

}  // namespace cohort
