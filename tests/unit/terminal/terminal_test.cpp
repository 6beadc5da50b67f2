#include "reports/terminal/terminal.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "reports/model/printable.hpp"

namespace rackproof::terminal {
namespace {

using model::Cell;
using model::Outcome;

Cell cell_of(const std::string& host, const std::string& metric, Outcome outcome) {
  Cell cell;
  cell.step = "stream";
  cell.subject.host = host;
  cell.metric = metric;
  cell.verdict.outcome = outcome;
  cell.verdict.reason_id = "some-reason";
  cell.verdict.reason = "because of it";
  return cell;
}

Cell measured(const std::string& host, Outcome outcome, double value) {
  Cell cell = cell_of(host, "stream.triad", outcome);
  auto& measurement = cell.measurements.emplace_back();
  measurement.unit = "B/s";
  measurement.value = value;
  cell.verdict.observed = value;
  cell.verdict.statistic = contract::Statistic::kBest;
  cell.verdict.limit_low = 10e9;
  return cell;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("the verdict is the first word") {
  model::Report report;
  report.acceptance_reason = "all is well";
  report.acceptance = model::Acceptance::kAccepted;
  CHECK(render(report, {}).starts_with("ACCEPTED 0 hosts, 0 GPUs: all is well\n"));
  report.acceptance = model::Acceptance::kRejected;
  CHECK(render(report, {}).starts_with("REJECTED 0 hosts, 0 GPUs: all is well\n"));
  report.acceptance = model::Acceptance::kVerified;
  CHECK(render(report, {}).starts_with("VERIFIED, NOT ACCEPTED 0 hosts, 0 GPUs: all is well\n"));
  CHECK(render(model::Report{}, {}).starts_with("INCOMPLETE 0 hosts, 0 GPUs\n"));
}

TEST_CASE("when the detectors were proven is said, and by which build") {
  model::Report report;
  CHECK(has(render(report, {}), "fault detection not self-tested"));
  report.tool.version = "2";
  report.tool.commit = "abc";
  report.tool.proof = {"2030-01-01T00:00:00.000Z", "2", "abc", 4, 17, 1, 6};
  const std::string same = render(report, {});
  CHECK(has(same, "2030-01-01T00:00:00.000Z by this build on 4 ranks"));
  CHECK(has(same, "1 missed, 6 not tested"));
  report.tool.proof.commit = "abd";
  CHECK(has(render(report, {}), "another build, 2 (abd)"));
}

TEST_CASE("a failed cell is told with number, limit, ratio and reason") {
  model::Report report;
  Cell cell = measured("node3", Outcome::kFail, 8.12e9);
  cell.parameters["type"] = std::string("double");
  cell.verdict.ratio = 0.796;
  report.cells = {cell};
  const std::string text = render(report, {});
  CHECK(has(text, "FAILED (1 cell)\n"));
  CHECK(has(text, "  node3 stream.triad type=double\n"));
  CHECK(has(text, "8.12 GB/s (best), limit >= 10 GB/s, 79.6 % of expected"));
  CHECK(has(text, "some-reason: because of it"));
}

TEST_CASE("what may explain a cell stands beneath its reason, the gravest first") {
  model::Report report;
  Cell cell = measured("node3", Outcome::kFail, 8.12e9);
  for (const char* rule : {"a", "b", "c", "d", "e"}) {
    cell.causes.push_back({rule, "node3 eth0", std::string("3 errors by ") + rule});
  }
  report.cells = {cell};
  const std::string text = render(report, {});
  CHECK(has(text, "some-reason: because of it\n      seen: node3 eth0: 3 errors by a\n"));
  CHECK(has(text, "seen: node3 eth0: 3 errors by c\n      and 2 more in the report\n"));
  report.cells[0].causes = {{"no-cause-seen", "", "no cause seen"}};
  CHECK(has(render(report, {}), "because of it\n      no cause seen\n"));
}

TEST_CASE("what recording cost is one line and each recording with a problem another") {
  model::Report report;
  CHECK_FALSE(has(render(report, {}), "record"));
  model::RecordingInfo info;
  info.host = "n1";
  info.samples = 10;
  info.closed = true;
  info.interval_seconds = 0.1;
  info.slowest_seconds = 0.1;
  info.cpu_seconds_per_sample = 35e-6;
  report.recordings = {info, info};
  report.recordings[1].host = "n2";
  CHECK(has(render(report, {}),
            "recorded: 2 hosts every 100 ms, at most 35 us of CPU time a sample "
            "and device (0.035 % of a\n  processor)\n"));
  report.recordings[0].slowest_seconds = 0.4;
  CHECK(has(render(report, {}), "every 100 ms, slowed down to 400 ms to stay in its budget, at"));
  CHECK_FALSE(has(render(report, {}), "recording of"));
  report.recordings[0].closed = false;
  report.recordings[0].ends_utc = "2030-01-01T00:00:00.000Z";
  report.recordings[1] = {};
  report.recordings[1].host = "n2";
  report.recordings[1].problem = "no such file";
  const std::string text = render(report, {});
  CHECK(has(text, "recorded: 1 host every"));
  CHECK(has(text, "recording of n1: ends at 2030-01-01T00:00:00.000Z, after 10 samples\n"));
  CHECK(has(text, "recording of n2: no such file\n"));
}

TEST_CASE("with all cells stands what was recorded in the steps that are explained") {
  model::Report report;
  Cell cell = measured("node3", Outcome::kFail, 8.12e9);
  cell.causes = {{"no-cause-seen", "", "no cause seen"}};
  report.cells = {cell};
  model::Attempt attempt;
  attempt.step = "stream";
  attempt.host = "node3";
  attempt.subject.host = "node3";
  attempt.seconds = 12;
  model::SeriesSummary power{"gpu.power", "G0", "W", 9, 100, 500, 600, 610, {}, {}, ""};
  model::SeriesSummary errors{"nic.send_errors", "eth0", "1", 9, {}, {}, {}, {}, 3, {}, ""};
  model::SeriesSummary mask{"gpu.throttle", "G0", "1", 9, {}, {}, {}, {}, {}, {}, "no answer"};
  mask.shares["power-cap"] = 0.93;
  attempt.recorded = {power, errors, mask};
  report.attempts = {attempt};
  CHECK_FALSE(has(render(report, {}), "RECORDED"));
  const std::string text = render(report, {.all_cells = true});
  CHECK(has(text, "RECORDED MEANWHILE (1 attempt)\n  node3 step stream, node3, attempt 1, 12 s\n"));
  CHECK(has(text, "      gpu.power of G0: min 100 W, median 500 W, p95 600 W, max 610 W\n"));
  CHECK(has(text, "      nic.send_errors of eth0: by 3\n"));
  CHECK(has(text, "      gpu.throttle of G0: power-cap 93 % of the time, missing: no answer\n"));
  report.cells[0].causes.clear();
  CHECK_FALSE(has(render(report, {.all_cells = true}), "RECORDED"));
}

TEST_CASE("cells without a number that share subject and reason are one entry") {
  model::Report report;
  for (const char* metric : {"stream.copy", "stream.scale", "stream.add"}) {
    report.cells.push_back(cell_of("node1", metric, Outcome::kUntested));
  }
  report.cells.push_back(cell_of("node2", "stream.copy", Outcome::kUntested));
  const std::string text = render(report, {});
  CHECK(has(text, "UNTESTED (4 cells)"));
  CHECK(has(text, "node1 stream.copy, stream.scale, stream.add\n"));
  CHECK(occurrences(text, "because of it") == 2);
}

TEST_CASE("of hundreds the first twenty are shown and the rest is counted") {
  model::Report report;
  for (int i = 0; i < 300; ++i) {
    report.cells.push_back(measured("node" + std::to_string(i), Outcome::kFail, 1e9));
    report.cells.push_back(cell_of("node" + std::to_string(i), "gemm.rate", Outcome::kUnjudged));
  }
  const std::string text = render(report, {});
  CHECK(has(text, "FAILED (300 cells)"));
  CHECK(has(text, "  node19 stream.triad\n"));
  CHECK_FALSE(has(text, "  node20 stream.triad\n"));
  CHECK(has(text, "and 280 cells more: 280 x stream.triad (some-reason)"));
  CHECK(has(text, "and 280 cells more: 280 x gemm.rate (some-reason)"));
}

TEST_CASE("required cells come before the others") {
  model::Report report;
  report.cells = {measured("optional", Outcome::kFail, 1e9),
                  measured("needed", Outcome::kFail, 1e9)};
  report.cells[0].required = false;
  const std::string text = render(report, {});
  CHECK(text.find("  needed") < text.find("  optional"));
  CHECK(has(text, "stream.triad (not required)"));
}

TEST_CASE("what passed is a table by step and metric") {
  model::Report report;
  report.cells = {measured("a", Outcome::kPass, 30e9), measured("b", Outcome::kPass, 10e9),
                  measured("c", Outcome::kPass, 20e9)};
  report.cells[2].verdict.limit_low = 5e9;
  const std::string text = render(report, {});
  CHECK(has(text, "PASSED (3 cells)"));
  CHECK(has(text, "stream  stream.triad      3  10 GB/s  20 GB/s  30 GB/s     >= 5 GB/s\n"));
}

TEST_CASE("on one machine the table has one number a row") {
  model::Report report;
  report.cells = {measured("a", Outcome::kPass, 30e9)};
  CHECK(has(render(report, {}),
            "  step    metric        observed       limit\n"
            "  stream  stream.triad   30 GB/s  >= 10 GB/s\n"));
}

TEST_CASE("waivers are counted by reason, and a long list of reasons is cut") {
  model::Report report;
  for (int i = 0; i < 25; ++i) {
    Cell cell = cell_of("a", "m" + std::to_string(i), Outcome::kWaived);
    report.cells.insert(report.cells.end(), 2, cell);
  }
  const std::string text = render(report, {});
  CHECK(has(text, "WAIVED (50 cells)"));
  CHECK(has(text, "  2 x m19, step stream: because of it\n  and 5 reasons more\n"));
}

TEST_CASE("different parameters are never one row, and a long sweep is one line") {
  const auto sweep = [](int sets) {
    model::Report report;
    for (int i = 0; i < sets; ++i) {
      Cell cell = measured("a", Outcome::kPass, 30e9);
      cell.parameters["k"] = std::int64_t{100 + i};
      report.cells.push_back(cell);
      cell.subject.host = "b";
      report.cells.push_back(cell);
    }
    return render(report, {});
  };
  CHECK(has(sweep(6), "k=105 "));
  CHECK_FALSE(has(sweep(7), "k=105 "));
  CHECK(has(sweep(40), "stream.triad, step stream: 80 cells passed, at 40 parameter sets\n"));
}

TEST_CASE("for times the worst is the longest") {
  model::Report report;
  for (const double value : {2e-6, 4e-6}) {
    Cell cell = measured("a", Outcome::kPass, value);
    cell.measurements[0].unit = "s";
    cell.measurements[0].better = contract::Better::kLess;
    cell.verdict.limit_low.reset();
    cell.verdict.limit_high = 9e-6;
    report.cells.push_back(cell);
  }
  CHECK(has(render(report, {}), "2   4 us    3 us  2 us       <= 9 us\n"));
}

TEST_CASE("what was only verified stands apart from what passed") {
  model::Report report;
  report.cells = {measured("a", Outcome::kPass, 30e9), measured("a", Outcome::kVerified, 20e9),
                  measured("b", Outcome::kVerified, 10e9)};
  const std::string text = render(report, {});
  CHECK(has(text, "PASSED (1 cell)"));
  CHECK(has(text, "VERIFIED, WITHOUT A SPEED LIMIT (2 cells)"));
}

TEST_CASE("a generic platform is labelled") {
  model::Report report;
  report.platforms.emplace_back().id = "host-generic";
  report.platform_of_host["node1"] = "host-generic";
  CHECK_FALSE(has(render(report, {}), "generic checks only"));
  report.platforms[0].generic = true;
  CHECK(has(render(report, {}), "platform host-generic (generic checks only)"));
}

TEST_CASE("findings stand by severity") {
  model::Report report;
  report.findings = {{"resumed", model::Severity::kInfo, "", "one", "", {}},
                     {"rank-lost", model::Severity::kError, "rank 3", "two", "burn", {}}};
  const std::string text = render(report, {});
  CHECK(text.find("  error rank-lost, rank 3, step burn: two") < text.find("  info resumed: one"));
}

TEST_CASE("all cells are listed on request only") {
  model::Report report;
  report.cells = {measured("a", Outcome::kPass, 30e9), cell_of("b", "x.y", Outcome::kWaived)};
  CHECK_FALSE(has(render(report, {}), "ALL CELLS"));
  const std::string text = render(report, {.all_cells = true});
  CHECK(has(text, "ALL CELLS (2)"));
  CHECK(has(text, "waived"));
  CHECK(has(text, "30 GB/s"));
}

TEST_CASE("no escape sequence of a report gets through") {
  const std::string evil =
      "\x1B]0;owned\x07\x1B[2J\xC2\x9B"
      "1m\r\n\xFF";
  model::Report report;
  report.acceptance_reason = evil;
  report.run.id = report.run.launcher = evil;
  report.run.labels[evil] = evil;
  report.suite.id = report.tool.version = report.tool.commit = evil;
  report.platform_of_host[evil] = evil;
  report.ranks.push_back({0, evil, 0, 0, model::RankState::kLost, evil, evil});
  report.findings = {{evil, model::Severity::kError, evil, evil, evil, {}}};
  for (const Outcome outcome : {Outcome::kPass, Outcome::kVerified, Outcome::kFail,
                                Outcome::kUnjudged, Outcome::kUntested, Outcome::kWaived}) {
    Cell cell = measured(evil, outcome, 1);
    cell.step = cell.metric = cell.verdict.reason = cell.verdict.reason_id = evil;
    cell.measurements[0].unit = evil;
    cell.parameters[evil] = evil;
    report.cells.push_back(cell);
  }
  std::string text = render(report, {.all_cells = true});
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) CHECK(c == '\n');
    CHECK(byte != 0x7F);
  }
  CHECK(model::is_well_formed(text));
  CHECK_FALSE(has(text, "\xC2\x9B"));
}

TEST_CASE("lines keep to the width") {
  model::Report report;
  for (int i = 0; i < 30; ++i) {
    Cell cell = measured("node" + std::to_string(i), Outcome::kFail, 1e9);
    cell.verdict.reason = "a reason that needs many words to be told and goes on for a while";
    report.cells.push_back(cell);
  }
  for (const int width : {40, 60, 100}) {
    std::istringstream lines(render(report, {.width = width, .all_cells = true}));
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(line.size() <= static_cast<std::size_t>(width));
    }
  }
  CHECK_NOTHROW(render(report, {.width = 0}));
  CHECK_NOTHROW(render(report, {.width = -5}));
}

TEST_CASE("colour is there only when asked for, and changes nothing else") {
  model::Report report;
  report.cells = {measured("a", Outcome::kFail, 1e9), measured("b", Outcome::kPass, 30e9)};
  const std::string plain = render(report, {});
  CHECK_FALSE(has(plain, "\x1B"));
  std::string colored = render(report, {.color = true});
  CHECK(has(colored, "\x1B[1;33mINCOMPLETE\x1B[0m"));
  for (auto at = colored.find('\x1B'); at != std::string::npos; at = colored.find('\x1B')) {
    colored.erase(at, colored.find('m', at) - at + 1);
  }
  CHECK(colored == plain);
}

}  // namespace rackproof::terminal
