#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "benches/kit/session.hpp"
#include "benches/swing/series.hpp"

namespace rackproof::swing {

/// All runs of a measurement, and what is said of them.
class Tally {
 public:
  /// `proof` says how results are proved.
  Tally(const Config& config, std::int64_t ranks, Headroom headroom, std::string proof)
      : config_(config), ranks_(ranks), headroom_(headroom), proof_(std::move(proof)) {}

  void add(const Run& run, const Collected& all);
  /// For each series a check, and then its metrics.
  void say(kit::Session& session) const;

 private:
  using Key = std::tuple<Run::Kind, double, bool>;  // kind, frequency, whether spread

  void say_series(const Key& key, const Series& series, kit::Session& session) const;

  const Config& config_;
  std::int64_t ranks_;
  Headroom headroom_;
  std::string proof_;
  std::map<Key, Series> series_;
};

}  // namespace rackproof::swing
