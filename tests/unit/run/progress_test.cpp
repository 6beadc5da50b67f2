#include "harness/run/progress.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "reports/model/printable.hpp"
#include "tests/fakes/fake_clock.hpp"

using namespace rackproof;

namespace {

struct Screen {
  explicit Screen(bool terminal, bool quiet = false)
      : progress(
            clock, [this](const std::string& text) { seen += text; },
            terminal ? [this] { return columns; } : std::function<std::size_t()>(), quiet) {}

  // Runs a step for so long, with a tick every quarter of a second.
  void last(double seconds, const std::string& phase) {
    for (double done = 0; done < seconds; done += 0.25) {
      clock.sleep(0.25);
      progress.tick(phase, attempts);
    }
  }
  long lines() const { return std::count(seen.begin(), seen.end(), '\n'); }

  fakes::FakeClock clock;
  std::string seen;
  std::size_t columns = 100;
  run::AttemptCount attempts{1, 0, 0};
  run::Progress progress;
};

bool has_control_character(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f;
  });
}

}  // namespace

TEST_CASE("quietly only what is said stands there") {
  for (const bool terminal : {false, true}) {
    Screen screen(terminal, true);
    screen.progress.begin_step(1, 3, "stream", "stream-host on 2 nodes", {0, {}, 600});
    screen.last(120, "triad");
    screen.progress.say("rank 3 on gb-07 is lost");
    screen.last(120, "triad");
    screen.progress.end_step("done");
    CHECK(screen.lines() == 1);
    CHECK(screen.seen.find("rank 3 on gb-07 is lost\n") != std::string::npos);
  }
}

TEST_CASE("without a terminal a short step has two whole lines") {
  Screen screen(false);
  screen.progress.begin_step(1, 3, "stream", "stream-host on 2 nodes", {0, {}, 600});
  screen.last(12, "triad");
  screen.progress.end_step("done");
  CHECK(screen.seen ==
        "00:00:00 [1/3] stream (stream-host on 2 nodes)\n"
        "00:00:12 [1/3] stream (stream-host on 2 nodes): done in 12 s\n");
}

TEST_CASE("without a terminal a long step has a line every 30 s") {
  Screen screen(false);
  screen.attempts = {8, 3, 1};
  screen.progress.begin_step(1, 1, "burn", "", {0, {}, 300});
  screen.last(95, "burn-host: window 3, 40 %");
  CHECK(screen.lines() == 4);
  CHECK(
      screen.seen.find("00:01:00 [1/1] burn: 1 min, at most 4 min left in the run, 3 of 8 attempts "
                       "(1 repeated)  (burn-host: window 3, 40 %)\n") != std::string::npos);
  CHECK_FALSE(has_control_character(screen.seen));
}

TEST_CASE("what a step is expected to take is told, and what is left is no more than the limit") {
  Screen screen(false);
  screen.progress.begin_step(1, 1, "burn", "", {60, 600, 900});
  screen.last(31, "");
  CHECK(screen.seen.find("burn: 30 s of about 1 min, about 9 min 30 s left in the run\n") !=
        std::string::npos);
  screen.progress.begin_step(1, 1, "late", "", {10, 20, 900});
  screen.last(31, "");
  CHECK(screen.seen.find("late: 30 s of about 10 s, at most 14 min 30 s left in the run\n") !=
        std::string::npos);
}

TEST_CASE("what a bench calls its phase cannot reach the terminal as a command") {
  for (const bool terminal : {false, true}) {
    Screen screen(terminal);
    screen.progress.begin_step(1, 1, "a", "", {0, {}, 300});
    screen.seen.clear();
    screen.last(31, "x\x1b[2J\ny\r\x07\xff");
    std::string rest = screen.seen;
    for (std::size_t at = 0; (at = rest.find("\r\033[K")) != std::string::npos;) rest.erase(at, 4);
    CHECK_FALSE(has_control_character(rest));
    CHECK(screen.lines() == (terminal ? 0 : 1));
    CHECK(rest.find('\xff') == std::string::npos);
  }
}

TEST_CASE(
    "on a terminal the line of a step is rewritten once a second and stands when it is over") {
  Screen screen(true);
  screen.progress.begin_step(2, 3, "gemm", "gemm-host on 1 node", {20, 20, 60});
  screen.seen.clear();
  screen.last(10, "");
  CHECK(screen.lines() == 0);
  CHECK(std::count(screen.seen.begin(), screen.seen.end(), '\r') == 10);
  CHECK(screen.seen.ends_with(
      "\r\033[K[2/3] gemm [########........]: 10 s of about 20 s, about 10 s left "
      "in the run"));
  screen.progress.end_step("done, with failures");
  CHECK(screen.seen.ends_with(
      "\r\033[K[2/3] gemm (gemm-host on 1 node): done, with failures in 10 s\n"));
}

TEST_CASE("on a terminal no line is as wide as the screen, whatever its width") {
  for (const std::size_t columns : {60, 80, 120, 200}) {
    Screen screen(true);
    screen.columns = columns;
    screen.attempts = {72, 8, 0};
    screen.progress.begin_step(2, 3, "gemm", "gemm-cuda on 72 devices", {0, {}, 60});
    screen.last(5, std::string(300, 'x'));
    for (std::size_t at = 0, next = 0; next != std::string::npos; at = next) {
      next = screen.seen.find('\r', at + 1);
      // Without the four bytes that bring the cursor back.
      CHECK(model::character_count(screen.seen.substr(at + 4, next - at - 4)) < columns);
    }
  }
}

TEST_CASE("a saying on a terminal takes the place of the line, which comes back below") {
  Screen screen(true);
  screen.progress.begin_step(1, 1, "a", "", {0, {}, 60});
  screen.seen.clear();
  screen.progress.say("rank 3 is lost");
  CHECK(screen.seen == "\r\033[Krank 3 is lost\n[1/1] a");
  screen.progress.end_step("done");
  screen.seen.clear();
  screen.progress.say("bye");
  CHECK(screen.seen == "\r\033[Kbye\n");
}

TEST_CASE("a saying that is wider than the terminal is broken between words") {
  Screen screen(true);
  screen.columns = 20;
  screen.progress.say("vm: others took 51 % of the time, an-address-that-is-too-long");
  CHECK(screen.seen ==
        "\r\033[Kvm: others took 51 %\n  of the time,\n  an-address-that-is-too-long\n");
  screen.seen.clear();
  screen.progress.say("exactly twenty chars");
  CHECK(screen.seen == "\r\033[Kexactly twenty chars\n");
}

TEST_CASE("a line on a terminal is not cut within a character") {
  Screen screen(true);
  screen.progress.begin_step(1, 1, "a", "", {0, {}, 60});
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "\xc3\xa4";
  screen.last(1, wide);
  screen.last(1, "x" + wide);
  for (std::size_t i = 0; i < screen.seen.size(); ++i) {
    if (screen.seen[i] != '\xc3') continue;
    REQUIRE(i + 1 < screen.seen.size());
    REQUIRE(screen.seen[i + 1] == '\xa4');
  }
}

TEST_CASE("the time that is left never becomes negative, and sayings are lines of their own") {
  Screen screen(false);
  screen.progress.begin_step(1, 1, "a", "", {0, {}, 10});
  screen.last(31, "");
  CHECK(screen.seen.find("at most 0 s left") != std::string::npos);
  CHECK(screen.seen.find("  (") == std::string::npos);
  screen.seen.clear();
  screen.progress.say("rank 3 is lost");
  CHECK(screen.seen == "00:00:31 rank 3 is lost\n");
}
