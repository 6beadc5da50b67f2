#include "harness/job/report_again.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "harness/archive/rendering.hpp"
#include "harness/assemble/directory.hpp"
#include "harness/journal/entry_json.hpp"
#include "harness/support/clock.hpp"
#include "harness/support/print.hpp"
#include "harness/support/store.hpp"
#include "reports/model/words.hpp"

namespace rackproof::job {
namespace {

// Ranks that have lost rank 0 end what they run and close their journals, at the latest when their
// patience with it is over.
constexpr double kSettleSeconds = 45;
constexpr double kLookSeconds = 0.25;

// A close is a short line.
constexpr std::streamoff kCloseBytes = 4096;

bool is_closed(support::Store& store, const std::string& name) {
  std::ifstream file(store.path(name), std::ios::binary | std::ios::ate);
  file.seekg(-std::min(kCloseBytes, static_cast<std::streamoff>(file.tellg())), std::ios::end);
  const std::string journal{std::istreambuf_iterator<char>(file), {}};
  return journal::ends_closed(journal);
}

}  // namespace

void await_journals(const std::string& directory) {
  support::DirectoryStore store(directory);
  support::SystemClock clock;
  const double until = clock.now() + kSettleSeconds;
  const std::vector<std::string> names = store.list("journals");
  const std::string segment = names.empty() ? "" : names.back().substr(0, names.back().find('-'));
  for (const std::string& name : names) {
    if (!name.starts_with(segment) || !name.ends_with(".jsonl") ||
        name.find(".gathered.") != std::string::npos || name.ends_with("-rank-00000.jsonl")) {
      continue;
    }
    while (!is_closed(store, "journals/" + name) && clock.now() < until) clock.sleep(kLookSeconds);
  }
}

int report_again(const std::string& directory, const std::vector<std::string>& renderings,
                 const std::string& compress, const Screen& screen) {
  support::DirectoryStore store(directory);
  model::Report report = assemble::assemble_directory(store, directory);
  const archive::WrittenReport files =
      archive::write_report(store, report, renderings, archive::compress_of(compress));
  support::print(screen.closing(report) + files.said);
  return model::exit_code_of(report.acceptance);
}

}  // namespace rackproof::job
