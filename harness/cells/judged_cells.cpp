#include "harness/cells/judged_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "harness/evidence/reasons.hpp"
#include "reports/model/reason_id.hpp"

namespace rackproof::cells {
namespace {

class Mixer {
 public:
  template <class T>
  void add(const T& value) {
    sum_ = sum_ * 1000003 + std::hash<T>()(value);
  }
  void add(const contract::Parameters& parameters) {
    for (const auto& [name, value] : parameters) {
      add(name);
      add(value);
    }
  }
  std::size_t sum() const { return sum_; }

 private:
  std::size_t sum_ = 0;
};

template <class Tallies>
void add_up(Tallies& ours, const Tallies& theirs) {
  for (const auto& [key, later] : theirs) {
    const auto [known, fresh] = ours.try_emplace(key, later);
    if (!fresh) known->second.cells += later.cells;
  }
}

}  // namespace

void amend(model::Verdict& verdict, const Amendment& amendment) {
  if (!amendment.numbers_stand) verdict = {};
  verdict.outcome = amendment.outcome;
  verdict.reason_id = amendment.reason_id;
  verdict.reason = amendment.reason;
  verdict.deficit = amendment.deficit;
}

void JudgedCells::add(CellSummary summary, const model::Subject& subject) {
  if (subjects_.empty() || subjects_.back() != subject) subjects_.push_back(subject);
  summary.subject = static_cast<std::uint32_t>(subjects_.size() - 1);
  summaries_.push_back(summary);
}

void JudgedCells::add_failed(std::size_t cells, const model::Cell& cell, const std::string& what) {
  CellSummary summary;
  summary.required = cell.required;
  if (summaries_.size() == cells) add(summary, cell.subject);
  summary.subject = summaries_.back().subject;
  summaries_.back() = summary;
  if (failed_++ == 0) failure_ = what;
}

void JudgedCells::reach(std::vector<evidence::Reach> failed) {
  for (evidence::Reach& reach : failed) {
    reach.cell = summaries_.size();
    failed_checks_.push_back(reach);
  }
}

void JudgedCells::add(evidence::Courses& courses, const evidence::Votes& votes,
                      const evidence::OwnHistory& history, const model::Cell& cell,
                      const Judgement& judgement) {
  for (evidence::Reach& reach : votes.reached(courses, cell)) {
    reach.cell = summaries_.size();
    reached_.push_back(reach);
  }
  count(cell, judgement);
  CellSummary summary;
  summary.outcome = judgement.verdict.outcome;
  summary.required = cell.required;
  summary.limited = judgement.limited;
  summary.trusted = !judgement.clean.empty() && judgement.verdict.observed &&
                    courses.of(cell).platform.table != nullptr;
  if (summary.trusted) {
    summary.observed = *judgement.verdict.observed;
    summary.more_is_better = judgement.clean.back()->better == contract::Better::kMore;
    summary.history = history.of(cell, judgement.clean.back()->unit, judgement.verdict.statistic);
  }
  neighbours_.add(courses.context(), cell, judgement, summaries_.size());
  claimants_.add(courses.context().claims(), cell, summaries_.size());
  add(summary, cell.subject);
  if (!summary.trusted) return;
  join(courses, cell, judgement);
  if (!judgement.again.empty()) again_.emplace(summaries_.size() - 1, judgement.again);
}

const std::vector<double>& JudgedCells::again(std::size_t cell) const {
  static const std::vector<double> none;
  const auto found = again_.find(cell);
  return found == again_.end() ? none : found->second;
}

void JudgedCells::count(const model::Cell& cell, const Judgement& judgement) {
  const auto add_to = [&cell](Tally& seen, const std::string& why) {
    if (seen.cells++ > 0) return;
    seen.subject = model::label(cell.subject);
    seen.why = why;
  };
  const auto named = [&cell](const std::string& why) {
    return fmt::format("{}: {}", evidence::quantity_of(cell), why);
  };
  const model::Verdict& verdict = judgement.verdict;
  if (verdict.reason_id == model::reason_id::kImplausible) {
    add_to(implausible_[{cell.step, cell.metric}], verdict.reason);
  }
  if (judgement.scattered && verdict.outcome == model::Outcome::kUntested) {
    add_to(scattered_[cell.step], named(verdict.reason));
  }
  if (!judgement.left_out.empty() && verdict.outcome != model::Outcome::kFail) {
    add_to(left_out_[cell.step], named(judgement.left_out));
  }
}

void JudgedCells::join(evidence::Courses& courses, const model::Cell& cell,
                       const Judgement& judgement) {
  const model::Measurement& last = *judgement.clean.back();
  const model::PlatformTable* table = courses.of(cell).platform.table;
  const std::string_view device =
      courses.context().device_name(cell.subject.host, cell.subject.device);
  const std::size_t size = evidence::host_count(cell.subject);
  Mixer mixer;
  mixer.add(cell.step);
  mixer.add(cell.metric);
  mixer.add(cell.parameters);
  const auto [first, end] = places_.equal_range(mixer.sum());
  for (auto place = first; place != end; ++place) {
    Set& set = sets_[place->second];
    const Likeness& like = set.likeness;
    if (like.table == table && like.size == size && like.kind == cell.subject.kind &&
        like.statistic == judgement.verdict.statistic && like.better == last.better &&
        like.device == device && like.unit == last.unit && like.metric == cell.metric &&
        like.step == cell.step && like.parameters == cell.parameters) {
      set.cells.push_back(summaries_.size() - 1);
      return;
    }
  }
  places_.emplace(mixer.sum(), sets_.size());
  sets_.push_back(
      {Likeness{cell.step, cell.metric, cell.parameters, table, judgement.verdict.statistic,
                last.unit, last.better, cell.subject.kind, std::string(device), size},
       {summaries_.size() - 1}});
}

void JudgedCells::append(JudgedCells later) {
  const std::size_t cells = summaries_.size();
  const auto subjects = static_cast<std::uint32_t>(subjects_.size());
  for (CellSummary& summary : later.summaries_) {
    summary.subject += subjects;
    summaries_.push_back(summary);
  }
  std::move(later.subjects_.begin(), later.subjects_.end(), std::back_inserter(subjects_));
  for (evidence::Reach& reach : later.reached_) {
    reach.cell += cells;
    reached_.push_back(reach);
  }
  if (failed_ == 0) failure_ = std::move(later.failure_);
  failed_ += later.failed_;
  for (evidence::Reach& reach : later.failed_checks_) {
    reach.cell += cells;
    failed_checks_.push_back(reach);
  }
  add_up(implausible_, later.implausible_);
  add_up(scattered_, later.scattered_);
  add_up(left_out_, later.left_out_);
  neighbours_.append(std::move(later.neighbours_), cells);
  claimants_.append(later.claimants_, cells);
  for (auto& [cell, values] : later.again_) again_.emplace(cell + cells, std::move(values));
  for (const auto& [hash, theirs] : later.places_) {
    Set& set = later.sets_[theirs];
    const auto [first, end] = places_.equal_range(hash);
    const auto ours = std::find_if(first, end, [&](const auto& place) {
      return sets_[place.second].likeness == set.likeness;
    });
    LikeCells* known = nullptr;
    if (ours != end) {
      known = &sets_[ours->second].cells;
    } else {
      places_.emplace(hash, sets_.size());
      sets_.push_back({std::move(set.likeness), {}});
      known = &sets_.back().cells;
    }
    for (const std::size_t cell : set.cells) known->push_back(cell + cells);
  }
}

std::vector<model::ClaimState> JudgedCells::claim_states(const model::Report& report) const {
  const auto cell_at = [this](std::size_t cell) {
    const CellSummary& summary = summaries_[cell];
    return evidence::Claimed{summary.outcome != model::Outcome::kWaived,
                             summary.outcome == model::Outcome::kPass && summary.limited,
                             &subject_of(cell)};
  };
  return evidence::claim_states(evidence::claims_of(report), claimants_, cell_at,
                                report.run.accept_unjudged);
}

std::vector<std::pair<const JudgedCells::Likeness*, LikeCells>> JudgedCells::trusted_sets() const {
  std::vector<std::pair<const Likeness*, LikeCells>> sets;
  for (const Set& set : sets_) {
    LikeCells cells;
    std::copy_if(set.cells.begin(), set.cells.end(), std::back_inserter(cells),
                 [this](std::size_t cell) { return summaries_[cell].trusted; });
    if (!cells.empty()) sets.emplace_back(&set.likeness, std::move(cells));
  }
  std::sort(sets.begin(), sets.end(),
            [](const auto& a, const auto& b) { return a.second.front() < b.second.front(); });
  return sets;
}

std::vector<LikeCells> JudgedCells::like_cells() const {
  std::vector<LikeCells> sets;
  for (auto& [likeness, cells] : trusted_sets()) sets.push_back(std::move(cells));
  return sets;
}

std::vector<JudgedCells::Family> JudgedCells::families() const {
  const auto alike = [](const Likeness& like) {
    return std::tie(like.table, like.kind, like.device, like.size);
  };
  std::vector<Family> families;
  std::vector<const Likeness*> firsts;
  const auto sets = trusted_sets();
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const Likeness& like = *sets[i].first;
    const auto known = std::find_if(firsts.begin(), firsts.end(), [&](const Likeness* first) {
      return alike(*first) == alike(like);
    });
    const auto place = static_cast<std::size_t>(known - firsts.begin());
    if (known == firsts.end()) {
      firsts.push_back(&like);
      families.emplace_back();
    }
    families[place].sets.push_back(i);
    families[place].steps.push_back(like.step);
  }
  return families;
}

}  // namespace rackproof::cells
