#include "harness/redaction/redaction.hpp"
#include "reports/json/report_json.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

// Whatever is in a report, what was replaced is not in the copy, or the copy is refused for it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  model::Report report;
  try {
    report = model::report_from_json(fuzz::text_of(data, size));
  } catch (const model::BadReport&) {
    return 0;
  }
  redaction::Aliases aliases("key");
  const std::string text = model::to_json(report);
  const std::string once = redaction::redacted(report, text, aliases);
  const std::size_t names = aliases.all().size();
  fuzz::expect(redaction::redacted(report, text, aliases) == once, "twice the same");
  fuzz::expect(aliases.all().size() == names, "no new names the second time");
  redaction::leaks(once, aliases);
  return 0;
}
