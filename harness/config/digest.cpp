#include <openssl/evp.h>

#include <array>
#include <stdexcept>

#include "harness/config/document.hpp"

namespace rackproof::config {
namespace {

void expect(int done) {
  if (done != 1) throw std::runtime_error("OpenSSL cannot compute a SHA-256 digest");
}

}  // namespace

Sha256::Sha256() : state_(EVP_MD_CTX_new()) {
  expect(state_ != nullptr ? EVP_DigestInit_ex(state_, EVP_sha256(), nullptr) : 0);
}

Sha256::Sha256(const Sha256& other) : state_(EVP_MD_CTX_new()) {
  expect(state_ != nullptr ? EVP_MD_CTX_copy_ex(state_, other.state_) : 0);
}

Sha256::~Sha256() { EVP_MD_CTX_free(state_); }

void Sha256::update(std::string_view bytes) {
  expect(EVP_DigestUpdate(state_, bytes.data(), bytes.size()));
}

std::string Sha256::hex() const {
  const Sha256 copy = *this;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  expect(EVP_DigestFinal_ex(copy.state_, digest.data(), &length));
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) {
    hex += kDigits[digest[i] >> 4U];
    hex += kDigits[digest[i] & 15U];
  }
  return hex;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 digest;
  digest.update(bytes);
  return digest.hex();
}

}  // namespace rackproof::config
