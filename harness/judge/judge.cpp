#include "harness/judge/judge.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/cells/cell.hpp"
#include "harness/evidence/disturbance.hpp"
#include "harness/evidence/own_history.hpp"
#include "harness/evidence/votes.hpp"
#include "harness/judge/cell_judge.hpp"
#include "harness/peers/localised.hpp"
#include "harness/peers/suspects.hpp"
#include "reports/model/reason_id.hpp"

namespace rackproof::judge {
namespace {

/// Cells that one thread looks at together: most neighbours are of one step and subject.
constexpr std::size_t kCellsAtOnce = 1024;

}  // namespace

void judge(model::Report& report, const model::ForEach& for_each) {
  std::vector<model::Cell>& cells = report.cells;
  CellJudge cell_judge(report);
  std::vector<cells::JudgedCells> parts((cells.size() + kCellsAtOnce - 1) / kCellsAtOnce);
  for_each(parts.size(), [&](std::size_t group) {
    CellJudge::Part part(cell_judge);
    const std::size_t end = std::min((group + 1) * kCellsAtOnce, cells.size());
    for (std::size_t i = group * kCellsAtOnce; i < end; ++i)
      cells[i].verdict = part.judge_cell(cells[i]);
    parts[group] = part.take();
  });
  cell_judge.add(std::move(parts));
  const cells::CellAt at = [&cells](std::size_t place) -> const model::Cell& {
    return cells[place];
  };
  cell_judge.decide(at, for_each);
  for (const auto& [place, amendment] : cell_judge.amendments()) {
    cells::amend(cells[place].verdict, amendment);
  }
  cell_judge.conclude(report, at);
}

std::vector<Doubtful> find_doubtful(const model::Report& report, const std::string& step) {
  require_policy(report.suite.policy);
  const evidence::Context context(report);
  evidence::Courses courses(context);
  cells::Neighbours neighbours;
  std::map<std::size_t, Doubt> found;
  for (std::size_t place = 0; place < report.cells.size(); ++place) {
    const model::Cell& cell = report.cells[place];
    if (cell.step != step) continue;
    const cells::Judgement judgement = cells::judge_cell(courses, cell, cells::Words::kNotOfPassed);
    if (judgement.scattered) {
      found.emplace(place, Doubt::kUnsteady);
    } else if (cells::is_split(judgement.verdict)) {
      found.emplace(place, Doubt::kUndecided);
    }
    neighbours.add(context, cell, judgement, place);
  }
  if (report.suite.policy.disturbed == model::Disturbed::kRepeat) {
    for (const cells::Contradicted& one : neighbours.contradicted()) {
      found.insert_or_assign(one.cell, Doubt::kUnsteady);
    }
  }
  std::vector<Doubtful> doubtful;
  for (const auto& [cell, doubt] : found) doubtful.push_back({cell, doubt});
  return doubtful;
}

std::vector<BeyondLimit> find_beyond_limits(const model::Report& report, const std::string& step) {
  require_policy(report.suite.policy);
  const evidence::Context context(report);
  evidence::Courses courses(context);
  std::vector<BeyondLimit> found;
  for (std::size_t place = 0; place < report.cells.size(); ++place) {
    const model::Cell& cell = report.cells[place];
    if (cell.step != step) continue;
    const model::Verdict verdict =
        cells::judge_cell(courses, cell, cells::Words::kNotOfPassed).verdict;
    const bool beyond = verdict.reason_id == model::reason_id::kBelowLimit ||
                        verdict.reason_id == model::reason_id::kAboveLimit;
    if (verdict.outcome != model::Outcome::kFail || !beyond) continue;
    found.push_back({place, verdict.limit_low, verdict.limit_high});
  }
  return found;
}

std::vector<Suspected> find_suspects(const model::Report& report, const std::string& step) {
  return SuspectFinder(report).find(step);
}

/// The cells of a step.
struct SuspectFinder::Step {
  cells::JudgedCells judged;
  std::vector<std::size_t> places;  ///< of its cells in the report
};

SuspectFinder::SuspectFinder(const model::Report& report) : report_(report) {}
SuspectFinder::~SuspectFinder() = default;

const SuspectFinder::Step& SuspectFinder::judge_step(const std::string& step) {
  const auto [place, fresh] = steps_.try_emplace(step);
  Step& of_step = place->second;
  if (!fresh) return of_step;
  const evidence::Context context(report_);
  const evidence::OwnHistory history(report_);
  const evidence::Votes nobody;
  evidence::Courses courses(context);
  for (std::size_t k = 0; k < report_.cells.size(); ++k) {
    const model::Cell& cell = report_.cells[k];
    if (cell.step != step) continue;
    of_step.judged.add(courses, nobody, history, cell,
                       cells::judge_cell(courses, cell, cells::Words::kNotOfPassed));
    of_step.places.push_back(k);
  }
  judged_ += of_step.places.size();
  return of_step;
}

// Who is slow with many others may be no suspect by itself.
void SuspectFinder::add_accused(const std::string& step, std::vector<Suspected>& found) {
  const Step& of_step = judge_step(step);
  const std::vector<std::size_t>& places = of_step.places;
  const cells::CellAt at = [&](std::size_t k) -> const model::Cell& {
    return report_.cells[places[k]];
  };
  for (const peers::AccusedLinks& links :
       peers::accused_links(evidence::Context(report_), of_step.judged, at)) {
    Suspected suspected;
    for (const std::size_t cell : links.cells) suspected.cells.push_back(places[cell]);
    for (const std::size_t control : links.controls) suspected.controls.push_back(places[control]);
    found.push_back(std::move(suspected));
  }
}

std::vector<Suspected> SuspectFinder::find(const std::string& step) {
  std::vector<Suspected> found;
  const model::JudgePolicy& policy = report_.suite.policy;
  require_policy(policy);
  if (!policy.peer_outlier_fails || policy.peer_confirmations < 1) return found;
  steps_.erase(step);
  add_accused(step, found);
  if (!peers::may_have_suspects(judge_step(step).judged, policy)) return found;
  // Kinds are told by what earlier steps measured of the same parts, too.
  cells::JudgedCells judged;
  std::vector<std::size_t> places;
  const auto add = [&](const std::string& one) {
    const Step& of_step = judge_step(one);
    judged.append(of_step.judged);
    places.insert(places.end(), of_step.places.begin(), of_step.places.end());
  };
  for (const model::StepInfo& one : report_.steps) {
    if (one.id == step) break;
    add(one.id);
  }
  add(step);
  const evidence::Context context(report_);
  const cells::CellAt at = [&](std::size_t k) -> const model::Cell& {
    return report_.cells[places[k]];
  };
  for (const peers::SuspectedSet& set : peers::suspects_of(context, judged, at, step)) {
    Suspected suspected;
    for (const peers::Suspect& suspect : set.suspects)
      suspected.cells.push_back(places[suspect.cell]);
    for (const std::size_t control : set.controls) suspected.controls.push_back(places[control]);
    found.push_back(std::move(suspected));
  }
  return found;
}

int attempts_of(Doubt doubt, int allowed) {
  return doubt == Doubt::kUnsteady ? evidence::attempts_when_disturbed(allowed) : allowed;
}

}  // namespace rackproof::judge
