#include "harness/crew/order.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;
using namespace rackproof::crew;

TEST_CASE("an order arrives as it was sent") {
  crew::Order order;
  order.attempt = "run/1/a/0/2";
  order.head.step = "a";
  order.head.number = 2;
  order.head.rank = 7;
  order.head.host = "node1";
  order.head.bench = "fake";
  order.head.backend = "host";
  order.head.arguments = {"--text", "with \"quotes\",\nlines and \xc3\xa4", ""};
  order.head.subject.kind = contract::SubjectKind::kGroup;
  order.head.subject.group = "world";
  order.head.subject.members = {"node0", "node1"};
  order.environment = {{"A", ""}, {"B", "=x"}};
  order.deadline_seconds = 12.345678901234567;
  order.grace_seconds = 0;
  order.own_verb = "inventory";
  const crew::Order back = crew::order_from_text(crew::to_text(order));
  CHECK(back.head == order.head);
  CHECK(back.environment == order.environment);
  CHECK(back.deadline_seconds == order.deadline_seconds);
  CHECK(back.grace_seconds == order.grace_seconds);
  CHECK(back.own_verb == order.own_verb);
}

TEST_CASE("an order of a device keeps its subject") {
  crew::Order order;
  order.head.subject.kind = contract::SubjectKind::kDevice;
  order.head.subject.host = "node1";
  order.head.subject.device = "GPU-1";
  CHECK(crew::order_from_text(crew::to_text(order)).head.subject == order.head.subject);
}

TEST_CASE("the end of an attempt is asked for with its reason") {
  const crew::Cancel back = crew::cancel_from_text(
      crew::to_text(crew::Cancel{"n", {model::CancelReason::kRankLost, "rank 3"}}));
  CHECK(back.attempt == "n");
  CHECK(back.by == model::Reason<model::CancelReason>{model::CancelReason::kRankLost, "rank 3"});
}

TEST_CASE("an arrival arrives as it was sent") {
  crew::Arrival sent{3, "node\t1", 1LL << 40, "1.2", "abc"};
  sent.boot = "b-1";
  sent.machine = "aarch64";
  sent.files = {{"suites/node.json", "0123"}};
  const crew::Arrival back = crew::arrival_from_text(crew::to_text(sent));
  CHECK(back.boot == "b-1");
  CHECK(back.machine == "aarch64");
  CHECK(back.files == sent.files);
  CHECK(back.rank == 3);
  CHECK(back.host == "node\t1");
  CHECK(back.pid == 1LL << 40);
  CHECK(back.version == "1.2");
  CHECK(back.commit == "abc");
}

TEST_CASE("an arrival of a version that says less can be read, so that it can be refused") {
  const crew::Arrival back = crew::arrival_from_text(
      R"({"rank": 1, "host": "node1", "pid": 7, "version": "0.0.9", "commit": "old"})");
  CHECK(back.version == "0.0.9");
  CHECK(back.files.empty());
}

TEST_CASE("a roster arrives as it was sent") {
  const crew::Roster back = crew::roster_from_text(crew::to_text(
      crew::Roster{"r", 2, 5, 8, 1, "/a b", "journals/x.jsonl", {{7, 9}, false, "why"}}));
  CHECK(back.run == "r");
  CHECK(back.segment == 2);
  CHECK(back.rank == 5);
  CHECK(back.size == 8);
  CHECK(back.local_rank == 1);
  CHECK(back.directory == "/a b");
  CHECK(back.journal == "journals/x.jsonl");
  CHECK(back.share.ranks == std::vector<std::int64_t>{7, 9});
  CHECK_FALSE(back.share.looks);
  CHECK(back.share.blind == "why");
}

TEST_CASE("the lines of an ended attempt arrive as they were sent") {
  const crew::Ended ended{1, "n", {R"({"j":"out","text":"\u0001"})", "", "{\"a\":\"\xc3\xa4\"}"}};
  const crew::Ended back = crew::ended_from_text(crew::to_text(ended));
  CHECK(back.rank == 1);
  CHECK(back.attempt == "n");
  CHECK(back.lines == ended.lines);
  CHECK(crew::ended_from_text(crew::to_text(crew::Ended{2, "m", {}})).lines.empty());
}

TEST_CASE("a host name that is no UTF-8 does not keep a rank from arriving") {
  CHECK_FALSE(
      crew::arrival_from_text(crew::to_text(crew::Arrival{0, "node\xff", 1, "", ""})).host.empty());
}
