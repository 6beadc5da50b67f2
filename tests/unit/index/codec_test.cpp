#include "harness/index/codec.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/compare/fleet.hpp"

namespace rackproof::index {
namespace {

compare::Sample some_sample() {
  compare::Sample sample = compare_test::sample_of({.devices = 5, .quantities = 3}, 1);
  sample.name.clear();
  sample.run = std::string("run\0\"'\n", 7);
  sample.began_utc = "2026-03-01T02:00:00.000Z";
  sample.suite_digest = "abc";
  sample.acceptance = model::Acceptance::kRejected;
  sample.without_number = 300;
  sample.measured_before = 200;
  compare::Key key;
  key.metric = "latency";
  key.kind = contract::SubjectKind::kGroup;
  sample.numbers[key] = {contract::Better::kLess, {{"node9", 5e-324}, {"node1/GPU2", 1.7e308}}};
  sample.facts_of["node9"] = {};
  return sample;
}

compare::Sample decoded(const Parts& parts) {
  return decode({parts.layout, parts.facts, parts.values});
}

TEST_CASE("a sample comes back as it was") {
  const compare::Sample sample = some_sample();
  CHECK(decoded(encode(sample)) == sample);
  CHECK(decoded(encode(compare::Sample())) == compare::Sample());
}

TEST_CASE("nights of one fleet share all but their numbers") {
  const Parts one = encode(compare_test::sample_of({}, 1));
  const Parts other = encode(compare_test::sample_of({}, 2));
  CHECK(one.layout == other.layout);
  CHECK(one.facts == other.facts);
  CHECK(one.values != other.values);
}

TEST_CASE("bytes that end anywhere or go on are refused") {
  const Parts whole = encode(some_sample());
  for (std::string Parts::*part : {&Parts::layout, &Parts::facts, &Parts::values}) {
    for (std::size_t size = 0; size < (whole.*part).size(); ++size) {
      Parts cut = whole;
      (cut.*part).resize(size);
      CHECK_THROWS_AS(decoded(cut), BadBytes);
    }
    Parts longer = whole;
    (longer.*part) += 'x';
    CHECK_THROWS_AS(decoded(longer), BadBytes);
  }
}

TEST_CASE("a changed byte of a part is another sample or refused and never worse") {
  const Parts whole = encode(some_sample());
  for (std::string Parts::*part : {&Parts::layout, &Parts::facts, &Parts::values}) {
    for (std::size_t at = 0; at < (whole.*part).size(); ++at) {
      for (const int flip : {1, 127, 128, 255}) {
        Parts changed = whole;
        (changed.*part)[at] = static_cast<char>((changed.*part)[at] ^ flip);
        try {
          static_cast<void>(decoded(changed));
        } catch (const BadBytes&) {  // NOLINT(bugprone-empty-catch): one of two good endings
        }
      }
    }
  }
}

TEST_CASE("a number without an end is refused") {
  CHECK_THROWS_AS(Reader(std::string(11, '\xFF')).number(), BadBytes);
  CHECK_THROWS_AS(Reader("\x05").below(5), BadBytes);
}

}  // namespace
}  // namespace rackproof::index
