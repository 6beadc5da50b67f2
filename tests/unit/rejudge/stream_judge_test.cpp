#include "harness/rejudge/stream_judge.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "harness/judge/judge.hpp"
#include "harness/support/parallel.hpp"
#include "reports/json/report_json.hpp"
#include "reports/terminal/terminal.hpp"

using namespace rackproof;

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

model::Report sample() {
  return model::report_from_json(
      text_of(RACKPROOF_SOURCE_DIR "/tests/golden/report/sample.report.json"));
}

/// Judged in memory, without what judging in pieces does not keep.
model::Report by_memory(model::Report report) {
  judge::judge(report);
  return report;
}

void compare(const model::Report& report) {
  const std::string text = model::to_json(report);
  const model::ReportPieces pieces(
      [&text](std::uint64_t offset, std::size_t size, char* to) { text.copy(to, size, offset); },
      text.size());
  model::Report streamed = pieces.without_cells();
  const terminal::PassedCells passed = rejudge::judge_in_pieces(pieces, streamed, nullptr);
  model::Report expected = by_memory(report);
  model::Report by_all = report;
  judge::judge(by_all, support::on_all_cores);
  CHECK(model::to_json(by_all) == model::to_json(expected));
  CHECK(terminal::render(streamed, passed, {}) == terminal::render(expected, {}));
  std::erase_if(expected.cells, [](const model::Cell& cell) {
    return cell.verdict.outcome == model::Outcome::kPass;
  });
  for (model::Cell& cell : expected.cells) {
    for (model::Measurement& one : cell.measurements) one.samples.clear();
    for (model::Measurement& one : cell.confirmations) one.samples.clear();
  }
  CHECK(model::to_json(streamed) == model::to_json(expected));
}

constexpr int kConfirmations = 2;

/// The sample many times over, on hosts of their own, with noise and a few slow hosts: its cells
/// fill several pieces, and some fail by their peers alone.
model::Report fleet_of(int copies, unsigned seed, bool outliers_fail) {
  const model::Report one = sample();
  model::Report report = one;
  report.cells.clear();
  report.attempts.clear();
  report.nodes.clear();
  report.platform_of_host.clear();
  report.suite.policy.peer_outlier_fails = outliers_fail;
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(1, 0.002);
  for (int copy = 0; copy < copies; ++copy) {
    const std::string suffix = "-" + std::to_string(copy);
    const auto rename = [&suffix](model::Subject& subject) {
      if (!subject.host.empty()) subject.host += suffix;
      if (!subject.peer_host.empty()) subject.peer_host += suffix;
      if (!subject.group.empty()) subject.group += suffix;
      for (std::string& member : subject.members) member += suffix;
    };
    for (model::NodeInventory node : one.nodes) {
      report.platform_of_host[node.host + suffix] = one.platform_of_host.at(node.host);
      node.host += suffix;
      report.nodes.push_back(std::move(node));
    }
    for (model::Attempt attempt : one.attempts) {
      attempt.nonce += suffix;
      attempt.host += suffix;
      rename(attempt.subject);
      report.attempts.push_back(attempt);
      for (int time = 0; time < kConfirmations; ++time) {
        model::Attempt again = attempt;
        again.nonce += "-again-" + std::to_string(time);
        again.number += 10 + time;
        again.confirms = true;
        report.attempts.push_back(std::move(again));
      }
    }
    const double slow = copy % 41 == 7 ? 0.92 : 1;
    for (model::Cell cell : one.cells) {
      cell.id += suffix;
      rename(cell.subject);
      for (model::Measurement& measurement : cell.measurements) {
        measurement.attempt += suffix;
        rename(measurement.subject);
        const double factor = noise(random) * slow;
        measurement.value *= factor;
        for (double& value : measurement.samples) value *= factor;
      }
      for (int time = 0; time < kConfirmations && !cell.measurements.empty(); ++time) {
        cell.confirmations.push_back(cell.measurements.back());
        cell.confirmations.back().attempt += "-again-" + std::to_string(time);
      }
      report.cells.push_back(std::move(cell));
    }
  }
  return report;
}

}  // namespace

TEST_CASE("a report judged where it is gets the verdicts of one in memory") {
  compare(sample());
  for (const auto& file :
       std::filesystem::directory_iterator(RACKPROOF_SOURCE_DIR "/tests/fuzz/corpus/report")) {
    INFO(file.path());
    compare(model::report_from_json(text_of(file.path())));
  }
}

TEST_CASE("a large report judged where it is gets the verdicts of one in memory") {
  const bool outliers_fail = GENERATE(false, true);
  const model::Report report = fleet_of(100, 3, outliers_fail);
  const model::Report judged = by_memory(report);
  const bool by_peers =
      std::any_of(judged.cells.begin(), judged.cells.end(),
                  [](const model::Cell& cell) { return cell.verdict.reason_id == "peer-outlier"; });
  REQUIRE(by_peers == outliers_fail);
  compare(report);
}

TEST_CASE("a voter that is outvoted condemns the same cells wherever they are") {
  model::Report report = fleet_of(60, 4, true);
  for (std::size_t i = 0; i < report.attempts.size(); ++i) {
    for (model::CheckResult& check : report.attempts[i].checks) {
      check.digest = i % 50 == 13 ? "bad" : "good";
    }
  }
  const model::Report judged = by_memory(report);
  CHECK(std::any_of(judged.findings.begin(), judged.findings.end(),
                    [](const model::Finding& finding) { return finding.id == "digest-mismatch"; }));
  compare(report);
}

TEST_CASE("a report without cells is judged") {
  model::Report report = sample();
  report.cells.clear();
  compare(report);
}
