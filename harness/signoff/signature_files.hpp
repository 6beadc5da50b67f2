#pragma once

#include <string>

namespace rackproof::signoff {

/// What signatures are for: a signature of one kind never passes as one of the other.
inline constexpr const char* kReportPurpose = "rackproof-report";
inline constexpr const char* kStatementPurpose = "rackproof-statement";

/// What a signer leaves beside a report.
struct SignatureFiles {
  std::string signature;  ///< over the report's bytes
  std::string statement;
  std::string statement_signature;
};

inline SignatureFiles signature_files(const std::string& report, const std::string& role) {
  const std::string stem = report + "." + role;
  return {stem + ".sig", stem + ".statement", stem + ".statement.sig"};
}

}  // namespace rackproof::signoff
