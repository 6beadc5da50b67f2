#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rackproof::signoff {

/// The longest signature that is read: those of Ed25519 have some hundred bytes.
inline constexpr std::size_t kMaxSignatureBytes = std::size_t{64} << 10;

/// No signature as `ssh-keygen -Y sign` writes it; what() says what was expected.
struct BadSignature : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a signature says of itself. Whether it holds is not looked at.
struct SshSignature {
  std::string key_type;     ///< "ssh-ed25519"
  std::string fingerprint;  ///< "SHA256:...", as ssh-keygen prints it
  std::string purpose;      ///< its namespace: what the signature is for
};

/// Reads the armoured form of a signature of OpenSSH (PROTOCOL.sshsig). Throws BadSignature.
SshSignature read_signature(std::string_view text);

/// True for Ed25519, in a file or in a security key.
bool is_ed25519(std::string_view key_type);

}  // namespace rackproof::signoff
