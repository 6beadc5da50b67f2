#include <string>
#include <vector>

#include "harness/assemble/assemble.hpp"
#include "reports/json/report_json.hpp"
#include "tests/fakes/sealed.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

namespace {

constexpr char kNextFile = '\x1e';  // cannot occur in a JSON line

// Sealed here: a fuzzer would find no seal that holds.
std::vector<assemble::JournalFile> split(std::string_view text) {
  std::vector<assemble::JournalFile> files;
  for (;;) {
    const std::size_t at = text.find(kNextFile);
    const std::string name = "journals/" + std::to_string(files.size()) + ".jsonl";
    files.push_back({name, fakes::sealed(text.substr(0, at))});
    if (at == std::string_view::npos || files.size() == 8) return files;
    text.remove_prefix(at + 1);
  }
}

}  // namespace

// Journals, whatever is in them, are no run or make a report; the same ones always the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<assemble::JournalFile> files = split(fuzz::text_of(data, size));
  try {
    const model::Report report = assemble::assemble(files);
    const std::string bytes = model::to_json(report);
    fuzz::expect(model::to_json(model::report_from_json(bytes)) == bytes,
                 "an assembled report is read back");
    fuzz::expect(model::to_json(assemble::assemble(files)) == bytes,
                 "the same journals make the same report");
  } catch (const assemble::NoRun&) {
    return 0;
  }
  return 0;
}
