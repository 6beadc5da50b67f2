#include "harness/fleet/packet.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::fleet;

TEST_CASE("a message comes out of its bytes as it went in") {
  const std::string body("any \0 byte \xff", 12);
  for (const auto& [kind, text] : {std::pair<std::string, std::string>{"beat", ""},
                                   {"ended", body},
                                   {"", std::string(100'000, 'x')}}) {
    const auto message = unpack(7, pack(kind, text));
    REQUIRE(message);
    CHECK(message->peer == 7);
    CHECK(message->kind == kind);
    CHECK(message->body == text);
  }
}

TEST_CASE("no flipped bit and no lost byte of a message goes unnoticed") {
  const std::string bytes = pack("start", R"({"nonce":"run/1/step"})");
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    INFO("bit " << bit);
    CHECK_FALSE(unpack(1, damaged));
  }
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    INFO("cut to " << size);
    CHECK_FALSE(unpack(1, std::string_view(bytes).substr(0, size)));
  }
  CHECK_FALSE(unpack(1, bytes + "x"));
}

TEST_CASE("a kind that would be longer than its message is none") {
  // The check sum is right, the length is not: what another program could send.
  std::string bytes = pack("", "body");
  const std::string longer = pack(std::string(4, 'k'), "body");
  CHECK(unpack(1, bytes));
  bytes = longer.substr(0, 8);
  CHECK_FALSE(unpack(1, bytes));
}
