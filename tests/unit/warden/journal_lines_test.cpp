#include "harness/warden/journal_lines.hpp"

#include <catch2/catch.hpp>

#include "harness/warden/seal.hpp"

namespace rackproof::warden {
namespace {

std::string closing() {
  return close_line(7, "2026-01-02T03:04:05Z", model::CloseReason::kFinished);
}

}  // namespace

TEST_CASE("a line that closes a journal is told from all others") {
  CHECK(is_close_line(closing()));
  CHECK(is_close_line(Seal().sealed(closing())));
  CHECK_FALSE(is_close_line(out_line("n", closing(), true)));
  CHECK_FALSE(is_close_line(begin_line("n", 0, "{}", 1, 7)));
  CHECK_FALSE(is_close_line(""));
}

TEST_CASE("a journal ends closed when its last line closes it and is whole") {
  const std::string before = out_line("n", "x", true) + "\n";
  CHECK(ends_closed(closing() + "\n"));
  CHECK(ends_closed(before + closing() + "\n"));
  CHECK_FALSE(ends_closed(before + closing()));
  CHECK_FALSE(ends_closed(closing() + "\n" + before));
  CHECK_FALSE(ends_closed(before));
  CHECK_FALSE(ends_closed("\n"));
  CHECK_FALSE(ends_closed(""));
}

}  // namespace rackproof::warden
