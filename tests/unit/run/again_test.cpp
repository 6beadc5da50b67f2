#include "harness/run/again.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;
using run::measures;

namespace {

model::Subject node(const std::string& host) {
  model::Subject subject;
  subject.host = host;
  return subject;
}

model::Subject device(const std::string& host, const std::string& id) {
  model::Subject subject = node(host);
  subject.kind = contract::SubjectKind::kDevice;
  subject.device = id;
  return subject;
}

model::Subject link_between(const model::Subject& near, const model::Subject& far) {
  model::Subject subject = near;
  subject.kind = contract::SubjectKind::kLink;
  subject.peer_host = far.host;
  subject.peer_device = far.device;
  return subject;
}

model::Subject group(const std::vector<std::string>& hosts) {
  model::Subject subject;
  subject.kind = contract::SubjectKind::kGroup;
  subject.group = "some";
  subject.members = hosts;
  return subject;
}

}  // namespace

TEST_CASE("a node measures its devices and the links between them") {
  CHECK(measures(node("a"), node("a")));
  CHECK(measures(node("a"), device("a", "g0")));
  CHECK(measures(node("a"), link_between(device("a", "g0"), device("a", "g1"))));
  CHECK_FALSE(measures(node("a"), node("b")));
  CHECK_FALSE(measures(node("a"), device("b", "g0")));
  CHECK_FALSE(measures(node("a"), link_between(device("a", "g0"), device("b", "g0"))));
}

TEST_CASE("a device measures itself alone, and a group itself and the links inside") {
  CHECK(measures(device("a", "g0"), device("a", "g0")));
  CHECK_FALSE(measures(device("a", "g0"), device("a", "g1")));
  CHECK_FALSE(measures(device("a", "g0"), node("a")));
  CHECK(measures(group({"a", "b"}), group({"a", "b"})));
  CHECK(measures(group({"a", "b"}), link_between(node("a"), node("b"))));
  CHECK_FALSE(measures(group({"a", "b"}), link_between(node("a"), node("c"))));
  CHECK_FALSE(measures(group({"a", "b"}), node("a")));
}
