#include "contract/words.hpp"

#include <catch2/catch.hpp>

#include "contract/better.hpp"
#include "contract/exit_code.hpp"
#include "contract/statistic.hpp"
#include "contract/subject_kind.hpp"
#include "tests/unit/contract/round_trip.hpp"

namespace rackproof::contract {
TEST_CASE("every enumerator has a word that leads back to it, and no other text does") {
  check_round_trip<Better>(2);
  check_round_trip<ExitCode>(7);
  check_round_trip<Statistic>(7);
  check_round_trip<SubjectKind>(4);
}

TEST_CASE("choices lists the words in order") {
  CHECK(choices<Better>() == "more, less");
  CHECK(choices<Statistic>() == "value, best, median, mean, worst, p99, p05");
  CHECK(choices<SubjectKind>() == "node, device, link, group");
}

}  // namespace rackproof::contract
