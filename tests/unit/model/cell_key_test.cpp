#include "reports/model/cell_key.hpp"

#include <catch2/catch.hpp>

namespace rackproof::model {
namespace {

CellKey key(const contract::Parameters& parameters) { return {"step", {}, "metric", parameters}; }

bool same(const contract::Parameters& a, const contract::Parameters& b) {
  return !(key(a) < key(b)) && !(key(b) < key(a));
}

}  // namespace

TEST_CASE("cells are told apart by types, whole numbers however they are written") {
  CHECK(same({{"n", std::int64_t{8}}}, {{"n", 8.0}}));
  CHECK_FALSE(same({{"n", std::int64_t{8}}}, {{"n", std::string("8")}}));
  CHECK_FALSE(same({{"n", std::int64_t{1}}}, {{"n", true}}));
  CHECK_FALSE(same({{"n", 8.0}}, {{"n", 8.5}}));
  // Joined as text these are one.
  CHECK_FALSE(
      same({{"a", std::string("1 b=2")}}, {{"a", std::string("1")}, {"b", std::string("2")}}));
  CHECK(canonical({{"n", 1e300}}) == contract::Parameters{{"n", 1e300}});
  CHECK(canonical({{"n", -3.0}}) == contract::Parameters{{"n", std::int64_t{-3}}});
}

TEST_CASE("subjects of one label are told apart") {
  Subject device;
  device.kind = contract::SubjectKind::kDevice;
  device.host = "n1";
  device.device = "GPU-1";
  Subject node;
  node.host = "n1/GPU-1";
  REQUIRE(label(device) == label(node));
  CHECK((CellKey("s", device, "m", {}) < CellKey("s", node, "m", {})) !=
        (CellKey("s", node, "m", {}) < CellKey("s", device, "m", {})));
}

}  // namespace rackproof::model
