#include "harness/job/run_request.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "harness/document/located_json.hpp"
#include "harness/support/errors.hpp"
#include "tests/unit/folder.hpp"

using namespace rackproof;
using namespace rackproof::job;
using rackproof::test::Folder;

namespace {

constexpr const char* kSuite = R"({
  "schema": "rackproof/suite/1", "id": "two", "title": "Two", "purpose": "For a test.",
  "time_budget": "5 min",
  "steps": [
    {"id": "stream", "title": "S", "bench": "stream", "backend": "host", "placement": "node",
     "deadline": "10 s", "expect": [{"metric": "stream.triad"}]},
    {"id": "ring", "title": "R", "bench": "ring", "backend": "mpi", "placement": "world",
     "deadline": "10 s", "expect": [{"metric": "ring.rate"}]}
  ]
})";

constexpr const char* kPlatform = R"({
  "schema": "rackproof/platform/1", "id": "any", "title": "Any", "generic": true,
  "recognise": [], "baselines": []
})";

// An installation in a folder: one suite, one table, one bench.
struct Installation {
  Installation() {
    program.paths.programs = folder.path("libexec");
    program.paths.suites = folder.path("suites");
    program.paths.platforms = folder.path("platforms");
    program.paths.comparison = RACKPROOF_SOURCE_DIR "/configs/comparison.json";
    program.paths.causes = RACKPROOF_SOURCE_DIR "/configs/causes.json";
    program.paths.benches = RACKPROOF_BINARY_DIR "/share/rackproof/benches";
    program.command = {"rackproof", "run"};
    folder.write("suites/two.json", kSuite);
    folder.write("platforms/any.json", kPlatform);
    folder.write("libexec/stream-host", "not started here\n");
    namespace fs = std::filesystem;
    fs::permissions(folder.path("libexec/stream-host"), fs::perms::owner_all);
    options.suite = "two";
    options.out = folder.path("out");
  }
  PreparedRun prepare(double budget = 0) { return prepare_run(options, program, launcher, budget); }

  Folder folder;
  Program program;
  RunOptions options;
  fleet::Launcher launcher;
};

}  // namespace

TEST_CASE("times are numbers with or without a unit") {
  CHECK(parse_seconds("90") == 90);
  CHECK(parse_seconds("90 s") == 90);
  CHECK(parse_seconds("90s") == 90);
  CHECK(parse_seconds("10 min") == 600);
  CHECK(parse_seconds("1.5 h") == 5400);
  CHECK(parse_seconds("250 ms") == 0.25);
  CHECK(parse_seconds("1e3") == 1000);
}

TEST_CASE("what is no time is refused with an example") {
  for (const char* text :
       {"", " ", "0", "-5", "-1 s", "min", "ten", "10 parsecs", "10 GB", "10 GB/s", "5 s 3", "nan",
        "inf", "infinity s", "1e308 h", "1e999", "0x10", "1,5 s"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_seconds(text), support::UsageError);
  }
  CHECK_THROWS_WITH(parse_seconds("soon"), Catch::Contains("'soon'") && Catch::Contains("10 min"));
}

TEST_CASE("a new run is checked and nothing of it written but its folder with a lock") {
  Installation here;
  here.options.labels = {"site=a", "empty=", "formula=x=y"};
  const PreparedRun prepared = here.prepare();
  const resume::Request& request = prepared.request;
  CHECK(request.suite.info.id == "two");
  CHECK(prepared.suite_text == kSuite);
  CHECK(request.time_budget_seconds == 300);
  CHECK(request.segment == 1);
  CHECK(request.tables.size() == 1);
  CHECK(request.forced_platform.empty());
  CHECK(request.labels ==
        std::map<std::string, std::string>{{"site", "a"}, {"empty", ""}, {"formula", "x=y"}});
  CHECK(request.directory == here.folder.path("out"));
  CHECK(request.tool.bench_sha256.at("stream-host").size() == 64);
  CHECK(request.launcher == "solo");
  CHECK_FALSE(request.run_id.empty());
  Installation there;
  CHECK(there.prepare().request.run_id != request.run_id);
  const std::filesystem::directory_iterator files(here.folder.path("out"));
  CHECK(std::distance(begin(files), end(files)) == 1);
  CHECK(std::filesystem::exists(here.folder.path("out/lock")));
}

