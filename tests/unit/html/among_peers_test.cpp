#include "reports/html/among_peers.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

namespace rackproof::html {
namespace {

model::Cell cell_of_gpu(const std::string& device, std::optional<double> observed) {
  model::Cell cell;
  cell.step = "stream";
  cell.metric = "stream.triad";
  cell.subject.kind = contract::SubjectKind::kDevice;
  cell.subject.host = "hgx-01";
  cell.subject.device = device;
  cell.verdict.observed = observed;
  cell.measurements.emplace_back().unit = "B/s";
  return cell;
}

std::size_t count(const std::string& text, const std::string& words) {
  std::size_t found = 0;
  for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("a part is drawn among its peers, with its limit") {
  model::Report report;
  for (const double value : {4e12, 4.1e12, 3.9e12, 4e12}) {
    report.cells.push_back(cell_of_gpu(std::to_string(report.cells.size()), value));
  }
  report.cells.push_back(cell_of_gpu("bad", 3e12));
  report.cells.back().verdict.limit_low = 3.5e12;
  const std::string picture = among_peers(report, report.cells.back());
  CHECK(count(picture, "class=\"own\" cx") == 1);
  // Two of the four are equal and lie on one another.
  CHECK(count(picture, " 32h0") == 3);
  CHECK(count(picture, "class=\"limit\"") == 1);
  CHECK(picture.find("4 of the same kind, 3.9 TB/s to 4.1 TB/s") != std::string::npos);
  CHECK(picture.find("hgx-01/bad: 3 TB/s") != std::string::npos);
}

TEST_CASE("only like cells with a number are peers, and few make no picture") {
  model::Report report;
  for (int i = 0; i < 3; ++i) report.cells.push_back(cell_of_gpu(std::to_string(i), 4e12));
  report.cells.push_back(cell_of_gpu("bad", 3e12));
  const model::Cell bad = report.cells.back();
  CHECK(!among_peers(report, bad).empty());
  SECTION("another step") { report.cells[0].step = "other"; }
  SECTION("another metric") { report.cells[0].metric = "stream.copy"; }
  SECTION("other parameters") { report.cells[0].parameters["bytes"] = std::int64_t{1}; }
  SECTION("another unit") { report.cells[0].measurements[0].unit = "s"; }
  SECTION("another kind of subject") {
    report.cells[0].subject.kind = contract::SubjectKind::kNode;
  }
  SECTION("no value") { report.cells[0].verdict.observed.reset(); }
  SECTION("no number") {
    report.cells[0].verdict.observed = std::numeric_limits<double>::quiet_NaN();
  }
  CHECK(among_peers(report, bad).empty());
}

TEST_CASE("what a report says is text in the picture") {
  model::Report report;
  for (int i = 0; i < 4; ++i) {
    report.cells.push_back(cell_of_gpu(std::to_string(i) + "<b>", 4e12 + i));
    report.cells.back().metric = "<script>";
  }
  const std::string picture = among_peers(report, report.cells.back());
  CHECK(!picture.empty());
  CHECK(picture.find("<script>") == std::string::npos);
  CHECK(picture.find("<b>") == std::string::npos);
}

}  // namespace rackproof::html
