#include "harness/rejudge/held_against.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "benches/protocol/version.hpp"
#include "harness/cause/causes.hpp"
#include "harness/config/bench.hpp"
#include "harness/config/installed.hpp"
#include "harness/config/platform.hpp"
#include "harness/config/suite.hpp"
#include "harness/document/located_json.hpp"
#include "harness/plan/plan.hpp"
#include "harness/recognise/recognise.hpp"
#include "harness/support/digest.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/finding_id.hpp"

namespace rackproof::rejudge {
namespace {

using nlohmann::json;

constexpr std::size_t kDifferencesShown = 3;
constexpr std::size_t kCellsShown = 3;
constexpr std::size_t kShortText = 60;

// An installed file that cannot be read is what check complains about when it is named.
template <class Load>
auto loaded(const Load& load) -> std::optional<decltype(load())> {
  try {
    return load();
  } catch (const document::ConfigError&) {
    return std::nullopt;
  }
}

std::optional<config::Suite> suite_of_digest(const std::string& digest,
                                             const config::Paths& paths) {
  for (const auto& [name, path] : config::files_of(paths, config::FileOf::kSuite)) {
    if (support::digest_of_file(path) != digest) continue;
    return loaded([&file = path] { return config::load_suite(file); });
  }
  return std::nullopt;
}

std::vector<model::PlatformTable> installed_tables(const config::Paths& paths) {
  std::vector<model::PlatformTable> tables;
  for (const auto& [name, path] : config::files_of(paths, config::FileOf::kPlatform)) {
    auto table = loaded([&, &file = path] { return config::load_platform(file, paths.platforms); });
    if (table) tables.push_back(std::move(*table));
  }
  return tables;
}

std::string short_text(const json& value) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > kShortText) text.replace(kShortText, std::string::npos, "...");
  return text;
}

std::string text_at(const json& document, const std::string& pointer) {
  const json::json_pointer at(pointer);
  return document.contains(at) ? short_text(document.at(at)) : "nothing";
}

// "/baselines/3/expected: has 100.0, installed 900.0", the first few of them.
void compare_fields(const std::string& place, const json& own, const json& installed,
                    Complaints& out) {
  const json changes = json::diff(installed, own);
  for (std::size_t i = 0; i < std::min(changes.size(), kDifferencesShown); ++i) {
    const auto pointer = changes[i].at("path").get<std::string>();
    out.push_back(fmt::format("{}{}: has {}, and what is installed here with this digest has {}",
                              place, pointer, text_at(own, pointer), text_at(installed, pointer)));
  }
  if (changes.size() > kDifferencesShown) {
    out.push_back(fmt::format("{}: and {} more", place, changes.size() - kDifferencesShown));
  }
}

template <class T>
json json_of(const T& value) {
  return json::parse(model::to_json_line(value));
}

void compare_suite(const model::Report& report, const config::Suite& installed, Complaints& out) {
  model::SuiteInfo own = report.suite;
  // The command line may have set them; overridden_policy() says so.
  own.policy.disturbed = installed.info.policy.disturbed;
  own.policy.accept_groups = installed.info.policy.accept_groups;
  if (!(own == installed.info)) compare_fields("suite", json_of(own), json_of(installed.info), out);
}

// One of another name is none that is installed here, whatever its digest: verify says so.
void compare_tables(const model::Report& report, const config::Paths& paths, Complaints& out) {
  const auto known = config::files_of(paths, config::FileOf::kPlatform);
  for (std::size_t i = 0; i < report.platforms.size(); ++i) {
    const model::PlatformTable& own = report.platforms[i];
    const auto file = known.find(own.id);
    if (file == known.end()) continue;
    auto installed = loaded([&] { return config::load_platform(file->second, paths.platforms); });
    if (installed && !model::tells_claims(report.schema_version)) {
      for (model::Baseline& baseline : installed->baselines) baseline.generic = false;
    }
    if (!installed || installed->digest != own.digest || own == *installed) continue;
    compare_fields(fmt::format("platforms[{}] ({})", i, own.id), json_of(own), json_of(*installed),
                   out);
  }
}

