#include "harness/warden/frame.hpp"

#include <catch2/catch.hpp>

using rackproof::warden::encode;
using rackproof::warden::Frame;
using rackproof::warden::FrameReader;
using rackproof::warden::Word;

TEST_CASE("frames come out as they went in, however the bytes are cut") {
  const std::string big(100'000, '\0');
  const std::string bytes = encode({Word::kStart, {"a", "", big}}) + encode({Word::kClose, {}}) +
                            encode({Word::kAck, {"why not"}});
  for (const std::size_t chunk :
       {std::size_t{1}, std::size_t{3}, std::size_t{7777}, bytes.size()}) {
    FrameReader reader;
    std::vector<Frame> frames;
    for (std::size_t at = 0; at < bytes.size(); at += chunk) {
      reader.feed(std::string_view(bytes).substr(at, chunk));
      while (auto frame = reader.next()) frames.push_back(*frame);
    }
    REQUIRE(frames.size() == 3);
    CHECK(frames[0].word == Word::kStart);
    CHECK(frames[0].fields == std::vector<std::string>{"a", "", big});
    CHECK(frames[1].fields.empty());
    CHECK(frames[2].fields.front() == "why not");
  }
}

TEST_CASE("a frame that is not whole is not there yet") {
  FrameReader reader;
  const std::string bytes = encode({Word::kNote, {"text"}});
  reader.feed(std::string_view(bytes).substr(0, bytes.size() - 1));
  CHECK_FALSE(reader.next());
  reader.feed(std::string_view(bytes).substr(bytes.size() - 1));
  CHECK(reader.next());
}
