#include "harness/gate/state.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/gate/nodes.hpp"

namespace rackproof::gate {
namespace {

GoodLook good() { return {"2026-01-01T00:00:00.000Z", "hgx", "", sound_look()}; }

}  // namespace

TEST_CASE("a state is read as it was written") {
  const State state = read_state(state_text(good()));
  CHECK(state.kind == StateKind::kGood);
  CHECK(state.good == good());
  CHECK(state.why.empty());
}

TEST_CASE("a look goes from one program to the other as it is, with what the kernel told") {
  Look look = sound_look();
  look.events = {{7, "xid", model::Severity::kError, "0000:18:00.0", "Xid \"79\"\n"}};
  look.driver_waited = 40.5;
  CHECK(look_from_json(to_json_line(look)) == look);
  CHECK_THROWS_AS(look_from_json("{}"), std::runtime_error);
  CHECK_THROWS_AS(look_from_json("no"), std::runtime_error);
}

TEST_CASE("what is cut off, edited or something else is damaged") {
  const std::string whole = state_text(good());
  for (std::size_t size = 0; size + 1 < whole.size(); size += 97) {
    CHECK(read_state(whole.substr(0, size)).kind == StateKind::kUnreadable);
  }
  CHECK(read_state("{\"schema\": \"rackproof/report/1\"}").kind == StateKind::kUnreadable);
  std::string edited = whole;
  edited.replace(edited.find("\"uptime_seconds\":"), 17, "\"uptime_seconds\":-");
  CHECK(read_state(edited).kind == StateKind::kUnreadable);
  CHECK_FALSE(read_state("").why.empty());
}

TEST_CASE("the state of a later version is no damage") {
  const State state = read_state("{\"schema\": \"rackproof/gate-state/2\", \"what\": []}");
  CHECK(state.kind == StateKind::kOtherVersion);
  CHECK(state.why.find("rackproof/gate-state/2") != std::string::npos);
}

TEST_CASE("a state is of a node by its host and by its machine id, where both are known") {
  const State state = read_state(state_text(good()));
  CHECK(of_this_node(state, later(sound_look())).kind == StateKind::kGood);
  CHECK(of_this_node(state, restarted(sound_look())).kind == StateKind::kGood);
  Look other = sound_look();
  set(other, "host.machine_id_hash", text("another"));
  CHECK(of_this_node(state, other).kind == StateKind::kForeign);
  CHECK_FALSE(of_this_node(state, other).good);
  unread(other, "host.machine_id_hash");
  CHECK(of_this_node(state, other).kind == StateKind::kGood);
  other.node.host = "node8";
  CHECK(of_this_node(state, other).kind == StateKind::kForeign);
  CHECK(of_this_node({StateKind::kUnreadable, {}, "why"}, other).kind == StateKind::kUnreadable);
}

TEST_CASE("what could be read once is remembered, though not at this look") {
  Look now = later(sound_look());
  unread(now, "memory.total_bytes");
  now.node.devices[3].facts.erase("gpu.ecc");
  now.counters.erase({"memory.uncorrected_errors", "mc0"});
  now.last_message.reset();
  const Look kept = remembered(now, state_of(sound_look()));
  CHECK(model::number_of(kept.node, "memory.total_bytes") == 2e12);
  CHECK(kept.node.devices[3].facts.at("gpu.ecc").value == contract::Scalar(true));
  CHECK(kept.counters.contains({"memory.uncorrected_errors", "mc0"}));
  CHECK(kept.last_message == 1000);
  CHECK(kept.uptime_seconds == now.uptime_seconds);
  CHECK(remembered(now, {}).node == now.node);
}

TEST_CASE("a sign that something was wrong is not remembered once it is gone") {
  Look then = sound_look();
  set(then, "gpu.silent", text("3: GPU is lost"));
  CHECK_FALSE(model::value_of(remembered(sound_look(), state_of(then)).node, "gpu.silent"));
}

}  // namespace rackproof::gate
