#include "harness/config/suite.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "harness/config/claims.hpp"
#include "harness/config/day.hpp"
#include "harness/config/extent.hpp"
#include "harness/config/step_environment.hpp"
#include "harness/config/step_times.hpp"
#include "harness/config/suite_plan.hpp"
#include "harness/document/reader.hpp"
#include "harness/support/digest.hpp"

namespace rackproof::config {
namespace {

constexpr const char* kSuiteSchema = "rackproof/suite/1";
constexpr std::size_t kMaxCells = 100'000;
constexpr std::size_t kLongestArgument = 4096;
constexpr std::int64_t kMaxPeers = 1'000'000;
constexpr double kLowestConfidence = 0.5;
// One value says nothing of its error.
constexpr std::int64_t kLeastConfirmations = 2;
constexpr std::int64_t kMostConfirmations = 20;
constexpr const char* kRanks = "$ranks";

using CellKey = std::pair<std::string, std::string>;  // what it is about, and its name

double fraction_between(const document::Field& field, double low, double high) {
  const double value = field.number();
  if (!(value > low && value < high)) {
    field.fail("expected a number above " + document::number_text(low) + " and below " +
               document::number_text(high) + ", got " + document::number_text(value));
  }
  return value;
}

void read_confirmation(const document::Object& object, model::JudgePolicy& policy) {
  const auto effect = object.find("peer_effect");
  const auto margin = object.find("peer_margin");
  if (effect) policy.peer_effect = fraction_between(*effect, 0, 1);
  if (margin) policy.peer_margin = fraction_between(*margin, 0, 1);
  // Nobody would look at what the margin fails.
  if (policy.peer_effect > policy.peer_margin) {
    (margin ? *margin : *effect)
        .fail(
            "the peer_margin (" + document::number_text(policy.peer_margin) +
            ") is less than the peer_effect (" + document::number_text(policy.peer_effect) +
            "); expected at least that, since only what is worse by peer_effect is measured again");
  }
  if (const auto times = object.find("peer_confirmations")) {
    policy.peer_confirmations =
        static_cast<int>(times->integer(kLeastConfirmations, kMostConfirmations));
  }
}

model::JudgePolicy read_policy(const document::Field& field) {
  using model::Disturbed;
  using model::Straddle;
  const document::Object object(
      field, {"peer_outlier", "peer_minimum", "peer_effect", "peer_margin", "peer_confirmations",
              "family_alpha", "discovery_rate", "confidence", "straddle", "disturbed",
              "disturbed_share", "accept_groups", "recorded"});
  model::JudgePolicy policy;
  if (const auto outlier = object.find("peer_outlier")) {
    policy.peer_outlier_fails = outlier->choice<bool>({{"finding", false}, {"fail", true}});
  }
  if (const auto minimum = object.find("peer_minimum")) {
    policy.peer_minimum = static_cast<int>(minimum->integer(3, kMaxPeers));
  }
  if (const auto alpha = object.find("family_alpha")) {
    policy.family_alpha = fraction_between(*alpha, 0, 1);
  }
  if (const auto confidence = object.find("confidence")) {
    policy.confidence = fraction_between(*confidence, kLowestConfidence, 1);
  }
  read_confirmation(object, policy);
  if (const auto rate = object.find("discovery_rate")) {
    policy.discovery_rate = fraction_between(*rate, 0, 1);
  }
  if (const auto straddle = object.find("straddle")) {
    policy.straddle = straddle->choice<Straddle>(
        {{"fail", Straddle::kFail}, {"pass", Straddle::kPass}, {"unjudged", Straddle::kUnjudged}});
  }
  if (const auto disturbed = object.find("disturbed")) {
    policy.disturbed = disturbed->choice<Disturbed>(
        {{"repeat", Disturbed::kRepeat}, {"ignore", Disturbed::kIgnore}});
  }
  if (const auto share = object.find("disturbed_share")) {
    policy.disturbed_share = fraction_between(*share, 0, 1);
  }
  if (const auto groups = object.find("accept_groups")) policy.accept_groups = groups->text();
  if (const auto recorded = object.find("recorded")) {
    using model::Recorded;
    policy.recorded = recorded->choice<Recorded>({{"optional", Recorded::kOptional},
                                                  {"with-gpus", Recorded::kWithGpus},
                                                  {"always", Recorded::kAlways}});
  }
  return policy;
}

contract::Scalar read_parameter(const document::Field& field) {
  if (!field.is_text()) return field.scalar();
  std::string value = field.text();
  if (value == kRanks) return value;
  if (value.front() == '$') field.fail("unknown placeholder '" + value + "'; expected '$ranks'");
  return field.name();
}

// {"from": 8, "to": 4194304, "factor": 2}: 8, 16, ... as long as they are not above "to".
std::vector<contract::Scalar> read_range(const document::Field& field) {
  const document::Object object(field, {"from", "to", "factor"});
  const std::int64_t from = object.require("from").integer(1, INT64_MAX);
  const std::int64_t to = object.require("to").integer(from, INT64_MAX);
  const std::int64_t factor = object.require("factor").integer(2, 1'000'000);
  std::vector<contract::Scalar> values;
  for (std::int64_t value = from;; value *= factor) {
    values.emplace_back(value);
    if (value > to / factor) return values;
  }
}

std::vector<contract::Scalar> read_values(const document::Field& field) {
  if (field.is_object()) return read_range(field);
  if (!field.is_list()) return {read_parameter(field)};
  std::vector<contract::Scalar> values;
  for (const document::Field& item : field.items()) {
    const contract::Scalar value = read_parameter(item);
    if (std::find(values.begin(), values.end(), value) != values.end()) {
      item.fail("the value " + model::to_text(value) + " is given twice");
    }
    values.push_back(value);
  }
  if (values.empty()) field.fail("is an empty list; expected at least one value");
  return values;
}

// Every combination of the values, as parameters of one cell each.
std::vector<contract::Parameters> combinations(const Expectation& expectation) {
  std::vector<contract::Parameters> all(1);
  for (const auto& [name, values] : expectation.each) {
    std::vector<contract::Parameters> next;
    for (const contract::Parameters& one : all) {
      for (const contract::Scalar& value : values) {
        next.push_back(one);
        next.back()[name] = value;
      }
    }
    all = std::move(next);
  }
  return all;
}

std::size_t count_cells(const Expectation& expectation, const document::Field& field) {
  std::size_t cells = 1;
  for (const auto& [name, values] : expectation.each) {
    cells *= values.size();
    if (cells > kMaxCells) {
      field.fail("expects more than " + std::to_string(kMaxCells) + " cells");
    }
  }
  return cells;
}

std::vector<std::string> read_metrics(const document::Field& field) {
  if (!field.is_list()) return {field.name()};
  std::vector<std::string> metrics;
  for (const document::Field& item : field.items()) metrics.push_back(item.name());
  if (metrics.empty()) field.fail("is an empty list; expected at least one metric");
  return metrics;
}

// One expectation for each metric that it names.
std::vector<Expectation> read_expectation(const document::Field& field) {
  const document::Object object(field, {"metric", "parameters", "for_each", "required", "waived"});
  Expectation expectation;
  if (const auto parameters = object.find("parameters")) {
    for (const auto& [name, value] : parameters->members()) {
      if (!document::is_name(name)) {
        value.fail("expected a parameter name of 1 to 64 letters, digits, '.', '_' or '-'");
      }
      expectation.each[name] = read_values(value);
    }
  }
  if (const auto for_each = object.find("for_each")) {
    expectation.for_each = for_each->choice<std::string>(
        {{"numa", "numa"}, {"device", "device"}, {"link", "link"}, {"path", "path"}});
    if (expectation.for_each == "numa" && expectation.each.count("domain") != 0) {
      for_each->fail("gives the parameter 'domain' its values; expected no 'domain' in parameters");
    }
  }
  if (const auto required = object.find("required")) expectation.required = required->boolean();
  if (const auto waived = object.find("waived")) expectation.waived = waived->text();
  std::vector<Expectation> all;
  for (std::string& metric : read_metrics(object.require("metric"))) {
    all.push_back(expectation);
    all.back().metric = std::move(metric);
  }
  return all;
}

// Each cell once, by its name as people and other programs see it: one of "8" and one of 8 could
// not be told apart there. The first NUMA domain stands for all.
void add_cells(const Expectation& expectation, const document::Field& field,
               std::set<CellKey>& cells) {
  for (contract::Parameters& parameters : combinations(expectation)) {
    if (expectation.for_each == "numa") parameters["domain"] = "numa0";
    const std::string label = expectation.metric + " " + model::to_text(parameters);
    const std::string about = expectation.for_each == "numa" ? "" : expectation.for_each;
    if (!cells.emplace(about, label).second) {
      field.fail("expects the cell '" + label + "' a second time in this step");
    }
  }
}

std::vector<Expectation> read_expectations(const document::Field& field) {
  std::vector<Expectation> expectations;
  std::set<CellKey> cells;
  std::size_t total = 0;
  for (const document::Field& item : field.items()) {
    for (Expectation& one : read_expectation(item)) {
      total += count_cells(one, item);
      if (total > kMaxCells) {
        field.fail("expects more than " + std::to_string(kMaxCells) + " cells");
      }
      add_cells(one, item, cells);
      expectations.push_back(std::move(one));
    }
  }
  if (expectations.empty()) field.fail("is empty; expected at least one expectation");
  return expectations;
}

void read_placement(const document::Object& object, Step& step) {
  const document::Field placement = object.require("placement");
  step.placement = placement.choice<Placement>({{"device", Placement::kDevice},
                                                {"node", Placement::kNode},
                                                {"world", Placement::kWorld},
                                                {"groups", Placement::kGroups}});
  if (step.backend == "mpi" && step.placement != Placement::kWorld) {
    placement.fail("a bench of backend 'mpi' runs in all ranks; expected 'world'");
  }
  if (const auto needs = object.find("needs")) {
    step.needs_device = needs->choice<bool>({{"device", true}});
    if (step.placement != Placement::kNode) {
      needs->fail("only a step of placement 'node' says what it needs; leave it out here");
    }
  }
  const auto members = object.find("members");
  if (members && !is_process_group(step)) {
    members->fail(
        "only a group of processes has members; expected placement 'world' or 'groups', "
        "and another backend than 'mpi'");
  }
  if (members) {
    step.members =
        members->choice<Members>({{"devices", Members::kDevices}, {"ranks", Members::kRanks}});
  }
}

void read_rounds(const document::Object& object, Step& step) {
  const auto rounds = object.find("rounds");
  if (!rounds) return;
  if (step.placement != Placement::kWorld && step.placement != Placement::kGroups) {
    rounds->fail("only members of a group meet in rounds; expected placement 'world' or 'groups'");
  }
  const auto& words = step.arguments;
  if (std::find(words.begin(), words.end(), "--rounds") != words.end()) {
    rounds->fail("is said in 'arguments' too; leave --rounds out there");
  }
  // With two no slow member can be told from a slow partner (localise::is_told()).
  constexpr std::int64_t kLeast = 3;
  constexpr std::int64_t kMost = 1'000'000;
  step.rounds = static_cast<int>(rounds->integer(kLeast, kMost));
  step.arguments.push_back("--rounds");
  step.arguments.push_back(std::to_string(step.rounds));
}

void refuse_ends(const document::Field& expect, const Step& step) {
  for (const Expectation& expectation : step.expect) {
    const bool device = expectation.for_each == "device";
    const bool link = expectation.for_each == "link" || expectation.for_each == "path";
    if (device && step.placement != Placement::kNode) {
      expect.fail(
          "'for_each' 'device' is for one process of a whole node; expected placement 'node'");
    }
    if (link && step.placement == Placement::kDevice) {
      expect.fail("'for_each' '" + expectation.for_each +
                  "' wants two ends; expected placement 'node', 'world' or 'groups'");
    }
  }
}

Step read_step(const document::Field& field, double budget) {
  const document::Object object(
      field,
      {"id",       "title",   "bench",   "backend",  "arguments",  "environment",      "placement",
       "needs",    "members", "rounds",  "deadline", "takes",      "bring_up",         "grace",
       "attempts", "repeat",  "confirm", "narrow",   "on_failure", "when_unavailable", "expect"});
  Step step;
  step.id = object.require("id").name();
  step.title = object.require("title").text();
  step.bench = object.require("bench").name();
  step.backend = object.require("backend").name();
  if (const auto arguments = object.find("arguments")) {
    for (const document::Field& item : arguments->items()) {
      step.arguments.push_back(item.text(kLongestArgument));
    }
  }
  if (const auto environment = object.find("environment")) {
    step.environment = read_step_environment(*environment, kLongestArgument);
  }
  read_placement(object, step);
  read_rounds(object, step);
  read_times(object, budget, step);
  read_bring_up(object, step);
  read_again(object, step);
  if (const auto failure = object.find("on_failure")) {
    step.failure_stops_run = failure->choice<bool>({{"continue", false}, {"stop", true}});
  }
  if (const auto unavailable = object.find("when_unavailable")) {
    using Waives = std::pair<bool, bool>;  // a host without a device; exit 3 of the bench
    std::tie(step.no_gpu_waives, step.unavailable_waives) =
        unavailable->choice<Waives>({{"untested", {false, false}},
                                     {"waive_without_device", {true, false}},
                                     {"waive", {true, true}}});
  }
  const document::Field expect = object.require("expect");
  step.expect = read_expectations(expect);
  refuse_ends(expect, step);
  return step;
}

}  // namespace

bool is_process_group(const Step& step) {
  const bool group = step.placement == Placement::kWorld || step.placement == Placement::kGroups;
  return group && step.backend != "mpi";
}

Suite load_suite(const std::string& path) {
  const document::Document document = document::load_document(path);
  const document::Object object(
      document::Field(document.file, document.root, ""),
      {"schema", "id", "title", "purpose", "time_budget", "quiet_wait", "extent", "claims", "plan",
       "judge", "findings", "steps", "valid"});
  document::check_schema(object.require("schema"), kSuiteSchema);
  Suite suite;
  suite.info.id = object.require("id").name();
  suite.info.title = object.require("title").text();
  suite.info.digest = support::sha256_hex(document.text);
  suite.purpose = object.require("purpose").text();
  const document::Field budget = object.require("time_budget");
  suite.time_budget_seconds = budget.seconds();
  if (const auto wait = object.find("quiet_wait")) suite.quiet_wait_seconds = wait->seconds();
  if (const auto valid = object.find("valid")) suite.info.valid_seconds = read_days(*valid);
  if (const auto extent = object.find("extent")) suite.info.extent = read_extent(*extent);
  if (const auto judge = object.find("judge")) suite.info.policy = read_policy(*judge);
  if (const auto findings = object.find("findings")) {
    FindingRules rules = read_finding_rules(*findings);
    suite.info.suppress = std::move(rules.suppress);
    suite.stop = std::move(rules.stop);
  }
  const document::Field steps = object.require("steps");
  for (const document::Field& item : steps.items()) {
    Step step = read_step(item, suite.time_budget_seconds);
    const auto same = [&](const Step& other) { return other.id == step.id; };
    if (std::any_of(suite.steps.begin(), suite.steps.end(), same)) {
      item.fail("the step id '" + step.id + "' is used a second time; expected unique ids");
    }
    suite.steps.push_back(std::move(step));
  }
  if (suite.steps.empty()) steps.fail("is empty; expected at least one step");
  require_time(budget, suite);
  if (const auto claims = object.find("claims")) {
    suite.info.claims = read_claims(*claims, suite.steps);
  }
  if (const auto plan = object.find("plan")) {
    suite.info.plan = read_suite_plan(*plan, suite.steps.size());
  }
  return suite;
}

}  // namespace rackproof::config
