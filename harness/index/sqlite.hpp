#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

struct sqlite3;
struct sqlite3_stmt;

namespace rackproof::index {

/// The index cannot be used.
struct IndexError : std::runtime_error {
  explicit IndexError(const std::string& what, bool is_damaged = false)
      : std::runtime_error(what), damaged(is_damaged) {}
  bool damaged;  ///< what is in the file is wrong: another in its place would do
};

/// A connection to an SQLite file that may hold anything: nothing in it is executed.
class Database {
 public:
  /// Opens a file that is there, for reading alone when it cannot be written. Throws IndexError.
  explicit Database(const std::string& path);
  /// How long a call waits for other programs that write; a second unless it is said.
  void wait_for_others(int milliseconds);
  void execute(const char* sql);
  std::int64_t integer(const char* sql);
  bool read_only() const;
  /// Throws IndexError for what the last call said.
  [[noreturn]] void fail() const;
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  std::unique_ptr<sqlite3, Close> handle_;
};

/// One statement, prepared once; values are bound, never part of its text.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  /// Forgets the last result and the values, and takes these: whole numbers, numbers (NULL for one
  /// that is not there), and texts as blobs, which have to outlive it.
  template <class... Values>
  Statement& with(const Values&... values) {
    reset();
    int place = 0;
    (put(++place, values), ...);
    return *this;
  }
  /// Steps to the next row; false: there is none.
  bool next();
  /// Steps to the end.
  void run() {
    while (next()) continue;
  }
  /// Of the row; valid until the next step.
  std::string_view bytes(int column) const;
  std::int64_t integer(int column) const;
  /// Nothing for NULL.
  std::optional<double> real(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const;
  };
  void reset();
  template <class T>
  void put(int place, const T& value) {
    if constexpr (std::is_integral_v<T>) {
      bind(place, static_cast<std::int64_t>(value));
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      bind(place, std::string_view(value));
    } else {
      bind(place, std::optional<double>(value));
    }
  }
  void bind(int place, std::string_view value);
  void bind(int place, std::int64_t value);
  void bind(int place, std::optional<double> value);

  Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

/// Rolls back what is not committed.
class Transaction {
 public:
  Transaction(Database& database, const char* begin);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace rackproof::index
