#include "reports/model/subject.hpp"

#include <catch2/catch.hpp>

namespace rackproof::model {

TEST_CASE("a label names the subject") {
  CHECK(label({SubjectKind::kNode, "node3", "", "", "", "", {}}) == "node3");
  CHECK(label({SubjectKind::kDevice, "node3", "GPU-1a2b", "", "", "", {}}) == "node3/GPU-1a2b");
  CHECK(label({SubjectKind::kLink, "node1", "", "node2", "", "", {}}) == "node1 - node2");
  CHECK(label({SubjectKind::kLink, "node1", "GPU-a", "node1", "GPU-b", "", {}}) ==
        "node1/GPU-a - node1/GPU-b");
  CHECK(label({SubjectKind::kGroup, "", "", "", "", "world", {"a", "b", "c", "d"}}) ==
        "world (4 hosts)");
  CHECK(label({SubjectKind::kGroup, "", "", "", "", "world", {"a"}}) == "world (1 host)");
}

}  // namespace rackproof::model
