#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>

#include "benches/protocol/version.hpp"
#include "harness/archive/report_file.hpp"
#include "harness/cli/summary.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/config/located_json.hpp"
#include "harness/rejudge/check_document.hpp"
#include "harness/signoff/signature_files.hpp"
#include "harness/signoff/ssh_keygen.hpp"
#include "harness/signoff/sshsig.hpp"
#include "harness/signoff/statement.hpp"
#include "harness/support/digest.hpp"
#include "harness/support/files.hpp"
#include "harness/warden/clock.hpp"
#include "harness/warden/store.hpp"
#include "reports/model/report_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::cli {
namespace {

namespace fs = std::filesystem;

/// A folder that nobody else may look into, beside the report; away with all in it at the end.
class Workbench {
 public:
  explicit Workbench(const fs::path& beside) {
    std::string name = (beside / ".rackproof-sign-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw UsageError(beside.string() +
                       ": cannot be written to: " + std::generic_category().message(errno));
    }
    path_ = name;
  }
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;
  ~Workbench() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void require_words(const SignOptions& options) {
  if (!signoff::is_role(options.role)) {
    throw UsageError(
        "--role: expected lower-case letters, digits and hyphens, a letter first, at "
        "most 32, as in vendor or customer");
  }
  if (!signoff::is_identity(options.signer)) {
    throw UsageError(
        "--signer: expected letters, digits and @ . _ + -, at most 128, as in "
        "jane@example.com");
  }
}

// What is signed is whole, and its verdicts follow from its evidence.
model::Report require_sound(const std::string& file, const std::string& text,
                            const Program& program) {
  rejudge::Complaints complaints;
  try {
    rejudge::check_report(file, text, program.paths, complaints);
    if (complaints.empty()) return model::report_from_json(text);
  } catch (const model::BadReport& bad) {
    complaints.push_back(file + ": " + bad.what());
  }
  throw UsageError(
      complaints.front() +
      (complaints.size() > 1 ? fmt::format(" (and {} more)", complaints.size() - 1) : "") +
      "; it cannot be signed");
}

std::string signature_of(const signoff::SshKeygen& keygen, const SignOptions& options,
                         const std::string& purpose, const std::string& text) {
  const std::string bench = fs::path(archive::report_file(options.report)).parent_path().string();
  const Workbench folder(bench.empty() ? "." : bench);
  warden::DirectoryStore store(folder.path());
  store.write_durably("message", text);
  const auto answer = keygen.sign(options.key, purpose, store.path("message"));
  const auto signature = answer.code == 0 ? store.read("message.sig") : std::nullopt;
  if (!signature) {
    throw UsageError(fmt::format("--key {}: ssh-keygen did not sign: {}", options.key, answer.err));
  }
  return *signature;
}

signoff::SshSignature require_ours(const SignOptions& options, const std::string& text) {
  try {
    signoff::SshSignature signature = signoff::read_signature(text);
    if (signoff::is_ed25519(signature.key_type)) return signature;
    throw UsageError(
        fmt::format("--key {}: is a key of the kind {}: expected Ed25519 (ssh-keygen -t ed25519)",
                    options.key, signature.key_type));
  } catch (const signoff::BadSignature& bad) {
    throw UsageError(
        fmt::format("--key {}: what ssh-keygen gave is no signature: {}", options.key, bad.what()));
  }
}

}  // namespace

int sign_verb(const SignOptions& options, const Program& program) {
  require_words(options);
  const std::string file = archive::report_file(options.report);
  const signoff::SignatureFiles files = signoff::signature_files(file, options.role);
  for (const std::string& path : {files.signature, files.statement, files.statement_signature}) {
    if (!options.replace && fs::exists(fs::symlink_status(path))) {
      throw UsageError(path + ": is there already; --replace signs anew");
    }
  }
  const std::string text = support::read_file(file);
  const model::Report report = require_sound(file, text, program);
  signoff::Statement statement;
  statement.report_sha256 = support::sha256_hex(text);
  statement.run = report.run.id;
  statement.acceptance = model::word(report.acceptance);
  statement.left_out = model::left_out_steps(report);
  statement.role = options.role;
  statement.signer = options.signer;
  statement.statement = options.statement;
  statement.signed_utc = warden::SystemClock().utc();
  statement.version = protocol::version();
  const std::string said = signoff::to_text(statement);
  try {
    signoff::read_statement("--statement", said);
  } catch (const config::ConfigError& error) {
    throw UsageError(std::string("--statement: ") + error.message);
  }
  const signoff::SshKeygen keygen;
  const std::string signature = signature_of(keygen, options, signoff::kReportPurpose, text);
  const auto key = require_ours(options, signature);
  const std::string second = signature_of(keygen, options, signoff::kStatementPurpose, said);
  require_ours(options, second);
  const fs::path folder = fs::path(file).parent_path();
  warden::DirectoryStore store(folder.empty() ? "." : folder.string());
  const auto write = [&store](const std::string& path, const std::string& bytes) {
    store.write_durably(fs::path(path).filename().string(), bytes);
  };
  write(files.statement, said);
  write(files.statement_signature, second);
  write(files.signature, signature);
  print(fmt::format("{}: signed as {} by {} with {}\n{}\n{}\n{}\n{}", file, options.role,
                    options.signer, key.fingerprint, files.signature, files.statement,
                    files.statement_signature, verdict_line(report)));
  return 0;
}

}  // namespace rackproof::cli
