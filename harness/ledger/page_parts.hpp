#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/ledger/fleet_page.hpp"
#include "harness/ledger/strips.hpp"

namespace rackproof::ledger {

// The sections of the page about a fleet. Empty when there is nothing to say.

std::string failing_section(const FleetView& view);
std::string racks_section(const FleetView& view, const Days& days);
std::string changes_section(const FleetView& view);
std::string parts_section(const FleetView& view, const Days& days);
std::string waivers_section(const FleetView& view);
std::string due_section(const FleetView& view);

/// Whether that part of FleetView::worst failed in its last run, and nothing has its place since.
bool fails_now(const FleetView& view, std::size_t place);

/// Days until a waiver's last day is over, from the page's time on; negative: it is over. Nothing
/// for one without an end, and for what is no day.
std::optional<double> days_left(const OpenWaiver& waiver, double now);

/// "<a href=...>words</a>", or the words alone where the report has no address. Words are markup.
std::string report_link(const FleetView& view, const std::string& path, const std::string& words);

/// The newest run of a line.
inline const RunRef& newest(const FleetView& view, const Line& line) {
  return view.overview.runs[line.runs.front()];
}

/// How bad a verdict is: rejected 3, incomplete 2, verified 1, accepted 0.
int badness(model::Acceptance acceptance);

}  // namespace rackproof::ledger
