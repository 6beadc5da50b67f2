#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "harness/document/nearest.hpp"
#include "harness/ledger/ask.hpp"
#include "harness/ledger/rows.hpp"
#include "harness/ledger/rules.hpp"
#include "harness/support/errors.hpp"
#include "reports/model/words.hpp"

namespace rackproof::ledger {
namespace {

using index::Database;
using index::Statement;
using index::Transaction;

// Cells of the subjects of a part: its own, and those of links that end at it.
constexpr const char* kFailures =
    "SELECT " RACKPROOF_LEDGER_CELL
    ", sub.peer, f.reason_id, f.reason, f.shortfall FROM subject sub "
    "JOIN failure f ON f.subject = sub.id JOIN report r ON r.id = f.report "
    "JOIN quantity q ON q.id = f.quantity JOIN cell c ON c.report = f.report AND "
    "c.subject = f.subject AND c.quantity = f.quantity "
    "WHERE (sub.part = ?1 OR sub.peer = ?1) AND r.counts = 1 "
    "ORDER BY r.began_s DESC, r.digest DESC, sub.peer <> 0, f.shortfall IS NOT NULL, f.shortfall "
    "DESC, q.step, "
    "q.metric, q.parameters, sub.label";
constexpr const char* kWaivers =
    "SELECT " RACKPROOF_LEDGER_CELL
    ", w.reason, w.until, w.approved_by, w.ticket FROM subject sub "
    "JOIN waiver w ON w.subject = sub.id JOIN report r ON r.id = w.report "
    "JOIN quantity q ON q.id = w.quantity JOIN cell c ON c.report = w.report AND "
    "c.subject = w.subject AND c.quantity = w.quantity "
    "WHERE (sub.part = ?1 OR sub.peer = ?1) AND r.counts = 1 "
    "ORDER BY r.began_s DESC, r.digest DESC, q.step, q.metric, q.parameters, sub.label";
constexpr const char* kFindings =
    "SELECT " RACKPROOF_LEDGER_RUN
    ", f.id, f.severity, f.text FROM finding f "
    "JOIN report r ON r.id = f.report WHERE f.part = ? AND r.counts = 1 "
    "ORDER BY r.began_s DESC, r.digest DESC, f.place";
constexpr const char* kValues =
    "SELECT " RACKPROOF_LEDGER_CELL
    " FROM subject sub JOIN cell c ON c.report = ?2 AND "
    "c.subject = sub.id JOIN report r ON r.id = c.report JOIN quantity q ON q.id = c.quantity "
    "WHERE sub.part = ?1 AND sub.peer = 0 ORDER BY q.step, q.metric, q.parameters";
constexpr const char* kSights =
    "SELECT " RACKPROOF_LEDGER_SIGHT
    ", r.id FROM stay s JOIN report r ON r.id = s.report "
    "WHERE s.part = ? AND r.counts = 1 ORDER BY r.began_s DESC, r.digest DESC";
constexpr const char* kHeld =
    "SELECT " RACKPROOF_LEDGER_SIGHT
    ", p.kind, p.code FROM stay s JOIN report r ON "
    "r.id = s.report JOIN part p ON p.id = s.part "
    "WHERE s.report = ? AND s.host = ? AND p.kind <> ? ORDER BY p.kind, length(s.name), s.name";

struct Sights {
  std::vector<Sight> all;
  std::vector<std::int64_t> reports;  ///< of each
};

Sights sights_of(Database& database, std::int64_t part) {
  Sights sights;
  Statement row(database, kSights);
  row.with(part);
  while (row.next()) {
    sights.all.push_back(sight_at(row, 0));
    sights.reports.push_back(row.integer(kSightColumns));
  }
  return sights;
}

void add_failures(Database& database, std::int64_t part, PartAnswer& answer) {
  Statement row(database, kFailures);
  row.with(part);
  while (row.next()) {
    answer.failures.push_back({cell_at(row, 0), row.integer(kCellColumns) != 0,
                               text_at(row, kCellColumns + 1), text_at(row, kCellColumns + 2),
                               row.real(kCellColumns + 3)});
  }
}

void add_waivers(Database& database, std::int64_t part, PartAnswer& answer) {
  Statement row(database, kWaivers);
  row.with(part);
  while (row.next()) {
    answer.waivers.push_back({cell_at(row, 0), text_at(row, kCellColumns),
                              text_at(row, kCellColumns + 1), text_at(row, kCellColumns + 2),
                              text_at(row, kCellColumns + 3)});
  }
}

void add_findings(Database& database, std::int64_t part, PartAnswer& answer) {
  Statement row(database, kFindings);
  row.with(part);
  while (row.next()) {
    answer.findings.push_back({run_at(row, 0), text_at(row, kRunColumns),
                               word_at<model::Severity>(row, kRunColumns + 1),
                               text_at(row, kRunColumns + 2)});
  }
}

void add_values(Database& database, std::int64_t part, const Sights& sights, PartAnswer& answer) {
  Statement row(database, kValues);
  std::set<std::string> suites;
  for (std::size_t i = 0; i < sights.all.size(); ++i) {
    if (!suites.insert(sights.all[i].run.suite).second) continue;
    row.with(part, sights.reports[i]);
    while (row.next()) answer.values.push_back(cell_at(row, 0));
  }
  answer.values = newest_of_each(std::move(answer.values));
}

void add_held(Database& database, const Sights& sights, PartAnswer& answer) {
  Statement row(database, kHeld);
  row.with(sights.reports.front(), sights.all.front().place.host, contract::word(PartKind::kHost));
  while (row.next()) {
    answer.held.push_back(
        {word_at<PartKind>(row, kSightColumns), text_at(row, kSightColumns + 1), sight_at(row, 0)});
  }
}

std::optional<PartAnswer> answer_of(Database& database, std::int64_t part) {
  PartAnswer answer;
  {
    Statement row(database, "SELECT kind, code FROM part WHERE id = ?");
    if (!row.with(part).next()) return std::nullopt;
    answer.kind = word_at<PartKind>(row, 0);
    answer.code = text_at(row, 1);
  }
  Sights sights = sights_of(database, part);
  if (sights.all.empty()) return std::nullopt;
  answer.stays = stays_of(sights.all);
  add_failures(database, part, answer);
  add_findings(database, part, answer);
  add_waivers(database, part, answer);
  add_values(database, part, sights, answer);
  if (answer.kind == PartKind::kHost) add_held(database, sights, answer);
  answer.runs = std::move(sights.all);
  return answer;
}

[[noreturn]] void refuse_unknown(Database& database, const std::string& name) {
  std::vector<std::string> names;
  Statement row(database, "SELECT DISTINCT name FROM known_as");
  while (row.next()) names.push_back(text_at(row, 0));
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string near = document::nearest(name, views);
  throw support::UsageError(
      "the ledger knows no part '" + name + "'" +
      (near.empty() ? "; expected a UUID, a serial number, a host or a name such as 'node1 GPU 3'"
                    : "; did you mean '" + near + "'?"));
}

}  // namespace

std::vector<PartAnswer> ask_part(LedgerFile& ledger, const std::string& name) {
  return ledger.use([&](Database& database) {
    const Transaction reading(database, "BEGIN");
    std::vector<std::int64_t> parts;
    Statement known(database, "SELECT part FROM known_as WHERE name = ?");
    known.with(name);
    while (known.next()) parts.push_back(known.integer(0));
    std::vector<PartAnswer> answers;
    for (const std::int64_t part : parts) {
      if (auto answer = answer_of(database, part)) answers.push_back(std::move(*answer));
    }
    if (answers.empty()) refuse_unknown(database, name);
    std::stable_sort(answers.begin(), answers.end(), [](const auto& a, const auto& b) {
      const double left = a.runs.front().run.began_seconds;
      const double right = b.runs.front().run.began_seconds;
      return left != right ? left > right : a.code < b.code;
    });
    return answers;
  });
}

}  // namespace rackproof::ledger
