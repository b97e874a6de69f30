// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/process_files.hpp"

#include <fstream>
#include <sstream>

namespace cohort {

// Reads by rdbuf(): if the process ends meanwhile the text is empty, whereas an iterator over the file would throw.
std::string text_of(pid_t process, const char* name) {
  std::ostringstream text;
  text << std::ifstream("/proc/" + std::to_string(process) + "/" + name, std::ios::binary).rdbuf();
  return text.str();
}

char state_of(pid_t process) {
  const std::string text = text_of(process, "stat");
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && name_end + 2 < text.size() ? text[name_end + 2] : '?';
}

}  // namespace cohort
