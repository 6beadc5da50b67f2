#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/compare/series.hpp"

namespace rackproof::compare {
namespace {

constexpr std::size_t kAssociations = 10;
constexpr std::size_t kValuesShown = 3;
constexpr double kLeastExplained = 0.1;

struct Point {
  const std::map<std::string, std::string>* facts = nullptr;
  double level = 0;  ///< without that of its subject, where both sides have it
};

std::vector<Point> points_of(const Series& series) {
  struct Level {
    double sum = 0;
    double count = 0;
    bool on_a = false;
    bool on_b = false;
  };
  std::map<std::string, Level> levels;
  for (const auto* side : {&series.a, &series.b}) {
    for (const Value& value : *side) {
      Level& level = levels[value.subject];
      level.sum += value.log;
      level.count += 1;
      (side == &series.a ? level.on_a : level.on_b) = true;
    }
  }
  std::vector<Point> points;
  const bool paired = std::all_of(levels.begin(), levels.end(), [](const auto& entry) {
    return entry.second.on_a && entry.second.on_b;
  });
  for (const auto* side : {&series.a, &series.b}) {
    for (const Value& value : *side) {
      const Level& level = levels[value.subject];
      points.push_back({&value.sample->facts_of.at(value.subject),
                        value.log - (paired ? level.sum / level.count : 0)});
    }
  }
  return points;
}

// Ranks of the levels, from 1, those of equal ones shared.
std::vector<double> ranks_of(const std::vector<Point>& points) {
  std::vector<std::size_t> order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t x, std::size_t y) { return points[x].level < points[y].level; });
  std::vector<double> ranks(points.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && points[order[end]].level == points[order[i]].level) ++end;
    for (std::size_t k = i; k < end; ++k) {
      ranks[order[k]] = static_cast<double>(i + end + 1) / 2;
    }
    i = end;
  }
  return ranks;
}

// A group's ranks.
struct Group {
  double sum = 0;
  double count = 0;
  double mean() const { return sum / count; }
};

// The share of the variation in ranks that lies between the groups, less what chance gives it
// (epsilon squared of Kruskal and Wallis).
double between_share(const std::vector<Group>& groups, double n, double total) {
  double between = 0;
  for (const Group& group : groups) {
    const double off = group.mean() - (n + 1) / 2;
    between += group.count * off * off;
  }
  const double degrees = static_cast<double>(groups.size()) - 1;
  const double within = (total - between) / (n - degrees - 1);
  return (between - degrees * within) / total;
}

// The same as a share of the most that groups of these sizes can have: 1 when each lies apart from
// all others. Two groups of one size that do have only three quarters of the variation between
// them.
double explained(const std::vector<std::string>& names, const std::vector<double>& ranks) {
  const auto n = static_cast<double>(ranks.size());
  std::map<std::string, Group> found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    found[names[i]].sum += ranks[i];
    found[names[i]].count += 1;
  }
  std::vector<Group> groups;
  for (const auto& [name, group] : found) groups.push_back(group);
  if (groups.size() < 2 || groups.size() + 1 > ranks.size()) return 0;
  double total = 0;
  for (const double rank : ranks) total += (rank - (n + 1) / 2) * (rank - (n + 1) / 2);
  if (!(total > 0)) return 0;
  const double share = between_share(groups, n, total);
  std::sort(groups.begin(), groups.end(),
            [](const Group& x, const Group& y) { return x.mean() < y.mean(); });
  double before = 0;
  for (Group& group : groups) {
    group.sum = group.count * (before + (group.count + 1) / 2);
    before += group.count;
  }
  // Without shared ranks: with them more than this can lie between the groups.
  const double most = between_share(groups, n, n * (n * n - 1) / 12);
  return most > 0 ? std::clamp(share / most, 0.0, 1.0) : 0;
}

constexpr const char* kAbsent = "(not known)";

std::string value_of(const Point& point, const std::string& fact) {
  const auto found = point.facts->find(fact);
  return found == point.facts->end() ? kAbsent : found->second;
}

// "550.54 (64), 560.10 (8)".
std::string values_text(const std::vector<Value>& values, const std::string& fact) {
  std::map<std::string, std::size_t> counts;
  for (const Value& value : values) {
    ++counts[value_of({&value.sample->facts_of.at(value.subject), 0}, fact)];
  }
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [text, count] : counts) order.emplace_back(count, text);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& x, const auto& y) { return x.first > y.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), kValuesShown); ++i) {
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", order[i].second, order[i].first);
  }
  if (order.size() > kValuesShown) text += fmt::format(", {} more", order.size() - kValuesShown);
  return text;
}

}  // namespace

std::vector<Association> associations(const std::vector<const Series*>& differing) {
  std::map<std::string, double> sums;
  for (const Series* series : differing) {
    const std::vector<Point> points = points_of(*series);
    const std::vector<double> ranks = ranks_of(points);
    std::set<std::string> names;
    for (const Point& point : points) {
      for (const auto& [name, value] : *point.facts) names.insert(name);
    }
    for (const std::string& name : names) {
      std::vector<std::string> groups;
      groups.reserve(points.size());
      for (const Point& point : points) groups.push_back(value_of(point, name));
      sums[name] += explained(groups, ranks);
    }
  }
  std::vector<Association> found;
  for (const auto& [name, sum] : sums) {
    const double share = sum / static_cast<double>(differing.size());
    if (share < kLeastExplained) continue;
    found.push_back({name, values_text(differing.front()->a, name),
                     values_text(differing.front()->b, name), share});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& x, const auto& y) { return x.explained > y.explained; });
  if (found.size() > kAssociations) found.resize(kAssociations);
  return found;
}

}  // namespace rackproof::compare
