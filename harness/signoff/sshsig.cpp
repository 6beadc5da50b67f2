#include "harness/signoff/sshsig.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "harness/support/digest.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::signoff {
namespace {

constexpr std::string_view kBegin = "-----BEGIN SSH SIGNATURE-----\n";
constexpr std::string_view kEnd = "-----END SSH SIGNATURE-----\n";
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kMagic = "SSHSIG";

/// Only the one way to write the bytes: other bits in the last digit, or a space, are refused.
std::string decoded(std::string_view body) {
  std::string digits;
  for (const char c : body) {
    if (c != '\n') digits += c;
  }
  if (digits.size() % 4 != 0) throw BadSignature("its base64 is cut off");
  std::size_t padding = 0;
  while (padding < 2 && digits.ends_with('=')) {
    digits.pop_back();
    ++padding;
  }
  std::string bytes;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : digits) {
    const std::size_t value = kDigits.find(c);
    if (value == std::string_view::npos) throw BadSignature("it is not base64");
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>((bits >> held) & 0xffU);
    bits &= (1U << held) - 1U;
  }
  if (bits != 0 || held != padding * 2) throw BadSignature("it is not base64");
  return bytes;
}

std::string base64_of(std::string_view bytes) {
  std::string out;
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : bytes) {
    bits = ((bits << 8U) | static_cast<unsigned char>(c)) & 0xffffffU;
    held += 8;
    while (held >= 6) {
      held -= 6;
      out += kDigits[(bits >> held) & 63U];
    }
  }
  if (held > 0) out += kDigits[(bits << (6U - held)) & 63U];
  return out;
}

/// Takes the values of the SSH protocol off the front of a text.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : rest_(bytes) {}

  std::string_view take(std::size_t size) {
    if (rest_.size() < size) throw BadSignature("it is cut off");
    const std::string_view part = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return part;
  }
  std::uint32_t number() {
    std::uint32_t value = 0;
    for (const char c : take(4)) value = (value << 8U) | static_cast<unsigned char>(c);
    return value;
  }
  std::string_view text() {
    const std::uint32_t size = number();
    return take(size);
  }
  void end() const {
    if (!rest_.empty()) throw BadSignature("something follows its end");
  }

 private:
  std::string_view rest_;
};

std::string fingerprint_of(std::string_view key) {
  return "SHA256:" + base64_of(support::sha256(key));
}

}  // namespace

bool is_ed25519(std::string_view key_type) {
  return key_type == "ssh-ed25519" || key_type == "sk-ssh-ed25519@openssh.com";
}

SshSignature read_signature(std::string_view text) {
  if (text.size() > kMaxSignatureBytes) throw BadSignature("it is longer than any signature");
  if (!text.starts_with(kBegin) || !text.ends_with(kEnd) ||
      text.size() < kBegin.size() + kEnd.size()) {
    throw BadSignature("expected what stands between BEGIN and END SSH SIGNATURE");
  }
  text.remove_prefix(kBegin.size());
  text.remove_suffix(kEnd.size());
  const std::string bytes = decoded(text);
  Taker blob(bytes);
  if (blob.take(kMagic.size()) != kMagic) throw BadSignature("it is no SSHSIG");
  if (const std::uint32_t version = blob.number(); version != 1) {
    throw BadSignature(fmt::format("it is of version {}, expected 1", version));
  }
  const std::string_view key = blob.text();
  SshSignature signature;
  signature.key_type = model::printable(Taker(key).text(), 64);
  signature.fingerprint = fingerprint_of(key);
  signature.purpose = model::printable(blob.text(), 64);
  if (!blob.text().empty()) throw BadSignature("its reserved field is not empty");
  if (const std::string_view hash = blob.text(); hash != "sha512" && hash != "sha256") {
    throw BadSignature("its hash is neither sha512 nor sha256");
  }
  // RSA keys have several kinds of signature; they are refused by who asks for the key.
  const std::string_view kind = Taker(blob.text()).text();
  if (is_ed25519(signature.key_type) && kind != Taker(key).text()) {
    throw BadSignature("it is of another kind than its key");
  }
  blob.end();
  return signature;
}

}  // namespace rackproof::signoff
