#include "harness/crew/together.hpp"

#include <catch2/catch.hpp>

namespace crew = rackproof::crew;
using namespace rackproof::crew;

namespace {

crew::Arrival arrival(int rank, const std::string& host) {
  crew::Arrival out{rank, host, 1, "1.2", "abc"};
  out.boot = "boot of " + host;
  out.machine = "x86_64";
  out.files = {{"suites/node.json", "1"}, {"platforms/a.json", "2"}, {"programs/stream-host", "3"}};
  return out;
}

}  // namespace

TEST_CASE("ranks with the same installed may run together") {
  CHECK(crew::why_not_together({}).empty());
  CHECK(crew::why_not_together({arrival(0, "node1"), arrival(1, "node2"), arrival(2, "node2")})
            .empty());
}

TEST_CASE("another version is refused, both are named") {
  crew::Arrival other = arrival(1, "node2");
  SECTION("version") { other.version = "1.3"; }
  SECTION("commit") { other.commit = "def"; }
  const std::string why = crew::why_not_together({arrival(0, "node1"), other});
  CHECK(why.find("rank 1 on node2 runs rackproof " + other.version + " (" + other.commit + ")") !=
        std::string::npos);
  CHECK(why.find("rank 0 on node1 runs 1.2 (abc)") != std::string::npos);
}

TEST_CASE("two machines of one name are refused, two ranks of one machine are not") {
  crew::Arrival other = arrival(3, "node1");
  CHECK(crew::why_not_together({arrival(0, "node1"), other}).empty());
  other.boot = "another";
  const std::string why = crew::why_not_together({arrival(0, "node1"), arrival(1, "node2"), other});
  CHECK(why.find("rank 0 and rank 3 are on two machines that are both called node1") == 0);
  other.boot = "";
  CHECK(crew::why_not_together({arrival(0, "node1"), other}).empty());
}

TEST_CASE("other suites, tables or benches are refused, the file and the host are named") {
  crew::Arrival other = arrival(1, "node2");
  SECTION("another suite") {
    other.files["suites/node.json"] = "9";
    CHECK(crew::why_not_together({arrival(0, "node1"), other}) ==
          "rank 1 on node2 has other suites or platform tables installed than rank 0 on node1: "
          "suites/node.json (9 and 1); install one set everywhere");
  }
  SECTION("a table that is not there") {
    other.files.erase("platforms/a.json");
    CHECK(crew::why_not_together({arrival(0, "node1"), other}).find("a.json (not there and 2)") !=
          std::string::npos);
  }
  SECTION("a bench more") {
    other.files["programs/extra-host"] = "4";
    CHECK(crew::why_not_together({arrival(0, "node1"), other})
              .find("has other benches installed than rank 0 on node1: programs/extra-host "
                    "(4 and not there)") != std::string::npos);
  }
  SECTION("many files: some are named") {
    for (char name = 'b'; name < 'h'; ++name) other.files[std::string("platforms/") + name] = "5";
    CHECK(crew::why_not_together({arrival(0, "node1"), other}).find("and 3 more") !=
          std::string::npos);
  }
}

TEST_CASE("benches of another architecture are compared with their like") {
  crew::Arrival first = arrival(1, "node2");
  first.machine = "aarch64";
  first.files["programs/stream-host"] = "arm";
  crew::Arrival second = arrival(2, "node3");
  second.machine = "aarch64";
  second.files["programs/stream-host"] = "arm";
  CHECK(crew::why_not_together({arrival(0, "node1"), first, second}).empty());
  second.files["programs/stream-host"] = "other";
  CHECK(crew::why_not_together({arrival(0, "node1"), first, second})
            .find("rank 2 on node3 has other benches installed than rank 1 on node2") == 0);
}

TEST_CASE("a rank that leaves it to another of its host is not compared") {
  crew::Arrival silent = arrival(1, "node1");
  silent.files.clear();
  CHECK(crew::why_not_together({arrival(0, "node1"), silent}).empty());
}
