#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "harness/cli/judged_again.hpp"
#include "harness/cli/redaction.hpp"
#include "harness/cli/report_file.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/support/files.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/report_json.hpp"
#include "reports/model/strict_json.hpp"

namespace rackproof::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAliasSchema = "rackproof/aliases/1";
constexpr std::size_t kKeyDigits = 64;

std::string new_key() {
  std::random_device entropy;
  std::string key;
  while (key.size() < kKeyDigits) key += fmt::format("{:08x}", entropy());
  return key;
}

// The key of an earlier map, so that a host has the same alias in several reports.
std::string key_of(const std::string& map) {
  std::error_code error;
  if (!fs::exists(map, error)) return new_key();
  try {
    const nlohmann::json document = model::parse_strict(support::read_file(map));
    if (document.at("schema") == kAliasSchema) {
      auto key = document.at("key").get<std::string>();
      if (key.size() == kKeyDigits) return key;
    }
  } catch (const model::BadJson& bad) {
    throw UsageError(map + ": " + bad.what());
  } catch (const nlohmann::json::exception&) {
    // Of another form: said below.
  }
  throw UsageError(
      fmt::format("{}: is no map of aliases: expected schema {} and a key of {} "
                  "hexadecimal digits",
                  map, kAliasSchema, kKeyDigits));
}

// What an earlier map knows stays in it: it is the way back from earlier reports.
std::string map_text(const std::string& map, const Aliases& aliases) {
  nlohmann::json document = {{"schema", kAliasSchema}, {"key", aliases.key()}};
  std::error_code error;
  if (fs::exists(map, error)) document = model::parse_strict(support::read_file(map));
  for (const auto& [raw, alias] : aliases.all()) document["aliases"][raw] = alias;
  return document.dump(1) + "\n";
}

bool same_verdicts(const model::Report& a, const model::Report& b) {
  return a.acceptance == b.acceptance && a.counts == b.counts &&
         a.required_counts == b.required_counts && a.findings.size() == b.findings.size() &&
         std::equal(a.cells.begin(), a.cells.end(), b.cells.begin(), b.cells.end(),
                    [](const model::Cell& one, const model::Cell& other) {
                      return one.verdict.outcome == other.verdict.outcome &&
                             one.verdict.reason_id == other.verdict.reason_id &&
                             one.verdict.observed == other.verdict.observed;
                    });
}

// Judged as it is found: a report that was edited must not come out as one that is whole.
model::Report load_sound(const std::string& path) {
  model::Report report = load_report(path);
  if (!same_verdicts(report, judged_again(report))) {
    throw UsageError(path + ": its verdicts are not what its evidence gives; see rackproof check");
  }
  return report;
}

model::Report read_back(const std::string& path, const std::string& text) {
  try {
    model::Report report = model::report_from_json(text);
    std::sort(report.nodes.begin(), report.nodes.end(),
              [](const auto& a, const auto& b) { return a.host < b.host; });
    return judged_again(std::move(report));
  } catch (const model::BadReport& bad) {
    throw UsageError(
        fmt::format("{}: cannot be redacted: a host or a part has the name of a word "
                    "of the format ({})",
                    path, bad.what()));
  }
}

}  // namespace

int redact_verb(const RedactOptions& options, const Program& /*program*/) {
  const std::string map = options.map.empty() ? options.out + ".map.json" : options.map;
  const model::Report report = load_sound(options.report);
  Aliases aliases(key_of(map));
  const model::Report clean =
      read_back(options.report, redacted(report, model::to_json(report), aliases));
  if (!same_verdicts(report, clean)) {
    throw UsageError(options.report +
                     ": cannot be redacted: without its names it is judged in another way");
  }
  const std::string text = model::to_json(clean);
  const auto left = leaks(text, aliases);
  if (!left.empty()) {
    throw UsageError(
        fmt::format("{}: cannot be redacted: '{}' would still be in it{}", options.report,
                    model::printable(left.front(), 80),
                    left.size() > 1 ? fmt::format(", and {} more", left.size() - 1) : ""));
  }
  // The map first: a report without a way back is worth less than a map without a report.
  write_durably(map, map_text(map, aliases));
  write_durably(options.out, text);
  print(fmt::format("{}: {} names replaced; the way back is in {}, which is not to be given away\n",
                    options.out, aliases.all().size(), map));
  return 0;
}

}  // namespace rackproof::cli