void compare_causes(const model::Report& report, const config::Paths& paths, Complaints& out) {
  if (report.cause_table.rules.empty()) return;
  const auto installed = loaded([&] { return cause::load_causes(paths.causes); });
  if (!installed || installed->digest != report.cause_table.digest) return;
  if (*installed == report.cause_table) return;
  compare_fields("cause_table", json_of(report.cause_table), json_of(*installed), out);
}

plan::Site site_of(const model::Report& report) {
  plan::Site site;
  for (const model::RankInfo& rank : report.ranks) {
    if (rank.state == model::RankState::kNeverArrived || rank.host.empty()) continue;
    const auto& hosts = report.run.left_out_hosts;
    const bool left_out = std::find(hosts.begin(), hosts.end(), rank.host) != hosts.end();
    (left_out ? site.left_out : site.ranks).push_back({rank.rank, rank.host, rank.local_rank});
  }
  std::sort(site.ranks.begin(), site.ranks.end(),
            [](const auto& a, const auto& b) { return a.rank < b.rank; });
  site.nodes = report.nodes;
  site.mpi = report.run.ranks > 1;
  site.everyone = std::all_of(report.ranks.begin(), report.ranks.end(), [](const auto& rank) {
    return rank.state == model::RankState::kFinished;
  });
  return site;
}

// What the suite says of a step; how far it came is the run's to say.
bool same_step(const model::StepInfo& own, const model::StepInfo& planned) {
  return own.title == planned.title && own.bench == planned.bench &&
         own.backend == planned.backend && own.placement == planned.placement &&
         own.attempts_allowed == planned.attempts_allowed && own.repeat == planned.repeat &&
         own.unavailable_waives == planned.unavailable_waives;
}

std::string some(const std::vector<std::string>& ids) {
  std::string text;
  for (std::size_t i = 0; i < std::min(ids.size(), kCellsShown); ++i) {
    text += (i == 0 ? "" : ", ") + ids[i];
  }
  if (ids.size() > kCellsShown) text += fmt::format(" and {} more", ids.size() - kCellsShown);
  return text;
}

}  // namespace

OwedCells::Mark OwedCells::mark(const model::Cell& cell) {
  const std::hash<std::string> hash;
  return {hash(cell.id), hash(cell.waived) * 2 + (cell.required ? 1 : 0)};
}

OwedCells::OwedCells(const model::Report& report, const config::Paths& paths)
    : suite_(report.suite.id) {
  const auto suite = suite_of_digest(report.suite.digest, paths);
  if (!suite || report.steps.empty()) return;
  known_ = true;
  const plan::Site site = site_of(report);
  everyone_ = site.everyone;
  set_aside_ = std::any_of(report.findings.begin(), report.findings.end(), [](const auto& one) {
    return one.id == model::finding_id::kHostSetAside;
  });
  std::map<std::string, const model::StepInfo*> own;
  for (const model::StepInfo& step : report.steps) own[step.id] = &step;
  for (const config::Step& step : suite->steps) {
    const auto found = own.find(step.id);
    if (found == own.end()) {
      steps_.push_back(
          fmt::format("steps: suite {} has the step {}, and the report does not", suite_, step.id));
      continue;
    }
    const model::StepInfo& told = *found->second;
    own.erase(found);
    config::Suite one = *suite;
    one.steps = {step};
    // One step at a time: the plan of a large cluster is large.
    plan::Selection selection;
    if (!told.only_hosts.empty()) selection.only_on[step.id] = told.only_hosts;
    const plan::Plan plan = plan::make_plan(one, site, selection);
    if (!same_step(told, plan.infos.front())) {
      steps_.push_back(fmt::format("steps: {} is another one than in suite {}", step.id, suite_));
    }
    if (model::is_left_out(told)) continue;
    for (const model::Cell& cell : plan.cells) {
      const Mark mark = OwedCells::mark(cell);
      owed_[mark.id] = {cell.id, mark.terms};
    }
  }
  for (const auto& [id, step] : own) {
    steps_.push_back(fmt::format("steps: suite {} has no step {}", suite_, id));
  }
}

