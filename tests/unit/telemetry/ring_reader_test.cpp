#include "harness/telemetry/ring_reader.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>

#include "tests/unit/telemetry/scratch.hpp"

namespace rackproof::telemetry {
namespace {

std::string sound_bytes() {
  const Scratch scratch;
  RingWriter writer(scratch.path("r"), three_columns(), 4096);
  for (int i = 1; i <= 4; ++i) {
    const double value = i;
    writer.add(1'000'000'000 + static_cast<std::uint64_t>(i),
               std::vector<double>{value, value, value});
  }
  writer.close(2'000'000'000);
  return file_text(scratch.path("r"));
}

std::string complaint(const std::string& bytes) {
  try {
    parse_recording(bytes, "r");
  } catch (const RecordingError& error) {
    return error.what();
  }
  return "";
}

void put(std::string& bytes, std::size_t offset, std::uint32_t value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
}

// With the checksum of the head as it then should be.
std::string resealed(std::string bytes) {
  Head head{};
  std::memcpy(&head, bytes.data(), sizeof head);
  head.seal = 0;
  std::memcpy(bytes.data(), &head, sizeof head);
  std::vector<std::uint64_t> words(head.head_bytes / 8);
  std::memcpy(words.data(), bytes.data(), head.head_bytes);
  head.seal = seal_of(0, words);
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes;
}

}  // namespace

TEST_CASE("a file that is cut off anywhere is refused with the reason") {
  const std::string bytes = sound_bytes();
  REQUIRE(complaint(bytes).empty());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const std::string why = complaint(bytes.substr(0, length));
    INFO(length);
    REQUIRE_FALSE(why.empty());
    REQUIRE(why.find('\n') == std::string::npos);
    if (length >= sizeof kMagic) REQUIRE(why.find("cut off") != std::string::npos);
  }
  CHECK(complaint("") == "r: is no recording of rackproof");
  CHECK(complaint(bytes.substr(0, bytes.size() - 1)) ==
        "r: is cut off: its head promises 4 samples of 48 bytes, there is room for 3");
}

TEST_CASE("another version or byte order is named") {
  std::string bytes = sound_bytes();
  put(bytes, offsetof(Head, version), 2);
  CHECK(complaint(bytes) == "r: is version 2 of the format; this program reads version 1");
  bytes = sound_bytes();
  put(bytes, offsetof(Head, byte_order), 0x04030201);
  CHECK(complaint(bytes) ==
        "r: was written on a machine with another byte order; read it on one like that");
  CHECK(complaint("#!/usr/bin/env python3\nprint()") == "r: is no recording of rackproof");
}

TEST_CASE("a byte of the head that changes is found") {
  const std::string sound = sound_bytes();
  Head head{};
  std::memcpy(&head, sound.data(), sizeof head);
  for (std::size_t at = 0; at < head.head_bytes; ++at) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string bytes = sound;
      bytes[at] = static_cast<char>(bytes[at] ^ flip);
      INFO(at);
      REQUIRE_FALSE(complaint(bytes).empty());
    }
  }
}

TEST_CASE("a byte of a sample that changes loses that sample alone") {
  const std::string sound = sound_bytes();
  Head head{};
  std::memcpy(&head, sound.data(), sizeof head);
  for (std::size_t at = head.head_bytes; at < sound.size(); ++at) {
    std::string bytes = sound;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    const Recording recording = parse_recording(bytes, "r");
    INFO(at);
    REQUIRE(recording.samples.size() == 3);
    REQUIRE(recording.damaged == 1);
    for (const Sample& sample : recording.samples) {
      REQUIRE(sample.values[0] == static_cast<double>(sample.sequence));
    }
  }
}

TEST_CASE("a sound checksum on nonsense helps nothing") {
  const std::string sound = sound_bytes();
  Head head{};
  const auto with = [&](auto change) {
    std::memcpy(&head, sound.data(), sizeof head);
    change(head);
    std::string bytes = sound;
    std::memcpy(bytes.data(), &head, sizeof head);
    return complaint(resealed(bytes));
  };
  CHECK(with([](Head& h) { h.interval_ns = 0; }).find("times that no clock has") !=
        std::string::npos);
  CHECK(with([](Head& h) { h.start_realtime_ns = -1; }).find("times that") != std::string::npos);
  CHECK(with([](Head& h) { h.columns = 2; }).find("number of columns") != std::string::npos);
  CHECK(with([](Head& h) { h.slots = UINT64_MAX; }).find("cut off") != std::string::npos);
  std::string bytes = sound;
  const std::size_t at = bytes.find("counter\t");
  bytes.replace(at, 7, "cOunter");
  CHECK(complaint(resealed(bytes)) == "r: its head is damaged: a column of no known kind");
}

TEST_CASE("what cannot be opened is said by its name") {
  const Scratch scratch;
  CHECK_THROWS_WITH(read_recording(scratch.path("none")),
                    Catch::Contains("none: No such file or directory"));
  CHECK_THROWS_WITH(read_recording(scratch.path("")), Catch::Contains("is no regular file"));
}

}  // namespace rackproof::telemetry
