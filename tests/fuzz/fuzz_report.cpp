#include <optional>
#include <stdexcept>
#include <string>

#include "harness/judge/judge.hpp"
#include "reports/json/report_json.hpp"
#include "reports/json/report_pieces.hpp"
#include "reports/terminal/terminal.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

namespace {

/// What is taken without care is what the careful reader reads.
void compare_readers(const std::string& text) {
  const auto bytes = [&text](std::uint64_t offset, std::size_t length, char* to) {
    text.copy(to, length, offset);
  };
  std::optional<model::Report> plain;
  try {
    plain = model::ReportPieces(bytes, text.size()).whole();
  } catch (const model::NotPlain&) {
    return;
  }
  fuzz::expect(model::careful_report_from_json(text) == *plain, "the readers read the same");
}

}  // namespace

// A text is refused, or it is a report that can be written, read, shown and judged again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  compare_readers(std::string(fuzz::text_of(data, size)));
  model::Report report;
  try {
    report = model::report_from_json(fuzz::text_of(data, size));
  } catch (const model::BadReport&) {
    return 0;
  }
  const std::string bytes = model::to_json(report);
  compare_readers(bytes);
  fuzz::expect(model::report_from_json(bytes) == report, "a report is read back as it was");
  fuzz::expect(model::to_json(model::report_from_json(bytes)) == bytes,
               "a report is written the same again");
  terminal::Style style;
  style.color = true;
  style.all_cells = true;
  fuzz::expect(!terminal::render(report, style).empty(), "a report can be shown");
  try {
    judge::judge(report);
  } catch (const std::invalid_argument&) {
    // A policy that is none; who reads reports looks at it first.
    return 0;
  }
  const std::string judged = model::to_json(report);
  judge::judge(report);
  fuzz::expect(model::to_json(report) == judged, "judging again changes nothing");
  fuzz::expect(!terminal::render(report, style).empty(), "a judged report can be shown");
  return 0;
}
