#include "harness/evidence/context.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/judge/builder.hpp"

namespace evidence = rackproof::evidence;
namespace model = rackproof::model;
using namespace rackproof::judge_test;

namespace {

bool concerns(const model::Subject& tried, const model::Subject& target) {
  model::Report report = empty_report();
  report.attempts = {attempt()};
  report.attempts[0].subject = tried;
  return evidence::Context(report).attempts_of(cell(target)).size() == 1;
}

}  // namespace

TEST_CASE("an attempt concerns its subject, and what holds it or lies in it") {
  const auto world = group("world", {"n1", "n2"});
  CHECK(concerns(node("n1"), node("n1")));
  CHECK_FALSE(concerns(node("n1"), node("n2")));
  CHECK(concerns(node("n1"), device("n1", "g0")));
  CHECK_FALSE(concerns(node("n1"), device("n2", "g0")));
  CHECK(concerns(node("n1"), link_of("n2", "n1")));
  CHECK_FALSE(concerns(node("n1"), link_of("n2", "n3")));
  CHECK(concerns(node("n1"), world));
  CHECK_FALSE(concerns(node("n3"), world));

  CHECK(concerns(device("n1", "g0"), device("n1", "g0")));
  CHECK_FALSE(concerns(device("n1", "g0"), device("n1", "g1")));
  CHECK_FALSE(concerns(device("n1", "g0"), device("n2", "g0")));
  CHECK(concerns(device("n1", "g0"), node("n1")));
  CHECK(concerns(device("n1", "g0"), world));
  model::Subject peer = link_of("n2", "n1");
  peer.peer_device = "g0";
  CHECK(concerns(device("n1", "g0"), peer));
  CHECK_FALSE(concerns(device("n1", "g1"), peer));

  CHECK(concerns(link_of("n1", "n2"), link_of("n1", "n2")));
  CHECK(concerns(link_of("n1", "n2"), link_of("n2", "n1")));
  CHECK_FALSE(concerns(link_of("n1", "n2"), link_of("n1", "n3")));
  CHECK(concerns(link_of("n1", "n2"), world));
  CHECK_FALSE(concerns(link_of("n1", "n3"), world));
  CHECK_FALSE(concerns(link_of("n1", "n2"), node("n1")));

  CHECK(concerns(world, world));
  CHECK_FALSE(concerns(world, group("other", {"n1", "n2"})));
  CHECK(concerns(world, node("n2")));
  CHECK_FALSE(concerns(world, node("n3")));
  CHECK(concerns(world, link_of("n1", "n2")));
  CHECK_FALSE(concerns(world, link_of("n1", "n3")));
}

TEST_CASE("attempts come in the order of the report, and of their step only") {
  model::Report report = empty_report();
  report.attempts = {attempt(1), attempt(2), attempt(3), attempt(4)};
  report.attempts[1].subject = group("world", {kHost});
  report.attempts[2].step = "gemm";
  const evidence::Context context(report);
  const auto found = context.attempts_of(cell());
  REQUIRE(found.size() == 3);
  CHECK(found[0]->number == 1);
  CHECK(found[1]->number == 2);
  CHECK(found[2]->number == 4);
}

TEST_CASE("a nonce that two attempts share names neither") {
  model::Report report = empty_report();
  report.attempts = {attempt(1), attempt(1), attempt(2)};
  const evidence::Context context(report);
  CHECK(context.attempt("a1") == nullptr);
  CHECK(context.attempt("a2") == &report.attempts[2]);
  CHECK(context.attempt("zz") == nullptr);
}

TEST_CASE("the hosts of a group must share one table") {
  model::Report report = empty_report();
  report.platforms.push_back(report.platforms[0]);
  report.platforms[1].id = "other";
  report.platform_of_host = {{"n1", kPlatform}, {"n2", kPlatform}, {"n3", "other"}, {"n4", "gone"}};
  const evidence::Context context(report);
  CHECK(context.platform_of(group("g", {"n1", "n2"})).table == &report.platforms[0]);
  const auto mixed = context.platform_of(group("g", {"n1", "n3"}));
  CHECK(mixed.table == nullptr);
  CHECK(mixed.problem == std::string("mixed-platforms"));
  CHECK(mixed.sentence.find("n3") != std::string::npos);
  for (const auto& subject : {node("n4"), node("n5"), link_of("n1", "n5"), group("g", {})}) {
    const auto none = context.platform_of(subject);
    CHECK(none.table == nullptr);
    CHECK(none.problem == std::string("no-platform"));
  }
}

TEST_CASE("facts come from the table, then the device alone, or the least of the hosts") {
  model::Report report = empty_report();
  report.platforms[0].facts = {{"table.peak", std::int64_t{7}}, {"text.peak", std::string("x")}};
  const auto stated = [](double value) {
    model::Fact fact;
    fact.value = value;
    return fact;
  };
  report.nodes = {{"n1", {{"peak", stated(5)}, {"table.peak", stated(1)}, {"zero", stated(0)}}, {}},
                  {"n2", {{"peak", stated(3)}, {"text.peak", stated(3)}}, {}}};
  model::DeviceFacts gpu;
  gpu.uuid = "g0";
  gpu.facts["peak"] = stated(2);
  report.nodes[0].devices = {gpu};
  const evidence::Context context(report);
  const auto fact = [&](const model::Subject& subject, const char* name) {
    return context.fact(report.platforms[0], subject, name);
  };
  CHECK(fact(node("n1"), "table.peak") == 7.0);
  CHECK(fact(node("n1"), "peak") == 5.0);
  CHECK(fact(device("n1", "g0"), "peak") == 2.0);
  CHECK_FALSE(fact(device("n1", "g1"), "peak"));
  CHECK(fact(group("g", {"n1", "n2"}), "peak") == 3.0);
  CHECK_FALSE(fact(group("g", {"n1", "n3"}), "peak"));
  CHECK_FALSE(fact(node("n1"), "zero"));
  CHECK_FALSE(fact(node("n2"), "text.peak"));
  CHECK_FALSE(fact(node("n1"), "absent"));
}
