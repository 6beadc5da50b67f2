#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "harness/document/document.hpp"
#include "harness/document/located_json.hpp"
#include "harness/signoff/moment.hpp"
#include "harness/signoff/signature_files.hpp"
#include "harness/signoff/ssh_keygen.hpp"
#include "harness/signoff/sshsig.hpp"
#include "harness/signoff/statement.hpp"
#include "harness/signoff/verification.hpp"
#include "harness/support/clock.hpp"
#include "harness/support/digest.hpp"
#include "harness/support/errors.hpp"
#include "reports/model/utc.hpp"
#include "reports/model/words.hpp"

namespace rackproof::signoff {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSignersBytes = std::size_t{1} << 20;

/// Why a signature is worth nothing.
struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// "report.json.vendor.sig" and its like: the roles that left something beside the report.
std::set<std::string> roles_of(const std::string& file) {
  const fs::path path(signed_name(file));
  const std::string stem = path.filename().string() + ".";
  std::set<std::string> roles;
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    if (!name.starts_with(stem)) continue;
    name.erase(0, stem.size());
    for (const char* ending : {".statement.sig", ".statement", ".sig"}) {
      if (!name.ends_with(ending)) continue;
      name.resize(name.size() - std::string_view(ending).size());
      break;
    }
    if (entry.path().filename().string() != stem + name && is_role(name)) {
      roles.insert(name);
    }
  }
  return roles;
}

std::string content(const std::string& path, std::size_t most) {
  try {
    return document::read_file(path, most);
  } catch (const document::ConfigError& error) {
    throw Refusal(error.what());
  }
}

SshSignature read_one(const std::string& path, const char* purpose) {
  try {
    SshSignature signature = read_signature(content(path, kMaxSignatureBytes));
    if (signature.purpose != purpose) {
      throw Refusal(
          fmt::format("{}: is for '{}', expected '{}'", path, signature.purpose, purpose));
    }
    if (!is_ed25519(signature.key_type)) {
      throw Refusal(fmt::format("{}: its key is {}, expected Ed25519", path, signature.key_type));
    }
    return signature;
  } catch (const BadSignature& bad) {
    throw Refusal(fmt::format("{}: is no signature: {}", path, bad.what()));
  }
}

Statement read_said(const std::string& path) {
  const std::string text = content(path, kMaxStatementBytes);
  try {
    return read_statement(path, text);
  } catch (const document::ConfigError& error) {
    throw Refusal(error.what());
  }
}

/// Everything about one signer.
class Witness {
 public:
  Witness(const SignerRules& rules, const Exhibit& exhibit, std::string role)
      : rules_(rules),
        exhibit_(exhibit),
        role_(std::move(role)),
        files_(signature_files(exhibit.file, role_)) {}

  void hear(Screen& screen) const {
    try {
      screen.add(rules_.signers.empty() ? unknown() : State::kHolds, "signature", heard());
    } catch (const Refusal& refusal) {
      screen.add(State::kFails, "signature", role_ + ": " + refusal.what());
    }
  }

 private:
  State unknown() const { return rules_.unsigned_too ? State::kOpen : State::kFails; }

  std::string heard() const {
    const SshSignature signature = read_one(files_.signature, kReportPurpose);
    const Statement statement = read_said(files_.statement);
    const SshSignature second = read_one(files_.statement_signature, kStatementPurpose);
    if (signature.fingerprint != second.fingerprint) {
      throw Refusal("report and statement were signed with two keys");
    }
    const SshKeygen keygen;
    const std::string said = content(files_.statement, kMaxStatementBytes);
    require_intact(keygen, files_.statement_signature, kStatementPurpose, said,
                   "the statement is not what was signed");
    if (statement.role != role_) {
      throw Refusal(
          fmt::format("the statement is of the role '{}': the file was renamed", statement.role));
    }
    require_same_report(statement);
    require_intact(keygen, files_.signature, kReportPurpose, exhibit_.text,
                   "the report is not what was signed");
    std::string text = fmt::format("{}: {}, {}, {}", role_, statement.signer, signature.fingerprint,
                                   statement.signed_utc);
    if (!statement.statement.empty()) text += fmt::format(": \"{}\"", statement.statement);
    if (rules_.signers.empty()) {
      return text + "; intact, but whose key it is nobody says: name the file of --signers";
    }
    require_time(statement);
    const std::string as_of = rules_.at.empty() ? "" : "-Overify-time=" + rules_.at;
    require_known(keygen, statement, files_.signature, kReportPurpose, exhibit_.text, as_of);
    require_known(keygen, statement, files_.statement_signature, kStatementPurpose, said, as_of);
    // A key that is valid now may not have been when it signed.
    require_known(keygen, statement, files_.statement_signature, kStatementPurpose, said,
                  "-Overify-time=" + moment_of(statement.signed_utc));
    return text;
  }

