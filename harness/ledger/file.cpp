#include "harness/ledger/file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "harness/index/own_file.hpp"
#include "harness/ledger/insert.hpp"
#include "harness/support/errors.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::ledger {
namespace {

using index::Database;
using index::IndexError;
using index::Statement;
using index::Transaction;

constexpr std::uint32_t kApplication = 0x52504C64;  // "RPLd", in the header of the file
constexpr std::int64_t kVersion = 3;                // of the tables and of what is in them
// Another one that adds holds the file for as long as it writes one report.
constexpr int kPatienceMilliseconds = 60'000;

constexpr const char* kTables[] = {
    "CREATE TABLE report(id INTEGER PRIMARY KEY, digest BLOB UNIQUE, path, run, began, began_s "
    "REAL, "
    "ended, evidence, evidence_s REAL, suite, rack, platform, acceptance, segments INTEGER, "
    "left_out "
    "INTEGER, left_out_hosts INTEGER, counts INTEGER)",
    "CREATE INDEX report_of_run ON report(run)",
    "CREATE INDEX report_at ON report(began_s)",
    "CREATE TABLE part(id INTEGER PRIMARY KEY, kind, code, UNIQUE(kind, code))",
    "CREATE TABLE known_as(name, part INTEGER, PRIMARY KEY(name, part)) WITHOUT ROWID",
    "CREATE TABLE stay(part INTEGER, report INTEGER, host, name, pci, serial, pass INTEGER, "
    "verified INTEGER, fail INTEGER, unjudged INTEGER, untested INTEGER, waived INTEGER, "
    "links INTEGER, isolating INTEGER, worst REAL, failed INTEGER, PRIMARY KEY(part, report)) "
    "WITHOUT ROWID",
    "CREATE INDEX stay_of_report ON stay(report)",
    "CREATE INDEX stay_failed ON stay(report, part) WHERE failed = 1",
    "CREATE TABLE quantity(id INTEGER PRIMARY KEY, step, metric, parameters, unit, "
    "UNIQUE(step, metric, parameters, unit))",
    "CREATE TABLE subject(id INTEGER PRIMARY KEY, kind, label, members, part INTEGER, peer "
    "INTEGER, "
    "UNIQUE(kind, label, members))",
    "CREATE INDEX subject_of_part ON subject(part)",
    "CREATE INDEX subject_of_peer ON subject(peer)",
    "CREATE TABLE cell(report INTEGER, subject INTEGER, quantity INTEGER, required INTEGER, "
    "outcome, "
    "observed REAL, low REAL, high REAL, PRIMARY KEY(report, subject, quantity)) WITHOUT ROWID",
    "CREATE TABLE failure(subject INTEGER, report INTEGER, quantity INTEGER, reason_id, reason, "
    "shortfall REAL, PRIMARY KEY(subject, report, quantity)) WITHOUT ROWID",
    "CREATE INDEX failure_of_report ON failure(report)",
    "CREATE TABLE waiver(subject INTEGER, report INTEGER, quantity INTEGER, reason, until, "
    "approved_by, ticket, PRIMARY KEY(subject, report, quantity)) WITHOUT ROWID",
    "CREATE TABLE finding(part INTEGER, report INTEGER, place INTEGER, id, severity, text, "
    "PRIMARY KEY(part, report, place)) WITHOUT ROWID",
    "CREATE INDEX finding_of_report ON finding(report)"};

void make_tables(Database& database) {
  Transaction writing(database, "BEGIN IMMEDIATE");
  // Another rackproof may have come in between.
  if (database.integer("PRAGMA application_id") == kApplication) return;
  for (const char* sql : kTables) database.execute(sql);
  // A pragma takes no values.
  database.execute(fmt::format("PRAGMA application_id = {}", kApplication).c_str());
  database.execute(fmt::format("PRAGMA user_version = {}", kVersion).c_str());
  writing.commit();
}

bool is_fresh(Database& database) {
  return database.integer("PRAGMA application_id") == 0 &&
         database.integer("PRAGMA user_version") == 0 &&
         database.integer("SELECT count(*) FROM sqlite_schema") == 0;
}

constexpr const char* kAnew = "rackproof fleet add --rebuild REPORTS makes it anew";

std::string ledger_text(const std::string& path) {
  return "ledger " + model::printable(path) + ": ";
}

}  // namespace

