#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

#include "tests/unit/run/stage.hpp"

// Whom a wrong answer of a group names.
namespace rackproof::run_test {
using fakes::Act;

TEST_CASE("a wrong answer is that of the member that holds it, whoever found it") {
  protocol::Check check{"sum", false, "bit by bit", 10, 1, protocol::FirstWrong{"x", "1", "2"}};
  Stage stage(3);
  stage.request.suite.steps = {ring()};
  const auto found = [&] {
    stage.bench = [&](const warden::Launch& launch) {
      Act act(launch, 5);
      act.hello();
      if (fakes::head_of(launch).member != 0) return act.check().end().done();
      return act.token(2, "id", "00ff").check(check).end(4).done(4);
    };
    const model::Report report = stage.play();
    CHECK(verdict(report, "ring").reason_id == "wrong-answer");
    const auto teller = std::find_if(report.attempts.begin(), report.attempts.end(),
                                     [](const auto& attempt) { return attempt.member == 0; });
    REQUIRE(teller != report.attempts.end());
    REQUIRE(teller->checks.size() == 1);
    CHECK(teller->checks[0].first_wrong_rank == check.first_wrong->rank);
    for (const model::Finding& finding : report.findings) {
      if (finding.id == "group-failed") return finding;
    }
    throw std::runtime_error("nobody is blamed");
  };
  SECTION("in the data of a third one") {
    check.first_wrong->rank = 2;
    check.first_wrong->from = 1;
    const model::Finding finding = found();
    CHECK(finding.text.starts_with("member 0 of 3"));
    CHECK_THAT(
        finding.text,
        Catch::Contains(
            "the first wrong value is at member 2 of 3 (rank 2 on node2), in the data of member "
            "1 of 3 (rank 1 on node1)"));
    CHECK(finding.evidence.at("member") == contract::Scalar{std::int64_t{0}});
    CHECK(finding.evidence.at("wrong_member") == contract::Scalar{std::int64_t{2}});
    CHECK(finding.evidence.at("wrong_host") == contract::Scalar{std::string("node2")});
    CHECK(finding.evidence.at("from_member") == contract::Scalar{std::int64_t{1}});
    CHECK(finding.evidence.at("from_host") == contract::Scalar{std::string("node1")});
  }
  SECTION("of the data of all") {
    check.first_wrong->rank = 1;
    const model::Finding finding = found();
    CHECK_THAT(finding.text,
               Catch::Contains("the first wrong value is at member 1 of 3 (rank 1 on node1)"));
    CHECK_FALSE(finding.evidence.contains("from_member"));
  }
  SECTION("where there is no such member, nobody is named") {
    check.first_wrong->rank = 3;
    CHECK_FALSE(found().evidence.contains("wrong_member"));
  }
}

}  // namespace rackproof::run_test
