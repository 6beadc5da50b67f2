#include "harness/evidence/hang.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace rackproof::judge {
namespace {

using contract::Place;
using model::Attempt;

constexpr double kLong = 12.4;

// A member that stood in `entered` and had last completed `completed`.
Attempt member(int number, Place entered, Place completed, double still = kLong) {
  Attempt one;
  one.step = "ring";
  one.subject.kind = contract::SubjectKind::kGroup;
  one.number = 2;
  one.member = number;
  one.members = 4;
  one.rank = number / 2;
  one.host = "gb-0" + std::to_string(number / 2);
  one.device = "GPU-" + std::to_string(number);
  one.progress =
      model::Progress{"all_reduce 1048576 B",        1'048'576, entered, completed, 1, still,
                      model::ProcessState::kSleeping};
  return one;
}

std::optional<evidence::Hang> hang_of(const std::vector<Attempt>& members) {
  evidence::Hang::Members pointers;
  for (const Attempt& one : members) pointers.push_back(&one);
  return evidence::hang_of(pointers);
}

const Place kBefore{1, 127, 0};
const Place kAt{1, 128, 0};
const Place kAfter{1, 129, 0};

std::vector<Attempt> all_at(Place entered, Place completed) {
  std::vector<Attempt> members;
  for (int i = 0; i < 4; ++i) members.push_back(member(i, entered, completed));
  return members;
}

}  // namespace

TEST_CASE("who had not entered what the others wait in is named, with its host and device") {
  auto members = all_at(kAt, kBefore);
  members[3] = member(3, kBefore, kBefore);
  const auto hang = hang_of(members);
  REQUIRE(hang);
  CHECK(hang->behind == evidence::Hang::Members{&members[3]});
  CHECK(hang->others.size() == 3);
  CHECK(
      evidence::to_text(*hang) ==
      "member 3 of 4 (rank 1 on gb-01, GPU-3) had not entered iteration 128 of all_reduce 1048576 "
      "B, in which the 3 others had waited for 12 s; it had completed iteration 127 of all_reduce "
      "1048576 B");
  const model::Finding finding = evidence::finding_of(*hang, "not done");
  CHECK(finding.id == "group-failed");
  CHECK(finding.step == "ring");
  CHECK(finding.text == "not done; " + evidence::to_text(*hang));
  CHECK(finding.evidence == contract::Parameters{{"number", std::int64_t{2}},
                                                 {"operation", std::string("all_reduce 1048576 B")},
                                                 {"bytes", std::int64_t{1'048'576}},
                                                 {"iteration", std::int64_t{128}},
                                                 {"still_seconds", kLong},
                                                 {"behind_member", std::int64_t{3}},
                                                 {"rank", std::int64_t{1}},
                                                 {"host", std::string("gb-01")},
                                                 {"waiting", std::int64_t{3}},
                                                 {"device", std::string("GPU-3")}});
}

TEST_CASE("who stands in what the others have behind them is named, and who came to nothing") {
  auto members = all_at(kAt, kBefore);
  members[1] = member(1, kBefore, {1, 126, 0});
  auto hang = hang_of(members);
  REQUIRE(hang);
  CHECK(hang->behind == evidence::Hang::Members{&members[1]});
  CHECK_THAT(evidence::to_text(*hang),
             Catch::EndsWith("it stood in iteration 127 of all_reduce 1048576 B"));
  members = all_at({1, 0, 1}, {});
  members[0] = member(0, {}, {});
  hang = hang_of(members);
  REQUIRE(hang);
  CHECK(
      evidence::to_text(*hang) ==
      "member 0 of 4 (rank 0 on gb-00, GPU-0) had not entered exchange 1 before iteration 0 of "
      "all_reduce 1048576 B, in which the 3 others had waited for 12 s; it had entered nothing so "
      "far");
  CHECK(evidence::finding_of(*hang, "").evidence.at("exchange") ==
        contract::Scalar{std::int64_t{1}});
}

TEST_CASE("of several that are equally behind all are told, and none is blamed") {
  auto members = all_at(kAt, kBefore);
  members[0] = member(0, kBefore, kBefore);
  members[2] = member(2, kBefore, kBefore);
  const auto hang = hang_of(members);
  REQUIRE(hang);
  CHECK(hang->behind.size() == 2);
  CHECK_THAT(evidence::to_text(*hang),
             Catch::Contains("member 0 of 4 (rank 0 on gb-00, GPU-0), member 2 of 4 (rank 1") &&
                 Catch::EndsWith("for which of them the others waited is not known"));
  const model::Finding finding = evidence::finding_of(*hang, "");
  for (const char* const name : {"behind_member", "rank", "host", "device"}) {
    CHECK_FALSE(finding.evidence.contains(name));
  }
}

TEST_CASE("those further on wait for the last, however far each of them came") {
  auto members = all_at(kAfter, kAt);
  members[1] = member(1, kAt, kBefore);
  members[3] = member(3, kBefore, kBefore);
  const auto hang = hang_of(members);
  REQUIRE(hang);
  CHECK(hang->behind == evidence::Hang::Members{&members[3]});
  CHECK(hang->place == kAt);
  CHECK_THAT(evidence::to_text(*hang),
             Catch::Contains("had not entered iteration 128 of all_reduce 1048576 B, which the 3 "
                             "others had; none had moved for 12 s"));
}

