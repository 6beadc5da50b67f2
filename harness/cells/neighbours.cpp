#include "harness/cells/neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/recognise/match.hpp"
#include "harness/stats/robust.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::cells {
namespace {

using contract::Better;
using model::Measurement;

/// The first quartile of a message's times may be so many times the third of a larger one's.
/// Between two ranks of a quiet node 1.4 was the most: the first size also pays for what was cold.
constexpr double kSlower = 2;

/// What stands of a series when as few as possible are taken for wrong.
class Contradictions {
 public:
  explicit Contradictions(std::size_t members) : against_(members) {}

  void add(std::size_t one, std::size_t other) {
    against_[one].push_back(other);
    against_[other].push_back(one);
  }

  /// Members that are out, each with the first that contradicts it.
  std::vector<std::pair<std::size_t, std::size_t>> outvoted() const {
    std::vector<std::size_t> votes;
    for (const auto& others : against_) votes.push_back(others.size());
    std::vector<std::pair<std::size_t, std::size_t>> out;
    while (true) {
      const std::size_t most = votes.empty() ? 0 : *std::max_element(votes.begin(), votes.end());
      if (most == 0) return out;
      std::vector<std::size_t> worst;
      for (std::size_t i = 0; i < votes.size(); ++i) {
        if (votes[i] == most) worst.push_back(i);
      }
      for (const std::size_t member : worst) {
        out.emplace_back(member, against_[member].front());
        votes[member] = 0;
        for (const std::size_t other : against_[member]) votes[other] -= votes[other] > 0 ? 1 : 0;
      }
    }
  }

 private:
  std::vector<std::vector<std::size_t>> against_;
};

std::string first_word(const std::string& metric) { return metric.substr(0, metric.find('.')); }

std::string series_key(const model::Cell& cell) {
  std::string key = cell.step + '\n' + model::label(cell.subject) + '\n' + first_word(cell.metric);
  for (const auto& [name, value] : cell.parameters) {
    if (name == "bytes") continue;
    key += fmt::format("\n{} {} {}", name, value.index(), model::to_text(value));
  }
  return key;
}

double bytes_of(const model::Cell& cell) {
  const auto found = cell.parameters.find("bytes");
  if (found == cell.parameters.end()) return 0;
  return std::max(0.0, recognise::number(found->second).value_or(0));
}

bool is_tail(contract::Statistic statistic) {
  return statistic == contract::Statistic::kP99 || statistic == contract::Statistic::kP05 ||
         statistic == contract::Statistic::kWorst;
}

const Measurement& best_of(const std::vector<const Measurement*>& measurements) {
  return **std::min_element(
      measurements.begin(), measurements.end(), [](const auto* a, const auto* b) {
        return a->better == Better::kMore ? a->value > b->value : a->value < b->value;
      });
}

/// What a message took: the first and the third quartile of its samples, or its value twice.
std::pair<double, double> times_of(const Measurement& measurement, double bytes) {
  const bool rate = measurement.unit == "B/s";
  if (bytes <= 0 || is_tail(measurement.statistic) || !(rate || measurement.unit == "s")) return {};
  double first = measurement.value;
  double third = measurement.value;
  if (!measurement.samples.empty()) {
    const stats::Quartiles quartiles = stats::quartiles(measurement.samples);
    first = quartiles.first;
    third = quartiles.third;
  }
  if (!(first > 0 && third > 0)) return {};
  return rate ? std::pair(bytes / third, bytes / first) : std::pair(first, third);
}

const model::MetricBound* sisters_of(const evidence::Context& context, const model::Cell& cell,
                                     const Measurement& measurement) {
  const model::StepInfo* step = context.step(cell.step);
  for (const model::MetricBound* bound : context.bounds_of(cell.metric)) {
    if (!bound->sisters.empty() && bound->apart > 0 && recognise::is_about(*bound, cell, step) &&
        bound->unit == measurement.unit) {
      return bound;
    }
  }
  return nullptr;
}

}  // namespace

