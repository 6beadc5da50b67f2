#include "contract/exit_code.hpp"

#include <catch2/catch.hpp>

namespace rackproof::contract {

TEST_CASE("the word of an exit code is the reason in the record that ends") {
  CHECK(word(ExitCode::kDone) == "done");
  CHECK(word(ExitCode::kUnexpected) == "unexpected");
  CHECK(word(ExitCode::kWrongAnswer) == "wrong-answer");
  CHECK(word(ExitCode::kGaveUp) == "gave-up");
}

TEST_CASE("a number that no bench ends with has no meaning") {
  CHECK(meaning_of_exit(0) == "done");
  CHECK(meaning_of_exit(3) == "not available here");
  CHECK(meaning_of_exit(6) == "gave up on another member");
  for (const int code : {-1, 7, 255}) CHECK_FALSE(meaning_of_exit(code));
}

}  // namespace rackproof::contract
