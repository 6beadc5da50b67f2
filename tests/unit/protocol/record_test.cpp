#include "benches/protocol/record.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace rackproof::protocol;

TEST_CASE("every word is told apart and read back") {
  std::set<std::string_view> kinds;
  for (int i = static_cast<int>(Kind::kHello); i <= static_cast<int>(Kind::kEnd); ++i) {
    const Kind kind = static_cast<Kind>(i);
    CHECK(kinds.insert(word(kind)).second);
    CHECK(kind_of(word(kind)) == kind);
  }
  for (const Better better : {Better::kMore, Better::kLess}) {
    CHECK(better_of(word(better)) == better);
  }
  for (const Statistic statistic : {Statistic::kValue, Statistic::kBest, Statistic::kMedian,
                                    Statistic::kMean, Statistic::kWorst, Statistic::kP99}) {
    CHECK(statistic_of(word(statistic)) == statistic);
  }
  for (const SubjectKind kind :
       {SubjectKind::kNode, SubjectKind::kDevice, SubjectKind::kLink, SubjectKind::kGroup}) {
    CHECK(subject_kind_of(word(kind)) == kind);
  }
}

TEST_CASE("words that are none are refused") {
  for (const char* text : {"", "Hello", "hello ", "unknown"}) {
    CHECK_FALSE(kind_of(text));
    CHECK_FALSE(better_of(text));
    CHECK_FALSE(statistic_of(text));
    CHECK_FALSE(subject_kind_of(text));
  }
}
