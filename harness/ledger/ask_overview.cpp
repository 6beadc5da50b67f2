#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "harness/ledger/overview.hpp"
#include "harness/ledger/rows.hpp"
#include "harness/ledger/rules.hpp"
#include "reports/model/words.hpp"

namespace rackproof::ledger {
namespace {

using index::Database;
using index::Statement;
using index::Transaction;
using model::Outcome;

constexpr const char* kAllRuns =
    "SELECT " RACKPROOF_LEDGER_RUN
    ", r.id, CASE WHEN length(r.rack) > 0 THEN r.rack ELSE (SELECT min(s.host) FROM stay s WHERE "
    "s.report = r.id) END, r.left_out_hosts FROM report r WHERE r.counts = 1 AND r.began_s >= ? "
    "ORDER BY r.began_s DESC, r.digest DESC";
constexpr const char* kPartsOfRun =
    "SELECT " RACKPROOF_LEDGER_STAY
    ", p.kind, p.code FROM stay s JOIN part p ON p.id = s.part WHERE s.report = ?";
// Those that end first first; those without an end last.
constexpr const char* kWaiversOfRun =
    "SELECT w.reason, w.until, w.approved_by, w.ticket, min(q.metric), count(DISTINCT q.metric), "
    "min(sub.label), count(DISTINCT sub.id), count(*) FROM waiver w "
    "JOIN subject sub ON sub.id = w.subject JOIN quantity q ON q.id = w.quantity "
    "WHERE w.report = ? GROUP BY w.reason, w.until, w.approved_by, w.ticket "
    "ORDER BY length(w.until) = 0, w.until, w.reason, w.approved_by, w.ticket";
// With max() the other columns are those of the row that has it: where the part was last.
constexpr const char* kLostOrMoved =
    "SELECT x.id, EXISTS (SELECT 1 FROM part h JOIN stay s ON s.part = h.id JOIN report r ON "
    "r.id = s.report WHERE h.kind = ?2 AND h.code = x.host AND r.counts = 1 AND r.began_s > "
    "x.last) AS lost FROM (SELECT p.id, p.kind, p.code, s.host, max(r.began_s) AS last, "
    "total(s.failed) AS failed, min(s.host) <> max(s.host) OR "
    "min(CASE WHEN length(s.name) > 0 THEN s.name END) <> max(s.name) AS moved "
    "FROM stay s JOIN report r ON r.id = s.report JOIN part p ON p.id = s.part "
    "WHERE r.counts = 1 AND r.began_s >= ?1 AND p.kind <> ?2 GROUP BY p.id) x "
    "WHERE x.failed = 0 AND (lost OR x.moved) ORDER BY lost DESC, x.kind, x.code";
constexpr const char* kHostSeenAfter =
    "SELECT r.began, min(r.began_s) FROM part p JOIN stay s ON s.part = p.id JOIN report r ON "
    "r.id = s.report WHERE p.kind = ? AND p.code = ? AND r.counts = 1 AND r.began_s > ?";
constexpr const char* kRunsOfPart =
    "SELECT r.began_s, r.began, r.rack, " RACKPROOF_LEDGER_STAY
    " FROM stay s JOIN report r ON r.id = s.report "
    "WHERE s.part = ? AND r.counts = 1 AND r.began_s >= ? ORDER BY r.began_s DESC, r.digest DESC";
constexpr const char* kHeir =
    "SELECT p.code, r.began, min(r.began_s) FROM known_as k JOIN part p ON p.id = k.part "
    "JOIN stay s ON s.part = p.id JOIN report r ON r.id = s.report "
    "WHERE k.name = ?1 AND k.part <> ?2 AND p.kind = ?3 AND s.host = ?4 AND s.name = ?5 "
    "AND r.counts = 1 AND r.began_s > ?6 GROUP BY p.id ORDER BY 3, 1 LIMIT 1";

std::size_t size_at(const Statement& row, int column) {
  return static_cast<std::size_t>(row.integer(column));
}

std::vector<PartThen> parts_of(Statement& row, std::int64_t report) {
  std::vector<PartThen> parts;
  row.with(report);
  while (row.next()) {
    Sight sight;
    read_stay(row, 0, sight);
    parts.push_back({word_at<PartKind>(row, kStayColumns), text_at(row, kStayColumns + 1),
                     std::move(sight.place), outcome_of(sight.tally)});
  }
  return parts;
}

std::optional<std::size_t> run_before(const Line& line, const std::vector<std::size_t>& left_out) {
  if (line.runs.size() < 2) return std::nullopt;
  const auto whole = std::find_if(line.runs.begin() + 1, line.runs.end(),
                                  [&](std::size_t run) { return left_out[run] == 0; });
  return whole == line.runs.end() ? line.runs[1] : *whole;
}

std::vector<OpenWaiver> waivers_of(Statement& row, std::int64_t report) {
  std::vector<OpenWaiver> waivers;
  row.with(report);
  while (row.next()) {
    waivers.push_back({text_at(row, 0), text_at(row, 1), text_at(row, 2), text_at(row, 3),
                       text_at(row, 4), size_at(row, 5), text_at(row, 6), size_at(row, 7),
                       size_at(row, 8)});
  }
  return waivers;
}

/// Asks of one part after the other.
class PartHistories {
 public:
  PartHistories(Database& database, double since)
      : since_(since),
        part_(database, "SELECT kind, code FROM part WHERE id = ?"),
        runs_(database, kRunsOfPart),
        seen_after_(database, kHostSeenAfter),
        heir_(database, kHeir) {}

