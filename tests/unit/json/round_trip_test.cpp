#include <catch2/catch.hpp>

#include "reports/json/report_json.hpp"
#include "tests/unit/model/random_value.hpp"

namespace rackproof::model {
namespace {

template <class T>
std::size_t described() {
  archive::Names names;
  describe(names, static_cast<const T&>(T{}));
  return names.names().size();
}

}  // namespace

TEST_CASE("any report survives the round trip, and its bytes do too") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    const Report report = random_report(seed);
    const std::string bytes = to_json(report);
    const Report again = report_from_json(bytes);
    REQUIRE(again == report);
    REQUIRE(to_json(again) == bytes);
  }
}

TEST_CASE("any part survives the round trip on one line") {
  const auto check = [](const auto& value, auto read) {
    const std::string line = to_json_line(value);
    CHECK(line.find('\n') == std::string::npos);
    CHECK(read(line) == value);
  };
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    INFO("seed " << seed);
    check(random_value<Cell>(seed), cell_from_json);
    check(random_value<NodeInventory>(seed), node_from_json);
    check(random_value<PlatformTable>(seed), platform_from_json);
    check(random_value<SuiteInfo>(seed), suite_from_json);
    check(random_value<CauseTable>(seed), cause_table_from_json);
    check(random_value<MetricBound>(seed), bound_from_json);
    check(random_value<ToolInfo>(seed), tool_from_json);
    check(random_value<RunInfo>(seed), run_from_json);
    check(random_value<StepInfo>(seed), step_from_json);
    check(random_value<History>(seed), history_from_json);
    check(random_value<Finding>(seed), finding_from_json);
    check(random_value<Subject>(seed), subject_from_json);
    check(random_value<Ending>(seed), ending_from_json);
  }
}

// Each binding lists every member of its type, so a new member stops the build here until it is
// counted, and fails here until it is described.
TEST_CASE("every member of every type is in the document") {
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g] = Subject{};
    CHECK(described<Subject>() == 7);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k] = CheckResult{};
    CHECK(described<CheckResult>() == 11);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k] = Measurement{};
    CHECK(described<Measurement>() == 11);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = Verdict{};
    CHECK(described<Verdict>() == 13);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l] = Cell{};
    CHECK(described<Cell>() == 12);
  }
  {
    // Two less: the measurements of an attempt are in its cells, its device in its arguments.
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v,
                                  w, x, y, z, aa, bb, cc] = Attempt{};
    CHECK(described<Attempt>() == 27);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g] = Progress{};
    CHECK(described<Progress>() == 7);
    [[maybe_unused]] const auto& [h, i, j] = contract::Place{};
    CHECK(described<contract::Place>() == 3);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g] = HostLoad{};
    CHECK(described<HostLoad>() == 7);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k] = SeriesSummary{};
    CHECK(described<SeriesSummary>() == 11);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = RecordingInfo{};
    CHECK(described<RecordingInfo>() == 16);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i] = Event{};
    CHECK(described<Event>() == 9);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h] = JournalInfo{};
    CHECK(described<JournalInfo>() == 8);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f] = Finding{};
    CHECK(described<Finding>() == 6);
  }
  {
    [[maybe_unused]] const auto& [a, b, c] = Fact{};
    CHECK(described<Fact>() == 3);
    [[maybe_unused]] const auto& [d, e, f] = DeviceFacts{};
    CHECK(described<DeviceFacts>() == 3);
    [[maybe_unused]] const auto& [g, h, i] = NodeInventory{};
    CHECK(described<NodeInventory>() == 3);
  }
}

