#include "harness/crew/parting.hpp"

#include <catch2/catch.hpp>

#include "harness/crew/crew.hpp"
#include "tests/fakes/act.hpp"
#include "tests/fakes/fake_team.hpp"

using namespace rackproof;
using crew::Parting;

namespace {

struct FarewellPair {
  fakes::FakeClock clock;
  fakes::FakeStar star{clock, 2};
  fakes::FakeTeam leader{star, 0};
  fakes::FakeTeam other{star, 1};
};

}  // namespace

TEST_CASE("a rank leaves when it is told to, with the others or without them") {
  FarewellPair pair;
  crew::tell_to_leave(pair.leader, pair.clock, {1}, Parting::kTogether);
  CHECK(pair.clock.now() == 0);
  CHECK(crew::await_parting(pair.other, pair.clock, 0) == Parting::kTogether);
  CHECK(pair.clock.now() == 0);
  crew::tell_to_leave(pair.leader, pair.clock, {1}, Parting::kAlone);
  const double told = pair.clock.now();
  CHECK(told > 0);
  CHECK(crew::await_parting(pair.other, pair.clock, told) == Parting::kAlone);
  // After rank 0, whose exit code is the one that counts.
  CHECK(pair.clock.now() - told >= 1);
}

TEST_CASE("a rank stays as long as rank 0 is heard, and says farewell again when asked") {
  FarewellPair pair;
  for (int second = 10; second < 600; second += 10) {
    pair.clock.at(second, [&] { pair.leader.send(1, fleet::MessageKind::kBeat, ""); });
  }
  pair.clock.at(300, [&] { pair.leader.send(1, fleet::MessageKind::kDisband, ""); });
  pair.clock.at(600,
                [&] { crew::tell_to_leave(pair.leader, pair.clock, {1}, Parting::kTogether); });
  CHECK(crew::await_parting(pair.other, pair.clock, 0) == Parting::kTogether);
  CHECK(pair.clock.now() == Approx(600).margin(1));
  CHECK(pair.star.count(1, fleet::MessageKind::kBye) == 1);
}

TEST_CASE("a rank that rank 0 has left in silence goes by itself") {
  FarewellPair pair;
  pair.clock.sleep(100);
  CHECK(crew::await_parting(pair.other, pair.clock, 90) == Parting::kLost);
  CHECK(pair.clock.now() >= 120);
  CHECK(pair.clock.now() < 125);
  CHECK(crew::await_parting(pair.other, pair.clock, pair.clock.now(), 300) == Parting::kLost);
  CHECK(pair.clock.now() > 420);
}

TEST_CASE("rank 0 is heard while it makes the report") {
  FarewellPair pair;
  fakes::FakeWarden warden(pair.clock, std::make_shared<fakes::FakeDisk>(), {});
  crew::Local local(warden, "/bench", "/bin/rackproof", {});
  crew::Crew crew(pair.leader, pair.clock, local, {});
  bool written = false;
  pair.clock.at(90, [&] { written = true; });
  crew.keep_heard_until([&] { return written; });
  CHECK(pair.star.count(0, fleet::MessageKind::kBeat) >= 85);
  CHECK(pair.star.count(0, fleet::MessageKind::kBeat) <= 91);
}
