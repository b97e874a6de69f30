// SPDX-License-Identifier: Apache-2.0
// Certificates that prove membership in a job, and the role. The launcher makes an authority for the job (X.509,
// P-256). The authority signs one certificate for the launcher and one for each host's agent. All keys are kept in
// memory only. The authority's key stays in the launcher, so a thief of an agent's certificate can pose as that agent
// only, not as the launcher or another agent.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

struct x509_st;  // OpenSSL's X509

namespace cohort {

inline constexpr const char* launcher_name = "launcher";  // the name in the launcher's certificate
std::string agent_name(int host);                         // the name in the certificate of a host's agent

struct Credentials {
  std::uint64_t job;        // its number
  std::string authority;    // the authority's certificate, PEM; a peer whose certificate it has not signed is refused
  std::string certificate;  // PEM
  std::string key;          // PEM
};

class CertificateAuthority {
 public:
  explicit CertificateAuthority(std::uint64_t job);  // throws Error(job), as issue() does
  ~CertificateAuthority();

  Credentials issue(const std::string& name) const;

 private:
  struct Signed;
  static Signed sign(const std::string& name, const Signed* authority);

  std::uint64_t job_;
  std::unique_ptr<const Signed> self_;
};

// The number of the job in the name of the certificate's issuer. Does not check the signature: good enough for a log.
// Nothing if the issuer is not a job's authority.
std::optional<std::uint64_t> job_of(const x509_st& certificate);

}  // namespace cohort
