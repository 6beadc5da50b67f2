#include <catch2/catch.hpp>
#include <string>

#include "harness/journal/entry_json.hpp"
#include "reports/json/report_json.hpp"

namespace rackproof::journal {
namespace {

template <class T>
T read(const std::string& line) {
  INFO(line);
  const auto entry = read_entry(line);
  REQUIRE(entry);
  REQUIRE(std::holds_alternative<T>(*entry));
  return std::get<T>(*entry);
}

}  // namespace

TEST_CASE("what is no journal line is nothing") {
  for (const char* text : {"", "[]", "{}", "{\"j\":1}", "{\"j\":\"a\"} x", "\xff"}) {
    CHECK_FALSE(read_entry(text));
  }
}

TEST_CASE("lines of the first versions are read: other orders of keys, and fewer of them") {
  const auto open = read<Open>(
      R"({"commit":"c","host":"node0","j":"open","local_rank":0,"pid":100,"rank":0,"run":"r",)"
      R"("segment":1,"size":2,"utc":"2030-01-01T00:00:00.000Z","version":"1"})");
  CHECK(open.host == "node0");
  CHECK(open.boot.empty());
  CHECK(open.monotonic_s == 0);
  CHECK(read<Step>(R"({"id":"a","j":"step","reason":"","state":"begun","t":0.0})").id == "a");
  CHECK(read<Planned>(R"({"cells":4,"j":"planned","steps":2})").cells == 4);
  CHECK(read<RankLost>(R"({"j":"rank_lost","rank":1,"why":"silent"})").reached.empty());
  CHECK(read<RollCall>(R"({"j":"roll_call","step":"a"})").missing.empty());
}

TEST_CASE("a head of before it told its device has it in its arguments") {
  const auto old = read<Begin>(
      R"({"j":"begin","attempt":"n","head":{"arguments":["--rank","1","--device","GPU-1"]}})");
  REQUIRE(old.head);
  CHECK(old.head->device == "GPU-1");
  const auto told = read<Begin>(
      R"({"j":"begin","attempt":"n","head":{"arguments":["--device","x"],"device":"GPU-1"}})");
  REQUIRE(told.head);
  CHECK(told.head->device == "GPU-1");
}

TEST_CASE("why something ended is read as older versions said it") {
  const auto end = read<End>(R"({"j":"end","attempt":"n","signal":15,"cancelled_by":)"
                             R"("member 2 of 4 (rank 2 on node2) ended by signal 11"})");
  CHECK(end.cancelled_by.id == model::CancelReason::kMemberFailed);
}

TEST_CASE("a kind of line that is not known yet is told by its name") {
  CHECK(read<Other>(R"({"j":"telemetry","watts":300,"t":2})") == Other{"telemetry", 2});
}

TEST_CASE("what is of another type where nothing hangs on it is as if it were not told") {
  const auto ended = read<Ended>(R"({"j":"ended","completed":"yes","seconds":"1"})");
  CHECK_FALSE(ended.completed);
  CHECK(ended.seconds == 0);
  CHECK(read<Planned>(R"({"j":"planned","steps":2.5})").steps == -1);
  CHECK_FALSE(read<Begin>(R"({"j":"begin","attempt":"n","head":7})").head);
  const auto begin =
      read<Begin>(R"({"j":"begin","attempt":"n","head":{"arguments":[1,"x"],"ends":[["h"],7]}})");
  REQUIRE(begin.head);
  CHECK(begin.head->arguments == std::vector<std::string>{"x"});
  CHECK(begin.head->ends == Ends{{"", ""}, {"", ""}});
}

TEST_CASE("a line that cannot mean anything is refused") {
  for (const char* line :
       {R"({"j":"step","id":"a","state":"finished"})", R"({"j":"step","id":7,"state":["done"]})",
        R"({"j":"roll_call","step":"a","missing":"all"})", R"({"j":"cell"})",
        R"({"j":"finding","finding":[]})", R"({"j":"run","tool":{},"run":{},"suite":{}})",
        R"({"j":"begin","attempt":"n","head":{"subject":7}})",
        R"({"j":"end","attempt":"n","signal":"nine"})", R"({"j":"end","attempt":"n","wedged":""})",
        R"({"j":"end","attempt":"n","spawn_error":7})",
        R"({"j":"end","attempt":"n","cancelled_by":null})"}) {
    INFO(line);
    CHECK_THROWS_AS(read_entry(line), model::BadReport);
  }
}

}  // namespace rackproof::journal
