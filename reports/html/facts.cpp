#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "reports/catalogue/catalogue.hpp"
#include "reports/catalogue/fact_words.hpp"
#include "reports/catalogue/quantity.hpp"
#include "reports/html/markup.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/words.hpp"

namespace rackproof::html {
namespace {

constexpr std::size_t kFactRows = 60;
constexpr std::size_t kFiles = 10;
constexpr std::size_t kValues = 6;

/// Who has a value, and the value as people read it.
struct Holders {
  std::string words;
  std::vector<std::string> who;
};

using Values = std::map<std::string, Holders>;  // by the value, whole

// The values of each fact over hosts, or over devices.
std::map<std::string, Values> values_of(const model::Report& report, bool devices) {
  std::map<std::string, Values> all;
  const auto add = [&](const std::string& who, const std::map<std::string, model::Fact>& facts) {
    for (const auto& [name, fact] : facts) {
      const std::string whole =
          fact.value ? model::to_text(*fact.value) : "not readable: " + fact.unreadable;
      Holders& holders = all[name][whole];
      holders.words = fact.value ? catalogue::fact_in_words(name, *fact.value) : whole;
      holders.who.push_back(who);
    }
  };
  for (const model::NodeInventory& node : report.nodes) {
    if (!devices) add(node.host, node.facts);
    if (!devices) continue;
    for (const model::DeviceFacts& device : node.devices) {
      add(node.host + "/" + device.uuid, device.facts);
    }
  }
  return all;
}

// "550.54 (7), 560.10 (1: node3)": a rare value with who has it.
std::string values_text(const Values& values) {
  std::vector<const Values::value_type*> order;
  for (const auto& entry : values) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->second.who.size() > b->second.who.size();
  });
  std::set<std::string> told;
  for (const auto* entry : order) told.insert(entry->second.words);
  // Two numbers that read alike are told whole.
  const bool whole = told.size() < order.size();
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), kValues); ++i) {
    const std::vector<std::string>& who = order[i]->second.who;
    const std::string& value = whole ? order[i]->first : order[i]->second.words;
    if (values.size() == 1) return plain(value, 120) + fmt::format(" ({})", who.size());
    text +=
        fmt::format("{}{} <small>({}{})</small>", i == 0 ? "" : "<br>", plain(value, 120),
                    who.size(), who.size() <= 2 ? ": " + plain(model::host_names(who), 160) : "");
  }
  if (order.size() > kValues) text += fmt::format("<br>{} more values", order.size() - kValues);
  return text;
}

// What a fact is stands behind its name.
std::string named(const std::string& fact) {
  const catalogue::Quantity* const known = catalogue::find_fact(fact);
  if (known == nullptr) return plain(fact);
  return fmt::format("<span title=\"{}\">{}</span>", model::in_markup(known->meaning), plain(fact));
}

std::string facts_table(const std::map<std::string, Values>& all, bool unlike,
                        const std::string& caption) {
  std::vector<std::pair<std::string, const Values*>> chosen;
  for (const auto& [name, values] : all) {
    if (name == model::fact_name::kHostName) continue;  // differs from host to host, as it must
    if ((values.size() > 1) == unlike) chosen.emplace_back(name, &values);
  }
  if (chosen.empty()) return "";
  Table table(caption, {"fact", "value"});
  for (std::size_t i = 0; i < std::min(chosen.size(), kFactRows); ++i) {
    table.row({named(chosen[i].first), values_text(*chosen[i].second)});
  }
  return table.take(chosen.size() - std::min(chosen.size(), kFactRows));
}

std::string short_digest(const std::string& digest) {
  return digest.empty() ? "" : "<code>" + plain(digest) + "</code>";
}

void add_sources(std::string& text, const model::Report& report) {
  std::map<std::string, const model::Baseline*> used;
  for (const model::Cell& cell : report.cells) {
    if (!cell.verdict.baseline.empty()) used.emplace(cell.verdict.baseline, nullptr);
  }
  for (const model::PlatformTable& platform : report.platforms) {
    for (const model::Baseline& baseline : platform.baselines) {
      const auto found = used.find(baseline.id);
      if (found != used.end() && found->second == nullptr) found->second = &baseline;
    }
  }
  if (used.empty()) return;
  // Baselines of one source are one row: a family has dozens.
  std::map<std::array<std::string, 4>, std::string> of_source;
  for (const auto& [id, baseline] : used) {
    if (baseline == nullptr) continue;
    const model::Source& source = baseline->source;
    std::string& ids = of_source[{baseline->table, source.title, source.kind, source.date}];
    ids += (ids.empty() ? "" : ", ") + id;
  }
  Table table("Where the limits come from", {"baseline", "table", "source", "kind", "date"});
  const std::size_t shown = std::min(of_source.size(), kFactRows);
  auto row = of_source.begin();
  for (std::size_t i = 0; i < shown; ++i, ++row) {
    const auto& [from, title, kind, date] = row->first;
    table.row({plain(row->second), plain(from), plain(title), plain(kind), plain(date)});
  }
  text += table.take(of_source.size() - shown);
}

