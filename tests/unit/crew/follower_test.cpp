#include "harness/crew/follower.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/fakes/act.hpp"
#include "tests/fakes/fake_team.hpp"
#include "tests/fakes/sealed.hpp"

using namespace rackproof;

namespace {

// A follower of rank 1; the test is rank 0.
class Pair {
 public:
  explicit Pair(double bench_seconds = 1)
      : warden(clock, disk,
               [=](const warden::Launch& launch) {
                 return fakes::good(launch, "fake.rate", {1, 2, 3}, bench_seconds);
               }),
        local(warden, "/bench", "/bin/rackproof", {}),
        follower(team, warden, clock,
                 [this](const std::string& directory) {
                   return std::make_unique<fakes::FakeStore>(disk, directory);
                 },
                 local, {1, "node1", 42, "1", "c"}) {}

  // Lets the follower take turns for this long; false once it has left.
  bool turns(double seconds) {
    const double until = clock.now() + seconds;
    while (clock.now() < until) {
      if (!follower.step()) return false;
    }
    return true;
  }
  void join() { leader.send(1, fleet::MessageKind::kRoster, crew::to_text(roster())); }
  static crew::Roster roster() {
    return {"r", 1, 1, 2, 0, "/run", "journals/one.jsonl", {{100, 101}, false, ""}};
  }
  static crew::Order order() {
    crew::Order out;
    out.attempt = "n";
    out.head.step = "a";
    out.head.rank = 1;
    out.head.host = "node1";
    out.head.bench = "fake";
    out.head.backend = "host";
    out.deadline_seconds = 30;
    return out;
  }
  // The next message of this kind to rank 0; others are passed over.
  std::optional<std::string> heard(fleet::MessageKind kind) {
    while (auto message = leader.receive()) {
      if (message->kind == kind) return message->body;
    }
    return std::nullopt;
  }

  fakes::FakeClock clock;
  fakes::FakeStar star{clock, 2};
  fakes::FakeTeam leader{star, 0};
  fakes::FakeTeam team{star, 1};
  std::shared_ptr<fakes::FakeDisk> disk = std::make_shared<fakes::FakeDisk>();
  fakes::FakeWarden warden;
  crew::Local local;
  crew::Follower follower;
};

}  // namespace

TEST_CASE("a follower says at once who it is, and every second that it is there") {
  Pair pair;
  CHECK(pair.turns(10));
  const crew::Arrival arrival =
      crew::arrival_from_text(pair.heard(fleet::MessageKind::kHello).value());
  CHECK(arrival.rank == 1);
  CHECK(arrival.host == "node1");
  CHECK(arrival.pid == 42);
  CHECK(pair.star.count(1, fleet::MessageKind::kBeat) >= 8);
  CHECK(pair.star.count(1, fleet::MessageKind::kBeat) <= 10);
}

TEST_CASE("a roster opens the journal, and its first line goes to rank 0 too") {
  Pair pair;
  pair.join();
  CHECK(pair.turns(0.1));
  const std::string line = pair.heard(fleet::MessageKind::kReady).value();
  CHECK(pair.disk->files.at("/run/journals/one.jsonl") == fakes::sealed(line + "\n"));
  CHECK(pair.warden.share().ranks == std::vector<std::int64_t>{100, 101});
  const auto said = nlohmann::json::parse(line);
  CHECK(said.at("j") == "open");
  CHECK(said.at("rank") == 1);
  CHECK(said.at("segment") == 1);
  CHECK(said.at("utc") == "2030-01-01T00:00:00.000Z");
}

TEST_CASE("a journal that cannot be opened is told, not thrown") {
  Pair pair;
  SECTION("read-only") { pair.disk->read_only = true; }
  SECTION("full") { pair.disk->full = true; }
  SECTION("there already") { pair.disk->files["/run/journals/one.jsonl"] = ""; }
  pair.join();
  CHECK(pair.turns(0.1));
  CHECK_FALSE(pair.heard(fleet::MessageKind::kCannot).value().empty());
  CHECK(pair.star.count(1, fleet::MessageKind::kReady) == 0);
}

TEST_CASE("an order is carried out and its lines come back once it has ended") {
  Pair pair(3);
  pair.join();
  pair.leader.send(1, fleet::MessageKind::kStart, crew::to_text(Pair::order()));
  CHECK(pair.turns(2));
  CHECK_FALSE(pair.heard(fleet::MessageKind::kEnded));
  CHECK(pair.turns(2));
  const crew::Ended ended = crew::ended_from_text(pair.heard(fleet::MessageKind::kEnded).value());
  CHECK(ended.rank == 1);
  CHECK(ended.attempt == "n");
  REQUIRE(ended.lines.size() == 6);
  CHECK(ended.lines.front().find("\"begin\"") != std::string::npos);
  CHECK(ended.lines.back().find("\"end\"") != std::string::npos);
  std::string journal = fakes::unsealed(pair.disk->files.at("/run/journals/one.jsonl"));
  journal.erase(0, journal.find('\n') + 1);
  std::string lines;
  for (const std::string& line : ended.lines) lines += line + "\n";
  CHECK(journal == lines);
}

