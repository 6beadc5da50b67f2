#include <catch2/catch.hpp>
#include <set>

#include "harness/config/extent.hpp"
#include "harness/config/platform.hpp"
#include "harness/config/suite.hpp"
#include "harness/document/schema.hpp"
#include "tests/unit/config/support.hpp"

using namespace rackproof::config;
namespace document = rackproof::document;
namespace fs = std::filesystem;
namespace model = rackproof::model;

namespace {

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path().string());
  return files;
}

void check_schema_of(const std::string& file, const std::string& schema) {
  for (const document::SchemaIssue& issue :
       document::validate(kConfigs + "schema/" + schema, slurp(file))) {
    FAIL_CHECK(file << ":" << issue.line << " " << issue.pointer << " " << issue.text);
  }
}

}  // namespace

TEST_CASE("every shipped suite loads and conforms to its schema") {
  std::set<std::string> ids;
  for (const std::string& file : files_in(kConfigs + "suites")) {
    INFO(file);
    const Suite suite = load_suite(file);
    CHECK(suite.info.id == fs::path(file).stem());
    ids.insert(suite.info.id);
    check_schema_of(file, "suite.schema.json");
  }
  CHECK(ids == std::set<std::string>{"acceptance", "certification", "fabric", "gate", "node",
                                     "smoke", "soak"});
}

TEST_CASE("certification measures what acceptance does, three times and for ninety days") {
  const Suite once = load_suite(kConfigs + "suites/acceptance.json");
  const Suite suite = load_suite(kConfigs + "suites/certification.json");
  CHECK(once.info.valid_seconds == 0);
  CHECK(suite.info.valid_seconds == 90 * 24 * 3600.0);
  CHECK(suite.info.claims == once.info.claims);
  CHECK(suite.info.policy == once.info.policy);
  // And whole training steps.
  REQUIRE(suite.steps.size() == once.steps.size() + 1);
  auto next = once.steps.begin();
  for (const Step& here : suite.steps) {
    INFO(here.id);
    CHECK(here.repeat == 3);
    if (here.id == "training-gpu") continue;
    REQUIRE(next != once.steps.end());
    const Step& there = *next++;
    CHECK(here.id == there.id);
    CHECK(here.bench + here.backend == there.bench + there.backend);
    CHECK(here.placement == there.placement);
    REQUIRE(here.expect.size() == there.expect.size());
    for (std::size_t k = 0; k < here.expect.size(); ++k) {
      CHECK(here.expect[k].metric == there.expect[k].metric);
      CHECK(here.expect[k].each == there.expect[k].each);
      CHECK(here.expect[k].required == there.expect[k].required);
    }
    // Only loads are longer.
    CHECK((here.arguments == there.arguments || here.bench == "burn"));
  }
}

TEST_CASE("every shipped platform loads and conforms to its schema") {
  for (const std::string& file : files_in(kConfigs + "platforms")) {
    INFO(file);
    const auto table = load_platform(file, "");
    CHECK(table.id == fs::path(file).stem());
    check_schema_of(file, "platform.schema.json");
  }
}

TEST_CASE("the valid examples conform to the schemas as well") {
  check_schema_of(kData + "valid/suite_full.json", "suite.schema.json");
  check_schema_of(kData + "valid/family.json", "platform.schema.json");
  check_schema_of(kData + "valid/site.json", "platform.schema.json");
}

TEST_CASE("the generic tables are for every machine and claim little") {
  const bool gpu = GENERATE(false, true);
  const auto table = load_platform(
      kConfigs + (gpu ? "platforms/gpu-generic.json" : "platforms/host-generic.json"), "");
  CHECK(table.generic);
  CHECK(table.recognise.size() == (gpu ? 1 : 0));
  for (const model::Baseline& one : table.baselines) {
    INFO(one.id);
    CHECK(one.kind != model::BaselineKind::kAbsolute);
    if (one.kind == model::BaselineKind::kFraction) CHECK(one.source.kind == "derived");
  }
}

TEST_CASE("the build tree and the source tree hold the same files") {
  const std::string share = std::string(RACKPROOF_BINARY_DIR) + "/share/rackproof/";
  CHECK(load_suite(share + "configs/suites/smoke.json").info.id == "smoke");
  CHECK(load_platform(share + "configs/platforms/host-generic.json", "").id == "host-generic");
  for (const char* schema : {"suite", "platform", "record", "report"}) {
    CHECK(fs::exists(share + "schema/" + schema + ".schema.json"));
  }
}

TEST_CASE("the worked examples of the guide load") {
  const std::string guide = slurp(kConfigs + "README.md");
  const std::string fence = "```";
  const TemporaryFolder folder;
  std::vector<std::string> examples;
  for (auto at = guide.find(fence + "json\n"); at != std::string::npos;
       at = guide.find(fence + "json\n", at + 1)) {
    const auto begin = at + fence.size() + 5;
    examples.push_back(guide.substr(begin, guide.find(fence, begin) - begin));
  }
  REQUIRE(examples.size() == 4);
  const std::string platform = folder.file("platform.json", examples[0]);
  const std::string curve = folder.file(
      "curve.json", R"({"schema": "rackproof/platform/1", "id": "curve", "title": "A family",
                        "abstract": true, "baselines": [)" +
                        examples[1] + "]}");
  const std::string assets = folder.file("assets.json", examples[2]);
  const std::string suite = folder.file("suite.json", examples[3]);
  CHECK(complaint([&] { load_platform(platform, ""); }) == "accepted");
  CHECK(complaint([&] { load_platform(curve, ""); }) == "accepted");
  CHECK(complaint([&] { load_assets(assets); }) == "accepted");
  CHECK(complaint([&] { load_suite(suite); }) == "accepted");
  check_schema_of(assets, "assets.schema.json");
  check_schema_of(platform, "platform.schema.json");
  check_schema_of(curve, "platform.schema.json");
  check_schema_of(suite, "suite.schema.json");
}
