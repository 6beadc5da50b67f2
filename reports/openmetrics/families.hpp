#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace rackproof::openmetrics {

using Labels = std::vector<std::pair<std::string, std::string>>;

/// Names of metrics and labels may have letters, digits and underscores only.
std::string name_of(std::string_view text);

/// "B/s" -> "bytes_per_second"; empty for a count.
std::string unit_name(std::string_view unit);

/// Gauges by family. The format wants all samples of a family in one place, each with labels of its
/// own.
class Families {
 public:
  /// `common` labels are on every sample: whose file it came out of must not matter.
  explicit Families(Labels common = {}) : common_(std::move(common)) {}
  Families(const Families&) = delete;
  Families& operator=(const Families&) = delete;

  /// The family's name is `name`, with the unit's behind it. What `help` says first is kept.
  /// `otherwise` is a label that is added to a sample whose labels the family has already.
  void add(const std::string& name, std::string_view unit, const std::string& help, Labels labels,
           double value, const std::pair<std::string, std::string>& otherwise = {});
  /// The whole document.
  std::string text() const;

 private:
  struct Family {
    std::string unit;
    std::string help;
    std::deque<std::pair<std::string, double>> samples;  ///< labels as text, value
    std::unordered_set<std::string_view> known;  ///< of `samples`, which stay where they are
  };
  Labels common_;
  std::map<std::string, Family> families_;
};

}  // namespace rackproof::openmetrics
