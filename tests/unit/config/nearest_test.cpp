#include "harness/config/nearest.hpp"

#include <catch2/catch.hpp>

using rackproof::config::nearest;
using rackproof::config::suggestion;

TEST_CASE("a slip of one or two letters finds the word") {
  CHECK(nearest("metircs", {"metrics", "metric", "matches"}) == "metrics");
  CHECK(nearest("deadlin", {"grace", "deadline"}) == "deadline");
  CHECK(nearest("sec", {"s", "GB", "ms"}).empty());
  CHECK(nearest("gb/s", {"GB/s", "B/s"}) == "GB/s");
}

TEST_CASE("nothing is near an unrelated, empty or endless word") {
  CHECK(nearest("zzzz", {"metric", "unit"}).empty());
  CHECK(nearest("", {"a", "id"}).empty());
  CHECK(nearest(std::string(100'000, 'm'), {"metric"}).empty());
  CHECK(nearest("x", {}).empty());
}

TEST_CASE("the suggestion is a question, or all that is known") {
  CHECK(suggestion("nodes", {"device", "node", "world"}) == "; did you mean 'node'?");
  CHECK(suggestion("rack", {"device", "node"}) == "; expected one of device, node");
}

TEST_CASE("a word that is part of names suggests these") {
  CHECK(suggestion("H100", {"dgx-h100", "b200-sxm", "h100-sxm", "hopper"}) ==
        "; did you mean one of dgx-h100, h100-sxm?");
  CHECK(suggestion("b2", {"b200-sxm", "hopper"}) == "; expected one of b200-sxm, hopper");
}
