#include "harness/index/sqlite.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/index/folder.hpp"

namespace rackproof::index {
namespace {

using index_test::Folder;

TEST_CASE("values are bound and never part of the text") {
  const Folder folder;
  Database database(folder.write("data", ""));
  database.execute("CREATE TABLE t(a BLOB, b BLOB)");
  const std::string hostile("'); DROP TABLE t; --\0x", 22);
  Statement insert(database, "INSERT INTO t VALUES(?, ?)");
  insert.with(hostile, "").run();
  insert.with("", hostile).run();
  Statement select(database, "SELECT a, b FROM t WHERE a = ?");
  REQUIRE(select.with(hostile).next());
  CHECK(select.bytes(0) == hostile);
  CHECK(select.bytes(1).empty());
  CHECK_FALSE(select.next());
  CHECK(database.integer("SELECT count(*) FROM t WHERE b = x''") == 1);
}

TEST_CASE("numbers come back as they went in and one that is not there as none") {
  const Folder folder;
  Database database(folder.write("data", ""));
  database.execute("CREATE TABLE t(a INTEGER, b REAL, c REAL)");
  constexpr std::int64_t kLarge = -(std::int64_t{1} << 62);
  Statement(database, "INSERT INTO t VALUES(?, ?, ?)")
      .with(kLarge, 0.1, std::optional<double>())
      .run();
  Statement select(database, "SELECT a, b, c FROM t WHERE a < ?");
  REQUIRE(select.with(0).next());
  CHECK(select.integer(0) == kLarge);
  CHECK(select.real(1) == 0.1);
  CHECK(select.real(2) == std::nullopt);
}

TEST_CASE("what is not committed is undone") {
  const Folder folder;
  Database database(folder.write("data", ""));
  database.execute("CREATE TABLE t(a BLOB)");
  {
    const Transaction transaction(database, "BEGIN IMMEDIATE");
    database.execute("INSERT INTO t VALUES(1)");
  }
  CHECK(database.integer("SELECT count(*) FROM t") == 0);
  Transaction transaction(database, "BEGIN IMMEDIATE");
  database.execute("INSERT INTO t VALUES(1)");
  transaction.commit();
  CHECK(database.integer("SELECT count(*) FROM t") == 1);
}

TEST_CASE("a file that is no database is an error that says so") {
  const Folder folder;
  const std::string path = folder.write("data", std::string(5000, 'x'));
  const auto open = [&] { Database(path).integer("PRAGMA application_id"); };
  CHECK_THROWS_WITH(open(), Catch::Contains("not a database"));
  CHECK_THROWS_AS(Database(folder / "nothing"), IndexError);
}

TEST_CASE("what a file defines is not executed") {
  const Folder folder;
  Database database(folder.write("data", ""));
  for (const char* sql :
       {"CREATE TABLE t(a BLOB)", "CREATE TABLE u(a BLOB)", "CREATE VIEW v AS SELECT * FROM t",
        "CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO u VALUES(1); END"}) {
    database.execute(sql);
  }
  database.execute("INSERT INTO t VALUES(1)");
  CHECK(database.integer("SELECT count(*) FROM u") == 0);
  CHECK_THROWS_AS(database.execute("SELECT * FROM v"), IndexError);
}

}  // namespace
}  // namespace rackproof::index
