#include "launcher/certificate.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <memory>

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

void check(bool good) {
  if (!good) throw Error(ErrorCode::job, "OpenSSL could not make the job's certificate");
}

std::string text_of(BIO* memory) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

void set_names(X509* certificate) {
  X509_NAME* name = X509_get_subject_name(certificate);
  const auto* common_name = reinterpret_cast<const unsigned char*>(certificate_name);
  check(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, common_name, -1, -1, 0) == 1);
  check(X509_set_issuer_name(certificate, name) == 1);
  const std::string alternative = std::string("DNS:") + certificate_name;
  const Extension extension(X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, alternative.c_str()));
  check(extension && X509_add_ext(certificate, extension.get(), -1) == 1);
}

}  // namespace

Certificate make_certificate() {
  constexpr long a_day_s = 24L * 3600;
  const Key key(EVP_EC_gen("P-256"));
  const X509Certificate certificate(X509_new());
  check(key && certificate);
  std::uint64_t serial = 0;
  check(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1);
  check(X509_set_version(certificate.get(), X509_VERSION_3) == 1);
  check(ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.get()), serial) == 1);
  // Clocks of hosts differ; a job may run for long.
  check(X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -a_day_s) != nullptr);
  check(X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3650 * a_day_s) != nullptr);
  check(X509_set_pubkey(certificate.get(), key.get()) == 1);
  set_names(certificate.get());
  check(X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0);

  const Memory certificate_text(BIO_new(BIO_s_mem()));
  const Memory key_text(BIO_new(BIO_s_mem()));
  check(certificate_text && key_text);
  check(PEM_write_bio_X509(certificate_text.get(), certificate.get()) == 1);
  check(PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
  return {text_of(certificate_text.get()), text_of(key_text.get())};
}

}  // namespace cohort
