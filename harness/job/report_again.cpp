#include "harness/job/report_again.hpp"

#include "harness/archive/rendering.hpp"
#include "harness/assemble/directory.hpp"
#include "harness/support/print.hpp"
#include "harness/warden/store.hpp"
#include "reports/model/words.hpp"

namespace rackproof::job {

int report_again(const std::string& directory, const std::vector<std::string>& renderings,
                 const Screen& screen) {
  warden::DirectoryStore store(directory);
  model::Report report = assemble::assemble_directory(store, directory);
  const std::string files = archive::write_report(store, report, renderings);
  support::print(screen.closing(report) + files);
  return model::exit_code_of(report.acceptance);
}

}  // namespace rackproof::job
