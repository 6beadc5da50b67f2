#include <catch2/catch.hpp>
#include <stdexcept>

#include "harness/judge/judge.hpp"
#include "reports/json/report_json.hpp"
#include "reports/json/report_pieces.hpp"
#include "tests/unit/assemble/scene.hpp"
#include "tests/unit/turn.hpp"

using namespace rackproof;
using assemble_test::Scene;

namespace {

// Ways in which one byte can be another: its lowest and its highest bit, all bits, none.
constexpr unsigned char kFlips[] = {0x01, 0x80, 0xff};

std::string flipped(std::string bytes, std::size_t at, unsigned char bits) {
  bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ bits);
  return bytes;
}

std::size_t start_of_last_line(const std::string& text) {
  return text.rfind('\n', text.size() - 2) + 1;
}

// Refused with a place, or a report that can be judged. True when it was read.
bool is_read_or_refused(const std::string& text) {
  try {
    model::Report report = model::report_from_json(text);
    judge::judge(report);
    return true;
  } catch (const model::BadReport& bad) {
    if (std::string(bad.what()).empty()) FAIL("refused without a word");
  } catch (const std::invalid_argument&) {
    // A policy that is none, which the verbs look at first.
  }
  return false;
}

}  // namespace

TEST_CASE("a journal that was cut anywhere is read as far as it goes and never accepted") {
  Scene scene(2);
  scene.whole_run();
  REQUIRE(scene.report().acceptance == model::Acceptance::kAccepted);
  for (const int rank : {0, 1}) {
    const std::string whole = scene.bytes(rank);
    std::size_t accepted = 0;
    for (std::size_t size = 0; size < start_of_last_line(whole); ++size) {
      if (!rackproof::tests::is_turn_of(size)) continue;
      scene.bytes(rank) = whole.substr(0, size);
      try {
        accepted += scene.report().acceptance == model::Acceptance::kAccepted ? 1U : 0U;
      } catch (const assemble::NoRun&) {
        // Nothing is left that says what was owed.
      }
    }
    CHECK(accepted == 0);
    scene.bytes(rank) = whole;
  }
}

TEST_CASE("whatever bit of a journal is flipped, the run is not accepted") {
  Scene scene(1);
  scene.whole_run();
  const std::string whole = scene.bytes(0);
  // The last line says only that the journal was closed: the run had ended before.
  const std::size_t end = start_of_last_line(whole);
  for (std::size_t at = 0; at < end; ++at) {
    if (!rackproof::tests::is_turn_of(at)) continue;
    for (const unsigned char bits : kFlips) {
      scene.bytes(0) = flipped(whole, at, bits);
      try {
        const model::Report report = scene.report();
        INFO("byte " << at << " xor " << static_cast<int>(bits));
        CHECK(report.acceptance != model::Acceptance::kAccepted);
      } catch (const assemble::NoRun&) {
        continue;
      }
    }
  }
}

// What is edited so that it is another good report is not seen here: that takes a signature.
TEST_CASE("whatever byte of a report is another, it is refused or read") {
  Scene scene(1);
  scene.whole_run();
  const std::string whole = model::to_json(scene.report());
  REQUIRE(is_read_or_refused(whole));
  std::size_t read = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned char bits : kFlips) read += is_read_or_refused(flipped(whole, at, bits));
  }
  // Most bytes are names, marks and blanks of the form; texts and digits can be others.
  CHECK(read < whole.size() * std::size(kFlips) / 2);
}

TEST_CASE("a report that was cut anywhere is refused") {
  Scene scene(1);
  scene.whole_run();
  const std::string whole = model::to_json(scene.report());
  for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
    INFO("cut to " << size << " of " << whole.size());
    CHECK_FALSE(is_read_or_refused(whole.substr(0, size)));
  }
}
