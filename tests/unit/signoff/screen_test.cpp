#include "harness/signoff/screen.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::signoff;

namespace {

Screen example_screen() {
  Screen screen;
  screen.report = "out/report.json";
  screen.sha256 = "ab";
  screen.what = "run r1, suite s, accepted";
  screen.add(State::kHolds, "form", "canonical");
  screen.add(State::kOpen, "journals", "not at hand");
  return screen;
}

}  // namespace

TEST_CASE("what cannot be looked at is said and is no failure") {
  const Screen screen = example_screen();
  CHECK(screen.holds());
  CHECK(to_text(screen) ==
        "out/report.json\nrun r1, suite s, accepted\nsha256 ab\n\n"
        "  holds  form        canonical\n"
        "  open   journals    not at hand\n\n"
        "verified; 1 item could not be checked here\n");
  CHECK(to_json(screen) ==
        R"({"proofs":[{"about":"form","state":"holds","text":"canonical"},)"
        R"({"about":"journals","state":"open","text":"not at hand"}],)"
        R"("report":"out/report.json","schema":"rackproof/verification/1","sha256":"ab",)"
        R"("verified":true})"
        "\n");
}

TEST_CASE("the verdict of a report that holds is the last line") {
  Screen screen = example_screen();
  screen.acceptance = "rejected";
  screen.verdict = "REJECTED 1 host, 0 GPUs: too slow";
  CHECK(
      to_text(screen).ends_with("could not be checked here\nREJECTED 1 host, 0 GPUs: too slow\n"));
  CHECK(to_json(screen).starts_with(R"({"acceptance":"rejected",)"));
  screen.add(State::kFails, "signature", "none");
  CHECK(to_text(screen).find("REJECTED") == std::string::npos);
}

TEST_CASE("one line that fails is enough") {
  Screen screen = example_screen();
  screen.add(State::kFails, "signature", "vendor: \x1B[31mred");
  CHECK_FALSE(screen.holds());
  const std::string text = to_text(screen);
  CHECK(text.find("  FAILS  signature   vendor: ?[31mred\n") != std::string::npos);
  CHECK(text.ends_with("NOT VERIFIED: 1 of 3 do not hold; its verdict counts for nothing\n"));
  CHECK(to_json(screen).find("\"verified\":false") != std::string::npos);
}
