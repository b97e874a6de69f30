// SPDX-License-Identifier: Apache-2.0
// The job's secret: any process that has it may join. It lives on a page of its own, which is excluded from core dumps
// and from swap, and which is wiped when the secret is destroyed.
#pragma once

#include <cstddef>

namespace cohort {

class Secret {
 public:
  Secret();  // zeros; throws Error(job) if there is no memory
  Secret(const Secret& other);
  Secret& operator=(const Secret& other);
  ~Secret();

  void take(const void* bytes);  // size() bytes

  static constexpr std::size_t size() { return 32; }
  unsigned char* data() { return bytes_; }
  const unsigned char* data() const { return bytes_; }
  unsigned char* begin() { return bytes_; }
  unsigned char& operator[](std::size_t place) { return bytes_[place]; }
  void fill(unsigned char value);

 private:
  unsigned char* const bytes_;
};

// Overwrites memory that held a secret.
void wipe(const void* memory, std::size_t size);

}  // namespace cohort
