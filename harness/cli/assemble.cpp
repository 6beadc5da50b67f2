#include "harness/assemble/assemble.hpp"

#include "harness/cli/report_file.hpp"
#include "harness/cli/verbs.hpp"
#include "reports/model/report_json.hpp"

namespace rackproof::cli {

int assemble_verb(const std::string& directory, const Program& program) {
  warden::DirectoryStore store(directory);
  const model::Report report = assemble_directory(store, directory);
  store.write_durably("report.json", model::to_json(report));
  print(summary(report, program, false) + "report: " + store.path("report.json") + "\n");
  return model::exit_code_of(report.acceptance);
}

}  // namespace rackproof::cli
