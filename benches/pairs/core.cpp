#include "benches/pairs/core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "benches/kit/errors.hpp"
#include "benches/pairs/match.hpp"
#include "benches/pairs/results.hpp"
#include "contract/tournament.hpp"

namespace rackproof::pairs {
namespace {

constexpr std::int64_t kWord = 8;
// What one call of MPI counts to in words, with room to spare.
constexpr std::int64_t kMostBytes = std::int64_t{8} << 30;

std::int64_t size_of(const std::string& text) {
  const std::int64_t bytes = kit::parse_bytes(text);
  if (bytes < kWord || bytes > kMostBytes || bytes % kWord != 0) {
    throw kit::UsageError(fmt::format("--sizes: expected multiples of {} from {} to {}, not '{}'",
                                      kWord, kWord, kMostBytes, text));
  }
  return bytes;
}

bool has(const std::vector<std::string>& words, std::string_view wanted) {
  return std::find(words.begin(), words.end(), wanted) != words.end();
}

contract::Tournament drawn(int members, const Config& config) {
  if (config.rounds == 0) return contract::Tournament(members);
  return {members, static_cast<int>(config.rounds), static_cast<std::uint64_t>(config.draw)};
}

class Play {
 public:
  Play(Transport& transport, const Config& config, kit::Session& session)
      : transport_(transport),
        session_(session),
        specs_(specs_of(config)),
        rule_{config.warmup, config.samples, static_cast<std::uint64_t>(config.seed)},
        draw_(drawn(transport.size(), config)) {
    if (transport_.size() < 2) {
      throw kit::Unavailable(
          "one rank alone makes no pair: start two or more, with mpirun or srun");
    }
    reserve();
    if (!speaks()) return;
    say_group();
    results_.emplace(draw_, specs_, transport_.places(), session_);
  }

  void play_all() {
    const int all = draw_.rounds();
    for (int round = 0; round < all; ++round) {
      std::vector<double> mine;
      for (std::size_t i = 0; i < specs_.size(); ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(specs_.size());
        session_.phase(fmt::format("round {} of {}: {}", round + 1, all, label(specs_[i])),
                       (round + part) / all);
        const std::vector<double> numbers = packed(play_one(round, specs_[i]), rule_);
        mine.insert(mine.end(), numbers.begin(), numbers.end());
      }
      std::vector<double> everybody;
      session_.progress().exchange([&] { everybody = transport_.gather(mine); });
      if (speaks()) say_round(round, everybody);
    }
    if (speaks()) results_->finish();
    session_.phase("done", 1);
  }

 private:
  bool speaks() const { return transport_.rank() == 0; }

  void reserve() {
    const std::int64_t span = span_of(specs_);
    session_.progress().begin("room for messages", span);
    bool all = false;
    session_.progress().exchange([&] { all = transport_.everyone(transport_.reserve(span)); });
    // Said by all or by none: a member that left alone would leave the others waiting.
    if (all) return;
    throw kit::Unavailable(
        fmt::format("messages need twice {} B of memory on each rank, and one of the group has not "
                    "as much free; "
                    "choose smaller --sizes",
                    span));
  }

  void say_group() {
    const TransportFacts facts = transport_.facts();
    session_.note(fmt::format("{} {}, {} ranks, {}", facts.library, facts.version,
                              transport_.size(), facts.path),
                  {{"library", facts.library},
                   {"library_version", facts.version},
                   {"path", facts.path},
                   {"ranks", std::int64_t{transport_.size()}},
                   {"seed", static_cast<std::int64_t>(rule_.seed)}});
    constexpr std::size_t kMostPlaces = 64;
    const auto& places = transport_.places();
    for (std::size_t i = 0; i < places.size() && i < kMostPlaces; ++i) {
      session_.note(fmt::format("rank {} is {}", i, places[i]));
    }
  }

  Outcome play_one(int round, const Spec& spec) {
    const int peer = draw_.partner(round, transport_.rank());
    kit::ProgressWriter& word = session_.progress();
    word.begin(fmt::format("{}, round {}", label(spec), round + 1), spec.bytes);
    word.exchange([&] { transport_.barrier(); });
    if (peer == contract::kBye) return {};
    // One fault in all: the first match of the last rank, which must fail alone.
    const bool spoilt = transport_.rank() == transport_.size() - 1 && spec == specs_.front() &&
                        !std::exchange(spoilt_, true);
    return play(transport_, peer, spec, rule_, spoilt ? session_.injection() : std::nullopt, word);
  }

  void say_round(int round, const std::vector<double>& everybody) {
    const std::size_t one = packed_size(rule_);
    const auto outcome = [&](int rank, std::size_t spec) {
      const std::size_t at = (static_cast<std::size_t>(rank) * specs_.size() + spec) * one;
      return unpacked(std::span<const double>(everybody).subspan(at, one), rank);
    };
    for (std::size_t spec = 0; spec < specs_.size(); ++spec) {
      for (const auto& [low, high] : draw_.pairs(round)) {
        results_->add({low, high, specs_[spec], together(outcome(low, spec), outcome(high, spec))});
      }
    }
  }

  Transport& transport_;
  kit::Session& session_;
  std::vector<Spec> specs_;
  Rule rule_;
  contract::Tournament draw_;
  std::optional<Results> results_;
  bool spoilt_ = false;
};

}  // namespace

void declare(kit::Options& options, Config& config) {
  options.list("sizes", config.sizes, "bytes of a message, multiples of 8");
  options.choices("tests", config.tests, {"latency", "one", "both"},
                  "half a round trip; bandwidth each way alone; of both ways at once");
  options.integer("samples", config.samples, 1, 1000, "timed batches of each pair, size and test");
  options.integer("warmup", config.warmup, 0, 1000, "batches before them");
  options.integer("seed", config.seed, 0, std::int64_t{1} << 52, "of the messages");
  options.integer("rounds", config.rounds, 0, std::int64_t{1} << 30,
                  "so many rounds of disjoint pairs; 0: every two meet");
  options.integer("draw", config.draw, 0, std::int64_t{1} << 52, "which rounds these are");
}

std::vector<Spec> specs_of(const Config& config) {
  std::vector<std::int64_t> sizes;
  for (const std::string& text : config.sizes) {
    const std::int64_t bytes = size_of(text);
    if (std::find(sizes.begin(), sizes.end(), bytes) != sizes.end()) {
      throw kit::UsageError(fmt::format("--sizes names {} bytes twice", bytes));
    }
    sizes.push_back(bytes);
  }
  std::vector<Kind> kinds;
  if (has(config.tests, "latency")) kinds.push_back(Kind::kLatency);
  if (has(config.tests, "one")) kinds.insert(kinds.end(), {Kind::kForward, Kind::kBackward});
  if (has(config.tests, "both")) kinds.push_back(Kind::kBoth);
  std::vector<Spec> specs;
  for (const Kind kind : kinds) {
    for (const std::int64_t bytes : sizes) specs.push_back({kind, bytes, config.window});
  }
  if (specs.empty()) throw kit::UsageError("--sizes and --tests leave nothing to measure");
  return specs;
}

std::int64_t span_of(const std::vector<Spec>& specs) {
  std::int64_t span = 0;
  for (const Spec& spec : specs) span = std::max(span, batch_of(spec).span());
  return span;
}

void measure(Transport& transport, const Config& config, kit::Session& session) {
  Play(transport, config, session).play_all();
}

}  // namespace rackproof::pairs
