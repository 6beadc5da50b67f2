#include "harness/job/hook.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "harness/support/clock.hpp"
#include "harness/support/errors.hpp"
#include "tests/unit/folder.hpp"

namespace rackproof::job {
namespace {

namespace fs = std::filesystem;

/// A folder with a script that stands for a hook.
struct HookFolder {
  test::Folder folder;

  HookOptions script(const std::string& body, mode_t mode = 0700) const {
    folder.write("hook", "#!/bin/sh\n" + body);
    chmod(folder.path("hook").c_str(), mode);
    return {folder.path("hook"), "20 s"};
  }
  std::string text(const std::string& name) const {
    std::ifstream file(folder.path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

std::string refusal_of_hook(const HookOptions& options) {
  try {
    parse_hook(options);
  } catch (const support::UsageError& error) {
    return error.what();
  }
  return "";
}

model::Report judged_report() {
  model::Report report;
  report.run.id = "r1\nRACKPROOF_VERDICT=accepted";
  report.run.labels["rack"] = "7";
  report.suite.id = "acceptance";
  report.acceptance = model::Acceptance::kRejected;
  return report;
}

}  // namespace

TEST_CASE("a hook gets the report as its argument and the verdict in its environment") {
  const HookFolder here;
  const Hook hook = parse_hook(here.script(
      "cd \"${0%/*}\"; echo \"$#:$1\" >args; env | grep ^RACKPROOF_ | sort >env; echo said\n"));
  run_hook(hook, judged_of(judged_report(), here.folder.path("report.json")));
  const std::string file = here.folder.path("report.json");
  CHECK(here.text("args") == "1:" + file + "\n");
  CHECK(here.text("env") == "RACKPROOF_RACK=7\nRACKPROOF_REPORT=" + file +
                                "\nRACKPROOF_RUN=r1 RACKPROOF_VERDICT=accepted\n"
                                "RACKPROOF_SUITE=acceptance\nRACKPROOF_VERDICT=rejected\n");
}

TEST_CASE("a hook that does not end is killed with what it started") {
  const HookFolder here;
  HookOptions options = here.script("(sleep 2; echo late >\"$0.late\") & sleep 60\n");
  options.timeout = "0.2 s";
  support::SystemClock clock;
  const double began = clock.now();
  run_hook(parse_hook(options), judged_of(judged_report(), "report.json"));
  CHECK(clock.now() - began < 20);
  clock.sleep(2.2);
  CHECK_FALSE(fs::exists(options.program + ".late"));
}

TEST_CASE("what cannot be a hook is refused before anything begins") {
  const HookFolder here;
  CHECK(refusal_of_hook({}).empty());
  CHECK(parse_hook({}).program.empty());
  CHECK(refusal_of_hook(here.script("")).empty());
  CHECK(refusal_of_hook(here.script("", 0600)).ends_with("it is not executable"));
  CHECK(refusal_of_hook(here.script("", 0702)).ends_with("everybody may write to this file"));
  CHECK(refusal_of_hook({here.folder.path(), "1 s"}).ends_with("this is no file"));
  CHECK(refusal_of_hook({"no/such", "1 s"}) == "--hook no/such: there is no such file");
  HookOptions timeless = here.script("");
  timeless.timeout = "soon";
  CHECK(refusal_of_hook(timeless).starts_with("'soon' is not a time"));
}

}  // namespace rackproof::job