Complaints OwedCells::compare(const std::vector<Mark>& cells) const {
  Complaints complaints;
  if (!known_) return complaints;
  std::vector<std::string> otherwise;
  std::size_t strangers = 0;
  std::unordered_map<std::uint64_t, bool> seen;
  for (const Mark& cell : cells) {
    const auto owed = owed_.find(cell.id);
    seen[cell.id] = true;
    if (owed == owed_.end()) {
      ++strangers;
    } else if (everyone_ && owed->second.terms != cell.terms) {
      otherwise.push_back(owed->second.id);
    }
  }
  std::vector<std::string> missing;
  for (const auto& [id, owed] : owed_) {
    if (!seen.contains(id)) missing.push_back(owed.id);
  }
  std::sort(missing.begin(), missing.end());
  if (!missing.empty()) {
    complaints.push_back(
        fmt::format("cells: {} that suite {} demands of these hosts are missing: {}",
                    missing.size(), suite_, some(missing)));
  }
  if (!otherwise.empty()) {
    complaints.push_back(
        fmt::format("cells: {} are required or waived otherwise than suite {} says: {}",
                    otherwise.size(), suite_, some(otherwise)));
  }
  // What a host that was set aside still owes is kept, and no plan without it has it.
  if (strangers > 0 && everyone_ && !set_aside_) {
    complaints.push_back(
        fmt::format("cells: {} are none that suite {} demands of these hosts", strangers, suite_));
  }
  return complaints;
}

Complaints contradictions(const model::Report& report, const config::Paths& paths) {
  Complaints out;
  if (const auto suite = suite_of_digest(report.suite.digest, paths)) {
    compare_suite(report, *suite, out);
  }
  compare_tables(report, paths, out);
  compare_causes(report, paths, out);
  for (std::string& one : other_bounds(report, paths)) out.push_back(std::move(one));
  return out;
}

Complaints other_bounds(const model::Report& report, const config::Paths& paths) {
  Complaints out;
  const bool ours = report.tool.version == protocol::version() &&
                    report.tool.commit == protocol::commit() && report.segments.empty();
  if (!ours) return out;
  const auto installed =
      loaded([&] { return config::bounds_of(config::load_catalogue(paths.benches)); });
  if (!installed) return out;
  const auto has = [](const std::vector<model::MetricBound>& bounds, const auto& one) {
    return std::find(bounds.begin(), bounds.end(), one) != bounds.end();
  };
  for (const model::MetricBound& one : report.bounds) {
    if (!has(*installed, one)) {
      out.push_back(fmt::format("bounds: that of {} is none that is installed here", one.metric));
    }
  }
  std::set<std::string> measured;
  for (const model::Cell& cell : report.cells) measured.insert(cell.metric);
  for (const model::MetricBound& one : *installed) {
    if (measured.contains(one.metric) && !has(report.bounds, one)) {
      out.push_back(fmt::format("bounds: one of {} that is installed here is missing", one.metric));
    }
  }
  return out;
}

Complaints other_platforms(const model::Report& report, const config::Paths& paths) {
  Complaints out;
  const model::PlatformChoice choice = report.run.platform_choice;
  if (choice == model::PlatformChoice::kForced || choice == model::PlatformChoice::kJudgedAgain) {
    return out;
  }
  const auto chosen = recognise::choose_platforms(report.nodes, installed_tables(paths));
  for (const auto& [host, table] : chosen.of_host) {
    const auto own = report.platform_of_host.find(host);
    const std::string had = own == report.platform_of_host.end() ? "none" : own->second;
    if (had == table) continue;
    out.push_back(
        fmt::format("platform_of_host: {} was judged by table {}, and the tables that "
                    "are installed here recognise it as {}",
                    host, had, table));
  }
  return out;
}

std::string overridden_policy(const model::Report& report, const config::Paths& paths) {
  const auto suite = suite_of_digest(report.suite.digest, paths);
  if (!suite) return "";
  const model::JudgePolicy& own = report.suite.policy;
  const model::JudgePolicy& installed = suite->info.policy;
  std::string what;
  if (own.disturbed != installed.disturbed) what = "disturbed measurements";
  if (own.accept_groups != installed.accept_groups) {
    what += std::string(what.empty() ? "" : " and ") + "parts in two groups";
  }
  if (what.empty()) return "";
  return fmt::format("the command line set what becomes of {} otherwise than suite {} does", what,
                     report.suite.id);
}

}  // namespace rackproof::rejudge
