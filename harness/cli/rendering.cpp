#include "harness/cli/rendering.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "harness/cli/curves.hpp"
#include "harness/cli/program.hpp"
#include "reports/csv/csv.hpp"
#include "reports/html/html.hpp"
#include "reports/junit/junit.hpp"
#include "reports/markdown/markdown.hpp"
#include "reports/openmetrics/openmetrics.hpp"
#include "reports/terminal/terminal.hpp"

namespace rackproof::cli {
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
      {"csv", "report.csv", alone<csv::render>},
      {"html", "report.html", as_page},
      {"junit", "report.junit.xml", alone<junit::render>},
      {"md", "report.md", alone<markdown::render>},
      // Of this ending, because node_exporter's textfile collector looks for it.
      {"openmetrics", "report.prom", alone<openmetrics::render>},
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
  throw UsageError("'" + name + "' is no format: expected one of " + rendering_names());
}

std::string write_renderings(warden::Store& store, const model::Report& report,
                             const std::vector<std::string>& names) {
  std::string said;
  for (const std::string& name : names) {
    const Rendering& rendering = rendering_of(name);
    try {
      store.write_durably(rendering.file, rendering.render(report, store.path("")));
      said += fmt::format("{}: {}\n", name, store.path(rendering.file));
    } catch (const warden::StoreError& error) {
      said += fmt::format("{}: could not be written: {}\n", name, error.what());
    }
  }
  return said;
}

void write_out(const std::string& file, const std::string& text) {
  const std::filesystem::path path(file);
  warden::DirectoryStore store(path.has_parent_path() ? path.parent_path().string() : ".");
  store.write_durably(path.filename().string(), text);
}

}  // namespace rackproof::cli
