#include "reports/model/subject.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

namespace rackproof::model {

TEST_CASE("a label names the subject") {
  CHECK(label({contract::SubjectKind::kNode, "node3", "", "", "", "", {}}) == "node3");
  CHECK(label({contract::SubjectKind::kDevice, "node3", "GPU-1a2b", "", "", "", {}}) ==
        "node3/GPU-1a2b");
  CHECK(label({contract::SubjectKind::kLink, "node1", "", "node2", "", "", {}}) == "node1 - node2");
  CHECK(label({contract::SubjectKind::kLink, "node1", "GPU-a", "node1", "GPU-b", "", {}}) ==
        "node1/GPU-a - node1/GPU-b");
  CHECK(label({contract::SubjectKind::kGroup, "", "", "", "", "world", {"a", "b", "c", "d"}}) ==
        "world (4 hosts)");
  CHECK(label({contract::SubjectKind::kGroup, "", "", "", "", "world", {"a"}}) == "world (1 host)");
}

TEST_CASE("the hosts that a list names are read back from it") {
  std::vector<std::string> hosts;
  CHECK(named_hosts(host_names(hosts)).empty());
  for (int i = 0; i < 20; ++i) {
    hosts.push_back("node" + std::to_string(i) + "/GPU-1");
    const std::size_t named = std::min<std::size_t>(hosts.size(), 8);
    CHECK(named_hosts(host_names(hosts)) ==
          std::vector<std::string>(hosts.begin(), hosts.begin() + static_cast<int>(named)));
  }
}

}  // namespace rackproof::model
