#include "harness/evidence/claims.hpp"

#include <catch2/catch.hpp>

#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Acceptance;
using namespace rackproof::judge_test;

namespace {

model::Claim claim(const std::string& id = "memory") {
  model::Claim result;
  result.id = id;
  result.title = "bandwidth of memory";
  result.steps = {kStep};
  return result;
}

/// A good cell of 100 B/s more, of `subject`; it is judged by baseline().
model::Cell& add_cell(model::Report& report, const model::Subject& subject,
                      const std::string& metric = kMetric) {
  const int number = static_cast<int>(report.attempts.size()) + 1;
  report.attempts.push_back(attempt(number, subject.host.empty() ? kHost : subject.host));
  report.attempts.back().subject = subject;
  model::Cell& one = report.cells.emplace_back(cell(subject));
  one.metric = metric;
  one.id += metric;
  model::Measurement number_of = measurement(report.attempts.back().nonce);
  number_of.metric = metric;
  number_of.subject = subject;
  one.measurements = {number_of};
  return one;
}

model::Report with_claims(model::Report report) {
  judge::judge(report);
  return report;
}

/// A table that knows this metric's answer and no speed.
model::Baseline only_correct(const std::string& metric = "*") {
  model::Baseline result = baseline();
  result.id = "box/correct";
  result.metric = metric;
  result.kind = model::BaselineKind::kCorrectness;
  return result;
}

const model::ClaimState& only_state(const model::Report& report) {
  REQUIRE(report.judged_claims.size() == 1);
  return report.judged_claims[0];
}

}  // namespace

TEST_CASE("a result that passes a limit holds the claim of its step") {
  const model::Report report = with_claims(one_cell());
  CHECK(report.acceptance == Acceptance::kAccepted);
  CHECK(only_state(report) == model::ClaimState{kStep, "step stream", 1, 1, {}, ""});
}

TEST_CASE("what only correctness judged is verified, not accepted, and says what has no limit") {
  model::Report report = one_cell();
  report.platforms[0].baselines = {only_correct()};
  report.suite.claims = {claim()};
  const model::Report verified = with_claims(report);
  CHECK(verified.acceptance == Acceptance::kVerified);
  CHECK(verified.acceptance_reason ==
        "1 result is correct; no speed limit for bandwidth of memory. To accept: learn a table "
        "from accepted nodes, or name one with --platform");
  CHECK(only_state(verified) == model::ClaimState{"memory", "bandwidth of memory", 1, 0, {}, ""});

  SECTION("unless somebody says why that will do") {
    report.run.accept_unjudged = {{"memory", "a loan"}};
    const model::Report accepted = with_claims(report);
    CHECK(accepted.acceptance == Acceptance::kAccepted);
    CHECK(accepted.acceptance_reason ==
          "0 of 1 required cells pass, 1 verified without a speed limit; bandwidth of memory "
          "accepted without a limit: a loan");
    CHECK(only_state(accepted).accepted == "a loan");
  }
  SECTION("and another claim that is accepted changes nothing") {
    report.run.accept_unjudged = {{"fabric", "a loan"}};
    CHECK(with_claims(report).acceptance == Acceptance::kVerified);
  }
}

TEST_CASE("a limit of a generic table holds no claim") {
  model::Report report = one_cell();
  SECTION("one that a table of a machine type inherits") {
    report.platforms[0].baselines[0].generic = true;
  }
  SECTION("one of the table that is for every machine") { report.platforms[0].generic = true; }
  const model::Report verified = with_claims(report);
  CHECK(verified.cells[0].verdict.outcome == model::Outcome::kPass);
  CHECK(verified.acceptance == Acceptance::kVerified);
}

TEST_CASE("each part has to hold a claim, with one of its cells") {
  model::Report report = one_cell();
  report.platforms[0].baselines.push_back(only_correct());
  report.nodes.push_back({"node2", {}, {}});
  report.platform_of_host["node2"] = kPlatform;
  report.suite.claims = {claim()};
  add_cell(report, node("node2"), "stream.copy");
  const model::Report without = with_claims(report);
  CHECK(without.acceptance == Acceptance::kVerified);
  CHECK(only_state(without).places == 2);
  CHECK(only_state(without).held == 1);
  CHECK(without.acceptance_reason.find("bandwidth of memory (1 of 2)") != std::string::npos);

  add_cell(report, node("node2"));
  CHECK(with_claims(report).acceptance == Acceptance::kAccepted);
}

