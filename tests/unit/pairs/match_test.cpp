#include "benches/pairs/match.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>

#include "tests/unit/pairs/thread_transport.hpp"

using namespace rackproof;
using namespace rackproof::pairs;

namespace {

const Rule kRule{1, 3, 42};

// Both views of one match between the ranks 0 and 1.
std::vector<Outcome> play_two(ThreadGroup& group, const Spec& spec,
                              std::optional<kit::Injection> fault = {}) {
  std::vector<Outcome> out(2);
  run_group(group, [&](ThreadTransport& transport) {
    if (!transport.reserve(batch_of(spec).span())) throw std::runtime_error("no memory");
    const int rank = transport.rank();
    kit::ProgressWriter word;
    out[static_cast<std::size_t>(rank)] =
        play(transport, 1 - rank, spec, kRule, rank == 1 ? fault : std::nullopt, word);
  });
  return out;
}

const std::vector<Spec> kSpecs{{Kind::kLatency, 8},       {Kind::kForward, 64},
                               {Kind::kBackward, 4096},   {Kind::kBoth, 8},
                               {Kind::kLatency, 1 << 16}, {Kind::kBoth, 1 << 20}};

}  // namespace

TEST_CASE("a match without faults is right in every word") {
  for (const Spec& spec : kSpecs) {
    ThreadGroup group(2);
    const auto out = play_two(group, spec);
    const Outcome both = together(out[0], out[1]);
    const Batch batch = batch_of(spec);
    const std::int64_t ways = exchange_of(spec.kind) == Exchange::kOneWay ? 1 : 2;
    CHECK(both.compared == ways * 4 * batch.slots * batch.words());
    CHECK(both.wrong == 0);
    CHECK_FALSE(both.first_wrong);
    CHECK(both.seconds == std::vector<double>(3, 1e-3));
  }
}

TEST_CASE("one wrong bit of a timed message is found with its rank and place") {
  for (const Spec& spec : kSpecs) {
    if (!receives(spec.kind, false)) continue;
    ThreadGroup group(2);
    const Batch batch = batch_of(spec);
    const std::int64_t element = batch.slots * batch.words() - 1;
    const auto out = play_two(group, spec, kit::Injection{element, 63});
    const Outcome both = together(out[0], out[1]);
    CHECK(both.wrong == 1);
    REQUIRE(both.first_wrong);
    CHECK(both.first_wrong->rank == 1);
    CHECK(both.first_wrong->source == 0);
    CHECK(both.first_wrong->batch == kRule.warmup);
    CHECK(both.first_wrong->slot == batch.slots - 1);
    CHECK(both.first_wrong->index == batch.words() - 1);
    CHECK((both.first_wrong->got ^ both.first_wrong->want) == std::uint64_t{1} << 63);
  }
}

TEST_CASE("a message that never arrives is wrong in every word") {
  ThreadGroup group(2);
  group.fault = [](int from, int, std::int64_t number, auto&) { return from != 0 || number != 70; };
  const Outcome both = [&] {
    const auto out = play_two(group, {Kind::kForward, 64});
    return together(out[0], out[1]);
  }();
  CHECK(both.wrong == 8);
  REQUIRE(both.first_wrong);
  CHECK(both.first_wrong->batch == 1);
  CHECK(both.first_wrong->slot == 6);
}

TEST_CASE("a message of an earlier batch in the place of the right one is wrong") {
  ThreadGroup group(2);
  ThreadGroup::Words kept;
  group.fault = [&](int from, int, std::int64_t number, ThreadGroup::Words& words) {
    if (from == 0 && number == 3) kept = words;
    if (from == 0 && number == 64 + 3) words = kept;
    return true;
  };
  const auto out = play_two(group, {Kind::kForward, 8});
  CHECK(together(out[0], out[1]).wrong == 1);
}

TEST_CASE("messages that arrive in each other's place are wrong") {
  ThreadGroup group(2);
  ThreadGroup::Words kept;
  group.fault = [&](int from, int, std::int64_t number, ThreadGroup::Words& words) {
    if (from == 1 && number == 10) kept = words;
    if (from == 1 && number == 11) words = kept;
    return true;
  };
  const auto out = play_two(group, {Kind::kLatency, 8});
  CHECK(together(out[0], out[1]).wrong == 1);
}

TEST_CASE("no two messages have the same data") {
  std::set<std::uint64_t> keys;
  std::size_t made = 0;
  for (int from = 0; from < 4; ++from) {
    for (int to = 0; to < 4; ++to) {
      for (const Spec& spec : kSpecs) {
        for (std::int64_t batch = 0; batch < 5; ++batch) {
          keys.insert(key_of(kRule, spec, from, to, batch));
          ++made;
        }
      }
    }
  }
  CHECK(keys.size() == made);
  Rule other = kRule;
  other.seed = 43;
  CHECK(key_of(kRule, kSpecs[0], 0, 1, 0) != key_of(other, kSpecs[0], 0, 1, 0));
}

TEST_CASE("an outcome survives being sent as numbers") {
  Outcome outcome;
  outcome.seconds = {1, 2, 3};
  outcome.compared = 123456789012345;
  outcome.wrong = 2;
  outcome.first_wrong = WrongWord{7, 3, 2, 63, 1 << 20, 0xfedcba9876543210ULL, ~std::uint64_t{0}};
  const auto numbers = packed(outcome, kRule);
  CHECK(numbers.size() == packed_size(kRule));
  CHECK(unpacked(numbers, 7) == outcome);
  CHECK(packed(Outcome{}, kRule).size() == packed_size(kRule));
  CHECK(unpacked(packed(Outcome{}, kRule), 1).compared == 0);
}

TEST_CASE("the longer time of the two counts") {
  Outcome lower;
  lower.seconds = {1, 5, 0};
  Outcome higher;
  higher.seconds = {2, 4, 3};
  CHECK(together(lower, higher).seconds == std::vector<double>{2, 5, 3});
}
