#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/measurement.hpp"
#include "reports/model/metric_bound.hpp"

namespace rackproof::document {
class Object;
}  // namespace rackproof::document

namespace rackproof::config {

/// What values a parameter of a metric takes.
struct ParameterKind {
  enum class Type { kText, kInteger, kNumber, kBoolean };
  Type type = Type::kText;
  std::vector<std::string> words;  ///< kText: each a word or a pattern; empty: any text
  bool optional = false;           ///< not every metric of the kind has it

  bool operator==(const ParameterKind&) const = default;
};

/// What bounds a metric on a platform: no figure lies above `most` times the fact, and none that
/// says something lies below `least` times it.
struct Peak {
  contract::Parameters where;      ///< only figures of these parameters; a text may be a pattern
  std::vector<std::string> facts;  ///< the first one that the platform states
  /// Those of them that no measurement passes either; beside the others a machine may have a faster
  /// way that it does not state.
  std::vector<std::string> certain;
  std::vector<std::string> backends;  ///< whose measurements it bounds; empty: all of the kind
  double most = 1;
  double least = 0.1;
  std::optional<std::int64_t> from_bytes;  ///< `least` holds from messages of this size on
  std::string reason;                      ///< why not all of it, or a tenth

  bool operator==(const Peak&) const = default;
};

/// Values between which a metric lies on every machine, whether a peak is known or not.
struct Range {
  double from = 0;
  double to = 0;
  std::optional<std::int64_t> up_to_bytes;  ///< for messages of at most this size
  std::string reason;

  bool operator==(const Range&) const = default;
};

/// Metrics that a bench prints alike but for their names.
struct MetricKind {
  std::string bench;
  std::vector<std::string> names;
  std::string about;
  std::vector<std::string> backends;
  contract::SubjectKind subject = contract::SubjectKind::kNode;
  std::string unit;  ///< a base unit
  contract::Better better = contract::Better::kMore;
  contract::Statistic statistic = contract::Statistic::kMedian;
  std::map<std::string, ParameterKind> parameters;
  std::vector<Peak> peaks;
  std::optional<Range> range;
  /// On a quiet machine: the third quartile of the samples over the first, and the largest of
  /// `names` over the least with equal parameters, at most; 0 where nothing is said.
  double spread = 0;
  double apart = 0;

  bool operator==(const MetricKind&) const = default;
};

using MetricCatalogue = std::vector<MetricKind>;

/// The fields "parameters" and "metrics" of a bench's description. Throws ConfigError.
MetricCatalogue read_metrics(const document::Object& object, const std::string& bench);

/// What no measurement can be better than, for each metric of the catalogue.
std::vector<model::MetricBound> bounds_of(const MetricCatalogue& catalogue);

/// True when the value is one that the parameter takes; a text with `*` or `?` when it stands for
/// some of them.
bool takes(const ParameterKind& kind, const contract::Scalar& value);

/// How people say the kind: "an integer", "one of sum, prod".
std::string description(const ParameterKind& kind);

}  // namespace rackproof::config
