#include "launcher/process_files.hpp"

#include <fstream>
#include <iterator>

namespace cohort {

std::string text_of(pid_t process, const char* name) {
  std::ifstream file("/proc/" + std::to_string(process) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

char state_of(pid_t process) {
  const std::string text = text_of(process, "stat");
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && name_end + 2 < text.size() ? text[name_end + 2] : '?';
}

}  // namespace cohort
