#include "harness/config/platform.hpp"
#include "harness/document/located_json.hpp"
#include "reports/json/report_json.hpp"
#include "tests/fuzz/scratch_file.hpp"

using namespace rackproof;

// A file is refused with one line, or it is a table whose figures are all sourced and bounded.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::ScratchFile file;
  model::PlatformTable table;
  try {
    table = config::load_platform(file.holding(data, size), RACKPROOF_PLATFORMS);
  } catch (const document::ConfigError& error) {
    const std::string text = error.what();
    fuzz::expect(!text.empty() && text.find('\n') == std::string::npos, "a message of one line");
    return 0;
  }
  for (const model::Baseline& baseline : table.baselines) {
    const bool figure = baseline.kind != model::BaselineKind::kCorrectness;
    fuzz::expect(!figure || !baseline.source.title.empty(), "a source for every figure");
    fuzz::expect(baseline.tolerance_below.value_or(0) >= 0, "no negative tolerance");
  }
  fuzz::expect(model::platform_from_json(model::to_json_line(table)) == table,
               "a table is read back");
  return 0;
}
