#include <algorithm>
#include <fstream>
#include <iterator>

#include "harness/cli/summary.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/job/report_again.hpp"
#include "harness/journal/entry_json.hpp"
#include "harness/warden/clock.hpp"
#include "harness/warden/store.hpp"

namespace rackproof::cli {
namespace {

// Ranks that have lost rank 0 end what they run and close their journals, at the latest when their
// patience with it is over.
constexpr double kSettleSeconds = 45;
constexpr double kLookSeconds = 0.25;

// A close is a short line.
constexpr std::streamoff kCloseBytes = 4096;

bool is_closed(warden::Store& store, const std::string& name) {
  std::ifstream file(store.path(name), std::ios::binary | std::ios::ate);
  file.seekg(-std::min(kCloseBytes, static_cast<std::streamoff>(file.tellg())), std::ios::end);
  const std::string journal{std::istreambuf_iterator<char>(file), {}};
  return journal::ends_closed(journal);
}

// Waits for the end of the journals of the last segment, those of them that this machine can see.
// Rank 0's is over when its warden asks for this, whether or not it could still be closed.
void settle(warden::Store& store) {
  warden::SystemClock clock;
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

}  // namespace

int assemble_verb(const AssembleOptions& options, const Program& program) {
  if (options.settle) {
    warden::DirectoryStore store(options.directory);
    settle(store);
  }
  return job::report_again(options.directory, options.render, screen_of(program));
}

}  // namespace rackproof::cli
