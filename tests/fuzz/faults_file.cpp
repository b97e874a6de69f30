// SPDX-License-Identifier: Apache-2.0
// What a file of faults may hold.
#include "launcher/job/faults_file.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "launcher/usage_error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4'096) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    cohort::parse_faults(text, "f", 8, 1);
  } catch (const cohort::UsageError& error) {
    if (!std::string_view(error.what()).starts_with("f:")) std::abort();  // it names the file and the line
  }
  return 0;
}
