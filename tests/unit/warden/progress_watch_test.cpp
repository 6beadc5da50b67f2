#include "harness/warden/progress_watch.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <string>

#include "harness/warden/process_warden.hpp"
#include "tests/unit/temporary_folder.hpp"
#include "tests/unit/warden/shell_attempt.hpp"

namespace rackproof::warden {
namespace {

using contract::Place;
using contract::ProgressPage;

void enter(ProgressPage& page, const Place& place) { page.entered = packed(place); }
void complete(ProgressPage& page, const Place& place) { page.completed = packed(place); }

void entitle(ProgressPage& page, std::size_t which, const std::string& title, std::int64_t bytes) {
  for (std::size_t i = 0; i * sizeof(std::uint64_t) < title.size(); ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, title.data() + i * sizeof word,
                std::min(sizeof word, title.size() - i * sizeof word));
    page.titles.at(which).text.at(i) = word;
  }
  page.titles.at(which).bytes = bytes;
}

// A page that somebody tells in, and its watch.
struct Told {
  std::shared_ptr<const ProgressMemory> memory = std::make_shared<const ProgressMemory>();
  ProgressPage& page = *memory->page();
  ProgressWatch watch{memory, 100};

  Told() { page.version = ProgressPage::kVersion; }
};

}  // namespace

TEST_CASE("what is kept is what was told then, and how long it had been so") {
  Told told;
  entitle(told.page, 1, "all_reduce 8 B", 8);
  enter(told.page, {1, 7, 0});
  complete(told.page, {1, 6, 0});
  told.watch.look(101);
  told.watch.look(102);
  told.watch.look(102.5);
  CHECK(told.watch.next_look() == Approx(103));
  told.watch.look(103);
  told.watch.keep(103.5, model::ProcessState::kSleeping);
  const model::Progress wanted{
      "all_reduce 8 B", 8, {1, 7, 0}, {1, 6, 0}, 1, 2.5, model::ProcessState::kSleeping};
  CHECK(told.watch.kept() == wanted);
  // What comes after it has been told to end is not where it stood.
  complete(told.page, {1, 7, 0});
  told.watch.keep(104, model::ProcessState::kSleeping);
  CHECK(told.watch.kept() == wanted);
}

TEST_CASE("who moved since the last look does not stand still") {
  Told told;
  enter(told.page, {1, 0, 1});
  for (const double now : {101.0, 102.0, 103.0}) told.watch.look(now);
  SECTION("by what it entered") { enter(told.page, {1, 0, 2}); }
  SECTION("by what it completed") { complete(told.page, {1, 0, 1}); }
  SECTION("as was seen") {
    complete(told.page, {1, 0, 1});
    told.watch.look(104);
    told.watch.keep(104.5, model::ProcessState::kSleeping);
    CHECK(told.watch.kept()->still_seconds == Approx(0.5));
    return;
  }
  told.watch.keep(103.9, model::ProcessState::kSleeping);
  CHECK(told.watch.kept()->still_seconds == 0);
}

TEST_CASE("the time for which this process did not look either does not count") {
  Told told;
  enter(told.page, {1, 0, 1});
  told.watch.look(101);
  told.watch.look(500);
  told.watch.keep(501, model::ProcessState::kSleeping);
  CHECK(told.watch.kept()->still_seconds == Approx(3));
}

TEST_CASE("who has told nothing has come to nothing, and a page is empty for the next one") {
  Told told;
  enter(told.page, {1, 0, 1});
  clear(told.page);
  ProgressWatch other(told.memory, 100);
  other.keep(101, model::ProcessState::kSleeping);
  const model::Progress nothing{"", 0, {}, {}, 1, 1, model::ProcessState::kSleeping};
  CHECK(other.kept() == nothing);
  told.page.version = ProgressPage::kVersion;
  ProgressWatch next(told.memory, 100);
  next.keep(101, model::ProcessState::kSleeping);
  CHECK(next.kept() == nothing);
  told.page.version = ProgressPage::kVersion + 1;
  ProgressWatch foreign(told.memory, 100);
  foreign.keep(101, model::ProcessState::kSleeping);
  CHECK_FALSE(foreign.kept());
}

