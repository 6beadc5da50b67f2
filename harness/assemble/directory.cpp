#include "harness/assemble/directory.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "harness/assemble/assemble.hpp"
#include "harness/support/digest.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::assemble {

model::Report assemble_directory(support::Store& store, const std::string& directory) {
  std::vector<JournalFile> journals;
  for (const std::string& name : store.list("journals")) {
    if (!name.ends_with(".jsonl")) continue;
    const std::string path = "journals/" + name;
    const auto parts = [&store, path](const auto& take) { store.read_parts(path, take); };
    if (store.exists(path)) journals.push_back({path, "", parts});
  }
  if (journals.empty()) throw support::UsageError(directory + ": holds no journals of a run");
  try {
    const Recordings recordings{[&store](const std::string& name) {
      std::optional<Recordings::File> file;
      if (auto bytes = store.read(name)) {
        std::string digest = support::sha256_hex(*bytes);
        file = {std::move(*bytes), std::move(digest)};
      }
      return file;
    }};
    return assemble(journals, recordings);
  } catch (const NoRun& error) {
    throw support::UsageError(directory + ": " + error.what());
  }
}

}  // namespace rackproof::assemble
