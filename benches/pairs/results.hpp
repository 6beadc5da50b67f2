#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benches/kit/session.hpp"
#include "benches/pairs/kinds.hpp"
#include "benches/pairs/match.hpp"
#include "contract/tournament.hpp"

namespace rackproof::pairs {

/// A match that was played, `low` < `high`.
struct Played {
  int low = 0;
  int high = 0;
  Spec spec;
  Outcome outcome;
};

/// At most so many links get metrics of their own: a report with more is not read by anybody, and a
/// transcript may not hold more than 100,000. The group's metrics count all of them always.
inline constexpr std::int64_t kMostLinkMetrics = 10'000;

/// At most `most` of the values in rising order, the least and the greatest among them, evenly
/// spread.
std::vector<double> spread(std::vector<double> values, std::size_t most);

/// Says on member 0 what was played: for each match a check `<kind>.<bytes>.<low>-<high>` and a
/// metric about the link, pairs.latency in s or pairs.bandwidth in B/s, median of its samples; at
/// the end, for each spec, a check `<kind>.<bytes>.all` over all pairs, and metrics about the
/// group. The subject of a link names both members by number.
class Results {
 public:
  Results(const contract::Tournament& draw, const std::vector<Spec>& specs,
          const std::vector<std::string>& places, kit::Session& session);

  void add(const Played& played);
  /// pairs.latency_median, pairs.latency_worst, pairs.bandwidth_median, pairs.bandwidth_worst:
  /// samples are the medians of the pairs (both directions of "one" count); and a note that names
  /// the worst pair.
  void finish();

 private:
  struct Link {
    int low = 0;
    int high = 0;
    double value = 0;
    std::string way;  ///< of bandwidth: "forward", "backward", "both"
  };
  struct Totals {
    std::vector<Link> links;
    std::int64_t compared = 0;
    std::int64_t wrong = 0;
    std::optional<protocol::FirstWrong> first_wrong;
  };
  struct Row {
    Spec spec;
    Totals totals;
  };

  Totals& totals_of(const Spec& spec);
  void say_link(const Played& played, const std::vector<double>& values);
  void say_group_check(const Row& row);
  void say_group_metric(const Row& row, contract::Statistic statistic);
  void name_worst(const Row& row);
  static std::vector<double> values_of(const Row& row);
  static const Link& worst_of(const Row& row);
  protocol::FirstWrong told(const WrongWord& word) const;

  int ranks_;
  const std::vector<std::string>& places_;
  kit::Session& session_;
  std::vector<Row> rows_;  ///< one for each spec; forward and backward share one
  bool links_said_;
};

}  // namespace rackproof::pairs
