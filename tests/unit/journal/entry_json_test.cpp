#include "harness/journal/entry_json.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/document/schema.hpp"
#include "harness/warden/seal.hpp"
#include "tests/unit/journal/examples.hpp"

namespace rackproof::journal {
namespace {

const std::string kSchema =
    std::string(RACKPROOF_SOURCE_DIR) + "/reports/schema/journal.schema.json";

void check_schema(const std::string& line) {
  INFO(line);
  for (const document::SchemaIssue& issue : document::validate(kSchema, line)) {
    FAIL_CHECK(issue.pointer << ": " << issue.text);
  }
}

End ended() {
  End end;
  end.attempt = "n";
  return end;
}

std::string closing() {
  return to_json(Close{7, "2026-01-02T03:04:05Z", model::CloseReason::kFinished});
}

}  // namespace

TEST_CASE("an entry of every kind is as the schema says, and reads back as it was") {
  std::set<std::size_t> kinds;
  for (const Entry& entry : journal_test::examples()) {
    kinds.insert(entry.index());
    const std::string line = to_json(entry);
    INFO(line);
    CHECK(line.starts_with("{\"j\":\""));
    CHECK(line.find('\n') == std::string::npos);
    check_schema(line);
    check_schema(warden::Seal().sealed(line));
    const auto back = read_entry(line);
    REQUIRE(back);
    CHECK(*back == entry);
    CHECK(to_json(*back) == line);
  }
  // All but Other.
  CHECK(kinds.size() == std::variant_size_v<Entry> - 1);
  CHECK_FALSE(kinds.contains(Entry(Other{}).index()));
}

TEST_CASE("what an entry does not say is left out") {
  const nlohmann::json absent = nlohmann::json::parse(to_json(Rank{1}));
  CHECK(absent == nlohmann::json({{"j", "rank"}, {"rank", 1}, {"arrived", false}}));
  CHECK(to_json(Out{"n", "x"}) == R"({"j":"out","attempt":"n","text":"x"})");
  CHECK(to_json(Head{}).find("member") == std::string::npos);
  for (const std::string& line : {to_json(Rank{1}), to_json(Out{"n", "x"}), to_json(ended())}) {
    check_schema(line);
  }
}

TEST_CASE("an attempt has one ending: never started, given up, by a signal or by itself") {
  const auto ending = [](void (*change)(End&)) {
    End end = ended();
    change(end);
    check_schema(to_json(end));
    const auto back = read_entry(to_json(end));
    REQUIRE(back);
    CHECK(std::get<End>(*back) == end);
  };
  ending([](End& end) { end.spawn_error = "No such file"; });
  ending([](End& end) { end.wedged_state = model::ProcessState::kWaiting; });
  ending([](End& end) { end.signal = 11; });
  ending([](End& end) { end.exit_code = 4; });
  ending([](End& end) { end.load.unknown = "no /proc/stat"; });
}

TEST_CASE("output that is no UTF-8 does not break the journal") {
  const std::string line = to_json(Out{"n", "\xff\xfe"});
  check_schema(line);
  const auto back = read_entry(line);
  REQUIRE(back);
  CHECK_FALSE(std::get<Out>(*back).utf8);
  CHECK(read_entry(to_json(RankLost{1, "node\xff", "silent \xfe", ""})));
}

TEST_CASE("the warden passes on the head that it was given") {
  Head head;
  head.step = "a";
  head.subject.host = "node1";
  CHECK(begin_line("n", 1.5, to_json(head), 30, 42) == to_json(Begin{"n", 1.5, head, 30, 42}));
  CHECK(begin_line("n", 0, "", 1, 7) == to_json(Begin{"n", 0, {}, 1, 7}));
}

TEST_CASE("a line that closes a journal is told from all others") {
  CHECK(is_close_line(closing()));
  CHECK(is_close_line(warden::Seal().sealed(closing())));
  CHECK_FALSE(is_close_line(to_json(Out{"n", closing()})));
  CHECK_FALSE(is_close_line(begin_line("n", 0, "{}", 1, 7)));
  CHECK_FALSE(is_close_line(""));
}

TEST_CASE("a journal ends closed when its last line closes it and is whole") {
  const std::string before = to_json(Out{"n", "x"}) + "\n";
  CHECK(ends_closed(closing() + "\n"));
  CHECK(ends_closed(before + closing() + "\n"));
  CHECK_FALSE(ends_closed(before + closing()));
  CHECK_FALSE(ends_closed(closing() + "\n" + before));
  CHECK_FALSE(ends_closed(before));
  CHECK_FALSE(ends_closed("\n"));
  CHECK_FALSE(ends_closed(""));
}

}  // namespace rackproof::journal