TEST_CASE("what makes no sense in a page does no harm") {
  Told told;
  entitle(told.page, 0, "\xff\xfe", -5);
  enter(told.page, {2, 3, 0});
  told.page.span = ~std::uint64_t{0};
  SECTION("no text") {}
  SECTION("no printable text") { entitle(told.page, 0, std::string("a\nb"), -5); }
  told.watch.keep(100, model::ProcessState::kSleeping);
  CHECK(told.watch.kept()->operation.empty());
  CHECK(told.watch.kept()->bytes == 0);
  CHECK(told.watch.kept()->entered == Place{2, 3, 0});
}

TEST_CASE("whoever has the memory of a page can neither cut it off nor make it longer") {
  const ProgressMemory memory;
  REQUIRE(memory.descriptor() >= 0);
  CHECK(ftruncate(memory.descriptor(), 0) == -1);
  CHECK(ftruncate(memory.descriptor(), 1 << 20) == -1);
}

TEST_CASE("a member of a group is given a page, and what it told is read before it is ended") {
  using namespace shell_attempt;
  const auto warden = fork_warden();
  // Place 1, 128 is entered and 1, 127 completed; once it is told to end it completes that.
  static_assert(offsetof(ProgressPage, entered) == 256 && offsetof(ProgressPage, completed) == 264);
  Launch launch = shell("a", R"(
put() { printf "$2" | dd of=/proc/self/fd/$RACKPROOF_PROGRESS bs=1 seek=$1 conv=notrunc 2>/dev/null; }
trap 'put 264 "\377\017\010\000\000\000\001\000"; exit 9' TERM
put 256 '\377\017\010\000\000\000\001\000'
put 264 '\377\377\007\000\000\000\001\000'
put 0 '\001'
echo told
while :; do sleep 0.05; done)",
                        1.5);
  launch.tells_progress = true;
  SECTION("at its deadline") { warden->start(launch); }
  SECTION("or for another's sake") {
    warden->start(launch);
    bool told = false;
    while (!told) {
      for (const Event& event : warden->wait(1)) told = told || has(event.line, "told");
    }
    warden->cancel("a", model::CancelReason::kMemberFailed);
  }
  SECTION("or by itself") {
    launch.arguments.back() += "& sleep 0.5; kill -TERM $!; wait $!";
    warden->start(launch);
  }
  const std::string end = finish(*warden, "a").back();
  const bool itself = has(end, "\"code\":9") && !has(end, "timed_out") && !has(end, "cancelled_by");
  CHECK(has(end,
            "\"progress\":{\"operation\":\"\",\"bytes\":0,\"entered\":{\"cell\":1,\"iteration\":"
            "128},\"completed\":{\"cell\":1,\"iteration\":" +
                std::string(itself ? "128" : "127") + "},\"still_seconds\":"));
  warden->close(model::CloseReason::kFinished);
}

TEST_CASE("who ended well, and who is no member of a group, tells no progress") {
  using namespace shell_attempt;
  const auto warden = fork_warden();
  Launch member = shell("a", "printf '\\001' >&4");
  member.tells_progress = true;
  warden->start(member);
  CHECK_FALSE(has(finish(*warden, "a").back(), "progress"));
  warden->start(shell("b", "echo \"<$RACKPROOF_PROGRESS>\"; exit 3"));
  const auto lines = finish(*warden, "b");
  CHECK(has(lines.at(1), "<>"));
  CHECK_FALSE(has(lines.back(), "progress"));
  warden->close(model::CloseReason::kFinished);
}

TEST_CASE("a rank tells its warden how far it is in its own bench") {
  using namespace shell_attempt;
  const TemporaryFolder folder;
  const pid_t rank = fork();
  if (rank == 0) {
    const auto warden = fork_warden();
    warden->open_journal(folder / "j");
    for (const char* const attempt : {"a", "b"}) {
      warden->guard(attempt, "{}", 1);
      ProgressPage& page = *warden->progress_page();
      if (page.entered != 0) _exit(8);
      page.version = ProgressPage::kVersion;
      enter(page, {2, 5, 0});
      if (attempt[0] == 'a') warden->release(attempt, 1);
    }
    for (;;) pause();
  }
  int status = 0;
  waitpid(rank, &status, 0);
  CHECK(WIFSIGNALED(status));
  const std::string& journal = contents_of(folder / "j");
  const std::string told =
      "\"progress\":{\"operation\":\"\",\"bytes\":0,\"entered\":{\"cell\":2,\"iteration\":5}";
  const std::size_t first = journal.find(told);
  REQUIRE(first != std::string::npos);
  CHECK(journal.find(told, first + 1) != std::string::npos);
  CHECK(has(journal, "\"timed_out\":true"));
}

}  // namespace rackproof::warden
