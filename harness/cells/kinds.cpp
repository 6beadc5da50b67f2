#include "harness/cells/kinds.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace rackproof::cells {
namespace {

struct HashOfSubject {
  std::size_t operator()(const model::Subject* subject) const {
    std::size_t sum = 0;
    for (const std::string* text : {&subject->host, &subject->device, &subject->peer_host,
                                    &subject->peer_device, &subject->group}) {
      sum = sum * 1000003 + std::hash<std::string>()(*text);
    }
    return sum;
  }
};
struct SameSubject {
  bool operator()(const model::Subject* a, const model::Subject* b) const { return *a == *b; }
};

/// Numbers the parts of a family.
class FamilyParts {
 public:
  explicit FamilyParts(const JudgedCells& judged) : judged_(judged) {}

  std::size_t of(std::size_t cell) {
    // Neighbours in the report are of one part, mostly.
    const auto [known, fresh] = by_place_.try_emplace(judged_.summary(cell).subject, 0);
    if (fresh) {
      const auto next = by_subject_.size();
      known->second = by_subject_.try_emplace(&judged_.subject_of(cell), next).first->second;
    }
    return known->second;
  }
  std::size_t size() const { return by_subject_.size(); }

 private:
  const JudgedCells& judged_;
  std::unordered_map<std::uint32_t, std::size_t> by_place_;
  std::unordered_map<const model::Subject*, std::size_t, HashOfSubject, SameSubject> by_subject_;
};

/// The same of some of the parts.
stats::Clusters present_of(const stats::Clusters& all, const std::vector<std::uint32_t>& parts) {
  stats::Clusters some{{}, std::vector<std::size_t>(all.sizes.size(), 0), {}};
  for (const std::size_t part : parts) {
    some.of.push_back(all.of[part]);
    some.stray.push_back(all.stray[part]);
    ++some.sizes[all.of[part]];
  }
  return some;
}

std::optional<stats::KindsApart> present_of(std::optional<stats::KindsApart> all,
                                            const std::vector<std::uint32_t>& parts) {
  if (!all) return all;
  std::vector<bool> slower;
  for (const std::size_t part : parts) slower.push_back(all->slower[part]);
  all->slower = std::move(slower);
  return all;
}

}  // namespace

Kinds::Kinds(const evidence::Context& context, const JudgedCells& judged)
    : Kinds(context, judged, "") {}

Kinds::Kinds(const evidence::Context& context, const JudgedCells& judged, const std::string& step) {
  const std::vector<LikeCells> sets = judged.like_cells();
  clusters_.resize(sets.size());
  apart_.resize(sets.size());
  for (const JudgedCells::Family& family : judged.families()) {
    look_at(context, judged, sets, family, step);
  }
}

bool Kinds::any() const {
  return std::any_of(clusters_.begin(), clusters_.end(),
                     [](const auto& clusters) { return clusters.has_value(); });
}

void Kinds::look_at(const evidence::Context& context, const JudgedCells& judged,
                    const std::vector<LikeCells>& sets, const JudgedCells::Family& family,
                    const std::string& only) {
  if (family.sets.size() < stats::kLeastMetricsOfKinds) return;
  FamilyParts parts(judged);
  std::vector<std::vector<std::uint32_t>> part_of;  // of the cells of each set
  for (const std::size_t set : family.sets) {
    part_of.emplace_back();
    for (const std::size_t cell : sets[set])
      part_of.back().push_back(static_cast<std::uint32_t>(parts.of(cell)));
  }
  std::map<std::string, std::size_t> order;
  for (const model::StepInfo& step : context.report().steps) order.emplace(step.id, order.size());
  std::map<std::size_t, std::vector<std::size_t>> by_step;
  for (std::size_t i = 0; i < family.sets.size(); ++i) {
    by_step[order.emplace(family.steps[i], order.size()).first->second].push_back(i);
  }
  stats::KindTable table(parts.size());
  for (const auto& [step, places] : by_step) {
    for (const std::size_t i : places) {
      std::vector<double> values(parts.size(), std::numeric_limits<double>::quiet_NaN());
      const LikeCells& cells = sets[family.sets[i]];
      for (std::size_t k = 0; k < cells.size(); ++k) {
        const double value = judged.summary(cells[k]).observed;
        if (std::isfinite(value)) values[part_of[i][k]] = value;
      }
      table.add(std::move(values), judged.summary(cells.front()).more_is_better);
    }
    if (!only.empty() && family.steps[places.front()] != only) continue;
    const stats::Clusters clusters = table.clusters();
    if (clusters.sizes.size() < 2) continue;
    auto apart = stats::kinds_apart(table, clusters);
    std::size_t metric = apart.size() - places.size();
    for (const std::size_t i : places) {
      clusters_[family.sets[i]] = present_of(clusters, part_of[i]);
      apart_[family.sets[i]] = present_of(std::move(apart[metric++]), part_of[i]);
    }
  }
}

}  // namespace rackproof::cells
