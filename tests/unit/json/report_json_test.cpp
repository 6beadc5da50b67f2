#include "reports/json/report_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/golden/golden.hpp"

namespace rackproof::model {
namespace {

using nlohmann::json;

const std::string& sample() {
  static const std::string kText = golden::read("report/sample.report.json");
  return kText;
}

std::string why_not(const std::string& text) {
  try {
    report_from_json(text);
  } catch (const BadReport& error) {
    return error.what();
  }
  return "accepted";
}

/// The message for the sample after a change at a place.
template <class Change>
std::string why_not_after(Change change) {
  json document = json::parse(sample());
  change(document);
  return why_not(document.dump());
}

}  // namespace

TEST_CASE("the sample is in canonical form") {
  const Report report = report_from_json(sample());
  golden::check("report/sample.report.json", to_json(report));
  CHECK(report.cells.size() == 21);
  CHECK(report.acceptance == Acceptance::kRejected);
  CHECK(report.cells[0].measurements.at(0).samples.size() == 9);
  CHECK(report.cells[0].parameters.at("threads") == contract::Scalar{std::int64_t{16}});
}

TEST_CASE("an empty report has every collection and no empty text that means none") {
  const json document = json::parse(to_json(Report{}));
  CHECK(document["cells"].is_array());
  CHECK(document["findings"].is_array());
  CHECK(document["platform_of_host"].is_object());
  CHECK_FALSE(document["run"].contains("ended_utc"));
  CHECK(document["run"]["seconds"].is_number_float());
  CHECK(document["acceptance"] == "incomplete");
  CHECK(report_from_json(to_json(Report{})) == Report{});
}

TEST_CASE("the bytes end in one newline, keys are sorted, the indentation is one space") {
  const std::string bytes = to_json(Report{});
  CHECK(bytes.starts_with("{\n \"acceptance\": \"incomplete\",\n"));
  CHECK(bytes.ends_with("\n}\n"));
}

TEST_CASE("a report is written in parts of which each holds one cell at most") {
  Report report = report_from_json(sample());
  // What looks like the place of the cells, inside a text.
  report.cells[0].verdict.reason = "\n \"cells\": []";
  std::string all;
  std::size_t parts = 0;
  std::size_t largest = 0;
  write_json(report, [&](std::string_view part) {
    all += part;
    ++parts;
    largest = std::max(largest, part.size());
  });
  CHECK(json::parse(all).dump(1) + '\n' == all);
  CHECK(report_from_json(all) == report);
  CHECK(parts > 2 * report.cells.size());
  CHECK(largest < all.size() / 2);
  report.cells.clear();
  CHECK(report_from_json(to_json(report)).cells.empty());
  CHECK(json::parse(to_json(report)).dump(1) + '\n' == to_json(report));
}

TEST_CASE("measurements of an attempt stay in memory") {
  Report report;
  report.attempts.emplace_back().measurements.emplace_back().metric = "stream.triad";
  CHECK(to_json(report).find("stream.triad") == std::string::npos);
}

TEST_CASE("a key that earlier builds wrote is read over, and no other one") {
  json document = json::parse(sample());
  document["platforms"][0]["baselines"][0]["required"] = false;
  CHECK(report_from_json(document.dump()) == report_from_json(sample()));
  document["platforms"][0]["baselines"][0]["wanted"] = false;
  CHECK(why_not(document.dump())
            .starts_with("/platforms/0/baselines/0: unknown key \"wanted\", expected only id, "));
}

TEST_CASE("wrong places are named with what was expected") {
  CHECK(why_not_after([](json& j) { j["cells"][3]["verdict"]["outcome"] = "passed"; }) ==
        "/cells/3/verdict/outcome: expected one of pass, verified, fail, unjudged, untested, "
        "waived, found the "
        "text \"passed\"");
  CHECK(why_not_after([](json& j) {
          j["cells"][0]["metrik"] = 1;
        }).starts_with("/cells/0: unknown key \"metrik\", expected only id, step, "));
  CHECK(why_not_after([](json& j) { j["run"].erase("id"); }) == "/run: the key \"id\" is missing");
  CHECK(why_not_after([](json& j) {
          j["run"]["ranks"] = "4";
        }).starts_with("/run/ranks: expected an integer from "));
  CHECK(why_not_after([](json& j) {
          j["run"]["ranks"] = 4.0;
        }).starts_with("/run/ranks: expected an integer from "));
  CHECK(why_not_after([](json& j) { j["cells"] = json::object(); }) ==
        "/cells: expected an array, found an object");
  CHECK(why_not_after([](json& j) { j["counts"] = nullptr; }) ==
        "/counts: expected an object, found null");
  CHECK(why_not_after([](json& j) { j["cells"][1]["measurements"][0]["samples"][2] = "fast"; }) ==
        "/cells/1/measurements/0/samples/2: expected a number, found the text \"fast\"");
  CHECK(why_not_after([](json& j) { j["cells"][1]["parameters"]["type"] = json::array(); }) ==
        "/cells/1/parameters/type: expected true, false, a number or a text, found an array");
  CHECK(why_not_after([](json& j) { j["run"]["completed"] = 1; }) ==
        "/run/completed: expected true or false, found 1");
  CHECK(why_not_after([](json& j) {
          j["attempts"][0]["ending"]["kind"] = "done";
        }).starts_with("/attempts/0/ending/kind: expected one of completed, "));
  CHECK(why_not_after([](json& j) { j["\x1B[31m"] = 1; }).find('\x1B') == std::string::npos);
}

TEST_CASE("another schema version is refused before anything else, naming both") {
  const auto with_version = [](const char* version) {
    return why_not_after([version](json& j) {
      j["schema_version"] = version;
      j["something_new"] = true;
    });
  };
  CHECK(
      with_version("1.10") ==
      "/schema_version: the report is of schema version 1.10, this program reads 1.0 to 1.9; use a "
      "newer rackproof");
  CHECK(with_version("2.0").find("version 2.0") != std::string::npos);
  CHECK(with_version("0.9").find("use the rackproof that wrote it") != std::string::npos);
  for (const char* wrong :
       {"", "1", "1.", ".0", "1.0.0", "v1.0", "1.0 ", "-1.0", "99999999999.0"}) {
    INFO(wrong);
    CHECK(with_version(wrong).starts_with("/schema_version: expected a version as in \"1.9\""));
  }
  CHECK(why_not("{}") == "the document: the key \"schema_version\" is missing");
  CHECK(why_not("[]") == "the document: expected an object, found an array");
}

TEST_CASE("a report that was cut off anywhere is refused") {
  const std::string& whole = sample();
  for (std::size_t length = 0; length + 2 < whole.size(); length += 97) {
    INFO(length);
    const std::string message = why_not(whole.substr(0, length));
    CHECK((message.find("cut off") != std::string::npos || message == "the document is empty"));
  }
}

TEST_CASE("garbage, deep nesting and duplicates are refused") {
  CHECK(why_not(std::string(1 << 20, '\xFE')).find("not JSON") != std::string::npos);
  CHECK(why_not(std::string(10000, '[') + std::string(10000, ']')) ==
        "nested deeper than 64 levels");
  std::string doubled = sample();
  doubled.insert(1, "\"acceptance\": \"accepted\",");
  CHECK(why_not(doubled) == "the document: key \"acceptance\" appears twice");
}

TEST_CASE("a host that is there twice would count as two and is refused") {
  Report report;
  report.nodes = {{"node1", {}, {}}, {"node2", {}, {}}, {"node1", {}, {}}};
  CHECK(host_told_twice(report) == "node1");
  CHECK_THROWS_WITH(report_from_json(to_json(report)),
                    Catch::Contains("/nodes: node1 is there twice"));
  report.nodes.pop_back();
  CHECK(host_told_twice(report).empty());
  CHECK(report_from_json(to_json(report)) == report);
}

TEST_CASE("an attempt that was given a device has it however its report is laid out") {
  Report report;
  Attempt& attempt = report.attempts.emplace_back();
  attempt.arguments = {"--rank", "1", "--device", "GPU-1"};
  attempt.device = "GPU-1";
  const std::string text = to_json(report);
  CHECK(report_from_json(text) == report);
  CHECK(careful_report_from_json(text) == report);
}

TEST_CASE("damaged bytes never do worse than a refusal") {
  std::mt19937 engine(20);
  for (int i = 0; i < 300; ++i) {
    std::string text = sample();
    for (int k = 0; k < 3; ++k) text[engine() % text.size()] = static_cast<char>(engine());
    const std::string message = why_not(text);
    CHECK_FALSE(message.empty());
    CHECK(message.size() < 2000);
  }
}

}  // namespace rackproof::model
