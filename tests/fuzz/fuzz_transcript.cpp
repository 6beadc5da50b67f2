#include "harness/ingest/journal.hpp"
#include "harness/ingest/transcript.hpp"
#include "harness/journal/entry_json.hpp"
#include "reports/json/report_json.hpp"
#include "tests/fakes/sealed.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

// Journal lines of one attempt become an attempt that a report can hold, whatever they say.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ingest::Transcript transcript;
  ingest::for_each_line(fakes::sealed(fuzz::text_of(data, size)), [&](const ingest::Line& line) {
    try {
      transcript.take(journal::entry_from_json(line.body));
    } catch (const model::BadReport&) {
      // A line that cannot mean anything: a damaged journal, which its reader reports.
    }
  });
  model::Report report;
  report.attempts.push_back(transcript.attempt());
  for (auto& measurement : report.attempts.front().measurements) {
    report.cells.emplace_back();
    report.cells.back().measurements.push_back(std::move(measurement));
  }
  report.attempts.front().measurements.clear();
  const std::string bytes = model::to_json(report);
  fuzz::expect(model::to_json(model::report_from_json(bytes)) == bytes,
               "an attempt survives its report");
  return 0;
}
