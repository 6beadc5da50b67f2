#include "benches/pairs/match.hpp"

#include <algorithm>
#include <utility>

namespace rackproof::pairs {
namespace {

// Numbers of an outcome beside its seconds.
constexpr std::size_t kFields = 10;

double low(std::uint64_t word) { return static_cast<double>(word & 0xffffffffU); }
double high(std::uint64_t word) { return static_cast<double>(word >> 32); }
std::uint64_t joined(double lower, double upper) {
  return static_cast<std::uint64_t>(lower) | static_cast<std::uint64_t>(upper) << 32;
}

}  // namespace

std::uint64_t key_of(const Rule& rule, const Spec& spec, int from, int to, std::int64_t batch) {
  std::uint64_t key = rule.seed;
  for (const std::int64_t part : {std::int64_t{from}, std::int64_t{to},
                                  static_cast<std::int64_t>(spec.kind), spec.bytes, batch}) {
    key = kit::pattern::key_of(key, static_cast<std::uint64_t>(part));
  }
  return key;
}

Outcome play(Transport& transport, int peer, const Spec& spec, const Rule& rule,
             const std::optional<kit::Injection>& fault, kit::ProgressWriter& word) {
  const int rank = transport.rank();
  const bool lower = rank < peer;
  const Batch batch = batch_of(spec);
  Outcome outcome;
  for (std::int64_t i = 0; i < rule.warmup + rule.samples; ++i) {
    const std::uint64_t out = key_of(rule, spec, rank, peer, i);
    const std::uint64_t in = key_of(rule, spec, peer, rank, i);
    if (sends(spec.kind, lower)) transport.write(out, batch);
    if (receives(spec.kind, lower)) transport.poison(in, batch);
    const contract::Place place = word.next_operation();
    word.enter(place);
    const double seconds =
        transport.pass(exchange_of(spec.kind), peer, leads(spec.kind, lower), batch);
    word.complete(place);
    if (i >= rule.warmup) outcome.seconds.push_back(seconds);
    if (!receives(spec.kind, lower)) continue;
    if (fault && i == rule.warmup) transport.spoil(*fault, batch);
    const Found found = transport.compare(in, batch);
    outcome.compared += found.words.compared;
    outcome.wrong += found.words.wrong;
    if (found.words.wrong > 0 && !outcome.first_wrong) {
      outcome.first_wrong = WrongWord{
          rank, peer, i, found.slot, found.words.first, found.words.got, found.words.want};
    }
  }
  return outcome;
}

Outcome together(const Outcome& lower, const Outcome& higher) {
  Outcome both = lower;
  for (std::size_t i = 0; i < std::min(both.seconds.size(), higher.seconds.size()); ++i) {
    both.seconds[i] = std::max(both.seconds[i], higher.seconds[i]);
  }
  both.compared += higher.compared;
  both.wrong += higher.wrong;
  if (!both.first_wrong) both.first_wrong = higher.first_wrong;
  return both;
}

std::size_t packed_size(const Rule& rule) {
  return kFields + static_cast<std::size_t>(rule.samples);
}

std::vector<double> packed(const Outcome& outcome, const Rule& rule) {
  const WrongWord first = outcome.first_wrong.value_or(WrongWord{});
  std::vector<double> out{static_cast<double>(outcome.compared),
                          static_cast<double>(outcome.wrong),
                          static_cast<double>(first.source),
                          static_cast<double>(first.batch),
                          static_cast<double>(first.slot),
                          static_cast<double>(first.index),
                          low(first.got),
                          high(first.got),
                          low(first.want),
                          high(first.want)};
  out.insert(out.end(), outcome.seconds.begin(), outcome.seconds.end());
  out.resize(packed_size(rule), 0);
  return out;
}

Outcome unpacked(std::span<const double> numbers, int rank) {
  Outcome outcome;
  outcome.compared = static_cast<std::int64_t>(numbers[0]);
  outcome.wrong = static_cast<std::int64_t>(numbers[1]);
  if (outcome.wrong > 0) {
    outcome.first_wrong = WrongWord{rank,
                                    static_cast<int>(numbers[2]),
                                    static_cast<std::int64_t>(numbers[3]),
                                    static_cast<std::int64_t>(numbers[4]),
                                    static_cast<std::int64_t>(numbers[5]),
                                    joined(numbers[6], numbers[7]),
                                    joined(numbers[8], numbers[9])};
  }
  outcome.seconds.assign(numbers.begin() + kFields, numbers.end());
  return outcome;
}

}  // namespace rackproof::pairs
