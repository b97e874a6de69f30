// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/certificate.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string_view>

#include "cohort/error.hpp"

namespace cohort {

namespace {

template <typename T, void (*release)(T*)>
struct Release {
  void operator()(T* object) const { release(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY, EVP_PKEY_free>>;
using X509Certificate = std::unique_ptr<X509, Release<X509, X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Release<X509_EXTENSION, X509_EXTENSION_free>>;
using Memory = std::unique_ptr<BIO, Release<BIO, BIO_free_all>>;

constexpr std::string_view job_prefix = "cohort job ";  // an authority's name, before the job's number

void check(bool good) {
  if (!good) throw Error(ErrorCode::job, "OpenSSL could not make the job's certificate");
}

std::string pem_of(BIO* memory) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

void add_extension(X509* certificate, int kind, const std::string& value) {
  const Extension extension(X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()));
  check(extension && X509_add_ext(certificate, extension.get(), -1) == 1);
}

std::string pem_of(X509* certificate) {
  const Memory text(BIO_new(BIO_s_mem()));
  check(text && PEM_write_bio_X509(text.get(), certificate) == 1);
  return pem_of(text.get());
}

std::string pem_of(EVP_PKEY* key) {
  const Memory text(BIO_new(BIO_s_mem()));
  check(text && PEM_write_bio_PrivateKey(text.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1);
  return pem_of(text.get());
}

}  // namespace

struct CertificateAuthority::Signed {
  Key key;
  X509Certificate certificate;
};

// A certificate signed by `authority`, or, without one, a self-signed certificate of an authority.
CertificateAuthority::Signed CertificateAuthority::sign(const std::string& name, const Signed* authority) {
  Signed made{Key(EVP_EC_gen("P-256")), X509Certificate(X509_new())};
  X509* const certificate = made.certificate.get();
  check(made.key && certificate != nullptr);
  std::uint64_t serial = 0;
  check(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1);
  check(X509_set_version(certificate, X509_VERSION_3) == 1);
  check(ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1);
  // Valid at any date, because a host's clock may be wrong. The authority's key ends with the job.
  check(ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), "19500101000000Z") == 1);
  check(ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), "99991231235959Z") == 1);
  check(X509_set_pubkey(certificate, made.key.get()) == 1);
  const auto* common_name = reinterpret_cast<const unsigned char*>(name.c_str());
  check(X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC, common_name, -1, -1, 0) ==
        1);
  const Signed& signer = authority != nullptr ? *authority : made;
  check(X509_set_issuer_name(certificate, X509_get_subject_name(signer.certificate.get())) == 1);
  add_extension(certificate, NID_basic_constraints, authority != nullptr ? "critical,CA:FALSE" : "critical,CA:TRUE");
  if (authority != nullptr) add_extension(certificate, NID_subject_alt_name, "DNS:" + name);
  check(X509_sign(certificate, signer.key.get(), EVP_sha256()) > 0);
  return made;
}

CertificateAuthority::CertificateAuthority(std::uint64_t job)
    : job_(job), self_(std::make_unique<const Signed>(sign(std::string(job_prefix) + std::to_string(job), nullptr))) {}
CertificateAuthority::~CertificateAuthority() = default;

Credentials CertificateAuthority::issue(const std::string& name) const {
  const Signed made = sign(name, self_.get());
  return {job_, pem_of(self_->certificate.get()), pem_of(made.certificate.get()), pem_of(made.key.get())};
}

std::optional<std::uint64_t> job_of(const x509_st& certificate) {
  std::array<char, 64> name{};
  const int size = X509_NAME_get_text_by_NID(X509_get_issuer_name(&certificate), NID_commonName, name.data(),
                                             static_cast<int>(name.size()));
  std::string_view digits(name.data(), static_cast<std::size_t>(std::max(size, 0)));
  if (!digits.starts_with(job_prefix)) return std::nullopt;
  digits.remove_prefix(job_prefix.size());
  std::uint64_t job = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, job);
  return error == std::errc() && end == last ? std::optional(job) : std::nullopt;
}

std::string agent_name(int host) { return "host-" + std::to_string(host); }

}  // namespace cohort
