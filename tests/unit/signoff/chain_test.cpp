#include "harness/signoff/chain.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "harness/support/digest.hpp"
#include "harness/warden/seal.hpp"

using namespace rackproof;
using namespace rackproof::signoff;

namespace {

constexpr const char* kClose = R"({"j":"close","reason":"finished"})";

std::vector<std::string> some_lines() {
  std::vector<std::string> lines = {R"({"j":"open"})"};
  for (int i = 0; i < 8; ++i) {
    lines.push_back(R"({"j":"out","text":")" + std::to_string(i) + "\"}");
  }
  return lines;
}

std::string sealed(const std::vector<std::string>& lines) {
  warden::Seal seal;
  std::string text;
  for (const std::string& line : lines) text += seal.sealed(line) + "\n";
  return text;
}

// A journal that was closed after the report was made.
std::string closed() {
  std::vector<std::string> lines = some_lines();
  lines.emplace_back(kClose);
  return sealed(lines);
}

model::JournalInfo info_of(const std::string& bytes) {
  model::JournalInfo info;
  info.file = "j";
  info.bytes = static_cast<std::int64_t>(bytes.size());
  info.lines = std::count(bytes.begin(), bytes.end(), '\n');
  info.sha256 = support::sha256_hex(bytes);
  return info;
}

const model::JournalInfo kInfo = info_of(sealed(some_lines()));

std::size_t start_of_line(const std::string& text, int number) {
  std::size_t at = 0;
  for (int i = 1; i < number; ++i) at = text.find('\n', at) + 1;
  return at;
}

std::string first_fault(const std::string& bytes, bool ended = true) {
  const Chain chain = examine_journal(kInfo, bytes, ended);
  return chain.faults.empty() ? "" : chain.faults.front();
}

}  // namespace

TEST_CASE("a journal holds as it was, and closed since") {
  const Chain chain = examine_journal(kInfo, closed(), true);
  CHECK(chain.same);
  CHECK(chain.faults.empty());
  CHECK(chain.note.empty());
  CHECK(examine_journal(info_of(closed()), closed(), true).faults.empty());
  CHECK(examine_journal(kInfo, sealed(some_lines()), false).faults.empty());
}

TEST_CASE("any changed byte of a journal is found on its line or the one after it") {
  const std::string whole = closed();
  int line = 1;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ 1U << bit);
      const std::string found = first_fault(changed);
      INFO(changed);
      const bool here = found.starts_with("j:" + std::to_string(line) + ": ");
      const bool next = found.starts_with("j:" + std::to_string(line + 1) + ": ");
      CHECK((here || next));
    }
    if (whole[at] == '\n') ++line;
  }
}

TEST_CASE("a line that was removed or added is found where it was") {
  const std::string whole = closed();
  for (int number = 1; number <= 9; ++number) {
    std::string changed = whole;
    const std::size_t from = start_of_line(whole, number);
    changed.erase(from, whole.find('\n', from) + 1 - from);
    CHECK(first_fault(changed).starts_with("j:" + std::to_string(number) + ": "));
    changed = whole;
    changed.insert(from, "{\"j\":\"out\",\"text\":\"x\",\"seal\":\"0123456789abcdef\"}\n");
    CHECK(first_fault(changed).starts_with("j:" + std::to_string(number) + ": "));
  }
}

TEST_CASE("what was written behind the bytes of a report is seen though its seals hold") {
  std::vector<std::string> lines = some_lines();
  CHECK(first_fault(sealed(lines)) == "j:10: the line that closes the journal is missing");
  lines.emplace_back(R"({"j":"out","text":"more"})");
  CHECK(first_fault(sealed(lines)) == "j:10: was added after the report was made");
  const Chain open = examine_journal(kInfo, sealed(lines), false);
  CHECK(open.faults.empty());
  CHECK(open.note == "1 more line(s) were written after the report was made");
  lines.back() = kClose;
  lines.emplace_back(R"({"j":"out","text":"more"})");
  CHECK(first_fault(sealed(lines)) == "j:11: was added after the journal was closed");
}

TEST_CASE("a journal that was sealed anew, or cut, is not that of the report") {
  std::vector<std::string> lines = some_lines();
  lines[4] = R"({"j":"out","text":"y"})";
  lines.emplace_back(kClose);
  Chain chain = examine_journal(kInfo, sealed(lines), true);
  CHECK_FALSE(chain.same);
  REQUIRE(chain.faults.size() == 1);
  CHECK(chain.faults[0].find("j: its first ") == 0);
  lines.resize(5);
  chain = examine_journal(kInfo, sealed(lines), true);
  CHECK(chain.faults.front() == "j: ends after 5 of 9 lines");
}

TEST_CASE("damage that the report tells of is no fault") {
  std::string bytes = sealed(some_lines());
  bytes[start_of_line(bytes, 3) + 10] ^= 1;
  model::JournalInfo info = info_of(bytes);
  CHECK_FALSE(examine_journal(info, bytes, false).faults.empty());
  info.damaged = {3};
  CHECK(examine_journal(info, bytes, false).faults.empty());
  CHECK(examine_journal(info, bytes, false).same);
}
