#include "harness/signoff/sshsig.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::signoff;

namespace {

// ssh-keygen -q -t ed25519 -N '' -f a; echo hello | ssh-keygen -Y sign -f a -n ns
const std::string kSigned =
    "-----BEGIN SSH SIGNATURE-----\n"
    "U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgKdjooNw3dKu9Oo2vDPpPv9R9Mf\n"
    "ldieEeAfO1qUkGCoEAAAACbnMAAAAAAAAABnNoYTUxMgAAAFMAAAALc3NoLWVkMjU1MTkA\n"
    "AABArwV1ig1Urfj8jOW3pxQWvqBzCFq03DJJSAb6IrO5QFbdvEzncxTxSv9Alj13xvlKK3\n"
    "P/sDtBnSSsI6ZDRSaECA==\n"
    "-----END SSH SIGNATURE-----\n";

std::string why_no_signature(const std::string& text) {
  try {
    read_signature(text);
  } catch (const BadSignature& bad) {
    return bad.what();
  }
  return "";
}

std::string replaced_in_signature(const std::string& from, const std::string& to) {
  std::string text = kSigned;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a signature of ssh-keygen says its key and what it is for") {
  const SshSignature signature = read_signature(kSigned);
  CHECK(signature.key_type == "ssh-ed25519");
  CHECK(signature.purpose == "ns");
  // ssh-keygen -l -f a.pub
  CHECK(signature.fingerprint == "SHA256:CNbnskC3fQVuJPc3sKF/zJBcCvbHwFBLIVNK74pdFKs");
}

TEST_CASE("Ed25519 alone is taken, in a file or in a security key") {
  CHECK(is_ed25519("ssh-ed25519"));
  CHECK(is_ed25519("sk-ssh-ed25519@openssh.com"));
  CHECK_FALSE(is_ed25519("ssh-rsa"));
  CHECK_FALSE(is_ed25519("ecdsa-sha2-nistp256"));
  CHECK_FALSE(is_ed25519(""));
}

TEST_CASE("what is no signature is refused with what is wrong") {
  CHECK(why_no_signature("").find("expected what stands between BEGIN and END") == 0);
  CHECK(why_no_signature(kSigned.substr(0, kSigned.size() - 1)).find("expected what stands") == 0);
  CHECK(why_no_signature(replaced_in_signature("U1NIU0lH", "U1NIU0lI")) == "it is no SSHSIG");
  CHECK(why_no_signature(replaced_in_signature("U1NIU0lHAAAAAQ", "U1NIU0lHAAAAAg")) ==
        "it is of version 2, expected 1");
  CHECK(why_no_signature(replaced_in_signature("AAAAgK", "AAAA?K")) == "it is not base64");
  // The bits behind the last byte are nobody's.
  CHECK(why_no_signature(replaced_in_signature("ECA==", "ECB==")) == "it is not base64");
  // "ssh-ed25519" in front of the signature, by a letter.
  CHECK(why_no_signature(replaced_in_signature("c3NoLWVkMjU1MTkA\n", "c3NoLWVkMjU1MTgA\n")) ==
        "it is of another kind than its key");
  CHECK(why_no_signature(replaced_in_signature("ECA==", "EC==")) == "its base64 is cut off");
  CHECK(why_no_signature(replaced_in_signature("6ZDR", "")) == "it is cut off");
  CHECK(why_no_signature(replaced_in_signature("ECA==", "ECAAA")) == "something follows its end");
  CHECK(why_no_signature(std::string(kMaxSignatureBytes + 1, 'a')) ==
        "it is longer than any signature");
}

TEST_CASE("no prefix of a signature and no changed byte of it brings the reader down") {
  for (std::size_t size = 0; size < kSigned.size(); ++size) {
    CHECK_FALSE(why_no_signature(kSigned.substr(0, size)).empty());
  }
  for (std::size_t at = 0; at < kSigned.size(); ++at) {
    for (const char other : {'A', '/', '=', '\n', '\x80'}) {
      std::string changed = kSigned;
      changed[at] = other;
      try {
        read_signature(changed);
      } catch (const BadSignature& bad) {
        CHECK_FALSE(std::string(bad.what()).empty());
      }
    }
  }
}
