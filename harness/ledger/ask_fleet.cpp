#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "harness/ledger/ask.hpp"
#include "harness/ledger/rows.hpp"
#include "harness/ledger/rules.hpp"
#include "reports/model/words.hpp"

namespace rackproof::ledger {
namespace {

using index::Database;
using index::Statement;
using index::Transaction;

#define RACKPROOF_LEDGER_REQUIRED \
  "(s.pass + s.verified + s.fail + s.unjudged + s.untested + s.waived + s.isolating > 0)"

constexpr const char* kFailed =
    "SELECT p.id, p.kind, p.code FROM part p WHERE p.id IN (SELECT s.part FROM stay s "
    "JOIN report r ON r.id = s.report WHERE s.failed = 1 AND r.counts = 1 AND r.began_s >= ?)";
constexpr const char* kRuns =
    "SELECT count(*), total(s.failed) FROM stay s JOIN report r ON r.id = s.report "
    "WHERE s.part = ? AND r.counts = 1 AND r.began_s >= ? AND " RACKPROOF_LEDGER_REQUIRED;
constexpr const char* kWorstReport =
    "SELECT r.id FROM stay s JOIN report r ON r.id = s.report "
    "WHERE s.part = ? AND s.fail > 0 AND r.counts = 1 AND r.began_s >= ? "
    "ORDER BY s.worst DESC, r.began_s DESC, r.digest DESC LIMIT 1";
constexpr const char* kLast =
    "SELECT " RACKPROOF_LEDGER_SIGHT
    " FROM stay s JOIN report r ON r.id = s.report "
    "WHERE s.part = ? AND r.counts = 1 AND r.began_s >= ? AND " RACKPROOF_LEDGER_REQUIRED
    " ORDER BY r.began_s DESC, r.digest DESC LIMIT 1";
constexpr const char* kWorstFailure =
    "SELECT " RACKPROOF_LEDGER_CELL
    ", f.reason_id, f.reason, f.shortfall FROM subject sub "
    "JOIN failure f ON f.subject = sub.id JOIN report r ON r.id = f.report "
    "JOIN quantity q ON q.id = f.quantity JOIN cell c ON c.report = f.report AND "
    "c.subject = f.subject AND c.quantity = f.quantity "
    "WHERE sub.part = ? AND sub.peer = 0 AND f.report = ? "
    "ORDER BY f.shortfall IS NOT NULL, f.shortfall DESC, q.step, q.metric, q.parameters LIMIT 1";
constexpr const char* kIsolating =
    "SELECT " RACKPROOF_LEDGER_RUN
    ", f.id, f.severity, f.text FROM finding f JOIN report r ON r.id = f.report "
    "WHERE f.part = ? AND f.severity = ? AND r.counts = 1 AND r.began_s >= ? "
    "ORDER BY r.began_s DESC, r.digest DESC, f.place LIMIT 1";
// With max() the other columns are those of the row that has it. What a run of an acceptance shows
// is as old as its oldest number.
constexpr const char* kLastOfHosts =
    "SELECT " RACKPROOF_LEDGER_RUN
    ", p.code, max(CASE WHEN length(?3) = 0 THEN r.began_s ELSE r.evidence_s END) FROM stay s JOIN "
    "report r ON r.id = s.report "
    "JOIN part p ON p.id = s.part WHERE p.kind = ?1 AND r.counts = 1 "
    "AND (length(?2) = 0 OR r.suite = ?2) AND (length(?3) = 0 OR r.acceptance = ?3) "
    "AND r.left_out <= ?4 GROUP BY p.id";
constexpr const char* kFailureGroups =
    "SELECT sub.kind, q.metric, f.reason_id, count(*), "
    "count(DISTINCT CASE WHEN sub.peer = 0 AND sub.part > 0 THEN sub.part ELSE -sub.id END), "
    "count(DISTINCT f.report), max(f.shortfall), max(r.began) FROM report r "
    "JOIN failure f ON f.report = r.id JOIN subject sub ON sub.id = f.subject "
    "JOIN quantity q ON q.id = f.quantity WHERE r.counts = 1 AND r.began_s >= ? "
    "GROUP BY sub.kind, q.metric, f.reason_id";
constexpr const char* kFindingGroups =
    "SELECT p.kind, f.id, count(*), count(DISTINCT f.part), count(DISTINCT f.report), "
    "max(r.began) FROM report r JOIN finding f ON f.report = r.id JOIN part p ON p.id = f.part "
    "WHERE r.counts = 1 AND r.began_s >= ? AND f.severity = ? GROUP BY p.kind, f.id";

/// The last run of each host; of those of a suite, of an acceptance and with at most so many steps
/// left out, where that is asked for.
std::map<std::string, RunRef> last_of_hosts(Database& database, const std::string& suite,
                                            std::string_view acceptance, std::int64_t left_out) {
  std::map<std::string, RunRef> last;
  Statement row(database, kLastOfHosts);
  row.with(contract::word(PartKind::kHost), suite, acceptance, left_out);
  while (row.next()) last.emplace(text_at(row, kRunColumns), run_at(row, 0));
  return last;
}

std::optional<RunRef> found(const std::map<std::string, RunRef>& all, const std::string& host) {
  const auto one = all.find(host);
  if (one == all.end()) return std::nullopt;
  return one->second;
}

std::size_t count_at(const Statement& row, int column) {
  return static_cast<std::size_t>(row.integer(column));
}

void complete(Database& database, std::int64_t part, double since, Worst& worst) {
  Statement last(database, kLast);
  if (last.with(part, since).next()) worst.last = sight_at(last, 0);
  Statement runs(database, kRuns);
  if (runs.with(part, since).next()) {
    worst.runs = count_at(runs, 0);
    worst.failed = count_at(runs, 1);
  }
  Statement report(database, kWorstReport);
  Statement failure(database, kWorstFailure);
  if (report.with(part, since).next() && failure.with(part, report.integer(0)).next()) {
    worst.worst = {cell_at(failure, 0), false, text_at(failure, kCellColumns),
                   text_at(failure, kCellColumns + 1), failure.real(kCellColumns + 2)};
    return;
  }
  Statement finding(database, kIsolating);
  if (finding.with(part, contract::word(model::Severity::kIsolate), since).next()) {
    worst.finding = {run_at(finding, 0), text_at(finding, kRunColumns),
                     word_at<model::Severity>(finding, kRunColumns + 1),
                     text_at(finding, kRunColumns + 2)};
  }
}

std::string kind_word(contract::SubjectKind kind) {
  switch (kind) {
    case contract::SubjectKind::kNode:
      return std::string(contract::word(PartKind::kHost));
    case contract::SubjectKind::kDevice:
      return std::string(contract::word(PartKind::kGpu));
    case contract::SubjectKind::kLink:
    case contract::SubjectKind::kGroup:
      break;
  }
  return std::string(contract::word(kind));
}

}  // namespace

std::vector<Worst> ask_worst(LedgerFile& ledger, double since) {
  return ledger.use([&](Database& database) {
    const Transaction reading(database, "BEGIN");
    std::vector<Worst> parts;
    Statement row(database, kFailed);
    row.with(since);
    while (row.next()) {
      Worst& worst = parts.emplace_back();
      worst.kind = word_at<PartKind>(row, 1);
      worst.code = text_at(row, 2);
      complete(database, row.integer(0), since, worst);
    }
    worst_first(parts);
    return parts;
  });
}

DueAnswer ask_due(LedgerFile& ledger, double oldest, const std::string& suite) {
  return ledger.use([&](Database& database) {
    const Transaction reading(database, "BEGIN");
    constexpr std::int64_t kAny = INT64_MAX;
    const auto accepted = contract::word(model::Acceptance::kAccepted);
    const auto last = last_of_hosts(database, "", "", kAny);
    const auto good = last_of_hosts(database, suite, accepted, kAny);
    const auto whole = last_of_hosts(database, suite, accepted, 0);
    DueAnswer answer;
    answer.hosts = last.size();
    for (const auto& [host, run] : last) {
      DueHost one{host, Due::kNever, run, found(good, host), found(whole, host)};
      const std::optional<Due> why = due_of(one, oldest);
      if (!why) continue;
      one.why = *why;
      answer.due.push_back(std::move(one));
    }
    longest_due_first(answer.due);
    return answer;
  });
}

FailuresAnswer ask_failures(LedgerFile& ledger, double since) {
  return ledger.use([&](Database& database) {
    const Transaction reading(database, "BEGIN");
    FailuresAnswer answer;
    Statement runs(database,
                   "SELECT count(*), total(acceptance = ?) FROM report "
                   "WHERE counts = 1 AND began_s >= ?");
    if (runs.with(contract::word(model::Acceptance::kRejected), since).next()) {
      answer.runs = count_at(runs, 0);
      answer.rejected = count_at(runs, 1);
    }
    Statement cells(database, kFailureGroups);
    cells.with(since);
    while (cells.next()) {
      answer.groups.push_back({kind_word(word_at<contract::SubjectKind>(cells, 0)),
                               text_at(cells, 1), text_at(cells, 2), count_at(cells, 3),
                               count_at(cells, 4), count_at(cells, 5), cells.real(6),
                               text_at(cells, 7)});
    }
    Statement findings(database, kFindingGroups);
    findings.with(since, contract::word(model::Severity::kIsolate));
    while (findings.next()) {
      answer.groups.push_back({text_at(findings, 0), "", text_at(findings, 1),
                               count_at(findings, 2), count_at(findings, 3), count_at(findings, 4),
                               std::nullopt, text_at(findings, 5)});
    }
    std::sort(answer.groups.begin(), answer.groups.end(), [](const auto& a, const auto& b) {
      if (a.cells != b.cells) return a.cells > b.cells;
      return std::tie(a.kind, a.metric, a.id) < std::tie(b.kind, b.metric, b.id);
    });
    return answer;
  });
}

}  // namespace rackproof::ledger
