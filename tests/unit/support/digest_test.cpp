#include "harness/support/digest.hpp"

#include <catch2/catch.hpp>

#include "harness/support/errors.hpp"
#include "tests/unit/folder.hpp"

using namespace rackproof::support;
using rackproof::test::Folder;

namespace {

constexpr const char* kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

}  // namespace

TEST_CASE("digests are those of the standard's examples") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == kOfAbc);
  CHECK(sha256("abc").size() == 32);
  CHECK(sha256("abc").substr(0, 4) == "\xBA\x78\x16\xBF");
}

TEST_CASE("a digest in parts is that of the whole, and a copy goes on alone") {
  Sha256 digest;
  digest.update("a");
  Sha256 other = digest;
  digest.update("bc");
  other.update("d");
  CHECK(digest.hex() == kOfAbc);
  CHECK(digest.bytes() == sha256("abc"));
  CHECK(other.hex() == sha256_hex("ad"));
  digest.update("d");
  CHECK(digest.hex() == sha256_hex("abcd"));
}

TEST_CASE("the digest of a file is that of its bytes, and one that cannot be read has none") {
  const Folder folder;
  const std::string large(200'000, 'x');
  folder.write("large", large);
  folder.write("empty", "");
  CHECK(digest_of_file(folder.path("large")) == sha256_hex(large));
  CHECK(digest_of_file(folder.path("empty")) == sha256_hex(""));
  CHECK_THROWS_WITH(digest_of_file(folder.path("none")), Catch::Contains("cannot be read"));
  CHECK_THROWS_AS(digest_of_file(folder.path("none")), UsageError);
}
