#include "harness/crew/endings.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/fakes/journal_lines.hpp"

namespace rackproof::run {
namespace {

namespace e = model::ending;

crew::Ended one_on(const std::string& host) {
  journal::Head head;
  head.host = host;
  return {0, "n", {journal::begin_line("n", 0, journal::to_json(head), 1, 1)}};
}

TEST_CASE("what the lines of an attempt say is read where nobody has read it") {
  crew::Ended ended = one_on("node1");
  ingest::Transcript transcript = crew::take_transcript(ended);
  CHECK_FALSE(transcript.over());
  CHECK(transcript.take_attempt().host == "node1");
}

TEST_CASE("what was read before is taken as it is") {
  crew::Ended read = one_on("node1");
  crew::Ended ended = one_on("node2");
  ended.transcript = crew::take_transcript(read);
  CHECK(crew::take_transcript(ended).take_attempt().host == "node1");
  CHECK_FALSE(ended.transcript);
}

TEST_CASE("only exit 0 of a whole transcript is clean") {
  CHECK(crew::is_clean(e::Completed{0}));
  for (const int code : {1, 2, 3, 4, 5}) CHECK_FALSE(crew::is_clean(e::Completed{code}));
  CHECK_FALSE(crew::is_clean(e::Leaked{0, ""}));
  CHECK_FALSE(crew::is_clean(e::Truncated{0, ""}));
  CHECK_FALSE(crew::is_clean(e::Cancelled{}));
  CHECK_FALSE(crew::is_clean(e::RankLost{""}));
}

TEST_CASE("only exit 4 of a whole transcript is a wrong answer told to the end") {
  CHECK(crew::is_wrong_answer(e::Completed{4}));
  CHECK_FALSE(crew::is_wrong_answer(e::Completed{0}));
  CHECK_FALSE(crew::is_wrong_answer(e::Garbled{4, ""}));
}

TEST_CASE("what may not be there the next time is transient") {
  for (const model::Ending& ending :
       {model::Ending(e::Completed{1}), model::Ending(e::Completed{5}),
        model::Ending(e::Signalled{}), model::Ending(e::TimedOut{}), model::Ending(e::Truncated{}),
        model::Ending(e::Garbled{}), model::Ending(e::Leaked{})}) {
    CHECK(crew::is_transient(ending));
  }
  for (const model::Ending& ending :
       {model::Ending(e::Completed{0}), model::Ending(e::Completed{2}),
        model::Ending(e::Completed{3}), model::Ending(e::Completed{4}), model::Ending(e::Wedged{}),
        model::Ending(e::Cancelled{}), model::Ending(e::SpawnFailed{}),
        model::Ending(e::RankLost{})}) {
    CHECK_FALSE(crew::is_transient(ending));
  }
}

TEST_CASE("what is under way is told why the run stops, or its rank takes leave") {
  using model::CancelReason;
  using model::CloseReason;
  using model::StepReason;
  using Why = model::Reason<CancelReason>;
  const auto stop = [](const model::Reason<StepReason>& why) { return crew::why_cancelled(why); };
  const auto leave = [](const model::Reason<CloseReason>& why) { return crew::why_cancelled(why); };
  CHECK(stop(StepReason::kTimeBudget) == Why(CancelReason::kTimeBudget));
  CHECK(stop(StepReason::kInterrupted) == Why(CancelReason::kInterrupted));
  CHECK(stop({StepReason::kStoppedByFinding, "gpu-lost"}) ==
        Why(CancelReason::kStoppedByFinding, "gpu-lost"));
  CHECK(leave(CloseReason::kFinished) == Why(CancelReason::kRunEnded));
  CHECK(leave(CloseReason::kInterrupted) == Why(CancelReason::kInterrupted));
  CHECK(leave({CloseReason::kOther, "rank 0 fell silent"}) ==
        Why(CancelReason::kRunEnded, "rank 0 fell silent"));
}

}  // namespace
}  // namespace rackproof::run
