#pragma once

#include <memory>
#include <string>

#include "harness/index/sqlite.hpp"
#include "harness/ledger/entry.hpp"

namespace rackproof::ledger {

/// The SQLite file of a ledger. A cache of reports: it may be deleted at any time. Opened only
/// where its user or root own it and nobody else may write it or its folder. What is wrong with it
/// is a UsageError that says what to do: so for a newer and an older version of its tables, and for
/// a damaged file.
class LedgerFile {
 public:
  /// What to do where there is no file.
  enum class Absent { kMake, kRefuse };

  LedgerFile(const std::string& path, Absent absent);

  /// Whether a report of this digest is in it.
  bool knows(const std::string& digest);
  /// Adds what a report says, whole or not at all. False: it was in it already.
  bool add(const Entry& entry);
  /// How many reports it has.
  std::size_t reports();

  /// Calls work(database). What SQLite complains of becomes a UsageError.
  template <class Work>
  auto use(Work&& work) {
    try {
      return work(*database_);
    } catch (const index::IndexError& error) {
      refuse(error);
    }
  }

 private:
  void open(Absent absent);
  void require_tables();
  [[noreturn]] void refuse(const index::IndexError& error) const;
  [[noreturn]] void refuse_version(std::int64_t version) const;

  std::string path_;
  std::unique_ptr<index::Database> database_;
};

/// Makes a new ledger beside the one at `path` and, when it is done, puts it in its place. Until
/// then, and where the new one is let go without it, the old one is as it was.
class Rebuilt {
 public:
  /// Throws UsageError where `path` is a file that is no ledger.
  explicit Rebuilt(const std::string& path);
  Rebuilt(const Rebuilt&) = delete;
  Rebuilt& operator=(const Rebuilt&) = delete;
  ~Rebuilt();

  LedgerFile& file() { return *file_; }
  void take_place();

 private:
  std::string path_;
  std::string beside_;
  std::unique_ptr<LedgerFile> file_;
};

}  // namespace rackproof::ledger
