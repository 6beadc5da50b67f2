#include "reports/model/words.hpp"

#include <catch2/catch.hpp>

namespace rackproof::model {
namespace {

template <class E>
void check_round_trip(std::size_t count) {
  CHECK(words_of(E{}).size() == count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<E>(i);
    CHECK(word(value) != "unknown");
    CHECK(enumerator_of<E>(word(value)) == value);
  }
  CHECK_FALSE(enumerator_of<E>(""));
  CHECK_FALSE(enumerator_of<E>("unknown"));
}

}  // namespace

TEST_CASE("every enumerator has a word that leads back to it") {
  check_round_trip<Outcome>(6);
  check_round_trip<Acceptance>(4);
  check_round_trip<SubjectKind>(4);
  check_round_trip<Better>(2);
  check_round_trip<Statistic>(7);
  check_round_trip<Severity>(4);
  check_round_trip<BaselineKind>(5);
  check_round_trip<BoundOf>(11);
  check_round_trip<Straddle>(3);
}

TEST_CASE("choices lists the words in order") {
  CHECK(choices<Better>() == "more, less");
  CHECK(choices<Outcome>() == "pass, verified, fail, unjudged, untested, waived");
}

}  // namespace rackproof::model
