#include <fmt/format.h>

#include "harness/archive/report_file.hpp"
#include "harness/cli/summary.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/signoff/signing.hpp"

namespace rackproof::cli {

int sign_verb(const SignOptions& options, const Program& program) {
  const std::string file = archive::report_file(options.report);
  const signoff::SignedReport done = signoff::sign_report(
      {file, options.key, options.role, options.signer, options.statement, options.replace},
      program.paths);
  print(fmt::format("{}: signed as {} by {} with {}\n{}\n{}\n{}\n{}", file, options.role,
                    options.signer, done.fingerprint, done.files.signature, done.files.statement,
                    done.files.statement_signature, verdict_line(done.report)));
  return 0;
}

}  // namespace rackproof::cli
