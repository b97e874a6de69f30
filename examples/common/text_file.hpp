// SPDX-License-Identifier: Apache-2.0
// Files that the processes read together: each reads what begins in its share of the bytes.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace examples {

// From `begin` up to, without, `end`.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t size() const { return end - begin; }
};

// The part of 0 ... total-1 that belongs to `part` of `parts`; the parts differ by one at most.
Range share_of(std::int64_t total, int part, int parts);

// Both throw BadInput, which names the file and the cause.
std::int64_t size_of(const std::string& path);
std::ifstream open(const std::string& path);

// The lines that begin in this part of the file, without their ends. Every line is in exactly one part. Throws
// BadInput.
std::vector<std::string> lines_of(const std::string& path, int part, int parts);

// A whole number, or a decimal one; nothing but it in the text. Throws BadInput: "FILE:LINE: 'abc' is not a number".
std::int64_t whole_number(const std::string& text, const std::string& path, std::int64_t line);
double decimal_number(const std::string& text, const std::string& path, std::int64_t line);

}  // namespace examples