TEST_CASE("the command line wins over the suite's time budget and the recognised platform") {
  Installation here;
  here.options.platform = "any";
  const PreparedRun prepared = here.prepare(12);
  CHECK(prepared.request.time_budget_seconds == 12);
  CHECK(prepared.request.forced_platform == "any");
}

TEST_CASE("names that do not exist come with the nearest") {
  Installation here;
  SECTION("suite") {
    here.options.suite = "tow";
    CHECK_THROWS_WITH(here.prepare(), Catch::Contains("'tow'") && Catch::Contains("two"));
  }
  SECTION("platform") {
    here.options.platform = "anny";
    CHECK_THROWS_WITH(here.prepare(), Catch::Contains("'anny'") && Catch::Contains("any"));
  }
  SECTION("suite file") {
    here.options.suite = here.folder.path("none.json");
    CHECK_THROWS_AS(here.prepare(), document::ConfigError);
  }
}

TEST_CASE("a selection that keeps nothing says what it could have named") {
  Installation here;
  here.options.filters = {"streem"};
  CHECK_THROWS_AS(here.prepare(), NothingSelected);
  CHECK_THROWS_WITH(here.prepare(),
                    Catch::Contains("--filter streem") && Catch::Contains("stream"));
  here.options.filters.clear();
  here.options.excludes = {"*"};
  CHECK_THROWS_AS(here.prepare(), NothingSelected);
}

TEST_CASE("a label is KEY=VALUE") {
  Installation here;
  here.options.labels = {GENERATE("site", "=a", "")};
  CHECK_THROWS_WITH(here.prepare(), Catch::Contains("KEY=VALUE"));
}

TEST_CASE("what is required is known and kept once") {
  Installation here;
  here.options.require = {"gpu", "gpu"};
  CHECK(here.prepare().request.required == std::vector<std::string>{"gpu"});
  here.options.require = {GENERATE("GPU", "tpu", "")};
  CHECK_THROWS_WITH(here.prepare(), Catch::Contains("expected gpu"));
}

TEST_CASE("a program for devices may be missing where the suite waives it, and no other") {
  Installation here;
  std::string suite = kSuite;
  const std::string node = R"("backend": "host", "placement": "node",)";
  const auto use = [&](const std::string& fields) {
    std::string changed = suite;
    changed.replace(changed.find(node), node.size(), fields);
    here.folder.write("suites/two.json", changed);
  };
  use(R"("backend": "cuda", "placement": "device", "when_unavailable": "waive",)");
  CHECK_NOTHROW(here.prepare());
  use(R"("backend": "cuda", "placement": "node", "needs": "device", "when_unavailable": "waive",)");
  CHECK_NOTHROW(here.prepare());
  use(R"("backend": "nccl", "placement": "groups", "when_unavailable": "waive",)");
  CHECK_NOTHROW(here.prepare());
  use(R"("backend": "cuda", "placement": "device", "when_unavailable": "waive_without_device",)");
  CHECK_NOTHROW(here.prepare());
  use(R"("backend": "cuda", "placement": "device",)");
  CHECK_THROWS_WITH(here.prepare(), Catch::Contains("stream-cuda"));
  use(R"("backend": "cuda", "placement": "node", "when_unavailable": "waive",)");
  CHECK_THROWS_WITH(here.prepare(), Catch::Contains("stream-cuda"));
  use(R"("backend": "nccl", "placement": "world", "members": "ranks", "when_unavailable": "waive",)");
  CHECK_THROWS_WITH(here.prepare(), Catch::Contains("stream-nccl"));
}