  void require_same_report(const Statement& statement) const {
    if (statement.report_sha256 != support::sha256_hex(exhibit_.text)) {
      throw Refusal(
          fmt::format("what was signed has the sha256 {}: the report was changed since, "
                      "or it is another one",
                      statement.report_sha256));
    }
    if (!exhibit_.report) return;
    if (statement.run != exhibit_.report->run.id ||
        statement.acceptance != contract::word(exhibit_.report->acceptance)) {
      throw Refusal(
          fmt::format("the statement is of run {}, {}", statement.run, statement.acceptance));
    }
    // Statements of versions before 1.7 of the report say nothing of it.
    const auto left_out = model::steps_not_run(*exhibit_.report);
    if (!statement.left_out.empty() && statement.left_out != left_out) {
      throw Refusal("the statement names other steps that were left out than the report");
    }
    if (statement.left_out_hosts != exhibit_.report->run.left_out_hosts) {
      throw Refusal("the statement names other hosts that were left out than the report");
    }
  }

  // What a statement says of its own time is the signer's word: it must fit what is asked.
  void require_time(const Statement& statement) const {
    if (!model::unix_seconds(statement.signed_utc)) {
      throw Refusal(
          fmt::format("'{}' is no time at which it can have been signed", statement.signed_utc));
    }
    const std::string now = support::SystemClock().utc();
    const std::string until = rules_.at.empty() ? moment_of(now) : rules_.at;
    if (moment_of(statement.signed_utc) <= until) return;
    throw Refusal(fmt::format("it says that it was signed at {}, after {}", statement.signed_utc,
                              rules_.at.empty() ? "now, " + now : "the time of --at"));
  }

  static void require_intact(const SshKeygen& keygen, const std::string& path, const char* purpose,
                             const std::string& message, const char* why) {
    const auto answer = keygen.ask({"-Y", "check-novalidate", "-n", purpose, "-s", path}, message);
    if (answer.code != 0) throw Refusal(fmt::format("{} ({}: {})", why, path, answer.err));
  }

  // `time` is an option of ssh-keygen, or empty: now.
  void require_known(const SshKeygen& keygen, const Statement& statement, const std::string& path,
                     const char* purpose, const std::string& message,
                     const std::string& time) const {
    const auto with_time = [&time](std::vector<std::string> words) {
      if (!time.empty()) words.push_back(time);
      return words;
    };
    const auto answer = keygen.ask(with_time({"-Y", "verify", "-f", rules_.signers, "-I",
                                              statement.signer, "-n", purpose, "-s", path}),
                                   message);
    if (answer.code == 0) return;
    if (!answer.err.empty()) throw Refusal(answer.err);
    auto owner =
        keygen.ask(with_time({"-Y", "find-principals", "-f", rules_.signers, "-s", path}), "");
    owner.out.resize(std::min(owner.out.size(), owner.out.find('\n')));
    if (owner.code == 0 && owner.out != statement.signer) {
      throw Refusal(fmt::format("{} says that the key is of {}, not of {}", rules_.signers,
                                owner.out, statement.signer));
    }
    if (owner.code == 0) {
      throw Refusal(fmt::format("{} does not let the key of {} sign this kind of thing",
                                rules_.signers, statement.signer));
    }
    throw Refusal(fmt::format("{} does not know the key of {}", rules_.signers, statement.signer));
  }

  const SignerRules& rules_;
  const Exhibit& exhibit_;
  std::string role_;
  SignatureFiles files_;
};

// ssh-keygen reads digits alone, and those without a zone as local time.
std::string time_of(const std::string& given) {
  std::string digits;
  for (const char c : given) {
    if (c >= '0' && c <= '9') digits += c;
  }
  constexpr std::string_view kDay = "dddd-dd-dd";
  constexpr std::string_view kSecond = "dddd-dd-ddTdd:dd:ddZ";
  const auto has = [&given](std::string_view shape) {
    return std::equal(given.begin(), given.end(), shape.begin(), shape.end(),
                      [](char c, char s) { return s == 'd' ? c >= '0' && c <= '9' : c == s; });
  };
  if (has(kDay)) return digits + "000000Z";
  if (has(kSecond)) return digits + "Z";
  throw support::UsageError("--at: expected a time as in 2026-01-31 or 2026-01-31T12:00:00Z, got " +
                            given);
}

}  // namespace

bool has_signatures(const std::string& file) { return !roles_of(file).empty(); }

void verify_signatures(const SignerRules& given, const Exhibit& exhibit, Screen& screen) {
  SignerRules rules = given;
  if (!rules.at.empty()) rules.at = time_of(rules.at);
  if (!rules.signers.empty()) {
    try {
      document::read_file(rules.signers, kMaxSignersBytes);
    } catch (const document::ConfigError& error) {
      throw support::UsageError(std::string("--signers: ") + error.what());
    }
  }
  const std::set<std::string> roles = roles_of(exhibit.file);
  for (const std::string& role : roles) Witness(rules, exhibit, role).hear(screen);
  for (const std::string& role : rules.roles) {
    if (!roles.contains(role)) {
      screen.add(State::kFails, "signature", role + ": has not signed it");
    }
  }
  if (!roles.empty() || !rules.roles.empty()) return;
  screen.add(rules.unsigned_too ? State::kOpen : State::kFails, "signature",
             rules.unsigned_too ? "nobody signed it"
                                : "nobody signed it; --unsigned looks at the rest alone");
}

}  // namespace rackproof::signoff
