#include "harness/coverage/platform_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "contract/unit.hpp"
#include "harness/config/bench.hpp"
#include "harness/config/installed.hpp"
#include "harness/config/places.hpp"
#include "harness/coverage/platform_coverage.hpp"
#include "harness/coverage/platform_rules.hpp"
#include "harness/support/files.hpp"
#include "reports/model/glob.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/words.hpp"

namespace rackproof::coverage {
namespace {

using model::Baseline;
using model::BaselineKind;

constexpr const char* kHead = R"(# Platforms

What each shipped table judges by, and by what right. This page is made of the tables:
`scripts/platform-page` writes it anew. How a table is read is in [configs/README.md](../configs/README.md).

A figure is as good as its source. Kinds of source: `datasheet`, `vendor-measured`, `third-party-measured`,
`published-threshold`, `measured-here`, `derived` (from a peak, with the reason in the table).

A family is recognised nowhere; the platforms that extend it inherit its figures. What a platform gives itself
comes before what it inherits. What no figure is given for is still measured, verified and compared among peers;
`gpu-generic` holds bounds of the parts against it ([judging](judging.md#bounds)), `host-generic` low floors.
)";

bool has_figure(const Baseline& baseline) { return baseline.kind != BaselineKind::kCorrectness; }

// A cell of a table: no bar and no line may break it.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

// What a heading of this text is called in links: pages drop the points.
std::string link_to(const std::string& id) {
  std::string anchor;
  for (const char c : id) {
    if (c == '.') continue;
    anchor += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return fmt::format("[{}](#{})", id, anchor);
}

// The sources of one section, numbered as they come.
class Sources {
 public:
  /// "vendor-measured [2]".
  std::string mark(const model::Source& source) {
    const std::string text = text_of(source);
    const auto found = std::find(texts_.begin(), texts_.end(), text);
    const auto number = found - texts_.begin() + 1;
    if (found == texts_.end()) texts_.push_back(text);
    return fmt::format("{} [{}]", source.kind, number);
  }

  std::string list() const {
    std::string out;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      out += fmt::format("{}{}. {}\n", i == 0 ? "\n" : "", i + 1, texts_[i]);
    }
    return out;
  }

 private:
  static std::string text_of(const model::Source& source) {
    std::string text = source.title + ", " + source.date;
    for (const std::string& more : {source.size, source.scale, source.software}) {
      if (!more.empty()) text += "; " + more;
    }
    if (source.n) text += fmt::format("; n = {}", *source.n);
    return cell(text);
  }

  std::vector<std::string> texts_;
};

std::string expected_text(const Baseline& baseline) {
  if (baseline.kind == BaselineKind::kFraction) {
    return fmt::format("{:.4g} of `{}`", baseline.expected, baseline.of);
  }
  if (baseline.kind == BaselineKind::kBound) {
    return fmt::format("{:.4g} of the [bound](judging.md#bounds) `{}`", baseline.expected,
                       baseline.of);
  }
  if (baseline.kind == BaselineKind::kAbsolute) {
    return model::quantity(baseline.expected, baseline.unit);
  }
  const auto span = [&](auto member) {
    const auto [least, most] = std::minmax_element(
        baseline.points.begin(), baseline.points.end(),
        [member](const auto& a, const auto& b) { return a.*member < b.*member; });
    return std::pair((*least).*member, (*most).*member);
  };
  const auto bytes = span(&model::CurvePoint::bytes);
  const auto ranks = span(&model::CurvePoint::ranks);
  const auto value = span(&model::CurvePoint::value);
  return fmt::format("curve through {} figures: {} at {} to {} at {}, {} to {} ranks",
                     baseline.points.size(), model::quantity(value.first, baseline.unit),
                     model::quantity(static_cast<double>(bytes.first), "B"),
                     model::quantity(value.second, baseline.unit),
                     model::quantity(static_cast<double>(bytes.second), "B"), ranks.first,
                     ranks.second);
}

std::string tolerance_text(const Baseline& baseline) {
  std::string text;
  if (baseline.tolerance_below)
    text += fmt::format("{:.3g} %", -100 * *baseline.tolerance_below + 0.0);
  if (baseline.tolerance_above) {
    text += fmt::format("{}+{:.3g} %", text.empty() ? "" : ", ", 100 * *baseline.tolerance_above);
  }
  return text;
}

std::string scope_text(const Baseline& baseline) {
  std::string text = model::to_text(baseline.parameters);
  const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (!baseline.backend.empty()) add("backend " + baseline.backend);
  if (baseline.nodes_min && baseline.nodes_max && *baseline.nodes_min == *baseline.nodes_max) {
    add(fmt::format("{} nodes", *baseline.nodes_min));
  } else if (baseline.nodes_min || baseline.nodes_max) {
    add(fmt::format("{} to {} nodes", baseline.nodes_min.value_or(1),
                    baseline.nodes_max ? std::to_string(*baseline.nodes_max) : "any number of"));
  }
  if (!baseline.when.empty()) add("where it shows " + model::to_text(baseline.when));
  if (!baseline.demand.empty()) add("only with " + model::to_text(baseline.demand));
  return cell(text);
}

std::string figures(const model::PlatformTable& table, Sources& sources) {
  std::string rows;
  for (const Baseline& baseline : table.baselines) {
    if (baseline.table != table.id || !has_figure(baseline)) continue;
    rows += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", baseline.metric,
                        scope_text(baseline), expected_text(baseline), tolerance_text(baseline),
                        contract::word(baseline.statistic), sources.mark(baseline.source));
  }
  if (rows.empty()) return "";
  return "\n| metric | of | expected | tolerance | statistic | source "
         "|\n|---|---|---|---|---|---|\n" +
         rows;
}

std::string inherited(const model::PlatformTable& table) {
  std::string out;
  for (const std::string& family : table.chain) {
    if (family == table.id) continue;
    std::set<std::string> metrics;
    std::size_t count = 0;
    for (const Baseline& baseline : table.baselines) {
      if (baseline.table != family || !has_figure(baseline)) continue;
      metrics.insert("`" + baseline.metric + "`");
      ++count;
    }
    if (count == 0) continue;
    out += fmt::format("\nInherited from {}: {} {}, of {}.\n", link_to(family), count,
                       count == 1 ? "figure" : "figures", fmt::join(metrics, ", "));
  }
  return out;
}

std::string answers(const model::PlatformTable& table) {
  std::vector<std::string> metrics;
  for (const Baseline& baseline : table.baselines) {
    if (baseline.table != table.id || has_figure(baseline)) continue;
    const std::string scope = scope_text(baseline);
    metrics.push_back("`" + baseline.metric + "`" + (scope.empty() ? "" : " (" + scope + ")"));
  }
  if (metrics.empty()) return "";
  return fmt::format("\nVerified only, without a figure: {}.\n", fmt::join(metrics, ", "));
}

std::string value_text(const contract::Scalar& value, const std::string& unit) {
  const auto base = contract::find_unit(unit);
  if (const auto* number = std::get_if<double>(&value)) {
    if (!base || base->base == "count") return fmt::format("{}", *number);
    return model::quantity(*number, base->base);
  }
  return model::to_text(value);
}

std::string facts(const config::PlacedTable& placed, Sources& sources) {
  const auto units = placed.own_fact_units();
  std::string rows;
  for (const std::string& name : placed.own_facts()) {
    const auto unit = units.find(name);
    rows += fmt::format(
        "| `{}` | {} | {} |\n", name,
        cell(value_text(placed.table.facts.at(name), unit == units.end() ? "" : unit->second)),
        sources.mark(placed.table.fact_sources.at(name)));
  }
  return rows.empty() ? "" : "\n| fact | value | by right of |\n|---|---|---|\n" + rows;
}

std::string waived(const config::PlacedTable& placed) {
  std::string out;
  for (std::size_t i = 0; i < placed.own_waivers(); ++i) {
    const model::Waiver& waiver = placed.table.waivers[i];
    const std::string parameters = model::to_text(waiver.parameters);
    out += fmt::format("\nWaived: `{}`{}: {}.\n", waiver.metric,
                       parameters.empty() ? "" : " (" + parameters + ")", waiver.reason);
  }
  return out;
}

// Backends of GPUs print something only where there are GPUs.
bool is_here(const model::PlatformTable& table, const std::string& backend) {
  if (backend != "cuda" && backend != "nccl") return true;
  const contract::Scalar none = std::int64_t{0};
  return std::any_of(table.recognise.begin(), table.recognise.end(), [&](const auto& rule) {
    return rule.fact.starts_with("gpu.") && rule.equals != none;
  });
}

// The values of dtype that need figures of their own: those with peaks of their own.
std::vector<std::string> dtypes_of(const config::MetricKind& kind) {
  std::vector<std::string> dtypes;
  for (const config::Peak& peak : kind.peaks) {
    const auto found = peak.where.find("dtype");
    if (found != peak.where.end()) dtypes.push_back(model::to_text(found->second));
  }
  const auto all = kind.parameters.find("dtype");
  if (dtypes.empty() && all != kind.parameters.end() && all->second.words.size() == 1) {
    dtypes = all->second.words;
  }
  if (dtypes.empty()) dtypes.emplace_back();
  return dtypes;
}

// The floors of a table for any machine are no figures of this one.
bool has_figure_for(const model::PlatformTable& table, const std::set<std::string>& generic,
                    const std::string& name, const std::string& backend, const std::string& dtype) {
  return std::any_of(table.baselines.begin(), table.baselines.end(), [&](const Baseline& one) {
    const auto given = one.parameters.find("dtype");
    const bool same_type = dtype.empty() || given == one.parameters.end() ||
                           model::glob_match(model::to_text(given->second), dtype);
    return has_figure(one) && generic.count(one.table) == 0 && same_type &&
           model::glob_match(one.metric, name) &&
           (one.backend.empty() || model::glob_match(one.backend, backend));
  });
}

// Metrics by the first word of their names, each with the types that lack a figure.
using Lacking = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

std::string family_of(const std::string& name) { return name.substr(0, name.find('.')); }

Lacking lacking_by(const std::string& backend, const model::PlatformTable& table,
                   const std::set<std::string>& generic, const config::MetricCatalogue& catalogue,
                   std::set<std::string>& touched) {
  Lacking lacking;
  for (const config::MetricKind& kind : catalogue) {
    if (std::count(kind.backends.begin(), kind.backends.end(), backend) == 0) continue;
    for (const std::string& name : kind.names) {
      for (const std::string& dtype : dtypes_of(kind)) {
        if (has_figure_for(table, generic, name, backend, dtype)) {
          touched.insert(family_of(name));
        } else {
          lacking[family_of(name)][name].push_back(dtype);
        }
      }
    }
  }
  return lacking;
}

std::string missing(const model::PlatformTable& table, const std::set<std::string>& generic,
                    const config::MetricCatalogue& catalogue) {
  std::string out;
  for (const char* backend : {"host", "cuda", "mpi", "nccl"}) {
    if (!is_here(table, backend)) continue;
    std::set<std::string> touched;
    std::vector<std::string> texts;
    for (const auto& [family, names] : lacking_by(backend, table, generic, catalogue, touched)) {
      if (touched.count(family) == 0) {
        texts.push_back("`" + family + ".*`");
        continue;
      }
      for (const auto& [name, dtypes] : names) {
        texts.push_back("`" + name + "`");
        if (!dtypes.front().empty()) texts.back() += fmt::format(" of {}", fmt::join(dtypes, ", "));
      }
    }
    if (!texts.empty())
      out += fmt::format("\nNo figure, {}: {}.\n", backend, fmt::join(texts, "; "));
  }
  return out;
}

std::string section(const config::PlacedTable& placed, const std::set<std::string>& generic,
                    const config::MetricCatalogue& catalogue) {
  const model::PlatformTable& table = placed.table;
  Sources sources;
  std::string out = fmt::format("\n## {}\n\n{}.", table.id, table.title);
  if (table.generic) out += " For any machine that no other table recognises.";
  if (table.chain.size() > 1) out += " Extends " + link_to(table.chain[1]) + ".";
  out += "\n" + rules_text(table);
  // One after the other: they number the sources.
  out += figures(table, sources);
  out += inherited(table) + answers(table) + demands_text(table) + waived(placed);
  out += facts(placed, sources);
  out += sources.list();
  if (!table.is_abstract && !table.generic) out += missing(table, generic, catalogue);
  return out;
}

std::string overview(const std::vector<config::PlacedTable>& tables) {
  std::string rows;
  for (const auto& placed : tables) {
    const model::PlatformTable& table = placed.table;
    const SourcedCount count = sourced_baselines(table);
    const char* type = table.is_abstract ? "family" : table.generic ? "generic" : "platform";
    rows += fmt::format("| {} | {} | {} | {} | {} |\n", link_to(table.id), cell(table.title), type,
                        count.own, count.inherited);
  }
  return "\n| table | | | figures of its own | inherited |\n|---|---|---|---|---|\n" + rows;
}

}  // namespace

SourcedCount sourced_baselines(const model::PlatformTable& table) {
  SourcedCount count;
  for (const Baseline& baseline : table.baselines) {
    if (!has_figure(baseline)) continue;
    ++(baseline.table == table.id ? count.own : count.inherited);
  }
  return count;
}

std::string platform_page(const config::Paths& paths) {
  const std::string& folder = paths.platforms;
  std::vector<config::PlacedTable> tables;
  for (const std::string& name : support::names_in(folder, ".json")) {
    tables.push_back(config::load_placed_platform(folder + "/" + name + ".json", folder));
  }
  // Machines first, then the families they extend, then what is for any machine.
  const auto rank = [](const config::PlacedTable& placed) {
    return placed.table.generic ? 2 : placed.table.is_abstract ? 1 : 0;
  };
  std::stable_sort(tables.begin(), tables.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  const auto catalogue = config::load_catalogue(paths.benches);
  std::string page = kHead;
  // The page is of what is shipped, whatever this site has.
  config::Paths shipped = paths;
  shipped.sites.clear();
  page += overview(tables) + coverage_section(shipped);
  std::set<std::string> generic;
  for (const auto& placed : tables) {
    if (placed.table.generic) generic.insert(placed.table.id);
  }
  for (const auto& table : tables) page += section(table, generic, catalogue);
  return page;
}

}  // namespace rackproof::coverage
