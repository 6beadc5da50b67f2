#pragma once

#include <functional>
#include <string>

#include "harness/compare/trend_text.hpp"

namespace rackproof::compare {

/// A trend as one page that opens from disk: alarms, what became worse and better with a drawing of
/// each series and the facts that changed there, every quantity with its runs, and the reports.
/// Lists are bounded, and say what they leave out; text of reports stays text. `address` gives what
/// a report's name links to; empty: nothing.
std::string trend_page(const Runs& runs, const Trend& result,
                       const std::function<std::string(const std::string& name)>& address);

}  // namespace rackproof::compare