LedgerFile::LedgerFile(const std::string& path, Absent absent) : path_(path) {
  try {
    path_ = index::full_path(path);
    open(absent);
  } catch (const IndexError& error) {
    refuse(error);
  }
}

void LedgerFile::open(Absent absent) {
  if (!index::require_own_file(path_)) {
    if (absent == Absent::kRefuse) {
      throw support::UsageError(ledger_text(path_) +
                                "is not there; rackproof fleet add REPORTS makes it");
    }
    index::create_own_file(path_);
    if (!index::require_own_file(path_)) throw IndexError("went away");
  }
  database_ = std::make_unique<Database>(path_);
  database_->wait_for_others(kPatienceMilliseconds);
  if (absent == Absent::kMake && is_fresh(*database_)) make_tables(*database_);
  require_tables();
}

void LedgerFile::require_tables() {
  const Transaction reading(*database_, "BEGIN");
  if (database_->integer("PRAGMA application_id") != kApplication) {
    throw IndexError(is_fresh(*database_) ? "is empty" : "is a database of something else");
  }
  const std::int64_t version = database_->integer("PRAGMA user_version");
  if (version != kVersion) refuse_version(version);
}

void LedgerFile::refuse_version(std::int64_t version) const {
  const std::string seen = fmt::format("{}is of version {}, this rackproof has version {}; ",
                                       ledger_text(path_), version, kVersion);
  if (version > kVersion) {
    throw support::UsageError(seen + "use the newer rackproof, or another file with --ledger");
  }
  throw support::UsageError(seen + kAnew);
}

void LedgerFile::refuse(const IndexError& error) const {
  const std::string what = ledger_text(path_) + model::printable(error.what());
  throw support::UsageError(error.damaged ? what + "; " + kAnew : what);
}

bool LedgerFile::knows(const std::string& digest) {
  return use([&](Database& database) {
    return Statement(database, "SELECT 1 FROM report WHERE digest = ?").with(digest).next();
  });
}

bool LedgerFile::add(const Entry& entry) {
  return use([&](Database& database) {
    Transaction writing(database, "BEGIN IMMEDIATE");
    // Another one may have added it since it was asked for.
    if (Statement(database, "SELECT 1 FROM report WHERE digest = ?").with(entry.digest).next()) {
      return false;
    }
    insert(database, entry);
    writing.commit();
    return true;
  });
}

std::size_t LedgerFile::reports() {
  return use([](Database& database) {
    return static_cast<std::size_t>(database.integer("SELECT count(*) FROM report"));
  });
}

Rebuilt::Rebuilt(const std::string& path) {
  try {
    path_ = index::full_path(path);
    if (index::require_own_file(path_) && !index::is_database_of(path_, kApplication) &&
        std::filesystem::file_size(path_) > 0) {
      throw IndexError("is no ledger, and is left as it is");
    }
  } catch (const IndexError& error) {
    throw support::UsageError(ledger_text(path) + error.what());
  }
  beside_ = fmt::format("{}.new-{}", path_, getpid());
  file_ = std::make_unique<LedgerFile>(beside_, LedgerFile::Absent::kMake);
}

Rebuilt::~Rebuilt() {
  file_.reset();
  if (!beside_.empty()) index::discard_database(beside_, kApplication);
}

void Rebuilt::take_place() {
  file_.reset();
  std::error_code error;
  // It belongs to the old one, and would be written into the new one.
  std::filesystem::remove(path_ + "-journal", error);
  if (std::rename(beside_.c_str(), path_.c_str()) != 0) {
    throw support::UsageError(ledger_text(path_) + std::generic_category().message(errno));
  }
  beside_.clear();
}

}  // namespace rackproof::ledger
