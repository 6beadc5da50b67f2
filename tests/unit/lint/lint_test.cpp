#include "harness/lint/lint.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/lint/support.hpp"

using namespace rackproof;
using lint_test::catalogue;
using lint_test::kData;
using lint_test::kPlatforms;

namespace {

std::vector<config::PlacedTable> shipped() {
  std::vector<config::PlacedTable> tables;
  for (const std::string& file : lint_test::files_in(kPlatforms)) {
    tables.push_back(config::load_placed_platform(file, ""));
  }
  return tables;
}

bool complains_about(const config::PlacedTable& table, const model::Baseline& baseline) {
  const config::Place place = table.baseline(baseline, {"expected", "value"});
  for (const auto& complaint : lint::lint(table, catalogue())) {
    if (complaint.place.file == place.file && complaint.place.line == place.line) return true;
  }
  return false;
}

// A fact that bounds this baseline, if the table states one.
bool has_peak(const config::PlacedTable& table, const model::Baseline& baseline) {
  config::PlacedTable bare = table;
  bare.table.facts.clear();
  bare.table.baselines = {baseline};
  bare.table.baselines.front().expected *= 1e6;
  config::PlacedTable full = bare;
  full.table.facts = table.table.facts;
  return lint::lint(full, catalogue()) != lint::lint(bare, catalogue());
}

}  // namespace

TEST_CASE("the shipped tables have nothing to complain about") {
  const auto tables = shipped();
  for (const auto& table : tables) {
    for (const auto& complaint : lint::lint(table, catalogue())) {
      FAIL_CHECK(lint::to_text(complaint));
    }
  }
  for (const auto& complaint : lint::lint_together(tables)) FAIL_CHECK(lint::to_text(complaint));
}

TEST_CASE("a slip by a thousand is found in each shipped figure that a peak bounds") {
  int bounded = 0;
  for (const config::PlacedTable& table : shipped()) {
    for (std::size_t i = 0; i < table.table.baselines.size(); ++i) {
      const model::Baseline& baseline = table.table.baselines[i];
      if (baseline.kind != model::BaselineKind::kAbsolute || baseline.table != table.table.id ||
          !has_peak(table, baseline)) {
        continue;
      }
      ++bounded;
      config::PlacedTable up = table;
      up.table.baselines[i].expected *= 1000;
      INFO(table.table.id << ": " << baseline.id);
      CHECK(complains_about(up, baseline));
      const bool small = baseline.parameters.count("bytes") > 0;
      if (small) continue;  // small messages are far below any peak
      config::PlacedTable down = table;
      down.table.baselines[i].expected /= 1000;
      CHECK(complains_about(down, baseline));
    }
  }
  CHECK(bounded > 0);
}

TEST_CASE("two tables that recognise the same machines are found") {
  const auto a = config::load_placed_platform(kData + "twin_a.json", "");
  const auto b = config::load_placed_platform(kData + "twin_b.json", "");
  const auto family = config::load_placed_platform(kData + "heir.json", "");
  CHECK(lint::lint_together({a, family}).empty());
  CHECK(lint::lint_together({a, a}).empty());
  const auto complaints = lint::lint_together({a, family, b});
  REQUIRE(complaints.size() == 1);
  CHECK(lint::to_text(complaints.front()) ==
        kData +
            "twin_b.json:5: recognise: recognises the same machines as 'twin_a', by the same "
            "rules; expected a fact that tells them apart");
}

TEST_CASE("families and generic tables recognise nothing that others could share") {
  auto a = config::load_placed_platform(kData + "twin_a.json", "");
  auto b = config::load_placed_platform(kData + "twin_b.json", "");
  a.table.is_abstract = true;
  CHECK(lint::lint_together({a, b}).empty());
  a.table.is_abstract = false;
  b.table.generic = true;
  CHECK(lint::lint_together({a, b}).empty());
}
