#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::signoff {

inline constexpr std::size_t kMaxStatementBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMaxTextBytes = 4096;

/// What a signer says of a report. It is signed by itself, with the key that signed the report.
struct Statement {
  std::string report_sha256;
  std::string run;  ///< id of the run that is reported
  std::string acceptance;
  std::string role;
  std::string signer;  ///< as in the file of allowed signers
  std::string statement;
  std::string signed_utc;                        ///< by the signer's clock
  std::string version;                           ///< of rackproof
  std::vector<std::string> left_out = {};        ///< steps of the (whole) suite that were not run
  std::vector<std::string> left_out_hosts = {};  ///< hosts of the job that were not tested

  bool operator==(const Statement&) const = default;
};

/// Lower-case letters, digits and hyphens, a letter first, at most 32: it is a part of file names.
bool is_role(std::string_view text);
/// Letters, digits and `@ . _ + -`, no hyphen first, at most 128: no pattern, and no option.
bool is_identity(std::string_view text);

/// Canonical JSON: the same statement always gives the same bytes.
std::string to_text(const Statement& statement);

/// Reads what to_text() wrote, and nothing else. Throws document::ConfigError, which names `file`.
Statement read_statement(const std::string& file, std::string_view text);

}  // namespace rackproof::signoff
