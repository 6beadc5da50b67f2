#include "reports/model/words.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/contract/round_trip.hpp"

namespace rackproof::model {
TEST_CASE("every enumerator has a word that leads back to it") {
  contract::check_round_trip<Outcome>(6);
  contract::check_round_trip<Acceptance>(4);
  contract::check_round_trip<Severity>(4);
  contract::check_round_trip<BaselineKind>(5);
  contract::check_round_trip<BoundOf>(11);
  contract::check_round_trip<Straddle>(3);
}

TEST_CASE("choices lists the words in order") {
  CHECK(contract::choices<Outcome>() == "pass, verified, fail, unjudged, untested, waived");
}

TEST_CASE("a reason is told as its word, with what is to be added behind a colon") {
  CHECK(to_text(Reason<StepReason>()).empty());
  CHECK(to_text(Reason<StepReason>(StepReason::kTimeBudget)) == "time-budget");
  CHECK(to_text(Reason<StepReason>(StepReason::kRankLost, "rank 3 on node7")) ==
        "rank-lost: rank 3 on node7");
  CHECK(to_text(Reason<StepReason>(StepReason::kOther, "no host has a device")) ==
        "no host has a device");
}

TEST_CASE("each reason of a list is read back as what it was") {
  const auto check = [](auto of) {
    using E = decltype(of);
    for (const auto& [id, text] : words_of(E{})) {
      for (const std::string words : {"", "rank 3: it is gone"}) {
        const Reason<E> reason(id, words);
        if (text.empty() && words.empty()) continue;
        CHECK(reason_of<E>(to_text(reason)).id == (text.empty() ? E::kOther : id));
        CHECK(to_text(reason_of<E>(to_text(reason))) == to_text(reason));
      }
    }
    CHECK(reason_of<E>("").empty());
    CHECK(reason_of<E>("a story of lost ranks") == Reason<E>(E::kOther, "a story of lost ranks"));
  };
  check(StepReason{});
  check(ProcessState{});
  check(CloseReason{});
  check(CancelReason{});
}

TEST_CASE("sentences of journals and reports from before reasons had words keep their meaning") {
  const std::string member = "member 2 of 4 (rank 2 on node2, GPU-1) ended by signal 11 (SIGSEGV)";
  const std::vector<std::pair<std::string, Reason<CancelReason>>> rows = {
      {member, {CancelReason::kMemberFailed, member}},
      {"member-failed: " + member, {CancelReason::kMemberFailed, member}},
      {"the loss of its rank", CancelReason::kRankGone},
      {"the end of the run", CancelReason::kRunEnded},
      {"interrupted", CancelReason::kInterrupted},
      {"time-budget", CancelReason::kTimeBudget},
      {"bring-up: it gave no token within 60 s",
       {CancelReason::kBringUp, "it gave no token within 60 s"}},
      {"rank-lost: member 1 of 3: silent for 20 s",
       {CancelReason::kRankLost, "member 1 of 3: silent for 20 s"}},
      {"rank 0 fell silent", {CancelReason::kOther, "rank 0 fell silent"}},
      {"members", {CancelReason::kOther, "members"}},
  };
  for (const auto& [text, reason] : rows) CHECK(reason_of<CancelReason>(text) == reason);
  // Of the other lists none begins so.
  CHECK(reason_of<StepReason>(member).id == StepReason::kOther);
}

TEST_CASE("a word that only begins like one of the list is none of it") {
  CHECK(reason_of<StepReason>("interrupted twice").id == StepReason::kOther);
  CHECK(reason_of<CloseReason>("rank-gone").id == CloseReason::kRankGone);
  CHECK(reason_of<CloseReason>("rank-gone-by").id == CloseReason::kOther);
}

}  // namespace rackproof::model