// The evidence beside the report, which stays in its files.
std::string files_of(const model::Report& report) {
  std::string text;
  if (!report.journals.empty()) {
    Table table("Journals that it was made out of; `rackproof verify` holds them against this",
                {"file", "lines#", "bytes#", "SHA-256", "seal of the last line"});
    // Those that somebody should look at are never among those left out.
    std::vector<const model::JournalInfo*> journals;
    for (const model::JournalInfo& journal : report.journals) journals.push_back(&journal);
    std::stable_partition(journals.begin(), journals.end(),
                          [](const auto* journal) { return !journal->damaged.empty(); });
    const std::size_t shown = std::min(journals.size(), kFiles);
    for (std::size_t i = 0; i < shown; ++i) {
      const model::JournalInfo& journal = *journals[i];
      table.row(
          {plain(journal.file),
           std::to_string(journal.lines) +
               (journal.damaged.empty() ? ""
                                        : fmt::format(" ({} damaged)", journal.damaged.size())),
           std::to_string(journal.bytes), short_digest(journal.sha256),
           short_digest(journal.head)});
    }
    text += table.take(report.journals.size() - shown);
  }
  if (!report.recordings.empty()) {
    Table table("Recordings of what the hosts did meanwhile",
                {"file", "host", "samples#", "SHA-256"});
    const std::size_t shown = std::min(report.recordings.size(), kFiles);
    for (std::size_t i = 0; i < shown; ++i) {
      const model::RecordingInfo& recording = report.recordings[i];
      table.row(
          {plain(recording.file), plain(recording.host),
           recording.problem.empty() ? std::to_string(recording.samples) : plain(recording.problem),
           short_digest(recording.sha256)});
    }
    text += table.take(report.recordings.size() - shown);
  }
  return text;
}

}  // namespace

std::string findings_of(const model::Report& report) {
  if (report.findings.empty()) return "";
  std::vector<const model::Finding*> findings;
  for (const model::Finding& finding : report.findings) findings.push_back(&finding);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const auto* a, const auto* b) { return a->severity > b->severity; });
  Table table("What was noticed beside the cells, the gravest first",
              {"about", "severity", "finding", "what", "what to do"});
  for (std::size_t i = 0; i < std::min(findings.size(), kFactRows); ++i) {
    const model::Finding& finding = *findings[i];
    std::string remedy;
    for (const catalogue::CatalogueEntry& entry : catalogue::find_entries(finding.id)) {
      if (entry.kind == "finding") remedy = plain(entry.next, 600);
    }
    table.row({plain(finding.subject.empty() ? "the run" : finding.subject),
               std::string(contract::word(finding.severity)), plain(finding.id),
               plain(finding.text), remedy});
  }
  return section("findings", fmt::format("Findings ({})", findings.size()),
                 table.take(findings.size() - std::min(findings.size(), kFactRows)));
}

std::string hosts_of(const model::Report& report) {
  const auto of_hosts = values_of(report, false);
  const auto of_devices = values_of(report, true);
  std::string text = facts_table(of_hosts, true, "Facts of hosts that differ") +
                     facts_table(of_devices, true, "Facts of devices that differ");
  const std::string same = facts_table(of_hosts, false, "Facts that all hosts share") +
                           facts_table(of_devices, false, "Facts that all devices share");
  if (!same.empty()) {
    text +=
        "<details><summary>Facts that are the same everywhere</summary>\n" + same + "</details>\n";
  }
  return section("inventory", "Inventory", text);
}

std::string provenance_of(const model::Report& report) {
  std::string text;
  Table table("What this report was made with", {"what", "which"});
  table.row({"rackproof", plain(report.tool.version + " (" + report.tool.commit + ")")});
  std::string command;
  for (const std::string& word : report.run.command) command += (command.empty() ? "" : " ") + word;
  table.row({"command", "<code>" + plain(command, 2000) + "</code>"});
  table.row({"suite " + plain(report.suite.id), short_digest(report.suite.digest)});
  for (const model::PlatformTable& platform : report.platforms) {
    table.row({"platform table " + plain(platform.id), short_digest(platform.digest)});
  }
  for (const auto& [name, digest] : report.tool.bench_sha256) {
    table.row({"bench " + plain(name), short_digest(digest)});
  }
  text += table.take();
  add_sources(text, report);
  text += files_of(report);
  return section("provenance", "Provenance", text);
}

}  // namespace rackproof::html
