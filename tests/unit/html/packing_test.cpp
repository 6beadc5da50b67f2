#include "reports/html/packing.hpp"

#include <catch2/catch.hpp>

namespace rackproof::html {

TEST_CASE("quoted text is JSON and holds no mark that HTML knows") {
  CHECK(quoted("node1/GPU-0") == "\"node1/GPU-0\"");
  CHECK(quoted("a\"b\\c") == R"("a\"b\\c")");
  CHECK(quoted("</script><!-- &") == R"("\u003c/script\u003e\u003c!-- \u0026")");
  CHECK(quoted("\n\x01\xE2\x80\xAE") == "\" ??\"");
  CHECK(quoted("abcdefgh", 6) == "\"abcdef...\"");
}

TEST_CASE("arrays are packed as base64 of their bytes from the low end") {
  CHECK(packed(std::vector<std::uint8_t>{}) == "\"\"");
  CHECK(packed(std::vector<std::uint8_t>{1, 2, 3}) == "\"AQID\"");
  CHECK(packed(std::vector<std::uint8_t>{255}) == "\"/w==\"");
  CHECK(packed(std::vector<std::uint32_t>{1, 258}) == "\"AQAAAAIBAAA=\"");
  CHECK(packed(std::vector<float>{1.0F}) == "\"AACAPw==\"");
}

TEST_CASE("the digest of a text is what sha256sum and base64 say") {
  CHECK(sha256_base64("abc") == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  CHECK(sha256_base64("") == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

TEST_CASE("an array is its parts between brackets") {
  CHECK(array_of({}) == "[]");
  CHECK(array_of({"1", "\"x\""}) == "[1,\"x\"]");
}

}  // namespace rackproof::html
