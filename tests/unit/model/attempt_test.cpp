#include "reports/model/attempt.hpp"

#include <catch2/catch.hpp>
#include <set>

namespace rackproof::model {

TEST_CASE("each ending has its own word") {
  const std::vector<Ending> all = {ending::Completed{}, ending::Signalled{},   ending::TimedOut{},
                                   ending::Cancelled{}, ending::SpawnFailed{}, ending::Leaked{},
                                   ending::Truncated{}, ending::Garbled{},     ending::Wedged{},
                                   ending::RankLost{}};
  REQUIRE(all.size() == std::variant_size_v<Ending>);
  std::set<std::string> words;
  for (const Ending& ending : all) {
    words.insert(word(ending));
    CHECK_FALSE(sentence(ending).empty());
  }
  CHECK(words.size() == all.size());
  CHECK(word(ending::Completed{}) == "completed");
  CHECK(word(ending::TimedOut{}) == "timed-out");
  CHECK(word(ending::SpawnFailed{}) == "spawn-failed");
  CHECK(word(ending::RankLost{}) == "rank-lost");
}

TEST_CASE("the device of an attempt is its subject's, or the one that it was given") {
  Attempt attempt;
  CHECK(device_of(attempt).empty());
  attempt.device = "GPU-1";
  CHECK(device_of(attempt) == "GPU-1");
  attempt.subject.device = "GPU-2";
  CHECK(device_of(attempt) == "GPU-2");
}

TEST_CASE("arguments name a device or none") {
  CHECK(device_among({"--seconds", "1", "--device", "GPU-1"}) == "GPU-1");
  CHECK(device_among({"--device"}).empty());
  CHECK(device_among({}).empty());
}

TEST_CASE("endings are told in one sentence with their facts") {
  CHECK(sentence(ending::Completed{0}) == "ended by itself with exit code 0 (done)");
  CHECK(sentence(ending::Completed{4}) == "ended by itself with exit code 4 (wrong answer)");
  CHECK(sentence(ending::Completed{77}) == "ended by itself with exit code 77 (no bench uses it)");
  CHECK(sentence(ending::Completed{-1}) == "ended by itself with exit code -1 (no bench uses it)");
  CHECK(sentence(ending::Signalled{11}) == "ended by signal 11 (SIGSEGV)");
  CHECK(sentence(ending::Signalled{4000}) == "ended by signal 4000");
  CHECK(sentence(ending::TimedOut{30, false, model::ProcessState::kRunning}) ==
        "stopped at its deadline after 30 s while running; it ended on TERM");
  CHECK(sentence(ending::TimedOut{95, true, {}}) ==
        "stopped at its deadline after 1 min 35 s; it ignored TERM and was killed");
  CHECK(sentence(ending::Cancelled{{CancelReason::kMemberFailed, "member 1 of 2 ended"}}) ==
        "cancelled: member 1 of 2 ended");
  CHECK(sentence(ending::Cancelled{{CancelReason::kBringUp, "no token"}}) ==
        "cancelled: bring-up: no token");
  CHECK(sentence(ending::Cancelled{CancelReason::kTimeBudget}) == "cancelled: time-budget");
  CHECK(sentence(ending::Cancelled{}) == "cancelled");
  CHECK(sentence(ending::SpawnFailed{"No such file or directory"}) ==
        "could not be started: No such file or directory");
  CHECK(sentence(ending::Wedged{12, model::ProcessState::kWaiting}) ==
        "could not be ended, not even by KILL; given up after 12 s while waiting for disk or a "
        "driver");
}

}  // namespace rackproof::model
