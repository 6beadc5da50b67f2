#include <cmath>

#include "harness/learn/history_file.hpp"
#include "harness/support/errors.hpp"
#include "tests/fuzz/scratch_file.hpp"

using namespace rackproof;

// A file is refused with one line, or it is a history that is written and read back the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::ScratchFile file;
  try {
    const auto history = learn::load_history(file.holding(data, size));
    for (const model::History& one : history) {
      for (const double value : one.values) fuzz::expect(std::isfinite(value), "finite values");
    }
    const std::string text = learn::history_text(history);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    fuzz::expect(learn::load_history(file.holding(bytes, text.size())) == history,
                 "a history is read back");
  } catch (const support::UsageError& error) {
    const std::string text = error.what();
    fuzz::expect(!text.empty() && text.find('\n') == std::string::npos, "a message of one line");
  }
  return 0;
}
