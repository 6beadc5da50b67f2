#include "harness/warden/seal.hpp"

#include <catch2/catch.hpp>
#include <vector>

using rackproof::warden::Seal;

namespace {

const std::vector<std::string> kLines = {R"({"j":"open"})", R"({"j":"out","line":"a"})",
                                         R"({"j":"out","line":"b"})", R"({"j":"close"})"};

std::vector<std::string> written() {
  Seal seal;
  std::vector<std::string> out;
  out.reserve(kLines.size());
  for (const std::string& line : kLines) out.push_back(seal.sealed(line));
  return out;
}

// How many lines do not hold.
int broken(const std::vector<std::string>& lines) {
  Seal seal;
  int count = 0;
  for (const std::string& line : lines) count += seal.opened(line) ? 0 : 1;
  return count;
}

}  // namespace

TEST_CASE("what was sealed opens as it was") {
  Seal seal;
  const std::vector<std::string> lines = written();
  for (std::size_t i = 0; i < lines.size(); ++i) CHECK(seal.opened(lines[i]) == kLines[i]);
}

TEST_CASE("the seal is a digest of the line and of the seal before") {
  // printf '{"a":1}' | sha256sum; printf '%s{"a":1}' 015abd7f5cc57a2d | sha256sum
  Seal seal;
  CHECK(seal.sealed(R"({"a":1})") == R"({"a":1,"seal":"015abd7f5cc57a2d"})");
  CHECK(seal.sealed(R"({"a":1})") == R"({"a":1,"seal":"23abd591feb83378"})");
}

TEST_CASE("the seal that a line carries is told whether or not it holds") {
  CHECK(Seal::of(R"({"a":1,"seal":"015abd7f5cc57a2d"})") == "015abd7f5cc57a2d");
  CHECK(Seal::of(R"({"a":2,"seal":"015abd7f5cc57a2d"})") == "015abd7f5cc57a2d");
  CHECK(Seal::of(R"({"a":1})").empty());
  CHECK(Seal::of("").empty());
}

TEST_CASE("any flipped bit of any byte is seen") {
  const std::vector<std::string> lines = written();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t at = 0; at < lines[i].size(); ++at) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        std::vector<std::string> changed = lines;
        changed[i][at] = static_cast<char>(static_cast<unsigned char>(changed[i][at]) ^ 1U << bit);
        INFO(changed[i]);
        CHECK(broken(changed) >= 1);
      }
    }
  }
}

TEST_CASE("removed, doubled, swapped and inserted lines are seen, and what follows holds") {
  std::vector<std::string> lines = written();
  SECTION("removed") {
    lines.erase(lines.begin() + 1);
    CHECK(broken(lines) == 1);
  }
  SECTION("doubled") {
    lines.insert(lines.begin() + 1, lines[1]);
    CHECK(broken(lines) == 1);
  }
  SECTION("swapped") {
    std::swap(lines[1], lines[2]);
    CHECK(broken(lines) == 3);
  }
  SECTION("inserted, with no seal") {
    lines.insert(lines.begin() + 1, kLines[1]);
    CHECK(broken(lines) == 1);
  }
  SECTION("inserted, with a seal of another place") {
    lines.insert(lines.begin() + 2, Seal().sealed(kLines[1]));
    CHECK(broken(lines) == 2);
  }
}

TEST_CASE("what is too short or no object does not open") {
  Seal seal;
  CHECK_FALSE(seal.opened(""));
  CHECK_FALSE(seal.opened("{}"));
  CHECK_FALSE(seal.opened(R"(,"seal":"0123456789abcdef"})"));
  CHECK_FALSE(seal.opened(R"({"a":1,"seal":"0123456789abcdef"})"));
}
