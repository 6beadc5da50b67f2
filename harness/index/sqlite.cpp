#include "harness/index/sqlite.hpp"

#include <sqlite3.h>

#include <utility>

namespace rackproof::index {
namespace {

constexpr int kBusyMilliseconds = 1000;
constexpr int kLongest = 256 << 20;

bool is_damage(int code) {
  // An SQL error: the tables are not those that the file's own mark promises.
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR ||
         code == SQLITE_MISMATCH;
}

}  // namespace

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
void Statement::Finalize::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

Database::Database(const std::string& path) {
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail();
  for (const auto& [option, value] :
       {std::pair(SQLITE_DBCONFIG_DEFENSIVE, 1), std::pair(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        std::pair(SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), std::pair(SQLITE_DBCONFIG_ENABLE_VIEW, 0)}) {
    if (sqlite3_db_config(handle, option, value, nullptr) != SQLITE_OK) fail();
  }
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kLongest);
  sqlite3_busy_timeout(handle, kBusyMilliseconds);
  execute("PRAGMA cell_size_check = ON");
  execute("PRAGMA temp_store = MEMORY");
  execute("PRAGMA synchronous = NORMAL");
}

void Database::fail() const {
  if (!handle_) throw IndexError("no memory for SQLite");
  const int code = sqlite3_errcode(handle_.get()) & 255;
  throw IndexError(sqlite3_errmsg(handle_.get()), is_damage(code));
}

void Database::wait_for_others(int milliseconds) {
  sqlite3_busy_timeout(handle_.get(), milliseconds);
}

bool Database::read_only() const { return sqlite3_db_readonly(handle_.get(), "main") == 1; }

void Database::execute(const char* sql) { Statement(*this, sql).run(); }

std::int64_t Database::integer(const char* sql) {
  Statement statement(*this, sql);
  return statement.next() ? statement.integer(0) : 0;
}

Statement::Statement(Database& database, const char* sql) : database_(database) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v2(database.handle(), sql, -1, &handle, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) database.fail();
}

void Statement::reset() {
  sqlite3_reset(handle_.get());
  sqlite3_clear_bindings(handle_.get());
}

void Statement::bind(int place, std::string_view value) {
  // A null pointer would bind NULL.
  const char* bytes = value.empty() ? "" : value.data();
  const int code = sqlite3_bind_blob64(handle_.get(), place, bytes, value.size(), nullptr);
  if (code != SQLITE_OK) database_.fail();
}

void Statement::bind(int place, std::int64_t value) {
  if (sqlite3_bind_int64(handle_.get(), place, value) != SQLITE_OK) database_.fail();
}

void Statement::bind(int place, std::optional<double> value) {
  const int code = value ? sqlite3_bind_double(handle_.get(), place, *value)
                         : sqlite3_bind_null(handle_.get(), place);
  if (code != SQLITE_OK) database_.fail();
}

bool Statement::next() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail();
  return false;
}

std::string_view Statement::bytes(int column) const {
  const void* bytes = sqlite3_column_blob(handle_.get(), column);
  const int size = sqlite3_column_bytes(handle_.get(), column);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

std::optional<double> Statement::real(int column) const {
  if (sqlite3_column_type(handle_.get(), column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_double(handle_.get(), column);
}

Transaction::Transaction(Database& database, const char* begin) : database_(database) {
  database_.execute(begin);
}

Transaction::~Transaction() {
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace rackproof::index
