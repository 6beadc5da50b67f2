#include "harness/index/sample_index.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>

#include "harness/support/digest.hpp"
#include "tests/unit/compare/fleet.hpp"
#include "tests/unit/index/folder.hpp"

namespace rackproof::index {
namespace {

using index_test::content_of;
using index_test::Folder;

const std::string kContext = "context";

compare::Sample sample_of_night(std::uint32_t night) {
  compare::Sample sample = compare_test::sample_of({.devices = 4, .quantities = 2}, night);
  sample.name.clear();
  return sample;
}

Content content_of_night(std::uint32_t night) {
  return {support::sha256(std::to_string(night)), "stamp" + std::to_string(night)};
}

void in_turn(std::size_t count, const std::function<void(std::size_t)>& work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
}

std::optional<compare::Sample> found(SampleIndex& index, std::uint32_t night) {
  return index.find({content_of_night(night).digest}, in_turn).at(0);
}

// Files that are there, so that nothing is dropped.
struct Nights : Folder {
  std::string file(std::uint32_t night) const { return *this / std::to_string(night); }
  std::string index() const { return *this / "index"; }
  void add(SampleIndex& to, std::uint32_t night) const {
    write(std::to_string(night), "");
    to.add(file(night), content_of_night(night), sample_of_night(night));
  }
  void make(std::uint32_t count) const {
    SampleIndex to(index(), kContext);
    for (std::uint32_t night = 0; night < count; ++night) add(to, night);
    to.finish();
  }
};

std::int64_t rows(const Nights& nights, const char* sql) {
  Database database(nights.index());
  return database.integer(sql);
}

TEST_CASE("a sample that was added is found by its content alone") {
  const Nights nights;
  nights.make(3);
  SampleIndex index(nights.index(), kContext);
  for (std::uint32_t night = 0; night < 3; ++night) {
    CHECK(found(index, night) == sample_of_night(night));
    CHECK(index.digest_of(nights.file(night), content_of_night(night).stamp) ==
          content_of_night(night).digest);
  }
  CHECK(index.digest_of(nights.file(1), "another stamp").empty());
  CHECK(index.digest_of(nights.file(1), "").empty());
  CHECK(index.digest_of("another file", "stamp1").empty());
  CHECK_FALSE(found(index, 3));
  CHECK_FALSE(index.find({""}, in_turn).at(0));
  struct stat status {};
  REQUIRE(stat(nights.index().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("nothing is written by who only looks") {
  const Nights nights;
  {
    SampleIndex index(nights.index(), kContext);
    CHECK_FALSE(found(index, 0));
    index.finish();
  }
  CHECK_FALSE(std::filesystem::exists(nights.index()));
  nights.make(2);
  const std::string before = content_of(nights.index());
  SampleIndex index(nights.index(), kContext);
  for (std::uint32_t night = 0; night < 2; ++night) {
    index.digest_of(nights.file(night), content_of_night(night).stamp);
    index.saw(nights.file(night), content_of_night(night));
  }
  index.finish();
  CHECK(content_of(nights.index()) == before);
}

TEST_CASE("an index of another program or table is not believed and replaced") {
  config::ComparisonRules table(1);
  table[0].fact = "driver";
  const std::string context = context_of("a", table);
  CHECK(context_of("a", table) == context);
  CHECK(context_of("b", table) != context);
  table[0].must = config::ComparisonRule::Must::kDiffer;
  CHECK(context_of("a", table) != context);
  const Nights nights;
  nights.make(2);
  {
    SampleIndex other(nights.index(), "other");
    CHECK_FALSE(found(other, 0));
    CHECK(other.digest_of(nights.file(0), "stamp0").empty());
    nights.add(other, 5);
    other.finish();
  }
  CHECK(rows(nights, "SELECT count(*) FROM report") == 1);
  SampleIndex index(nights.index(), kContext);
  CHECK_FALSE(found(index, 0));
  CHECK_FALSE(found(index, 5));
}

TEST_CASE("rows of another context are not believed whatever the file says of itself") {
  const Nights nights;
  nights.make(1);
  std::int64_t version = rows(nights, "PRAGMA user_version");
  {
    SampleIndex other(nights.index(), "other");
    nights.add(other, 1);
    other.finish();
  }
  Database(nights.index()).execute(("PRAGMA user_version = " + std::to_string(version)).c_str());
  SampleIndex index(nights.index(), kContext);
  CHECK_FALSE(found(index, 1));
  CHECK(index.digest_of(nights.file(1), "stamp1").empty());
}

TEST_CASE("reports that went away or changed are dropped") {
  const Nights nights;
  nights.make(4);
  std::filesystem::remove(nights.file(2));
  SampleIndex index(nights.index(), kContext);
  index.saw(nights.file(0), content_of_night(0));
  index.add(nights.file(1), content_of_night(9), sample_of_night(9));
  index.finish();  // 3 was not looked at, and is still there
  CHECK(found(index, 0));
  CHECK_FALSE(found(index, 1));
  CHECK_FALSE(found(index, 2));
  CHECK(found(index, 3));
  CHECK(found(index, 9));
  CHECK(rows(nights, "SELECT count(*) FROM file") == 3);
  CHECK(rows(nights, "SELECT count(*) FROM part") == 2);
  for (const std::uint32_t night : {0U, 1U, 3U}) std::filesystem::remove(nights.file(night));
  SampleIndex(nights.index(), kContext).finish();
  CHECK(rows(nights, "SELECT count(*) FROM part") == 0);
}

// What an index in any state may say: what is true, or nothing.
void require_honest(const Nights& nights) {
  try {
    SampleIndex index(nights.index(), kContext);
    const std::string digest = index.digest_of(nights.file(0), "stamp0");
    REQUIRE((digest.empty() || digest == content_of_night(0).digest));
    for (std::uint32_t night = 0; night < 2; ++night) {
      const auto sample = found(index, night);
      REQUIRE((!sample || *sample == sample_of_night(night)));
    }
  } catch (const IndexError&) {  // NOLINT(bugprone-empty-catch): one of the good endings
  }
}

TEST_CASE("whichever byte of the file is changed no wrong sample comes out") {
  const Nights nights;
  nights.make(2);
  const std::string whole = content_of(nights.index());
  std::size_t at = 0;
  for (std::uint32_t step = 1; at < whole.size(); at += 23 + step++ % 29) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ (1 << step % 8));
    nights.write("index", changed);
    chmod(nights.index().c_str(), 0600);
    INFO("byte " << at);
    require_honest(nights);
  }
}

TEST_CASE("a file that ends anywhere gives no wrong sample and is made anew") {
  const Nights nights;
  nights.make(2);
  const std::string whole = content_of(nights.index());
  for (std::size_t size = 0; size < whole.size(); size += 1021) {
    nights.write("index", whole.substr(0, size));
    chmod(nights.index().c_str(), 0600);
    INFO("size " << size);
    require_honest(nights);
    if (size < 100) continue;
    CHECK(discard(nights.index()));
    CHECK_FALSE(std::filesystem::exists(nights.index()));
  }
}

TEST_CASE("what is no index is refused and left alone") {
  const Nights nights;
  const auto open = [&] { SampleIndex(nights.index(), kContext); };
  const auto refused = [&](const char* why) {
    const std::string before = content_of(nights.index());
    CHECK_THROWS_WITH(open(), Catch::Contains(why));
    CHECK_FALSE(discard(nights.index()));
    CHECK(content_of(nights.index()) == before);
  };
  nights.write("index", "{\"a\": 1}");
  chmod(nights.index().c_str(), 0600);
  refused("not a database");
  std::filesystem::remove(nights.index());
  Database(nights.write("index", "")).execute("CREATE TABLE precious(a)");
  chmod(nights.index().c_str(), 0600);
  refused("something else");
  std::filesystem::remove(nights.index());
  REQUIRE(mkfifo(nights.index().c_str(), 0600) == 0);
  CHECK_THROWS_WITH(open(), Catch::Contains("no regular file"));
  std::filesystem::remove(nights.index());
  std::filesystem::create_symlink(nights.write("target", ""), nights.index());
  CHECK_THROWS_WITH(open(), Catch::Contains("no regular file"));
  std::filesystem::remove(nights.index());
  nights.make(1);
  chmod(nights.index().c_str(), 0620);
  CHECK_THROWS_WITH(open(), Catch::Contains("written by others"));
  CHECK_THROWS_AS(SampleIndex(nights / "no/such/folder", kContext), IndexError);
  chmod(nights.index().c_str(), 0600);
  chmod((nights / "").c_str(), 01777);
  CHECK_THROWS_WITH(open(), Catch::Contains("everybody"));
}

TEST_CASE("two that write at once both are heard") {
  const Nights nights;
  SampleIndex one(nights.index(), kContext);
  SampleIndex other(nights.index(), kContext);
  nights.add(one, 0);
  nights.add(other, 1);
  one.finish();
  other.finish();
  SampleIndex index(nights.index(), kContext);
  CHECK(found(index, 0));
  CHECK(found(index, 1));
}

TEST_CASE("an index that another program does not let go of is an error and no wait without end") {
  const Nights nights;
  nights.make(1);
  Database holder(nights.index());
  const Transaction transaction(holder, "BEGIN EXCLUSIVE");
  const auto open = [&] { SampleIndex(nights.index(), kContext); };
  CHECK_THROWS_WITH(open(), Catch::Contains("locked"));
}

TEST_CASE("a writer that was killed leaves what was there before") {
  const Nights nights;
  nights.make(2);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // One page of memory: the file itself is half changed by then.
    Database database(nights.index());
    database.execute("PRAGMA cache_size = 1");
    database.execute("BEGIN IMMEDIATE");
    database.execute("UPDATE report SET rest = zeroblob(20000)");
    database.execute("DELETE FROM part");
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  REQUIRE(std::filesystem::exists(nights.index() + "-journal"));
  SampleIndex index(nights.index(), kContext);
  for (std::uint32_t night = 0; night < 2; ++night) {
    CHECK(found(index, night) == sample_of_night(night));
  }
}

TEST_CASE("a full disk is an error and what was there before stays") {
  const Nights nights;
  nights.make(1);
  SampleIndex index(nights.index(), kContext);
  for (std::uint32_t night = 1; night < 90; ++night) nights.add(index, night);
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  rlimit small = before;
  small.rlim_cur = std::filesystem::file_size(nights.index());
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  std::string why;
  try {
    index.finish();
  } catch (const IndexError& error) {
    why = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK_FALSE(why.empty());
  SampleIndex again(nights.index(), kContext);
  CHECK(found(again, 0) == sample_of_night(0));
  CHECK_FALSE(found(again, 1));
}

}  // namespace
}  // namespace rackproof::index
