#include <string>

#include "harness/document/located_json.hpp"
#include "harness/signoff/sshsig.hpp"
#include "harness/signoff/statement.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

// What lies beside a report is a signature or a statement of one form, or it is refused with a
// line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const signoff::SshSignature signature = signoff::read_signature(text);
    fuzz::expect(signature.fingerprint.starts_with("SHA256:"), "a key has a fingerprint");
    fuzz::expect(signature.purpose.find('\n') == std::string::npos, "a purpose of one line");
  } catch (const signoff::BadSignature& bad) {
    fuzz::expect(!std::string(bad.what()).empty(), "a reason");
  }
  try {
    const signoff::Statement statement = signoff::read_statement("x", text);
    fuzz::expect(signoff::to_text(statement) == text, "one form");
    fuzz::expect(signoff::is_role(statement.role), "a role");
    fuzz::expect(signoff::is_identity(statement.signer), "a signer");
  } catch (const document::ConfigError& error) {
    fuzz::expect(!std::string(error.what()).empty(), "a reason");
  }
  return 0;
}
