#include <cmath>

#include "harness/config/suite.hpp"
#include "harness/document/located_json.hpp"
#include "harness/plan/plan.hpp"
#include "reports/json/report_json.hpp"
#include "tests/fuzz/scratch_file.hpp"

using namespace rackproof;

// A file is refused with one line, or it is a suite that keeps its promises.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::ScratchFile file;
  config::Suite suite;
  try {
    suite = config::load_suite(file.holding(data, size));
  } catch (const document::ConfigError& error) {
    const std::string text = error.what();
    fuzz::expect(!text.empty() && text.find('\n') == std::string::npos, "a message of one line");
    return 0;
  }
  fuzz::expect(!suite.steps.empty(), "at least one step");
  fuzz::expect(std::isfinite(suite.time_budget_seconds) && suite.time_budget_seconds > 0,
               "a time budget");
  std::size_t cells = 0;
  for (const config::Step& step : suite.steps) {
    fuzz::expect(step.deadline_seconds > 0 && step.attempts >= 1, "a bounded step");
    fuzz::expect((step.deadline_seconds) * step.attempts <= suite.time_budget_seconds * 1.000001,
                 "deadlines that nest");
    for (const config::Expectation& expectation : step.expect) {
      std::size_t each = 1;
      for (const auto& [name, values] : expectation.each) each *= values.size();
      cells += each;
    }
  }
  // Larger plans are a matter of memory, not of form.
  if (cells > 10'000) return 0;
  plan::Site site;
  site.ranks = {{0, "node0", 0}, {1, "node1", 0}};
  site.nodes.resize(2);
  site.nodes[0].host = "node0";
  site.nodes[1].host = "node1";
  for (const model::Cell& cell : plan::make_plan(suite, site, {}).cells) {
    fuzz::expect(model::cell_from_json(model::to_json_line(cell)) == cell, "a cell is read back");
  }
  return 0;
}
