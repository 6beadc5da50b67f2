#include "harness/support/digest.hpp"

#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "harness/support/content.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::support {
namespace {

using Digest = std::array<unsigned char, EVP_MAX_MD_SIZE>;

void expect(int done) {
  if (done != 1) throw std::runtime_error("OpenSSL cannot compute a SHA-256 digest");
}

std::string hex_of(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 15U];
  }
  return hex;
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Digest digest{};
  unsigned int length = 0;
  expect(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr));
  return {digest.begin(), digest.begin() + length};
}

std::string sha256_hex(std::string_view bytes) { return hex_of(sha256(bytes)); }

std::string digest_of_file(const std::string& path) {
  const auto fail = [&path] {
    throw UsageError(path + ": cannot be read: " + std::generic_category().message(errno));
  };
  std::ifstream file(path, std::ios::binary);
  // The digest of nothing would be the same for each program that may be started and not read.
  if (!file) fail();
  Sha256 digest;
  std::array<char, 65536> buffer{};
  while (file.read(buffer.data(), buffer.size()) || file.gcount() > 0) {
    digest.update({buffer.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (file.bad()) fail();
  return digest.hex();
}

std::string digest_of_content(const std::string& path) {
  Sha256 digest;
  read_content(path, [&digest](std::string_view part) {
    digest.update(part);
    return true;
  });
  return digest.hex();
}

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

std::string Sha256::bytes() const {
  const Sha256 copy = *this;
  Digest digest{};
  unsigned int length = 0;
  expect(EVP_DigestFinal_ex(copy.state_, digest.data(), &length));
  return {digest.begin(), digest.begin() + length};
}

std::string Sha256::hex() const { return hex_of(bytes()); }

}  // namespace rackproof::support
