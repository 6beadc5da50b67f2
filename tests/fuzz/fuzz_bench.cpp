#include "harness/config/bench.hpp"
#include "harness/document/located_json.hpp"
#include "tests/fuzz/scratch_file.hpp"

using namespace rackproof;

// A description of a bench is refused with one line, or its kinds are whole.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::ScratchFile file;
  try {
    for (const config::MetricKind& kind : config::load_metrics(file.holding(data, size))) {
      fuzz::expect(!kind.bench.empty() && !kind.names.empty(), "a bench and names");
      fuzz::expect(!kind.unit.empty(), "a unit");
    }
  } catch (const document::ConfigError& error) {
    const std::string text = error.what();
    fuzz::expect(!text.empty() && text.find('\n') == std::string::npos, "a message of one line");
  }
  return 0;
}