TEST_CASE("a bench program that is not there is found out before anything runs") {
  Installation here;
  SECTION("a selected step") {
    std::filesystem::remove(here.folder.path("libexec/stream-host"));
    CHECK_THROWS_WITH(here.prepare(),
                      Catch::Contains("step stream") && Catch::Contains("stream-host"));
    here.options.excludes = {"stream"};
    CHECK_NOTHROW(here.prepare());
  }
  SECTION("one that cannot be executed") {
    namespace fs = std::filesystem;
    fs::permissions(here.folder.path("libexec/stream-host"), fs::perms::owner_read);
    CHECK_THROWS_AS(here.prepare(), support::UsageError);
  }
  SECTION("a step of all ranks needs its program only where there are several") {
    CHECK_NOTHROW(here.prepare());
    here.launcher.wants_mpi = true;
    here.launcher.name = "mpirun";
    CHECK_THROWS_WITH(here.prepare(), Catch::Contains("ring-mpi"));
    here.program.in_rank.push_back({"ring-mpi", {}});
    const PreparedRun prepared = here.prepare();
    CHECK(prepared.request.in_rank_programs == std::vector<std::string>{"ring-mpi"});
    CHECK(prepared.request.mpi);
  }
}

TEST_CASE("a folder that holds a run is not written into") {
  Installation here;
  SECTION("a report") { here.folder.write("out/report.json", "{}"); }
  SECTION("journals") { here.folder.write("out/journals/0001-rank-00000.jsonl", ""); }
  CHECK_THROWS_WITH(here.prepare(),
                    Catch::Contains("already holds a run") && Catch::Contains("--resume"));
  here.options.dry_run = true;
  CHECK_NOTHROW(here.prepare());
}

TEST_CASE("a folder belongs to one run at a time, and the other one is told to whom") {
  Installation here;
  const PreparedRun first = here.prepare();
  const std::string owner = "process " + std::to_string(getpid()) + " on ";
  CHECK_THROWS_WITH(here.prepare(), Catch::Contains("is in use by") && Catch::Contains(owner) &&
                                        Catch::Contains("began at"));
  here.options.dry_run = true;
  CHECK_NOTHROW(here.prepare());
}

TEST_CASE("a folder is free again when its run is over") {
  Installation here;
  { const PreparedRun first = here.prepare(); }
  CHECK_NOTHROW(here.prepare());
}

TEST_CASE("links that lead elsewhere are refused") {
  Installation here;
  namespace fs = std::filesystem;
  fs::create_directories(here.folder.path("elsewhere"));
  SECTION("the folder itself") {
    fs::create_symlink(here.folder.path("elsewhere"), here.folder.path("out"));
  }
  SECTION("its journals") {
    fs::create_directories(here.folder.path("out"));
    fs::create_symlink(here.folder.path("elsewhere"), here.folder.path("out/journals"));
  }
  CHECK_THROWS_WITH(here.prepare(), Catch::Contains("symbolic link"));
  CHECK(fs::is_empty(here.folder.path("elsewhere")));
}

TEST_CASE("where a run cannot be kept is said at once") {
  Installation here;
  SECTION("a file") {
    here.folder.write("out", "");
    CHECK_THROWS_WITH(here.prepare(), Catch::EndsWith("is not a directory"));
  }
  SECTION("below a file") {
    here.folder.write("file", "");
    here.options.out = here.folder.path("file/out");
    CHECK_THROWS_AS(here.prepare(), support::UsageError);
  }
  SECTION("an empty folder will do") {
    std::filesystem::create_directories(here.folder.path("out/journals"));
    CHECK_NOTHROW(here.prepare());
  }
}

TEST_CASE("without tables there is nothing to judge by") {
  Installation here;
  std::filesystem::remove(here.folder.path("platforms/any.json"));
  CHECK_THROWS_WITH(here.prepare(), Catch::Contains("no platform tables"));
}

TEST_CASE("only a run can be resumed") {
  Installation here;
  here.options.resume = here.folder.path("nothing");
  CHECK_THROWS_WITH(here.prepare(), Catch::Contains("holds no journals"));
  here.folder.write("nothing/journals/0001-rank-00000.jsonl", "garbage\n");
  CHECK_THROWS_AS(here.prepare(), support::UsageError);
}
