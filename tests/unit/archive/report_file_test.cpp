#include "harness/archive/report_file.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>

#include "harness/support/digest.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/files.hpp"
#include "reports/json/report_json.hpp"
#include "tests/unit/folder.hpp"

namespace rackproof::archive {

TEST_CASE("a report is read back as it was written, and its folder stands for it") {
  const test::Folder folder;
  model::Report report;
  report.run.id = "run-1";
  const std::string file = folder.path("report.json");
  write_json(file, report);
  CHECK(support::read_file(file) == model::to_json(report));
  CHECK(load_report(file).run.id == "run-1");
  CHECK(load_report(folder.path()).run.id == "run-1");
  CHECK(report_file(folder.path()) == file);
  CHECK(report_file(folder.path("other.json")) == folder.path("other.json"));
}

namespace {

// Its cells take more than `bytes` of JSON.
model::Report large_report(std::size_t bytes) {
  model::Report report;
  report.run.id = "large";
  model::Cell cell;
  cell.metric = "gemm.flops";
  cell.verdict.reason = std::string(10'000, 'x');
  report.cells.assign(bytes / cell.verdict.reason.size() + 1, cell);
  return report;
}

std::vector<std::string> names_in(const test::Folder& folder) {
  return support::DirectoryStore(folder.path()).list(".");
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a report is compressed when it is large, or as it is said") {
  const test::Folder folder;
  support::DirectoryStore store(folder.path());
  const model::Report small = large_report(100'000);
  const model::Report large = large_report(kLargestPlain);
  CHECK(write_json(store, small, Compress::kAuto) == "report.json");
  CHECK(store.read("report.json") == model::to_json(small));
  CHECK(write_json(store, large, Compress::kAuto) == "report.json.zst");
  CHECK(names_in(folder) == Names{"report.json.zst"});
  CHECK(std::filesystem::file_size(folder.path("report.json.zst")) < kLargestPlain / 10);
  CHECK(support::read_file(folder.path("report.json.zst")) == model::to_json(large));
  CHECK(load_report(folder.path()).cells.size() == large.cells.size());
  CHECK(write_json(store, large, Compress::kNever) == "report.json");
  CHECK(names_in(folder) == Names{"report.json"});
  CHECK(store.read("report.json") == model::to_json(large));
  CHECK(write_json(store, small, Compress::kAlways) == "report.json.zst");
  CHECK(names_in(folder) == Names{"report.json.zst"});
  CHECK(support::read_file(folder.path("report.json.zst")) == model::to_json(small));
  CHECK(compress_of("never") == Compress::kNever);
  CHECK_THROWS_WITH(compress_of("sometimes"),
                    Catch::EndsWith("expected one of auto, always, never"));
}

TEST_CASE("a report of exactly the largest plain size is plain") {
  const test::Folder folder;
  support::DirectoryStore store(folder.path());
  model::Report report = large_report(kLargestPlain / 10 * 9);
  const std::size_t room = kLargestPlain - model::to_json(report).size();
  report.cells.front().verdict.reason.append(room, 'x');
  REQUIRE(model::to_json(report).size() == kLargestPlain);
  CHECK(write_json(store, report, Compress::kAuto) == "report.json");
  report.cells.front().verdict.reason += 'x';
  CHECK(write_json(store, report, Compress::kAuto) == "report.json.zst");
}

TEST_CASE("a file that is named is compressed when its name says so") {
  const test::Folder folder;
  model::Report report;
  write_json(folder.path("a.json.zst"), report);
  write_json(folder.path("a.json"), report);
  CHECK(names_in(folder) == Names{"a.json", "a.json.zst"});
  CHECK(support::digest_of_file(folder.path("a.json.zst")) !=
        support::digest_of_file(folder.path("a.json")));
  CHECK(support::read_file(folder.path("a.json.zst")) == model::to_json(report));
  // That of a run directory takes the place of the one that is there.
  write_json(folder.path("report.json.zst"), report);
  write_json(folder.path("report.json"), report);
  CHECK(names_in(folder) == Names{"a.json", "a.json.zst", "report.json"});
}

TEST_CASE("at each step of taking another's place there is one report") {
  // What a crash would leave is what the store has before each of its calls.
  struct Watched : support::DirectoryStore {
    using support::DirectoryStore::DirectoryStore;
    void write_parts_durably(const std::string& name,
                             const std::function<void(const Take&)>& write) override {
      look();
      support::DirectoryStore::write_parts_durably(name, write);
      look();
    }
    void rename(const std::string& from, const std::string& to) override {
      look();
      support::DirectoryStore::rename(from, to);
      look();
    }
    void look() {
      CHECK(list(".").size() == 1);
      seen.push_back(load_report(path("")).run.id);
    }
    std::vector<std::string> seen;
  };
  const test::Folder folder;
  Watched store(folder.path());
  model::Report report;
  report.run.id = "old";
  write_json(folder.path("report.json"), report);
  report.run.id = "new";
  write_json(store, report, Compress::kAlways);
  CHECK(store.seen == Names{"old", "new", "new", "new"});
  store.seen.clear();
  report.run.id = "newer";
  write_json(store, report, Compress::kNever);
  CHECK(store.seen == Names{"new", "newer", "newer", "newer"});
}

TEST_CASE("a directory with two reports that differ has none") {
  const test::Folder folder;
  model::Report report;
  report.run.id = "old";
  write_json(folder.path("report.json"), report);
  write_json(folder.path("a.zst"), report);
  const auto beside = [&] {
    std::filesystem::rename(folder.path("a.zst"), folder.path("report.json.zst"));
  };
  beside();
  CHECK(report_file(folder.path()) == folder.path("report.json"));
  report.run.id = "new";
  write_json(folder.path("a.zst"), report);
  beside();
  CHECK_THROWS_AS(load_report(folder.path()), support::UsageError);
  CHECK_THROWS_WITH(load_report(folder.path()), Catch::Contains("two reports that differ"));
  CHECK(load_report(folder.path("report.json.zst")).run.id == "new");
  CHECK(load_report(folder.path("report.json")).run.id == "old");
  std::filesystem::remove(folder.path("report.json"));
  CHECK(load_report(folder.path()).run.id == "new");
  // Whoever names it as it was called before finds it.
  CHECK(load_report(folder.path("report.json")).run.id == "new");
}

TEST_CASE("a report that cannot be decompressed is refused with its file") {
  const test::Folder folder;
  write_json(folder.path("report.json.zst"), model::Report());
  const std::string bytes = support::DirectoryStore(folder.path()).read("report.json.zst").value();
  folder.write("report.json.zst", bytes.substr(0, bytes.size() / 2));
  CHECK_THROWS_AS(load_report(folder.path()), support::UsageError);
  CHECK_THROWS_WITH(
      load_report(folder.path()),
      folder.path("report.json.zst") + ": is cut off in the middle of what zstd has compressed");
}

TEST_CASE("what is no report that can be judged is refused with its file") {
  const test::Folder folder;
  folder.write("report.json", "[]");
  const std::string file = folder.path("report.json");
  CHECK_THROWS_AS(load_report(file), support::UsageError);
  CHECK_THROWS_WITH(load_report(file), Catch::StartsWith(file + ": "));
  CHECK_THROWS_WITH(load_report(folder.path("none")), Catch::Contains("there is no such file"));
  model::Report report;
  report.suite.policy.confidence = 1;
  write_json(file, report);
  CHECK_THROWS_WITH(load_report(file), Catch::Contains("must lie between 0 and 1"));
}

TEST_CASE("a file that cannot be written leaves the old one") {
  const test::Folder folder;
  write_durably(folder.path("a"), "old");
  write_durably(folder.path("a"), "new");
  CHECK(support::read_file(folder.path("a")) == "new");
  CHECK_THROWS_AS(write_durably(folder.path("none/a"), "x"), support::StoreError);
  CHECK(std::filesystem::directory_iterator(folder.path())->path().filename() == "a");
}

}  // namespace rackproof::archive
