#include "harness/config/programs.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "harness/config/bench.hpp"
#include "tests/unit/config/support.hpp"

using namespace rackproof;
using namespace rackproof::config;

namespace {

std::string bench_with(const std::string& program) {
  return R"({"schema": "rackproof/bench/1", "bench": "mine",
             "parameters": {"bytes": {"type": "integer"}, "ranks": {"type": "integer"}},
             "metrics": [{"names": ["mine.rate"], "about": "a", "backends": ["host", "mpi"], "subject": "node",
                          "unit": "B/s", "better": "more", "statistic": "median", "parameters": ["bytes", "ranks"]}],
             "programs": {)" +
         program + "}}";
}

std::vector<BenchProgram> programs_of(const std::string& program) {
  const TemporaryFolder folder;
  return load_bench(folder.file("mine.json", bench_with(program))).programs;
}

std::string complaint_of(const std::string& program) {
  return complaint([&] { programs_of(program); });
}

}  // namespace

TEST_CASE("a program says how it is run for a moment, and what it can be made to do wrong") {
  const auto programs = programs_of(R"(
    "host": {"placement": "node", "brief": ["--n", "8"], "played": ["--n", "1"], "by_hand": [],
             "metric": "mine.rate", "parameters": {"bytes": 8},
             "faults": [{"name": "lost half", "planted": "half is left out", "arguments": ["--half"]}]},
    "mpi": {"placement": "world", "members": 2, "brief": [], "metric": "mine.rate",
            "parameters": {"ranks": "$ranks"}})");
  REQUIRE(programs.size() == 2);
  CHECK(programs[0].name() == "mine-host");
  CHECK(programs[0].placement == Placement::kNode);
  CHECK(programs[0].brief == std::vector<std::string>{"--n", "8"});
  CHECK(programs[0].parameters.at("bytes") == contract::Scalar(std::int64_t{8}));
  CHECK(programs[0].faults == std::vector<OwnFault>{{"lost half", "half is left out", {"--half"}}});
  CHECK(programs[1].members == 2);
  CHECK(programs[1].parameters.at("ranks") == contract::Scalar("$ranks"));
}

TEST_CASE("what makes no sense of a program is refused at its place") {
  CHECK(complaint_of(R"("host": {"placement": "node", "metric": "mine.rate"})")
            .find("'brief' is missing") != std::string::npos);
  CHECK(complaint_of(R"("host": {"placement": "node", "brief": [], "metric": "mine.speed"})")
            .find("programs.host.metric: 'mine.speed' is no metric of the backend 'host'") !=
        std::string::npos);
  CHECK(complaint_of(R"("cuda": {"placement": "device", "brief": [], "metric": "mine.rate"})")
            .find("no metric of the backend 'cuda'") != std::string::npos);
  CHECK(complaint_of(
            R"("host": {"placement": "node", "members": 2, "brief": [], "metric": "mine.rate"})")
            .find("only a 'world' has members") != std::string::npos);
  CHECK(complaint_of(R"("host": {"placement": "node", "brief": [], "metric": "mine.rate",
                                 "parameters": {"size": 8}})")
            .find("'size' is no parameter of 'mine.rate'") != std::string::npos);
  CHECK(complaint_of(R"("host": {"placement": "node", "brief": [], "metric": "mine.rate",
                                 "parameters": {"bytes": "eight"}})")
            .find("expected an integer") != std::string::npos);
  CHECK(complaint_of(R"("host": {"placement": "node", "brief": [], "metric": "mine.rate",
                                 "faults": [{"name": "a", "planted": "b", "arguments": []}]})")
            .find("is empty; expected what makes the program do it") != std::string::npos);
  CHECK(complaint_of(R"("host": {"placement": "node", "brief": [], "metric": "mine.rate",
                                 "faults": [{"name": "a", "planted": "b", "arguments": ["c"]},
                                            {"name": "a", "planted": "b", "arguments": ["d"]}]})")
            .find("the fault 'a' is given a second time") != std::string::npos);
}

TEST_CASE("each shipped bench says how its programs are run, but for those that are run by hand") {
  // They need ranks of a launcher, and do not run inside of them: prove could not start them.
  const std::set<std::string> by_hand = {"steps-host", "swing-cuda", "swing-host"};
  std::set<std::string> names;
  for (const BenchProgram& program :
       load_programs(RACKPROOF_BINARY_DIR "/share/rackproof/benches")) {
    INFO(program.name());
    CHECK(names.insert(program.name()).second);
    CHECK_FALSE(program.brief.empty());
  }
  std::set<std::string> printed;
  for (const MetricKind& kind : load_catalogue(RACKPROOF_BINARY_DIR "/share/rackproof/benches")) {
    for (const std::string& backend : kind.backends) printed.insert(kind.bench + "-" + backend);
  }
  for (const std::string& program : by_hand) CHECK(printed.erase(program) == 1);
  CHECK(names == printed);
}