TEST_CASE("every member of tables and the report itself is in the document") {
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h] = Source{};
    CHECK(described<Source>() == 8);
    [[maybe_unused]] const auto& [i, j, k] = Waiver{};
    CHECK(described<Waiver>() == 3);
    [[maybe_unused]] const auto& [l, m, n, o, p] = FactRule{};
    CHECK(described<FactRule>() == 5);
    [[maybe_unused]] const auto& [q, r, s, t, u, v, w, x, y, z, last] = Demand{};
    CHECK(described<Demand>() == 11);
  }
  {
    [[maybe_unused]] const auto& [a, b, c] = FactExpectation{};
    CHECK(described<FactExpectation>() == 3);
    [[maybe_unused]] const auto& [d, e, f, g] = CurvePoint{};
    CHECK(described<CurvePoint>() == 4);
    [[maybe_unused]] const auto& [h, i, j, k, l, m, n] = History{};
    CHECK(described<History>() == 7);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] =
        Baseline{};
    CHECK(described<Baseline>() == 20);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = PlatformTable{};
    CHECK(described<PlatformTable>() == 15);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g] = RankInfo{};
    CHECK(described<RankInfo>() == 7);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k] = StepInfo{};
    CHECK(described<StepInfo>() == 11);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, t, v, w, x] = JudgePolicy{};
    CHECK(described<JudgePolicy>() == 13);
  }
  {
    [[maybe_unused]] const auto& [j, k, l, m, n, u, v, w, x] = SuiteInfo{};
    CHECK(described<SuiteInfo>() == 9);
    [[maybe_unused]] const auto& [o, p, q, r, s] = ToolInfo{};
    CHECK(described<ToolInfo>() == 5);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e] = Suppression{};
    CHECK(described<Suppression>() == 5);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g] = ProofInfo{};
    CHECK(described<ProofInfo>() == 7);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = RunInfo{};
    CHECK(described<RunInfo>() == 17);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f] = Counts{};
    CHECK(described<Counts>() == 6);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v,
                                  va, vb, vc] = Report{};
    CHECK(described<Report>() == 25);
  }
}

TEST_CASE("every field of a planned suite is described") {
  [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j] = SuitePlan{};
  CHECK(described<SuitePlan>() == 10);
  [[maybe_unused]] const auto& [k, l, m, n] = MissedFault{};
  CHECK(described<MissedFault>() == 4);
}

TEST_CASE("every member of what was meant and of parts of a run is in the document") {
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, at] = Claim{};
    CHECK(described<Claim>() == 9);
    [[maybe_unused]] const auto& [i, j, k, l, m, n] = ClaimState{};
    CHECK(described<ClaimState>() == 6);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j] = CellWaiver{};
    CHECK(described<CellWaiver>() == 10);
  }
  {
    [[maybe_unused]] const auto& [a, b, c] = Asset{};
    CHECK(described<Asset>() == 3);
    [[maybe_unused]] const auto& [d, e, f] = Extent{};
    CHECK(described<Extent>() == 3);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h] = SegmentInfo{};
    CHECK(described<SegmentInfo>() == 8);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i] = Amends{};
    CHECK(described<Amends>() == 9);
  }
  {
    [[maybe_unused]] const auto& [a, b, c, d] = Repair{};
    CHECK(described<Repair>() == 4);
  }
}

TEST_CASE("every member of causes and their rules is in the document") {
  [[maybe_unused]] const auto& [a, b, c] = Cause{};
  CHECK(described<Cause>() == 3);
  [[maybe_unused]] const auto& [d, e, f, g, h, i, j, k, l, m, n, o] = CauseCondition{};
  CHECK(described<CauseCondition>() == 12);
  [[maybe_unused]] const auto& [y, p, q, r, s, t, u, v] = CauseRule{};
  CHECK(described<CauseRule>() == 8);
  [[maybe_unused]] const auto& [w, x] = CauseTable{};
  CHECK(described<CauseTable>() == 2);
  [[maybe_unused]] const auto& [ba, bb, bc, bd, be, bf, bg, bh, bi, bj, bk] = MetricBound{};
  CHECK(described<MetricBound>() == 11);
}

}  // namespace rackproof::model
