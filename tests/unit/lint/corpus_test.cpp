#include <catch2/catch.hpp>
#include <fstream>
#include <map>

#include "harness/document/located_json.hpp"
#include "harness/lint/lint.hpp"
#include "tests/unit/lint/support.hpp"

using namespace rackproof;
using lint_test::kData;

namespace {

// Paths as people see them who stand in the folder of the tables.
std::string without_folder(std::string text) {
  for (auto at = text.find(kData); at != std::string::npos; at = text.find(kData)) {
    text.erase(at, kData.size());
  }
  return text;
}

std::vector<std::string> messages_of(const std::string& path) {
  std::vector<std::string> messages;
  try {
    const auto table = config::load_placed_platform(path, "");
    for (const auto& complaint : lint::lint(table, lint_test::catalogue())) {
      messages.push_back(without_folder(lint::to_text(complaint)));
    }
  } catch (const document::ConfigError& error) {
    messages.push_back(without_folder(error.what()));
  }
  if (messages.empty()) messages.emplace_back("accepted");
  return messages;
}

// expected.tsv: the file, a tab, a message; a line for each message.
std::map<std::string, std::vector<std::string>> expected_messages() {
  std::map<std::string, std::vector<std::string>> expected;
  std::ifstream table(kData + "expected.tsv");
  for (std::string line; std::getline(table, line);) {
    const auto tab = line.find('\t');
    REQUIRE(tab != std::string::npos);
    expected[line.substr(0, tab)].push_back(line.substr(tab + 1));
  }
  return expected;
}

}  // namespace

TEST_CASE("each wrong table gets its messages with file and line and field") {
  const auto expected = expected_messages();
  const auto files = lint_test::files_in(kData);
  for (const std::string& path : files) {
    const std::string file = std::filesystem::path(path).filename();
    INFO(file);
    REQUIRE(expected.count(file) == 1);
    CHECK(messages_of(path) == expected.at(file));
  }
  CHECK(expected.size() == files.size());
}
