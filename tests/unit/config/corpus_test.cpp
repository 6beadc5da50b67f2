#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "harness/config/bench.hpp"
#include "harness/config/platform.hpp"
#include "harness/config/suite.hpp"
#include "harness/document/schema.hpp"
#include "tests/unit/config/support.hpp"

namespace document = rackproof::document;
using namespace rackproof::config;

namespace {

// Paths as people see them who stand in the folder of the broken files.
std::string without_folder(std::string text) {
  for (auto at = text.find(kData); at != std::string::npos; at = text.find(kData)) {
    text.erase(at, kData.size());
  }
  return text;
}

std::string record_complaint(const std::string& path) {
  std::string all;
  for (const document::SchemaIssue& issue : document::validate(kRecordSchema, slurp(path))) {
    all += all.empty() ? path + ":" + std::to_string(issue.line) + ": " : " | ";
    all += issue.pointer.empty() ? issue.text : issue.pointer + ": " + issue.text;
  }
  return all.empty() ? "accepted" : all;
}

std::string message_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().filename();
  if (folder == "records") return without_folder(record_complaint(path));
  if (folder == "suites") return without_folder(complaint([&] { load_suite(path); }));
  if (folder == "benches") return without_folder(complaint([&] { load_metrics(path); }));
  return without_folder(complaint([&] { load_platform(path, ""); }));
}

std::vector<std::string> broken_files() {
  std::vector<std::string> files;
  for (const char* folder : {"suites", "platforms", "records", "benches"}) {
    for (const auto& entry : std::filesystem::directory_iterator(kData + folder)) {
      files.push_back(std::string(folder) + "/" + entry.path().filename().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// expected.tsv: the file, a tab, its one message.
std::map<std::string, std::string> expected_messages() {
  std::map<std::string, std::string> expected;
  std::ifstream table(kData + "expected.tsv");
  for (std::string line; std::getline(table, line);) {
    const auto tab = line.find('\t');
    REQUIRE(tab != std::string::npos);
    expected[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return expected;
}

}  // namespace

TEST_CASE("each broken file gets its one message") {
  const auto expected = expected_messages();
  for (const std::string& file : broken_files()) {
    INFO(file);
    REQUIRE(expected.count(file) == 1);
    CHECK(message_of(kData + file) == expected.at(file));
  }
  CHECK(expected.size() == broken_files().size());
}

TEST_CASE("each message is one line that names the file") {
  for (const std::string& file : broken_files()) {
    const std::string message = message_of(kData + file);
    INFO(message);
    const std::string folder = message.substr(0, message.find('/'));
    CHECK((folder == "platforms" || folder == "suites" || folder == "records" ||
           folder == "benches"));
    CHECK(message.find('\n') == std::string::npos);
    CHECK(message.size() < 500);
  }
}
