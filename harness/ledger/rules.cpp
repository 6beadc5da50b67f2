#include "harness/ledger/rules.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "harness/config/day.hpp"
#include "harness/support/errors.hpp"
#include "reports/model/utc.hpp"

namespace rackproof::ledger {
namespace {

bool is_same_place(const Place& a, const Place& b) {
  return a.host == b.host && a.name == b.name && (a.pci == b.pci || a.pci.empty() || b.pci.empty());
}

double evidence_of(const std::optional<RunRef>& run) {
  return run ? run->evidence_seconds : -std::numeric_limits<double>::infinity();
}

}  // namespace

double since_seconds(const std::string& text, double now) {
  if (const auto seconds = config::time_seconds(text)) return now - *seconds;
  if (config::is_day(text)) return model::unix_seconds(text + "T00:00:00Z").value_or(0);
  throw support::UsageError("'" + text +
                            "' is no time: expected an age such as 30 d, or a day as YYYY-MM-DD");
}

std::vector<Stay> stays_of(const std::vector<Sight>& runs) {
  std::vector<Stay> stays;
  for (auto sight = runs.rbegin(); sight != runs.rend(); ++sight) {
    const bool moved = stays.empty() || !is_same_place(stays.back().place, sight->place);
    if (moved) stays.push_back({sight->place, sight->run.rack, sight->run.began_utc, "", 0});
    Stay& stay = stays.back();
    stay.last_utc = sight->run.began_utc;
    ++stay.runs;
    // What some runs could not read, others did.
    if (!sight->place.pci.empty()) stay.place.pci = sight->place.pci;
    if (!sight->place.serial.empty()) stay.place.serial = sight->place.serial;
    if (!sight->run.rack.empty()) stay.rack = sight->run.rack;
  }
  return stays;
}

void worst_first(std::vector<Worst>& parts) {
  const auto key = [](const Worst& part) {
    const bool failed_last = outcome_of(part.last.tally) == model::Outcome::kFail;
    const bool measured = part.worst && part.worst->shortfall;
    const double shortfall = measured ? *part.worst->shortfall : kWithoutNumber;
    return std::tuple(!failed_last, -static_cast<double>(part.failed), -shortfall,
                      name_of(part.kind, part.last.place), part.code);
  };
  std::sort(parts.begin(), parts.end(),
            [&](const Worst& a, const Worst& b) { return key(a) < key(b); });
}

std::optional<Due> due_of(const DueHost& host, double oldest) {
  if (!host.accepted) return Due::kNever;
  if (!host.whole) return Due::kPartly;
  if (host.whole->evidence_seconds < oldest) return Due::kOld;
  return std::nullopt;
}

void longest_due_first(std::vector<DueHost>& hosts) {
  const auto key = [](const DueHost& host) {
    return std::tuple(evidence_of(host.whole), evidence_of(host.accepted), host.host);
  };
  std::sort(hosts.begin(), hosts.end(),
            [&](const DueHost& a, const DueHost& b) { return key(a) < key(b); });
}

std::vector<CellIn> newest_of_each(std::vector<CellIn> values) {
  std::set<std::tuple<std::string, std::string, std::string>> known;
  std::erase_if(values, [&](const CellIn& one) {
    const Quantity& what = one.quantity;
    return !known.insert({what.step, what.metric, what.parameters}).second;
  });
  return values;
}

}  // namespace rackproof::ledger
