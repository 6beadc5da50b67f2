#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rackproof::signoff {

/// What signatures are for: a signature of one kind never passes as one of the other.
inline constexpr const char* kReportPurpose = "rackproof-report";
inline constexpr const char* kStatementPurpose = "rackproof-statement";

/// What a signer leaves beside a report.
struct SignatureFiles {
  std::string signature;  ///< over the report's bytes, as they are when it is not compressed
  std::string statement;
  std::string statement_signature;
};

/// The name that signatures beside a report begin with: that of the report as it is signed, which
/// is not compressed.
inline std::string signed_name(const std::string& report) {
  constexpr std::string_view kCompressed = ".zst";
  const std::size_t cut = report.ends_with(kCompressed) ? kCompressed.size() : 0;
  return report.substr(0, report.size() - cut);
}

inline SignatureFiles signature_files(const std::string& report, const std::string& role) {
  const std::string stem = signed_name(report) + "." + role;
  return {stem + ".sig", stem + ".statement", stem + ".statement.sig"};
}

}  // namespace rackproof::signoff
