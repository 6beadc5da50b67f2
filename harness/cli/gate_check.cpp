#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/cli/gate.hpp"
#include "harness/config/comparison.hpp"
#include "harness/gate/decide.hpp"
#include "harness/gate/state.hpp"
#include "harness/lint/judging_tables.hpp"
#include "harness/support/clock.hpp"
#include "harness/support/files.hpp"
#include "harness/support/store.hpp"
#include "harness/warden/bounded.hpp"
#include "reports/json/report_json.hpp"

namespace rackproof::cli {
namespace {

using gate::GateReason;
using gate::State;
using gate::StateKind;

// Of what the look has: for a program to start, and for all that it reads beside NVML.
constexpr double kBesideNvml = 3;
constexpr double kLeastForNvml = 0.5;

/// The state of one node: a file that is there whole or not at all.
class Keeper {
 public:
  Keeper(const std::string& folder, const std::string& node)
      : store_(folder), name_(node + ".json") {}

  State read() {
    try {
      const auto text = store_.read(name_);
      if (text) return named(gate::read_state(*text));
      if (!store_.exists(name_)) return {};
      return named({StateKind::kUnreadable, std::nullopt, "it is no regular file"});
    } catch (const support::StoreError& error) {
      return {StateKind::kUnreadable, std::nullopt, error.what()};
    }
  }

  /// Why it could not be kept; empty: it is.
  std::string write(const gate::GoodLook& good) {
    try {
      store_.make_folder(".");
      store_.write_durably(name_, gate::state_text(good));
      return "";
    } catch (const support::StoreError& error) {
      return error.what();
    }
  }

  State named(State state) const {
    if (!state.why.empty()) state.why = store_.path(name_) + ": " + state.why;
    return state;
  }

 private:
  support::DirectoryStore store_;
  std::string name_;
};

gate::Measure measure_of(const GateTerms& terms) {
  lint::JudgingTables judging =
      lint::load_judging_tables(terms.options.platform, terms.program.paths);
  gate::Measure measure;
  measure.tables = std::move(judging.tables);
  measure.named = !judging.forced.empty();
  measure.rules = config::load_comparison(terms.program.paths.comparison);
  if (!terms.options.golden.empty()) {
    try {
      measure.golden = model::node_from_json(support::read_file(terms.options.golden));
    } catch (const std::runtime_error& error) {
      throw UsageError(fmt::format("{}: is not what rackproof inventory --json prints: {}",
                                   terms.options.golden, error.what()));
    }
  }
  return measure;
}

std::string last_look_words(const warden::Bounded& done) {
  std::string text = done.err;
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// A look by a program of its own. Nothing when it gave none; the result says why.
std::optional<gate::Look> take_look(const GateTerms& terms, double seconds, gate::Result& result) {
  const double patience = std::max(kLeastForNvml, seconds - kBesideNvml);
  std::vector<std::string> command = {terms.program.paths.self, "gate", "--look", "--nvml-deadline",
                                      fmt::format("{:.3f} s", patience)};
  if (!terms.options.counters_root.empty()) {
    command.insert(command.end(), {"--counters-root", terms.options.counters_root});
  }
  const warden::Bounded done = warden::run_bounded(command, {seconds, true, {}});
  std::string why = !done.error.empty() ? done.error
                    : done.late         ? fmt::format("it was not through in {:.0f} s", seconds)
                                : fmt::format("it ended with {}: {}", done.code.value_or(-1),
                                              last_look_words(done));
  if (done.out.find('\n') != std::string::npos) {
    try {
      return gate::look_from_json(done.out.substr(0, done.out.find('\n')));
    } catch (const std::runtime_error& error) {
      why = error.what();
    }
  }
  if (done.left_behind != 0) {
    why += fmt::format("; process {} hangs in the kernel and was left behind", done.left_behind);
  }
  result.findings.push_back({done.late ? GateReason::kLimitPassed : GateReason::kCheckFailed, "",
                             "the inventory could not be taken: " + why});
  return std::nullopt;
}

bool may_be_accepted(const gate::Result& result) {
  return std::all_of(result.findings.begin(), result.findings.end(), [](const auto& finding) {
    return gate::verdict_of(finding.reason) != gate::Verdict::kIncomplete ||
           finding.reason == GateReason::kStateUnreadable;
  });
}

}  // namespace

gate::Result check_node(const GateTerms& terms, const TellPhase& tell) {
  support::SystemClock clock;
  const double until = clock.now() + terms.seconds;
  gate::Result result;
  result.node = terms.node;
  result.mode = terms.options.mode;
  result.utc = clock.utc();
  tell("reading the state");
  Keeper keeper(terms.options.state, terms.node);
  State before = keeper.read();
  tell("reading the tables");
  const gate::Measure measure = measure_of(terms);
  tell("taking the inventory");
  const auto look = take_look(terms, until - clock.now(), result);
  if (!look) return result;
  result.host = look->node.host;
  tell("deciding");
  before = keeper.named(gate::of_this_node(std::move(before), *look));
  gate::Decision decision = gate::decide(*look, before, measure);
  result.platform = decision.platform;
  result.findings = std::move(decision.findings);
  if (terms.benches && result.verdict() == gate::Verdict::kOk) {
    tell("running the benches");
    run_gate_benches(terms, until - clock.now(), result);
    gate::sort_findings(result.findings);
  }
  if (!terms.options.accept.empty() && may_be_accepted(result)) {
    result.accepted = terms.options.accept;
  }
  if (result.verdict() != gate::Verdict::kOk) return result;
  tell("writing the state");
  // What was accepted is the state itself, without what was known before.
  const gate::Look kept = gate::remembered(*look, result.accepted.empty() ? before : State{});
  const std::string why = keeper.write({result.utc, result.platform, result.accepted, kept});
  if (!why.empty()) {
    result.findings.push_back({GateReason::kStateNotKept, "",
                               "this look is not remembered; the one before stays: " + why});
  }
  return result;
}

}  // namespace rackproof::cli
