#include "harness/assemble/strangers.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;

namespace {

model::Attempt attempt(const std::string& step, const std::string& host) {
  model::Attempt one;
  one.step = step;
  one.bench = "gemm";
  one.backend = "cuda";
  one.subject.kind = contract::SubjectKind::kNode;
  one.subject.host = host;
  return one;
}

}  // namespace

TEST_CASE("what no cell expects is told once for a step, with the one part that it is about") {
  assemble::Strangers strangers;
  strangers.note(attempt("many", "a"), 6, "first");
  strangers.note(attempt("many", "b"), 6, "second");
  strangers.note(attempt("one", "a"), 2, "third");
  strangers.note(attempt("one", "a"), 2, "third");
  model::Report report;
  strangers.tell(report);
  REQUIRE(report.findings.size() == 2);
  CHECK(report.findings[0].subject == "many");
  CHECK(report.findings[0].text ==
        "gemm-cuda gave 12 number(s) about 2 parts that the suite does not expect, such as first");
  CHECK(report.findings[1].subject == "a");
  CHECK(report.findings[1].text ==
        "gemm-cuda gave 4 number(s) that the suite does not expect, such as third");
}

TEST_CASE("nothing is told where all is expected") {
  model::Report report;
  assemble::Strangers().tell(report);
  CHECK(report.findings.empty());
}
