#include "harness/crew/keepsake.hpp"

#include <catch2/catch.hpp>
#include <deque>

#include "harness/ingest/journal.hpp"

using namespace rackproof;

namespace {

// A warden that says what it is given to say, and whose journal may fail.
class Telling : public warden::Warden {
 public:
  void open_journal(const std::string&) override {}
  void note(std::string_view, bool) override {
    if (lost) throw warden::JournalLost("it is not there any more");
  }
  void share_host(const warden::HostShare&) override {}
  void start(const warden::Launch&) override {}
  void cancel(const std::string&, const model::Reason<model::CancelReason>&) override {}
  std::vector<warden::Event> wait(double) override {
    return {{"a", R"({"j":"begin"})", false}, {"a", R"({"j":"end"})", true}};
  }
  void guard(const std::string&, const std::string&, double) override {}
  contract::ProgressPage* progress_page() override { return nullptr; }
  void say(const std::string&, const std::string&) override {}
  void release(const std::string&, int) override {}
  void last_act(const std::vector<std::string>&) override {}
  void close(const model::Reason<model::CloseReason>&) override {}

  bool lost = false;
};

std::vector<std::string> kinds_in(const std::string& journal) {
  std::vector<std::string> kinds;
  const auto damages = ingest::for_each_line(
      journal, [&](const ingest::Line& line) { kinds.push_back(line.kind()); });
  CHECK(damages.empty());
  return kinds;
}

}  // namespace

TEST_CASE(
    "all that rank 0 wrote and heard is kept, the line that found the journal lost included") {
  Telling telling;
  crew::Keepsake keepsake;
  crew::KeepingWarden warden(telling, keepsake);
  warden.wait(0);
  CHECK(keepsake.empty());
  warden.open_journal("/somewhere/run/journals/0002-rank-00000.jsonl");
  warden.note(R"({"j":"open"})", true);
  CHECK(warden.wait(1).size() == 2);
  telling.lost = true;
  CHECK_THROWS_AS(warden.note(R"({"j":"step"})", false), warden::JournalLost);
  keepsake.keep("journals/0002-rank-00001.gathered.jsonl", R"({"j":"open"})");
  const auto journals = keepsake.journals();
  REQUIRE(journals.size() == 2);
  CHECK(kinds_in(journals.at("journals/0002-rank-00000.jsonl")) ==
        std::vector<std::string>{"open", "begin", "end", "step"});
  CHECK(kinds_in(journals.at("journals/0002-rank-00001.gathered.jsonl")).size() == 1);
}

TEST_CASE("a keepsake has an end, and says so") {
  crew::Keepsake keepsake(16 << 10);
  const std::string line(1 << 10, 'x');
  for (int i = 0; i < 15; ++i) keepsake.keep("j", line);
  CHECK(keepsake.whole());
  keepsake.keep("j", line);
  CHECK_FALSE(keepsake.whole());
  keepsake.keep("j", "{}");
  CHECK(keepsake.journals().at("j").size() > 15 * line.size());
  CHECK(keepsake.journals().at("j").size() < 16 * line.size());
}
