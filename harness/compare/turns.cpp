#include "harness/compare/turns.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include "reports/model/utc.hpp"

namespace rackproof::compare {
namespace {

// The last run before a change in which its quantity was measured.
std::size_t run_before(const std::vector<Sample>& runs, const Change& change) {
  for (std::size_t i = change.at; i-- > 0;) {
    const auto found = runs[i].numbers.find(change.key);
    if (found == runs[i].numbers.end()) continue;
    if (change.subject.empty() || found->second.of.count(change.subject) > 0) return i;
  }
  return change.at;
}

bool holds(const std::vector<std::string>& facts, const std::string& fact) {
  return std::find(facts.begin(), facts.end(), fact) != facts.end();
}

}  // namespace

std::vector<Turn> turns_of(const std::vector<Sample>& runs, const Trend& trend) {
  // Not worse, then downwards: what is worse and late comes first.
  using Place = std::tuple<bool, std::size_t, std::size_t>;
  std::map<Place, Turn, std::function<bool(const Place&, const Place&)>> turns(
      [](const Place& a, const Place& b) {
        return std::get<0>(a) != std::get<0>(b) ? std::get<0>(a) < std::get<0>(b) : a > b;
      });
  for (const Change& change : trend.changes) {
    const std::size_t before = run_before(runs, change);
    Turn& turn = turns[{!change.worse, change.at, before}];
    if (turn.changes.empty()) turn = {change.worse, before, change.at, {}, change.facts};
    turn.changes.push_back(&change);
    std::erase_if(turn.facts, [&](const std::string& fact) { return !holds(change.facts, fact); });
  }
  std::vector<Turn> all;
  for (auto& [place, turn] : turns) {
    std::stable_sort(turn.changes.begin(), turn.changes.end(), [](const auto* a, const auto* b) {
      return std::fabs(std::log1p(a->shift)) > std::fabs(std::log1p(b->shift));
    });
    all.push_back(std::move(turn));
  }
  return all;
}

std::vector<std::string> own_facts(const Turn& turn, const Change& change) {
  std::vector<std::string> own;
  for (const std::string& fact : change.facts) {
    if (!holds(turn.facts, fact)) own.push_back(fact);
  }
  return own;
}

std::string run_text(const Sample& run) {
  return run.began_utc.empty() ? run.run : run.run + ", " + model::minute_of(run.began_utc);
}

}  // namespace rackproof::compare
