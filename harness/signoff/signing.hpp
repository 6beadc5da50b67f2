#pragma once

#include <string>

#include "harness/config/installed.hpp"
#include "harness/signoff/signature_files.hpp"
#include "reports/model/report.hpp"

namespace rackproof::signoff {

/// Who signs what.
struct SignRequest {
  std::string report;  ///< file
  std::string key;     ///< file
  std::string role;
  std::string signer;
  std::string statement;
  bool replace = false;  ///< a signature of that role that is there
};

/// What was signed.
struct SignedReport {
  model::Report report;
  SignatureFiles files;
  std::string fingerprint;  ///< of the key
};

/// Leaves a signature over the report, a statement about it and a signature over that beside it.
/// Throws UsageError for a report that is not sound, a key that does not sign, words that cannot be
/// those of a signer.
SignedReport sign_report(const SignRequest& request, const config::Paths& paths);

}  // namespace rackproof::signoff