  PartHistory of(std::int64_t id) {
    PartHistory history;
    part_.with(id);
    if (part_.next()) {
      history.kind = word_at<PartKind>(part_, 0);
      history.code = text_at(part_, 1);
    }
    std::vector<Sight> sights;
    runs_.with(id, since_);
    while (runs_.next()) {
      Sight& sight = sights.emplace_back();
      sight.run.began_seconds = runs_.real(0).value_or(0);
      sight.run.began_utc = text_at(runs_, 1);
      sight.run.rack = text_at(runs_, 2);
      read_stay(runs_, 3, sight);
      history.runs.push_back(
          {sight.run.began_seconds, sight.run.began_utc, outcome_of(sight.tally)});
    }
    history.stays = stays_of(sights);
    if (history.kind != PartKind::kHost && !sights.empty()) {
      add_loss(sights.front(), history);
      add_heir(id, sights.front(), history);
    }
    return history;
  }

 private:
  void add_loss(const Sight& last, PartHistory& history) {
    seen_after_.with(contract::word(PartKind::kHost), last.place.host, last.run.began_seconds);
    if (seen_after_.next()) history.lost_utc = text_at(seen_after_, 0);
  }

  void add_heir(std::int64_t id, const Sight& last, PartHistory& history) {
    const std::string name = name_of(history.kind, last.place);
    heir_.with(name, id, contract::word(history.kind), last.place.host, last.place.name,
               last.run.began_seconds);
    if (!heir_.next()) return;
    history.heir = text_at(heir_, 0);
    history.heir_utc = text_at(heir_, 1);
  }

  double since_;
  Statement part_;
  Statement runs_;
  Statement seen_after_;
  Statement heir_;
};

}  // namespace

Overview ask_overview(LedgerFile& ledger, double since) {
  return ledger.use([&](Database& database) {
    const Transaction reading(database, "BEGIN");
    Overview overview;
    std::vector<std::int64_t> reports;
    std::vector<std::size_t> left_out;  // hosts, by run
    std::map<std::pair<std::string, std::string>, Line> lines;
    Statement runs(database, kAllRuns);
    runs.with(since);
    while (runs.next()) {
      const RunRef& run = overview.runs.emplace_back(run_at(runs, 0));
      reports.push_back(runs.integer(kRunColumns));
      left_out.push_back(size_at(runs, kRunColumns + 2));
      lines[{text_at(runs, kRunColumns + 1), run.suite}].runs.push_back(reports.size() - 1);
    }
    Statement parts(database, kPartsOfRun);
    Statement waivers(database, kWaiversOfRun);
    for (auto& [key, line] : lines) {
      line.rack = key.first;
      line.suite = key.second;
      line.left_out_hosts = left_out[line.runs.front()];
      line.before = run_before(line, left_out);
      const RunThen now = {parts_of(parts, reports[line.runs.front()]), line.left_out_hosts == 0};
      for (const PartThen& part : now.parts) {
        if (part.kind == PartKind::kHost) ++line.hosts;
        if (part.kind == PartKind::kGpu) ++line.gpus;
      }
      if (line.before) {
        line.changes = changes_between(
            {parts_of(parts, reports[*line.before]), left_out[*line.before] == 0}, now);
      }
      line.waivers = waivers_of(waivers, reports[line.runs.front()]);
      overview.lines.push_back(std::move(line));
    }
    return overview;
  });
}

Histories ask_histories(LedgerFile& ledger, double since, const std::vector<Worst>& worst,
                        std::size_t most) {
  return ledger.use([&](Database& database) {
    const Transaction reading(database, "BEGIN");
    Histories answer;
    PartHistories histories(database, since);
    Statement known(database, "SELECT id FROM part WHERE kind = ? AND code = ?");
    for (const Worst& part : worst) {
      if (answer.parts.size() == most) break;
      // One that is not known any more has no history; its place is kept.
      const bool is_known = known.with(contract::word(part.kind), part.code).next();
      answer.parts.push_back(is_known ? histories.of(known.integer(0)) : PartHistory{});
      answer.parts.back().worst = part;
    }
    answer.left_out = worst.size() - answer.parts.size();
    Statement others(database, kLostOrMoved);
    others.with(since, contract::word(PartKind::kHost));
    while (others.next()) {
      if (answer.parts.size() < most) {
        answer.parts.push_back(histories.of(others.integer(0)));
      } else {
        ++answer.left_out;
      }
    }
    return answer;
  });
}

}  // namespace rackproof::ledger