void Neighbours::add(const evidence::Context& context, const model::Cell& cell,
                     const Judgement& judgement, std::size_t place) {
  if (judgement.clean.empty()) return;
  const Measurement& last = *judgement.clean.back();
  const model::MetricBound* sisters = sisters_of(context, cell, last);
  Said said;
  said.bytes = bytes_of(cell);
  if (said.bytes <= 0 && sisters == nullptr) return;
  said.cell = place;
  said.metric = cell.metric;
  said.unit = last.unit;
  const Measurement& best = best_of(judgement.clean);
  said.value = best.value;
  std::tie(said.least, said.most) = times_of(best, said.bytes);
  if (sisters != nullptr) {
    said.family = sisters->sisters.front();
    said.apart = sisters->apart;
  }
  series_[series_key(cell)].push_back(std::move(said));
}

void Neighbours::append(Neighbours later, std::size_t cells) {
  for (auto& [key, theirs] : later.series_) {
    for (Said& said : theirs) said.cell += cells;
  }
  series_.merge(later.series_);
  // What both have stays behind.
  for (const auto& [key, theirs] : later.series_) {
    Series& ours = series_[key];
    ours.insert(ours.end(), theirs.begin(), theirs.end());
  }
}

std::string Neighbours::slow_text(const Said& slow, const Said& large) {
  return fmt::format(
      "{} took {} and more, {} took {} and less: no message takes {:.3g} times as long as a larger "
      "one on a machine that nothing disturbs",
      model::quantity(slow.bytes, "B"), model::quantity(slow.least, "s"),
      model::quantity(large.bytes, "B"), model::quantity(large.most, "s"), kSlower);
}

void Neighbours::find_slow_messages(const Series& series, std::vector<Contradicted>& found) {
  std::map<std::string, std::vector<const Said*>> by_metric;
  for (const Said& said : series) {
    if (said.least > 0) by_metric[said.metric].push_back(&said);
  }
  std::map<double, std::string> out;  // by bytes
  for (const auto& entry : by_metric) {
    const std::vector<const Said*>& sizes = entry.second;
    Contradictions contradictions(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      for (std::size_t j = 0; j < sizes.size(); ++j) {
        if (sizes[i]->bytes < sizes[j]->bytes && sizes[i]->least > kSlower * sizes[j]->most) {
          contradictions.add(i, j);
        }
      }
    }
    for (const auto& [one, other] : contradictions.outvoted()) {
      const bool slow = sizes[one]->bytes < sizes[other]->bytes;
      out.try_emplace(sizes[one]->bytes, slow ? slow_text(*sizes[one], *sizes[other])
                                              : slow_text(*sizes[other], *sizes[one]));
    }
  }
  for (const Said& said : series) {
    const auto why = out.find(said.bytes);
    if (why != out.end()) found.push_back({said.cell, why->second});
  }
}

void Neighbours::find_odd_sisters(const Series& series, std::vector<Contradicted>& found) {
  std::map<std::tuple<std::string, std::string, double>, std::vector<const Said*>> families;
  for (const Said& said : series) {
    if (!said.family.empty() && said.value > 0) {
      families[{said.family, said.unit, said.bytes}].push_back(&said);
    }
  }
  for (const auto& entry : families) {
    const std::vector<const Said*>& sisters = entry.second;
    Contradictions contradictions(sisters.size());
    for (std::size_t i = 0; i < sisters.size(); ++i) {
      for (std::size_t j = 0; j < sisters.size(); ++j) {
        if (sisters[i]->value > sisters[i]->apart * sisters[j]->value) contradictions.add(i, j);
      }
    }
    for (const auto& [one, other] : contradictions.outvoted()) {
      const Said& odd = *sisters[one];
      const Said& sister = *sisters[other];
      found.push_back(
          {odd.cell, fmt::format("{} {} and {} {} lie further apart than {:.3g} times, which they "
                                 "do not on a machine that nothing disturbs",
                                 odd.metric, model::quantity(odd.value, odd.unit), sister.metric,
                                 model::quantity(sister.value, sister.unit), odd.apart)});
    }
  }
}

std::vector<Contradicted> Neighbours::contradicted() const {
  std::vector<Contradicted> found;
  for (const auto& entry : series_) {
    find_slow_messages(entry.second, found);
    find_odd_sisters(entry.second, found);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Contradicted& a, const Contradicted& b) { return a.cell < b.cell; });
  const auto last = std::unique(found.begin(), found.end(),
                                [](const auto& a, const auto& b) { return a.cell == b.cell; });
  found.erase(last, found.end());
  return found;
}

}  // namespace rackproof::cells
