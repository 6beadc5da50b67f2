#include "harness/support/zstd.hpp"

#include <zstd.h>

#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace rackproof::support;

namespace {

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;

std::string compressed(const std::string& text, int level = Compressor::kLevel) {
  std::string out;
  Compressor compressor([&out](std::string_view bytes) { out += bytes; }, level);
  // In parts, as a report comes.
  for (std::size_t at = 0; at < text.size(); at += 1000) {
    compressor.add(std::string_view(text).substr(at, 1000));
  }
  compressor.finish();
  return out;
}

// Fed `step` bytes at a time.
std::string decompressed(std::string_view bytes, std::size_t step = std::string::npos,
                         std::uint64_t most = kPlenty) {
  std::string out;
  decompress(
      [&] {
        const std::string_view part = bytes.substr(0, step);
        bytes.remove_prefix(part.size());
        return part;
      },
      most,
      [&out](std::string_view part) {
        out += part;
        return true;
      });
  return out;
}

// Lines that look alike and are not the same.
std::string lines(int count) {
  std::string text;
  std::mt19937 random(1);
  for (int i = 0; i < count; ++i) text += "{\"value\": " + std::to_string(random()) + "}\n";
  return text;
}

// A frame as `zstd FILE` writes it: with the size of what it holds.
std::string frame_of(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

}  // namespace

TEST_CASE("what was compressed comes back, however the bytes are cut") {
  for (const std::string& text : {std::string(), std::string("x"), lines(3), lines(50'000),
                                  std::string(1'000'000, 'a'), std::string(131'072, 'b')}) {
    const std::string bytes = compressed(text);
    CHECK(is_zstd(bytes));
    CHECK(decompressed(bytes) == text);
    CHECK(decompressed(bytes, 4096) == text);
  }
  const std::string text = lines(200);
  CHECK(decompressed(compressed(text), 1) == text);
  CHECK(compressed(lines(50'000)).size() < lines(50'000).size() / 2);
}

TEST_CASE("what zstd has not compressed is told by its first bytes") {
  CHECK_FALSE(is_zstd(""));
  CHECK_FALSE(is_zstd("\x28\xb5\x2f"));
  CHECK_FALSE(is_zstd("{\n \"acceptance\""));
  CHECK(is_zstd("\x28\xb5\x2f\xfd"));
  CHECK(is_zstd("\x5a\x2a\x4d\x18"));  // a frame that is to be skipped
}

TEST_CASE("frame after frame is read, and what is to be skipped is skipped") {
  const std::string skipped("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
  const std::string bytes = skipped + compressed("one ") + frame_of("two ") + skipped +
                            compressed("") + frame_of("three");
  CHECK(decompressed(bytes) == "one two three");
  CHECK(decompressed(bytes, 1) == "one two three");
  CHECK(decompressed(skipped).empty());
}

TEST_CASE("a file that is cut off at whatever byte is no shorter report") {
  for (const std::string& bytes : {compressed(lines(20)), frame_of(lines(20))}) {
    for (std::size_t size = 1; size < bytes.size(); ++size) {
      INFO(size);
      CHECK_THROWS_WITH(decompressed(bytes.substr(0, size)),
                        "is cut off in the middle of what zstd has compressed");
    }
    const std::size_t whole = bytes.size();
    const std::string twice = bytes + bytes;
    for (std::size_t size = whole + 1; size < twice.size(); ++size) {
      INFO(size);
      CHECK_THROWS_AS(decompressed(twice.substr(0, size)), BadZstd);
    }
  }
}

TEST_CASE("a byte that was changed is found out") {
  const std::string bytes = compressed(lines(20));
  std::size_t harmless = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    INFO(at);
    std::string text;
    try {
      text = decompressed(changed);
    } catch (const BadZstd& bad) {
      CHECK(std::string(bad.what()).find("zstd") != std::string::npos);
      continue;
    }
    // A window of another size, or another way to say the same: never another content.
    CHECK(text == lines(20));
    ++harmless;
  }
  CHECK(harmless < bytes.size() / 10);
  CHECK_THROWS_AS(decompressed(bytes + "and more"), BadZstd);
}

TEST_CASE("what holds too much is refused, by what it says and by what it gives") {
  const std::string zeros(10'000'000, '\0');
  std::size_t taken = 0;
  const auto take = [&taken](std::string_view part) {
    taken += part.size();
    return true;
  };
  const auto refuse = [&](const std::string& bytes) {
    taken = 0;
    REQUIRE(bytes.size() < 2000);
    CHECK_THROWS_WITH(decompress([&] { return std::string_view(bytes); }, 1'000'000, take),
                      "is larger than 1000000 bytes when it is decompressed");
  };
  refuse(frame_of(zeros));
  CHECK(taken == 0);
  refuse(compressed(zeros));
  CHECK(taken <= 1'000'000);
  CHECK(decompressed(compressed(zeros), 100, zeros.size()) == zeros);
  CHECK_THROWS_WITH(decompressed(compressed(zeros), 100, zeros.size() - 1),
                    "is larger than 9999999 bytes when it is decompressed");
}

TEST_CASE("a window beyond bounds is not allocated") {
  // 1 GiB: what `zstd --ultra --long=30` writes.
  const std::string bytes("\x28\xb5\x2f\xfd\x00\xa0\x01\x00\x00", 9);
  CHECK_THROWS_WITH(decompressed(bytes), Catch::Contains("zstd: Frame requires too much memory"));
}

TEST_CASE("who has enough ends it") {
  int parts = 0;
  std::string bytes = compressed(lines(50'000));
  decompress([&] { return std::string_view(bytes); }, kPlenty,
             [&parts](std::string_view) { return ++parts < 2; });
  CHECK(parts == 2);
}