TEST_CASE("a claim may count metrics or the values of a parameter apart") {
  model::Report report = one_cell();
  report.platforms[0].baselines.push_back(only_correct());
  report.suite.claims = {claim()};
  add_cell(report, node(), "stream.copy");
  SECTION("one for all of them") { CHECK(with_claims(report).acceptance == Acceptance::kAccepted); }
  SECTION("metrics") {
    report.suite.claims[0].each = "metric";
    const model::Report verified = with_claims(report);
    CHECK(verified.acceptance == Acceptance::kVerified);
    CHECK(only_state(verified).missing == std::vector<std::string>{"stream.copy"});
    CHECK(verified.acceptance_reason.find("bandwidth of memory (stream.copy)") !=
          std::string::npos);
  }
  SECTION("values; a cell without one can't hold the claim, and need not") {
    report.suite.claims[0].each = "type";
    report.cells[1].parameters["type"] = std::string("double");
    report.cells[1].measurements[0].parameters = report.cells[1].parameters;
    const model::Report verified = with_claims(report);
    CHECK(verified.acceptance == Acceptance::kVerified);
    CHECK(only_state(verified).places == 1);
    CHECK(only_state(verified).missing == std::vector<std::string>{"type=double"});
  }
}

TEST_CASE("cells that nobody has to pass neither hold a claim nor owe it") {
  model::Report report = one_cell();
  report.suite.claims = {claim()};
  model::Cell& other = add_cell(report, node("node2"));
  report.nodes.push_back({"node2", {}, {}});
  report.platform_of_host["node2"] = kPlatform;
  SECTION("one that is not required") { other.required = false; }
  SECTION("one that is waived") { other.waived = "not built here"; }
  const model::Report accepted = with_claims(report);
  CHECK(accepted.acceptance == Acceptance::kAccepted);
  CHECK(only_state(accepted).places == 1);

  report.cells[0].required = false;
  CHECK(with_claims(report).acceptance != Acceptance::kAccepted);
}

TEST_CASE("a claim of some metrics, parameters and sizes of groups asks for those alone") {
  model::Report report = one_cell();
  report.suite.claims = {claim()};
  model::Claim& one = report.suite.claims[0];
  const auto places = [&report] {
    const model::Report judged = with_claims(report);
    return judged.judged_claims.empty() ? 0 : judged.judged_claims[0].places;
  };
  one.metrics = {"other.*", "*.triad"};
  CHECK(places() == 1);
  one.metrics = {"other.*"};
  CHECK(places() == 0);
  one.metrics.clear();
  one.parameters["type"] = std::string("float");
  CHECK(places() == 0);
  one.parameters.clear();
  one.nodes_min = 2;
  CHECK(places() == 0);
  one.nodes_min = 1;
  one.nodes_max = 1;
  CHECK(places() == 1);
  one.steps = {"another"};
  CHECK(places() == 0);
}

TEST_CASE("a claim that concerns nothing here is no claim, and nothing is accepted for it") {
  model::Report report = one_cell();
  report.suite.claims = {claim()};
  report.suite.claims[0].steps = {"another"};
  report.platforms[0].baselines = {only_correct()};
  const model::Report judged = with_claims(report);
  CHECK(judged.judged_claims.empty());
  CHECK(judged.acceptance != Acceptance::kAccepted);
}

TEST_CASE("a claim is left out where one counts that it gives way to") {
  model::Report report = one_cell();
  report.suite.claims = {claim("gpu"), claim("mpi")};
  report.suite.claims[1].unless = {"gpu"};
  CHECK(only_state(with_claims(report)).id == "gpu");
  report.suite.claims[0].steps = {"another"};
  CHECK(only_state(with_claims(report)).id == "mpi");

  SECTION("and one that is itself left out takes none away") {
    report.suite.claims = {claim("gpu"), claim("mpi"), claim("tcp")};
    report.suite.claims[1].unless = {"gpu"};
    report.suite.claims[2].unless = {"mpi"};
    const model::Report judged = with_claims(report);
    REQUIRE(judged.judged_claims.size() == 2);
    CHECK(judged.judged_claims[1].id == "tcp");
  }
}
