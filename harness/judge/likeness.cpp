#include "harness/judge/likeness.hpp"

#include <functional>
#include <string>
#include <unordered_map>

namespace rackproof::judge {
namespace {

using model::SubjectKind;

/// Tells like from unlike subjects of one kind.
std::size_t size_of(const model::Subject& subject) {
  switch (subject.kind) {
    case SubjectKind::kNode:
    case SubjectKind::kDevice:
      return 1;
    case SubjectKind::kLink:
    case SubjectKind::kGroup:
      return hosts_of(subject).size();
  }
  return 1;
}

/// What like cells have in common. Refers to the cells of the report: a run of ten thousand devices
/// has hundreds of thousands of them, and copies of their texts would take most of the time.
struct Likeness {
  const model::Cell* cell = nullptr;
  const model::Measurement* measurement = nullptr;
  const model::PlatformTable* table = nullptr;
  model::Statistic statistic = model::Statistic::kValue;
  std::string device;
  std::size_t size = 1;

  bool operator==(const Likeness& other) const {
    return table == other.table && size == other.size && statistic == other.statistic &&
           cell->subject.kind == other.cell->subject.kind && cell->metric == other.cell->metric &&
           cell->step == other.cell->step && device == other.device &&
           measurement->unit == other.measurement->unit &&
           measurement->better == other.measurement->better &&
           cell->parameters == other.cell->parameters;
  }
};

struct Hash {
  std::size_t operator()(const Likeness& one) const {
    std::size_t sum = 0;
    const auto mix = [&sum](std::size_t part) { sum = sum * 1000003 + part; };
    const std::hash<std::string> text;
    mix(text(one.cell->step));
    mix(text(one.cell->metric));
    mix(text(one.device));
    mix(one.size);
    for (const auto& [name, value] : one.cell->parameters) {
      mix(text(name));
      mix(std::hash<model::Scalar>()(value));
    }
    return sum;
  }
};

}  // namespace

std::vector<LikeCells> like_cells(const Context& context,
                                  const std::vector<Judgement>& judgements) {
  std::vector<LikeCells> sets;
  std::unordered_map<Likeness, std::size_t, Hash> place;
  for (std::size_t i = 0; i < judgements.size(); ++i) {
    if (judgements[i].clean.empty() || !judgements[i].verdict.observed) continue;
    const model::Cell& cell = context.report().cells[i];
    const Platform platform = context.platform_of(cell.subject);
    if (platform.table == nullptr) continue;
    const auto [found, fresh] = place.try_emplace(
        Likeness{&cell, judgements[i].clean.back(), platform.table, judgements[i].verdict.statistic,
                 std::string(context.device_name(cell.subject.host, cell.subject.device)),
                 size_of(cell.subject)},
        sets.size());
    if (fresh) sets.emplace_back();
    sets[found->second].push_back(i);
  }
  return sets;
}

}  // namespace rackproof::judge
