// The certificate that proves that someone belongs to a job: made for it, self-signed, P-256, kept in memory only. Both
// sides of every stream present it, and accept no other.
#pragma once

#include <string>

namespace cohort {

inline constexpr const char* certificate_name = "cohort";  // for whom it is made out

struct Certificate {
  std::string certificate;  // PEM
  std::string key;          // PEM
};

// Throws Error(job).
Certificate make_certificate();

}  // namespace cohort
