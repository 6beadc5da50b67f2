#include "harness/fleet/packet.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::fleet;

TEST_CASE("a message comes out of its bytes as it went in") {
  const std::string body("any \0 byte \xff", 12);
  for (const auto& [kind, text] : {std::pair<MessageKind, std::string>{MessageKind::kBeat, ""},
                                   {MessageKind::kEnded, body},
                                   {MessageKind::kRoster, std::string(100'000, 'x')}}) {
    const auto message = unpack(7, pack(kind, text));
    REQUIRE(message);
    CHECK(message->peer == 7);
    CHECK(message->kind == kind);
    CHECK(message->body == text);
  }
}

TEST_CASE("no flipped bit and no lost byte of a message goes unnoticed") {
  const std::string bytes = pack(MessageKind::kStart, R"({"nonce":"run/1/step"})");
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
  const std::string bytes("\x34\x7a\x45\x33\x04\x00\x00\x00", 8);
  CHECK_FALSE(unpack(1, bytes));
}

TEST_CASE("each kind that is sent has a word of its own, which stands in the message") {
  CHECK(pack(MessageKind::kBeat, "") ==
        std::string("\xc0\x6b\x53\x56\x04\x00\x00\x00", 8) + "beat");
  for (int kind = 0; kind < static_cast<int>(MessageKind::kDamaged); ++kind) {
    const auto sent = static_cast<MessageKind>(kind);
    const auto message = unpack(1, pack(sent, "body"));
    REQUIRE(message);
    CHECK(message->kind == sent);
  }
}

TEST_CASE("a message with a word that no kind has says so, with the word") {
  const auto message = unpack(3, std::string("\x25\x77\xb5\x92\x04\x00\x00\x00", 8) + "warp" + "x");
  REQUIRE(message);
  CHECK(message->peer == 3);
  CHECK(message->kind == MessageKind::kUnknown);
  CHECK(message->body == "warp");
}
