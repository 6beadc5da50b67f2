#include "harness/ledger/insert.hpp"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "reports/model/utc.hpp"
#include "reports/model/words.hpp"

namespace rackproof::ledger {
namespace {

using index::Database;
using index::Statement;
using model::Outcome;

using Ids = std::vector<std::int64_t>;

class Insert {
 public:
  Insert(Database& database, const Entry& entry) : database_(database), entry_(entry) {}

  void all() {
    add_report();
    add_parts();
    add_subjects();
    add_quantities();
    add_cells();
    add_failures();
    add_waivers();
    add_findings();
    choose_report();
  }

 private:
  /// The number of what `find` finds with these values; added by `add` where it is not there.
  template <class... Values>
  std::int64_t id_of(Statement& find, Statement& add, const Values&... values) {
    if (find.with(values...).next()) return find.integer(0);
    add.with(values...).run();
    return last_id();
  }

  std::int64_t last_id() { return database_.integer("SELECT last_insert_rowid()"); }

  void add_report() {
    Statement(
        database_,
        "INSERT INTO report(digest, path, run, began, began_s, ended, evidence, evidence_s, suite, "
        "rack, platform, acceptance, segments, left_out, left_out_hosts, counts) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)")
        .with(entry_.digest, entry_.path, entry_.run, entry_.began_utc,
              model::unix_seconds(entry_.began_utc).value_or(0), entry_.ended_utc,
              entry_.evidence_utc, model::unix_seconds(entry_.evidence_utc).value_or(0),
              entry_.suite, entry_.rack, entry_.platform, contract::word(entry_.acceptance),
              entry_.segments, entry_.left_out, entry_.left_out_hosts)
        .run();
    report_ = last_id();
  }

  void add_parts() {
    Statement known(database_, "SELECT id FROM part WHERE kind = ? AND code = ?");
    Statement add(database_, "INSERT INTO part(kind, code) VALUES(?, ?)");
    Statement stay(database_,
                   "INSERT INTO stay VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const PartSeen& part : entry_.parts) {
      const std::int64_t id = id_of(known, add, contract::word(part.kind), part.code);
      parts_.push_back(id);
      const Place& at = part.place;
      const model::Counts& own = part.tally.required;
      stay.with(id, report_, at.host, at.name, at.pci, at.serial, own.pass, own.verified, own.fail,
                own.unjudged, own.untested, own.waived, part.tally.failed_links,
                part.tally.isolating, part.tally.worst, outcome_of(part.tally) == Outcome::kFail)
          .run();
      add_names(id, part);
    }
  }

  // All by which people may ask for it.
  void add_names(std::int64_t id, const PartSeen& part) {
    std::set<std::string> names = {part.code, part.place.serial, name_of(part.kind, part.place)};
    if (part.kind != PartKind::kHost) {
      names.insert(part.place.host + "/" + part.code);
      if (!part.place.name.empty()) names.insert(part.place.host + "/" + part.place.name);
    }
    names.erase("");
    Statement add(database_, "INSERT OR IGNORE INTO known_as VALUES(?, ?)");
    for (const std::string& name : names) add.with(name, id).run();
  }

  std::int64_t part_id(const std::optional<std::size_t>& part) const {
    return part ? parts_[*part] : 0;
  }

  void add_subjects() {
    Statement known(database_,
                    "SELECT id FROM subject WHERE kind = ? AND label = ? AND members = ?");
    Statement add(database_,
                  "INSERT INTO subject(kind, label, members, part, peer) VALUES(?, ?, ?, ?, ?)");
    for (const SubjectSeen& subject : entry_.subjects) {
      const auto kind = contract::word(subject.kind);
      if (known.with(kind, subject.label, subject.members).next()) {
        subjects_.push_back(known.integer(0));
        continue;
      }
      add.with(kind, subject.label, subject.members, part_id(subject.part), part_id(subject.peer))
          .run();
      subjects_.push_back(last_id());
    }
  }

  void add_quantities() {
    Statement known(database_,
                    "SELECT id FROM quantity WHERE step = ? AND metric = ? AND parameters = ? AND "
                    "unit = ?");
    Statement add(database_,
                  "INSERT INTO quantity(step, metric, parameters, unit) VALUES(?, ?, ?, ?)");
    for (const Quantity& one : entry_.quantities) {
      quantities_.push_back(id_of(known, add, one.step, one.metric, one.parameters, one.unit));
    }
  }

  void add_cells() {
    Statement add(database_, "INSERT INTO cell VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    for (const CellSeen& cell : entry_.cells) {
      add.with(report_, subjects_[cell.subject], quantities_[cell.quantity], cell.required,
               contract::word(cell.outcome), cell.observed, cell.low, cell.high)
          .run();
    }
  }

  void add_failures() {
    Statement add(database_, "INSERT INTO failure VALUES(?, ?, ?, ?, ?, ?)");
    for (const FailureSeen& one : entry_.failures) {
      const CellSeen& cell = entry_.cells[one.cell];
      add.with(subjects_[cell.subject], report_, quantities_[cell.quantity], one.reason_id,
               one.reason, one.shortfall)
          .run();
    }
  }

  void add_waivers() {
    Statement add(database_, "INSERT INTO waiver VALUES(?, ?, ?, ?, ?, ?, ?)");
    for (const WaiverSeen& one : entry_.waivers) {
      const CellSeen& cell = entry_.cells[one.cell];
      add.with(subjects_[cell.subject], report_, quantities_[cell.quantity], one.reason, one.until,
               one.approved_by, one.ticket)
          .run();
    }
  }

  void add_findings() {
    Statement add(database_, "INSERT INTO finding VALUES(?, ?, ?, ?, ?, ?)");
    std::int64_t place = 0;
    for (const FindingSeen& one : entry_.findings) {
      add.with(parts_[one.part], report_, place++, one.id, contract::word(one.severity), one.text)
          .run();
    }
  }

  // By what the reports say and not by when they came, so that it is the same in a new ledger.
  void choose_report() {
    Statement best(database_,
                   "SELECT id FROM report WHERE run = ? "
                   "ORDER BY segments DESC, ended DESC, digest DESC LIMIT 1");
    if (!best.with(entry_.run).next()) return;
    Statement(database_, "UPDATE report SET counts = (id = ?) WHERE run = ?")
        .with(best.integer(0), entry_.run)
        .run();
  }

  Database& database_;
  const Entry& entry_;
  std::int64_t report_ = 0;
  Ids parts_;
  Ids subjects_;
  Ids quantities_;
};

}  // namespace

void insert(Database& database, const Entry& entry) { Insert(database, entry).all(); }

}  // namespace rackproof::ledger
