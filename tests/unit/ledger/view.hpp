#pragma once

#include <string>

#include "harness/ledger/fleet_page.hpp"
#include "reports/html/address.hpp"
#include "reports/model/utc.hpp"
#include "tests/unit/ledger/answers.hpp"
#include "tests/unit/ledger/fleet.hpp"
#include "tests/unit/rendered.hpp"

namespace rackproof::ledger_test {

using rendered::has;
using rendered::occurrences;

/// A run that began so many days after kFirst, and what became of it.
inline ledger::RunRef run_at_day(double day,
                                 model::Acceptance acceptance = model::Acceptance::kAccepted) {
  ledger::RunRef run = run_ref();
  run.began_seconds = kFirst + day * kDay;
  run.began_utc = model::utc_text(static_cast<std::int64_t>(run.began_seconds) * 1'000'000'000);
  run.evidence_utc = run.began_utc;
  run.run = "night" + std::to_string(static_cast<int>(day));
  run.acceptance = acceptance;
  run.path = "/reports/" + run.run + "/report.json";
  return run;
}

/// A line with these runs, which go to the end of the overview.
inline ledger::Line& add_line(ledger::FleetView& view, const std::string& rack,
                              const std::vector<ledger::RunRef>& runs) {
  ledger::Line& line = view.overview.lines.emplace_back();
  line.rack = rack;
  line.suite = "acceptance";
  line.hosts = 2;
  line.gpus = 16;
  for (const ledger::RunRef& run : runs) {
    line.runs.push_back(view.overview.runs.size());
    view.overview.runs.push_back(run);
  }
  if (line.runs.size() > 1) line.before = line.runs[1];
  return line;
}

/// A fleet of nothing, 30 days after kFirst.
inline ledger::FleetView empty_view() {
  ledger::FleetView view;
  view.period = "in the ledger";
  view.older_than = "30d";
  view.now = kFirst + 30 * kDay;
  view.address = [](const std::string& path) { return html::address_of(path, "/reports"); };
  return view;
}

/// The GPU of worst(), which failed in its last two runs of four.
inline ledger::PartHistory history() {
  ledger::PartHistory one;
  one.kind = ledger::PartKind::kGpu;
  one.code = "GPU-a";
  one.stays = gpu().stays;
  for (const auto& [day, outcome] :
       {std::pair(9, model::Outcome::kFail), std::pair(8, model::Outcome::kFail),
        std::pair(7, model::Outcome::kPass), std::pair(6, model::Outcome::kPass)}) {
    const ledger::RunRef run = run_at_day(day);
    one.runs.push_back({run.began_seconds, run.began_utc, outcome});
  }
  one.worst = worst();
  return one;
}

/// Each foreign text is hostile.
inline ledger::FleetView hostile_view() {
  const std::string& bad = rendered::kHostile;
  ledger::FleetView view = empty_view();
  ledger::RunRef run{bad, bad, kFirst, bad, bad, model::Acceptance::kRejected, "/" + bad, bad, 1};
  ledger::RunRef before = run;
  before.acceptance = model::Acceptance::kAccepted;
  ledger::Line& line = add_line(view, bad, {run, before});
  line.suite = bad;
  const ledger::Place place{bad, bad, bad, bad};
  for (const auto turn : {ledger::Turn::kFails, ledger::Turn::kGone, ledger::Turn::kUndecided,
                          ledger::Turn::kMoved, ledger::Turn::kCame, ledger::Turn::kRecovered}) {
    line.changes.push_back({turn, ledger::PartKind::kNic, bad, place, place, 1});
  }
  line.waivers = {{bad, bad, bad, bad, bad, 2, bad, 2, 3}};
  ledger::Worst worst{ledger::PartKind::kNic, bad, {run, place, {}}, 1, 1, failure_in(), {}};
  worst.last.tally.required.fail = 1;
  worst.worst->cell.quantity = {bad, bad, bad, bad};
  worst.worst->reason = worst.worst->reason_id = bad;
  ledger::Worst found = worst;
  found.worst.reset();
  found.finding = ledger::FindingIn{run, bad, model::Severity::kIsolate, bad};
  view.worst = {worst, found};
  ledger::PartHistory history;
  history.kind = ledger::PartKind::kNic;
  history.code = bad;
  history.stays = {{place, bad, bad, bad, 1}, {place, bad, bad, bad, 1}};
  history.runs = {{kFirst, bad, model::Outcome::kFail}};
  history.worst = worst;
  view.histories.parts = {history};
  history.runs = {{kFirst, bad, model::Outcome::kPass}, {kFirst, bad, model::Outcome::kFail}};
  history.heir = history.heir_utc = history.lost_utc = bad;
  view.histories.parts.push_back(history);
  view.due = {1, {{bad, ledger::Due::kOld, run, run, run}}};
  view.period = view.older_than = bad;
  return view;
}

}  // namespace rackproof::ledger_test
