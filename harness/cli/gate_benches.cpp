#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "harness/archive/report_file.hpp"
#include "harness/cli/gate.hpp"
#include "harness/warden/bounded.hpp"
#include "reports/model/reason_id.hpp"
#include "reports/model/subject.hpp"

namespace rackproof::cli {
namespace {

namespace fs = std::filesystem;
using gate::GateReason;

// Less is not worth a start: a bench of a GPU brings its driver up first.
constexpr double kLeastBenchSeconds = 6;

/// A folder of the run, gone with all that is in it.
class GateScratch {
 public:
  explicit GateScratch(const Program& program) {
    const auto variable = program.environment.find("TMPDIR");
    const bool named = variable != program.environment.end() && variable->second.starts_with('/');
    path_ = (named ? variable->second : std::string("/tmp")) + "/rackproof-gate-XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) {
      problem_ = fmt::format("{}: {}", path_, std::generic_category().message(errno));
      path_.clear();
    }
  }
  ~GateScratch() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  GateScratch(const GateScratch&) = delete;
  GateScratch& operator=(const GateScratch&) = delete;

  const std::string& path() const { return path_; }
  const std::string& problem() const { return problem_; }

 private:
  std::string path_;
  std::string problem_;
};

std::string last_gate_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  const std::size_t at = text.rfind('\n');
  return at == std::string::npos ? text : text.substr(at + 1);
}

/// Nothing for a cell that says nothing against the node.
std::optional<GateReason> gate_reason_of(const model::Cell& cell) {
  switch (cell.verdict.outcome) {
    case model::Outcome::kFail:
      return GateReason::kBenchFailed;
    case model::Outcome::kUntested:
      return cell.verdict.reason_id == model::reason_id::kDisturbed ? GateReason::kBenchDisturbed
                                                                    : GateReason::kBenchIncomplete;
    case model::Outcome::kUnjudged:
      return GateReason::kBenchIncomplete;
    case model::Outcome::kPass:
    case model::Outcome::kVerified:
    case model::Outcome::kWaived:
      break;
  }
  return std::nullopt;
}

void take_gate_report(const model::Report& report, gate::Result& result) {
  bool failed = false;
  for (const model::Cell& cell : report.cells) {
    const auto reason = gate_reason_of(cell);
    if (!reason || !cell.required) continue;
    failed = failed || *reason == GateReason::kBenchFailed;
    result.findings.push_back({*reason, model::label(cell.subject),
                               fmt::format("{}: {}", cell.metric, cell.verdict.reason)});
  }
  if (report.acceptance == model::Acceptance::kRejected && !failed) {
    result.findings.push_back({GateReason::kBenchFailed, "", report.acceptance_reason});
  }
  if (report.cells.empty()) {
    result.findings.push_back({GateReason::kBenchIncomplete, "", "there was nothing to measure"});
  }
}

}  // namespace

void run_gate_benches(const GateTerms& terms, double seconds, gate::Result& result) {
  const auto incomplete = [&result](std::string why) {
    result.findings.push_back({GateReason::kBenchIncomplete, "", std::move(why)});
  };
  if (seconds < kLeastBenchSeconds) {
    return incomplete(fmt::format("{:.0f} s were left for the benches, and they take {:.0f}",
                                  std::max(0.0, seconds), kLeastBenchSeconds));
  }
  const GateScratch scratch(terms.program);
  if (scratch.path().empty()) return incomplete(scratch.problem());
  const std::string out = scratch.path() + "/run";
  std::vector<std::string> command = {terms.program.paths.self,
                                      "--color",
                                      "never",
                                      "run",
                                      "--suite",
                                      terms.options.suite,
                                      "--out",
                                      out,
                                      "--rescue",
                                      scratch.path(),
                                      "--no-record"};
  if (terms.options.platform != "auto") {
    command.insert(command.end(), {"--platform", terms.options.platform});
  }
  result.benches = true;
  const warden::Bounded done = warden::run_bounded(command, {seconds, false, {}});
  if (!done.error.empty()) return incomplete(done.error);
  if (done.late) {
    return incomplete(fmt::format("the benches were not through in {:.0f} s", seconds));
  }
  std::error_code error;
  if (!fs::exists(archive::report_file(out), error)) {
    return incomplete(fmt::format("they ended with {}, and there is no report: {}",
                                  done.code.value_or(-1), last_gate_line(done.err)));
  }
  take_gate_report(archive::load_report(out), result);
}

}  // namespace rackproof::cli
