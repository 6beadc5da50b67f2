#include "harness/document/nearest.hpp"

#include <catch2/catch.hpp>

namespace document = rackproof::document;
using rackproof::document::nearest;
using rackproof::document::suggestion;

TEST_CASE("a slip of one or two letters finds the word") {
  CHECK(document::nearest("metircs", {"metrics", "metric", "matches"}) == "metrics");
  CHECK(document::nearest("deadlin", {"grace", "deadline"}) == "deadline");
  CHECK(document::nearest("sec", {"s", "GB", "ms"}).empty());
  CHECK(document::nearest("gb/s", {"GB/s", "B/s"}) == "GB/s");
}

TEST_CASE("nothing is near an unrelated, empty or endless word") {
  CHECK(document::nearest("zzzz", {"metric", "unit"}).empty());
  CHECK(document::nearest("", {"a", "id"}).empty());
  CHECK(document::nearest(std::string(100'000, 'm'), {"metric"}).empty());
  CHECK(document::nearest("x", {}).empty());
}

TEST_CASE("the suggestion is a question, or all that is known") {
  CHECK(document::suggestion("nodes", {"device", "node", "world"}) == "; did you mean 'node'?");
  CHECK(document::suggestion("rack", {"device", "node"}) == "; expected one of device, node");
}

TEST_CASE("a word that is part of names suggests these") {
  CHECK(document::suggestion("H100", {"dgx-h100", "b200-sxm", "h100-sxm", "hopper"}) ==
        "; did you mean one of dgx-h100, h100-sxm?");
  CHECK(document::suggestion("b2", {"b200-sxm", "hopper"}) == "; expected one of b200-sxm, hopper");
}
