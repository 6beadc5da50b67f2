#pragma once

#include <string>
#include <string_view>

struct evp_md_ctx_st;  // EVP_MD_CTX of OpenSSL

namespace rackproof::support {

/// SHA-256 of the bytes: 32 bytes.
std::string sha256(std::string_view bytes);

/// The same in lower-case hex.
std::string sha256_hex(std::string_view bytes);

/// SHA-256 of a file, in lower-case hex. Throws UsageError when it cannot be read.
std::string digest_of_file(const std::string& path);

/// The same of a file's content (content.hpp): of a compressed file, of what was compressed. Throws
/// UsageError as read_content() does.
std::string digest_of_content(const std::string& path);

/// SHA-256 of what comes in parts. A copy goes on from where the other is.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256& other);
  Sha256& operator=(const Sha256&) = delete;

  void update(std::string_view bytes);
  /// Of what came so far: 32 bytes.
  std::string bytes() const;
  /// The same in lower-case hex.
  std::string hex() const;

 private:
  evp_md_ctx_st* state_;
};

}  // namespace rackproof::support
