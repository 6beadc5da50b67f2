#include "harness/archive/rendering.hpp"

#include <fmt/format.h>

#include <exception>
#include <set>

#include "harness/archive/curves.hpp"
#include "harness/peers/guard.hpp"
#include "harness/support/errors.hpp"
#include "reports/alertmanager/alertmanager.hpp"
#include "reports/csv/csv.hpp"
#include "reports/html/html.hpp"
#include "reports/junit/junit.hpp"
#include "reports/markdown/markdown.hpp"
#include "reports/terminal/terminal.hpp"

namespace rackproof::archive {
namespace {

std::string as_terminal(const model::Report& report) { return terminal::render(report, {}); }

std::string as_page(const model::Report& report, const std::string& folder) {
  return html::render_with_charts(report, curves_of(report, folder));
}

// Those that need nothing but the report.
template <std::string (*kRender)(const model::Report&)>
std::string alone(const model::Report& report, const std::string&) {
  return kRender(report);
}

}  // namespace

const std::vector<Rendering>& renderings() {
  static const std::vector<Rendering> all = {
      {"alertmanager", "report.alerts.json", alone<alertmanager::render>},
      {"csv", "report.csv", alone<csv::render>},
      {kPageFormat, "report.html", as_page},
      {"junit", "report.junit.xml", alone<junit::render>},
      {"md", "report.md", alone<markdown::render>},
      // Of this ending, because node_exporter's textfile collector looks for it.
      {"openmetrics", "report.prom", alone<openmetrics::render>, openmetrics::render},
      {"terminal", "report.txt", alone<as_terminal>},
  };
  return all;
}

std::string rendering_names() {
  std::string names;
  for (const Rendering& rendering : renderings()) {
    names += (names.empty() ? "" : ", ") + rendering.name;
  }
  return names;
}

const Rendering& rendering_of(const std::string& name) {
  for (const Rendering& rendering : renderings()) {
    if (rendering.name == name) return rendering;
  }
  throw support::UsageError("'" + name + "' is no format: expected one of " + rendering_names());
}

WrittenReport write_report(support::Store& store, model::Report& report,
                           const std::vector<Rendering>& wanted, Compress compress) {
  // On disk before anything that may hang or fail is tried.
  std::string name = write_json(store, report, compress);
  std::vector<std::string> texts(wanted.size());
  std::set<std::size_t> failed;
  // What fails becomes part of the report, and so of what the others show.
  for (std::size_t i = 0; i < wanted.size();) {
    if (failed.contains(i)) {
      ++i;
      continue;
    }
    try {
      texts[i] = wanted[i].render(report, store.path(""));
      ++i;
    } catch (const std::exception& error) {
      peers::note_failed_part(report, wanted[i].file, error.what());
      failed.insert(i);
      i = 0;
    }
  }
  if (!failed.empty()) name = write_json(store, report, compress);
  const std::string file = store.path(name);
  std::string said = fmt::format("report: {}\n", file);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (failed.contains(i)) {
      said += fmt::format("{}: could not be made: see the findings\n", wanted[i].name);
      continue;
    }
    try {
      store.write_durably(wanted[i].file, texts[i]);
      said += fmt::format("{}: {}\n", wanted[i].name, store.path(wanted[i].file));
    } catch (const support::StoreError& error) {
      said += fmt::format("{}: could not be written: {}\n", wanted[i].name, error.what());
    }
  }
  return {file, said};
}

WrittenReport write_report(support::Store& store, model::Report& report,
                           const std::vector<std::string>& names, Compress compress) {
  std::vector<Rendering> wanted;
  for (const std::string& name : names) wanted.push_back(rendering_of(name));
  return write_report(store, report, wanted, compress);
}

}  // namespace rackproof::archive
