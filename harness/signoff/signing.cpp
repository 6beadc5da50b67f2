#include "harness/signoff/signing.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "benches/protocol/version.hpp"
#include "harness/document/located_json.hpp"
#include "harness/rejudge/check_document.hpp"
#include "harness/signoff/ssh_keygen.hpp"
#include "harness/signoff/sshsig.hpp"
#include "harness/signoff/statement.hpp"
#include "harness/support/clock.hpp"
#include "harness/support/digest.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/files.hpp"
#include "harness/support/store.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::signoff {
namespace {

namespace fs = std::filesystem;

/// A folder that nobody else may look into, beside the report; away with all in it at the end.
class Workbench {
 public:
  explicit Workbench(const fs::path& beside) {
    std::string name = (beside / ".rackproof-sign-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw support::UsageError(
          beside.string() + ": cannot be written to: " + std::generic_category().message(errno));
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

void require_words(const SignRequest& request) {
  if (!is_role(request.role)) {
    throw support::UsageError(
        "--role: expected lower-case letters, digits and hyphens, a letter first, at "
        "most 32, as in vendor or customer");
  }
  if (!is_identity(request.signer)) {
    throw support::UsageError(
        "--signer: expected letters, digits and @ . _ + -, at most 128, as in "
        "jane@example.com");
  }
}

// What is signed is whole, and its verdicts follow from its evidence.
model::Report require_sound(const std::string& file, const std::string& text,
                            const config::Paths& paths) {
  rejudge::Complaints complaints;
  try {
    rejudge::check_report(file, text, paths, complaints);
    if (complaints.empty()) return model::report_from_json(text);
  } catch (const model::BadReport& bad) {
    complaints.push_back(file + ": " + bad.what());
  }
  throw support::UsageError(
      complaints.front() +
      (complaints.size() > 1 ? fmt::format(" (and {} more)", complaints.size() - 1) : "") +
      "; it cannot be signed");
}

std::string signature_of(const SshKeygen& keygen, const SignRequest& request,
                         const std::string& purpose, const std::string& text) {
  const std::string bench = fs::path(request.report).parent_path().string();
  const Workbench folder(bench.empty() ? "." : bench);
  support::DirectoryStore store(folder.path());
  store.write_durably("message", text);
  const auto answer = keygen.sign(request.key, purpose, store.path("message"));
  const auto signature = answer.code == 0 ? store.read("message.sig") : std::nullopt;
  if (!signature) {
    throw support::UsageError(
        fmt::format("--key {}: ssh-keygen did not sign: {}", request.key, answer.err));
  }
  return *signature;
}

SshSignature require_ours(const SignRequest& request, const std::string& text) {
  try {
    SshSignature signature = read_signature(text);
    if (is_ed25519(signature.key_type)) return signature;
    throw support::UsageError(
        fmt::format("--key {}: is a key of the kind {}: expected Ed25519 (ssh-keygen -t ed25519)",
                    request.key, signature.key_type));
  } catch (const BadSignature& bad) {
    throw support::UsageError(
        fmt::format("--key {}: what ssh-keygen gave is no signature: {}", request.key, bad.what()));
  }
}

}  // namespace

SignedReport sign_report(const SignRequest& request, const config::Paths& paths) {
  require_words(request);
  const SignatureFiles files = signature_files(request.report, request.role);
  for (const std::string& path : {files.signature, files.statement, files.statement_signature}) {
    if (!request.replace && fs::exists(fs::symlink_status(path))) {
      throw support::UsageError(path + ": is there already; --replace signs anew");
    }
  }
  const std::string text = support::read_file(request.report);
  model::Report report = require_sound(request.report, text, paths);
  Statement statement;
  statement.report_sha256 = support::sha256_hex(text);
  statement.run = report.run.id;
  statement.acceptance = contract::word(report.acceptance);
  statement.left_out = model::steps_not_run(report);
  statement.left_out_hosts = report.run.left_out_hosts;
  statement.role = request.role;
  statement.signer = request.signer;
  statement.statement = request.statement;
  statement.signed_utc = support::SystemClock().utc();
  statement.version = protocol::version();
  const std::string said = to_text(statement);
  try {
    read_statement("--statement", said);
  } catch (const document::ConfigError& error) {
    throw support::UsageError(std::string("--statement: ") + error.message);
  }
  const SshKeygen keygen;
  const std::string signature = signature_of(keygen, request, kReportPurpose, text);
  const auto key = require_ours(request, signature);
  const std::string second = signature_of(keygen, request, kStatementPurpose, said);
  require_ours(request, second);
  const fs::path folder = fs::path(request.report).parent_path();
  support::DirectoryStore store(folder.empty() ? "." : folder.string());
  const auto write = [&store](const std::string& path, const std::string& bytes) {
    store.write_durably(fs::path(path).filename().string(), bytes);
  };
  write(files.statement, said);
  write(files.statement_signature, second);
  write(files.signature, signature);
  return {std::move(report), files, key.fingerprint};
}

}  // namespace rackproof::signoff