TEST_CASE("an attempt is made once, however often it is ordered") {
  Pair pair;
  pair.join();
  const std::string order = crew::to_text(Pair::order());
  pair.leader.send(1, fleet::MessageKind::kStart, order);
  pair.leader.send(1, fleet::MessageKind::kStart, order);
  pair.turns(5);
  pair.leader.send(1, fleet::MessageKind::kStart, order);
  pair.turns(5);
  CHECK(pair.warden.launches().size() == 1);
  CHECK(pair.heard(fleet::MessageKind::kEnded));
  CHECK_FALSE(pair.heard(fleet::MessageKind::kEnded));
}

TEST_CASE("a cancelled attempt ends with who asked for it") {
  Pair pair(100);
  pair.leader.send(1, fleet::MessageKind::kStart, crew::to_text(Pair::order()));
  CHECK(pair.turns(1));
  pair.leader.send(1, fleet::MessageKind::kCancel, R"({"attempt":"n","by":"rank-lost: rank 3"})");
  pair.leader.send(1, fleet::MessageKind::kCancel,
                   R"({"attempt":"unknown","by":"rank-lost: rank 3"})");
  CHECK(pair.turns(0.1));
  const crew::Ended ended = crew::ended_from_text(pair.heard(fleet::MessageKind::kEnded).value());
  CHECK(ended.lines.back().find("\"cancelled_by\":\"rank-lost: rank 3\"") != std::string::npos);
}

TEST_CASE("a roll call is answered with the step that was called") {
  Pair pair;
  pair.leader.send(1, fleet::MessageKind::kArrive, "world");
  CHECK(pair.turns(0.1));
  CHECK(pair.heard(fleet::MessageKind::kHere) == "world");
}

TEST_CASE("an in-rank order without such a bench ends as unavailable") {
  Pair pair;
  pair.leader.send(1, fleet::MessageKind::kGo, crew::to_text(Pair::order()));
  CHECK(pair.turns(0.1));
  const crew::Ended ended = crew::ended_from_text(pair.heard(fleet::MessageKind::kEnded).value());
  CHECK(ended.lines.back().find("\"code\":3") != std::string::npos);
}

TEST_CASE("a follower that may go closes its journal and says farewell last") {
  Pair pair(100);
  pair.join();
  pair.leader.send(1, fleet::MessageKind::kStart, crew::to_text(Pair::order()));
  CHECK(pair.turns(1));
  pair.leader.send(1, fleet::MessageKind::kFinish, "interrupted");
  CHECK_FALSE(pair.turns(1));
  CHECK(pair.star.sent().back().kind == fleet::MessageKind::kBye);
  CHECK(pair.star.count(1, fleet::MessageKind::kEnded) == 1);
  const auto& lines = pair.warden.lines();
  CHECK(lines[lines.size() - 2].find("\"cancelled_by\":\"interrupted\"") != std::string::npos);
  CHECK(lines.back().find("\"reason\":\"interrupted\"") != std::string::npos);
  CHECK_FALSE(pair.warden.is_there());
}

TEST_CASE("a follower gives up when rank 0 has been silent for too long") {
  Pair pair(1e6);
  pair.join();
  auto order = Pair::order();
  order.deadline_seconds = 1e6;
  pair.leader.send(1, fleet::MessageKind::kStart, crew::to_text(order));
  CHECK(pair.turns(crew::kPatienceSeconds - 1));
  SECTION("any word keeps it") {
    pair.leader.send(1, fleet::MessageKind::kBeat, "");
    CHECK(pair.turns(crew::kPatienceSeconds - 1));
  }
  SECTION("silence does not") {
    CHECK_FALSE(pair.turns(5));
    CHECK(pair.warden.lines().back().find("rank 0 fell silent") != std::string::npos);
    CHECK_FALSE(pair.follower.everyone());
  }
}

TEST_CASE("run() takes turns until it is over") {
  Pair pair;
  pair.clock.at(3, [&] { pair.leader.send(1, fleet::MessageKind::kFinish, "finished"); });
  pair.follower.run();
  CHECK(pair.clock.now() < 3.1);
  CHECK(pair.star.sent().back().kind == fleet::MessageKind::kBye);
}

TEST_CASE("a follower says which step it has reached") {
  Pair pair;
  pair.join();
  pair.leader.send(1, fleet::MessageKind::kStart, crew::to_text(Pair::order()));
  CHECK(pair.turns(0.1));
  CHECK(pair.heard(fleet::MessageKind::kAt) == "a");
}

TEST_CASE("a message from rank 0 that came damaged or makes no sense ends the follower in order") {
  Pair pair(100);
  pair.join();
  pair.leader.send(1, fleet::MessageKind::kStart, crew::to_text(Pair::order()));
  CHECK(pair.turns(1));
  std::string why;
  SECTION("damaged") {
    pair.leader.send(1, fleet::MessageKind::kDamaged, "");
    why = "rank 0 sent a corrupted message";
  }
  SECTION("not JSON") {
    pair.leader.send(1, fleet::MessageKind::kStart, "{");
    why = "makes no sense";
  }
  SECTION("of a kind that only the others send") {
    pair.leader.send(1, fleet::MessageKind::kReady, "");
    why = "rank 0 sent 'ready', which only the others send";
  }
  SECTION("of no known kind") {
    pair.leader.send(1, fleet::MessageKind::kUnknown, "warp");
    why = "rank 0 sent a message of an unknown kind, 'warp'";
  }
  CHECK_FALSE(pair.turns(1));
  CHECK_FALSE(pair.follower.everyone());
  CHECK(pair.warden.lines().back().find(why) != std::string::npos);
  CHECK(pair.star.sent().back().kind == fleet::MessageKind::kBye);
}
