// Who belongs to a job, and as whom: an authority that is made for the job signs a certificate for the launcher and one
// for each host's agent (X.509, P-256). All is kept in memory only, and the authority's key stays in the launcher: with
// an agent's certificate one can be that agent, but neither the launcher nor another agent.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

struct x509_st;  // OpenSSL's X509

namespace cohort {

inline constexpr const char* launcher_name = "launcher";  // for whom its certificate is made out,
std::string agent_name(int host);                         // and that of a host's agent

struct Credentials {
  std::uint64_t job;        // its number
  std::string authority;    // its certificate, PEM: whoever shows one that it has not signed is a stranger
  std::string certificate;  // PEM
  std::string key;          // PEM
};

class CertificateAuthority {
 public:
  explicit CertificateAuthority(std::uint64_t job);  // throws Error(job), as the next one
  ~CertificateAuthority();

  Credentials issue(const std::string& name) const;

 private:
  struct Signed;
  static Signed sign(const std::string& name, const Signed* authority);

  std::uint64_t job_;
  std::unique_ptr<const Signed> self_;
};

// Whose authority has signed it, as it says itself: nobody has checked that, which is good enough for a log. Nothing of
// one that is not of a job.
std::optional<std::uint64_t> job_of(const x509_st& certificate);

}  // namespace cohort