TEST_CASE("who was stopped by a signal is whom the others waited for, wherever it stood") {
  const auto stop = [](Attempt& one) { one.progress->state = model::ProcessState::kStopped; };
  const std::string who = "member 2 of 4 (rank 1 on gb-01, GPU-2) was stopped by a signal";
  auto members = all_at(kAt, kBefore);
  stop(members[2]);
  auto hang = hang_of(members);
  REQUIRE(hang);
  CHECK(hang->behind == evidence::Hang::Members{&members[2]});
  CHECK(evidence::to_text(*hang) ==
        who +
            ", while in iteration 128 of all_reduce 1048576 B the 3 others had "
            "waited for 12 s; it stood in iteration 128 of all_reduce 1048576 B");
  CHECK(evidence::finding_of(*hang, "").evidence.at("behind_member") ==
        contract::Scalar{std::int64_t{2}});
  members[2] = member(2, kBefore, kBefore);
  stop(members[2]);
  hang = hang_of(members);
  REQUIRE(hang);
  CHECK_THAT(
      evidence::to_text(*hang),
      Catch::StartsWith(who + " and had not entered iteration 128 of all_reduce 1048576 B, in "
                              "which the 3 others had waited for 12 s; it had completed"));
  // It went on while what it had sent lay with it.
  members = all_at(kAt, kBefore);
  members[2] = member(2, kAfter, kAt);
  stop(members[2]);
  hang = hang_of(members);
  REQUIRE(hang);
  CHECK(hang->behind == evidence::Hang::Members{&members[2]});
  stop(members[0]);
  hang = hang_of(members);
  REQUIRE(hang);
  CHECK(hang->behind.size() == 2);
  CHECK_THAT(evidence::to_text(*hang),
             Catch::Contains(" were stopped by a signal") &&
                 Catch::EndsWith("for which of them the others waited is not known"));
  members = all_at({}, {});
  stop(members[3]);
  hang = hang_of(members);
  REQUIRE(hang);
  CHECK(
      evidence::to_text(*hang) ==
      "member 3 of 4 (rank 1 on gb-01, GPU-3) had been stopped by a signal before all had come to "
      "the first of what they do together; none had moved for 12 s");
  CHECK_FALSE(evidence::finding_of(*hang, "").evidence.contains("iteration"));
  // All of them: the whole job was paused.
  members = all_at(kAt, kBefore);
  for (Attempt& one : members) stop(one);
  hang = hang_of(members);
  REQUIRE(hang);
  CHECK(hang->behind.empty());
  CHECK_FALSE(hang->stopped);
}

TEST_CASE("where all stand at the same place nobody is named, and the place is") {
  const auto told = [](const std::vector<Attempt>& members) {
    const auto hang = hang_of(members);
    REQUIRE(hang);
    CHECK(hang->behind.empty());
    const model::Finding finding = evidence::finding_of(*hang, "");
    CHECK(finding.evidence.at("iteration") == contract::Scalar{std::int64_t{128}});
    CHECK_FALSE(finding.evidence.contains("host"));
    return evidence::to_text(*hang);
  };
  const std::string known = "for which member the others waited is not known: ";
  CHECK(told(all_at(kAt, kBefore)) ==
        known + "all 4 had stood in iteration 128 of all_reduce 1048576 B for 12 s");
  CHECK(told(all_at(kAt, kAt)) == known +
                                      "all 4 had completed iteration 128 of all_reduce 1048576 B "
                                      "and had entered nothing for 12 s");
  // What the one sent last may still lie with it, or have been lost on its way to the other.
  auto members = all_at(kAt, kAt);
  members[2] = member(2, kAt, kBefore);
  CHECK(told(members) == known +
                             "member 2 of 4 (rank 1 on gb-01, GPU-2) stood in iteration 128 of "
                             "all_reduce 1048576 B, which the others had completed; none had moved "
                             "for 12 s");
  members = all_at(kAt, kBefore);
  for (Attempt& one : members) one.progress->span = 24;
  CHECK(told(members) ==
        known + "all 4 had stood in iterations 128 to 151 of all_reduce 1048576 B for 12 s");
}

TEST_CASE("nobody is said to have been waited for while one still moved or told nothing") {
  auto behind = all_at(kAt, kBefore);
  behind[3] = member(3, kBefore, kBefore);
  REQUIRE(hang_of(behind));
  for (std::size_t i = 0; i < behind.size(); ++i) {
    auto members = behind;
    members[i].progress->still_seconds = 1.9;
    CHECK_FALSE(hang_of(members));
    members[i].progress.reset();
    CHECK_FALSE(hang_of(members));
  }
  CHECK_FALSE(hang_of({behind[3]}));
  // Before the first of what they do together there is nothing to wait in.
  CHECK_FALSE(hang_of(all_at({}, {})));
}

}  // namespace rackproof::judge
