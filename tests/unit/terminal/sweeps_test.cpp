#include "reports/terminal/sweeps.hpp"

#include <catch2/catch.hpp>

#include "reports/terminal/terminal.hpp"

namespace rackproof::terminal {
namespace {

model::Cell of_size(std::int64_t bytes, const std::string& word, model::Outcome outcome,
                    double value) {
  model::Cell cell;
  cell.step = "collectives";
  cell.metric = "all_reduce." + word;
  cell.parameters["bytes"] = bytes;
  cell.parameters["redop"] = std::string("sum");
  cell.verdict.outcome = outcome;
  cell.verdict.reason_id = "some-reason";
  if (value <= 0) return cell;
  auto& measurement = cell.measurements.emplace_back();
  measurement.unit = word == "busbw" ? "B/s" : "s";
  measurement.better = word == "busbw" ? contract::Better::kMore : contract::Better::kLess;
  cell.verdict.observed = value;
  if (outcome != model::Outcome::kVerified && word == "busbw") cell.verdict.limit_low = 40e9;
  return cell;
}

/// Two hosts at three sizes: the middle one fails on the second.
model::Report swept() {
  using model::Outcome;
  model::Report report;
  for (const std::int64_t bytes : {1024, 1 << 20, 1 << 29}) {
    const Outcome outcome = bytes == 1 << 20 ? Outcome::kFail : Outcome::kPass;
    report.cells.push_back(of_size(bytes, "busbw", Outcome::kPass, 50e9));
    report.cells.push_back(of_size(bytes, "busbw", outcome, 45e9));
    report.cells.push_back(of_size(bytes, "time", Outcome::kVerified, 2e-3));
    report.cells.push_back(of_size(bytes, "time", Outcome::kVerified, 3e-3));
  }
  return report;
}

bool table_says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an operation at three sizes is a table, the worst number of each metric in it") {
  const std::string text = render(swept(), {});
  CHECK(table_says(
      text, "BY SIZE (the worst of all subjects)\n  all_reduce redop=sum, step collectives\n"));
  CHECK(table_says(text, "    size  cells    busbw  time  busbw limit  result\n"));
  CHECK(table_says(text, "    1K        4  45 GB/s  3 ms   >= 40 GB/s    pass\n"));
  CHECK(table_says(text, "    1M        4  45 GB/s  3 ms   >= 40 GB/s  1 fail\n"));
  CHECK(table_says(text, "    512M      4  45 GB/s  3 ms   >= 40 GB/s    pass\n"));
}

TEST_CASE("what stands by size is counted where it passed, and not told twice") {
  const std::string text = render(swept(), {});
  CHECK(table_says(text, "PASSED (5 cells)\n  5 cells of sweeps: below, by size\n"));
  CHECK(table_says(
      text, "VERIFIED, WITHOUT A SPEED LIMIT (6 cells)\n  6 cells of sweeps: below, by size\n"));
}

TEST_CASE("two sizes are no sweep") {
  model::Report report = swept();
  std::erase_if(report.cells, [](const model::Cell& cell) {
    return cell.parameters.at("bytes") == contract::Scalar(std::int64_t{1024});
  });
  CHECK_FALSE(table_says(render(report, {}), "BY SIZE"));
}

TEST_CASE("a size of which nothing was measured has its row") {
  model::Report report = swept();
  report.cells.push_back(of_size(std::int64_t{1} << 31, "busbw", model::Outcome::kUntested, 0));
  const std::string text = render(report, {});
  CHECK(table_says(text, "    2G        1"));
  CHECK(table_says(text, "1 untested\n"));
}

}  // namespace rackproof::terminal
