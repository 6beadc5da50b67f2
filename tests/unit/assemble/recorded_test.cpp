#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "harness/ingest/transcript.hpp"
#include "harness/journal/entry_json.hpp"
#include "harness/telemetry/ring_writer.hpp"
#include "tests/unit/assemble/scene.hpp"

namespace rackproof::assemble_test {
namespace {

constexpr const char* kFile = "journals/0001-rank-00000.recording";

// A recording with a sample each tenth of a second of the scene's clock, from `from` to `to`.
std::string recording(double from, double to, bool closed, const std::string& boot = kBoot) {
  char path[] = "/tmp/rackproof-recorded-XXXXXX";
  const int descriptor = mkstemp(path);
  REQUIRE(descriptor >= 0);
  ::close(descriptor);
  telemetry::About about;
  about.interval_ns = 100'000'000;
  about.start_monotonic_ns = static_cast<std::uint64_t>(from * 1e9);
  about.start_realtime_ns = 1;
  about.boot = boot;
  about.columns = {{"load.1", "", "1", telemetry::Kind::kGauge, ""}};
  {
    telemetry::RingWriter writer(path, about, 65536);
    for (double t = from; t <= to; t += 0.1) {
      writer.add(static_cast<std::uint64_t>(t * 1e9), std::vector<double>{t});
    }
    if (closed) writer.close(static_cast<std::uint64_t>(to * 1e9));
  }
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::remove(path);
  return bytes;
}

assemble::Recordings holding(const std::string& bytes) {
  return {[bytes](const std::string& name) {
    std::optional<assemble::Recordings::File> file;
    if (name == kFile && !bytes.empty()) file = {bytes, "digest"};
    return file;
  }};
}

void recorder_begins(Scene& scene) {
  journal::Head head;
  head.host = host_of(0);
  head.bench = "recorder";
  scene.warden(0).note(R"({"attempt":"r/1/recorder/node0","deadline_s":10,"head":)" +
                           journal::to_json(head) + R"(,"j":"begin","pid":7,"t":0})",
                       false);
}

void recorder_ends(Scene& scene, const std::string& how, const std::string& err = "") {
  scene.warden(0).note(R"({"attempt":"r/1/recorder/node0","err_bytes":0,"j":"end","out_bytes":0,)" +
                           how + R"(,"seconds":1,"stderr":")" + err + R"(","t":1})",
                       false);
}

// A run of one host whose recorder ended like this. Gives when its first attempt began.
double play_recorded(Scene& scene, const std::string& how, const std::string& err = "") {
  scene.clock.sleep(100);  // the host is not new
  scene.begin();
  recorder_begins(scene);
  const double began = scene.clock.now();
  scene.attempt(0, "a");
  scene.attempt(0, "b");
  recorder_ends(scene, how, err);
  scene.end();
  scene.close_all();
  return began;
}

constexpr const char* kByTheRun = R"("signal":15,"cancelled_by":"the end of the run")";

}  // namespace

TEST_CASE("a recorder that ended early has a gap, one that ended with its rank has none") {
  const auto gap_of = [](const std::string& how, bool closed) {
    Scene scene;
    const double began = play_recorded(scene, how);
    const auto report =
        assemble::assemble(scene.files(), holding(recording(began - 5, began + 60, closed)));
    REQUIRE(report.recordings.size() == 1);
    return report.recordings[0].gap;
  };
  CHECK_FALSE(gap_of(kByTheRun, true));
  CHECK(gap_of(kByTheRun, false));        // it stood still, and had to be killed
  CHECK(gap_of(R"("code":0)", true));     // it ended by itself
  CHECK(gap_of(R"("signal":9)", false));  // somebody killed it
}

TEST_CASE("a host that was measured and never recorded is a finding") {
  Scene scene;
  scene.begin();
  scene.attempt(0, "a");
  scene.end();
  scene.close_all();
  const auto report = assemble::assemble(scene.files(), {});
  CHECK(report.recordings.empty());
  CHECK(std::count_if(report.findings.begin(), report.findings.end(), [](const auto& finding) {
          return finding.id == "not-recorded" && finding.subject == "node0";
        }) == 1);
}

TEST_CASE("attempts get what their host was recorded to do meanwhile") {
  Scene scene;
  const double began = play_recorded(scene, kByTheRun);
  const auto report =
      assemble::assemble(scene.files(), holding(recording(began - 5, began + 60, true)));
  REQUIRE(report.recordings.size() == 1);
  const model::RecordingInfo& info = report.recordings[0];
  CHECK(info.host == "node0");
  CHECK(info.file == kFile);
  CHECK(info.sha256 == "digest");
  CHECK(info.problem.empty());
  CHECK(info.closed);
  CHECK(info.samples > 600);
  REQUIRE(report.attempts.size() == 2);
  REQUIRE(report.attempts[0].recorded.size() == 1);
  const model::SeriesSummary& load = report.attempts[0].recorded[0];
  CHECK(load.name == "load.1");
  CHECK(load.min.value() == Approx(began).margin(0.11));
  CHECK(load.max.value() == Approx(began + report.attempts[0].seconds).margin(0.11));
  CHECK(report.attempts[1].recorded.at(0).min.value() > load.min.value());
  CHECK(findings(report, "recording-ends").empty());
  CHECK(findings(report, "not-recorded").empty());
  // No verdict depends on it.
  CHECK(report.cells == scene.report().cells);
}

TEST_CASE("a recorder that was killed leaves what it had, and the report says where that ends") {
  Scene scene;
  const double began = play_recorded(scene, R"("signal":9)");
  const auto report =
      assemble::assemble(scene.files(), holding(recording(began - 5, began + 0.5, false)));
  REQUIRE(findings(report, "recording-ends").size() == 1);
  const std::string text = findings(report, "recording-ends")[0].text;
  CHECK(text.find("the recording of node0 ends at 1970-01-01T00:00:05") != std::string::npos);
  CHECK(text.find("signal 9") != std::string::npos);
  CHECK_FALSE(report.recordings.at(0).closed);
  CHECK(report.attempts.at(0).recorded.size() == 1);
  CHECK(report.attempts.at(1).recorded.empty());
  CHECK(report.acceptance == scene.report().acceptance);
}

TEST_CASE("a host that could not be recorded is named with the reason") {
  Scene scene;
  play_recorded(scene, R"("code":2)", "rackproof: x: no room for a recording\\n");
  auto report = assemble::assemble(scene.files(), holding(""));
  REQUIRE(findings(report, "not-recorded").size() == 1);
  CHECK(findings(report, "not-recorded")[0].text ==
        "what node0 did meanwhile is not known: x: no room for a recording");
  CHECK(report.recordings.at(0).sha256.empty());
  report = assemble::assemble(scene.files(), holding("nonsense"));
  CHECK(report.recordings.at(0).problem == std::string(kFile) + ": is no recording of rackproof");
  CHECK(report.recordings.at(0).sha256 == "digest");
}

TEST_CASE("a cell that fails gets what its run's own rules see in the recording") {
  Scene scene;
  scene.clock.sleep(100);
  scene.begin();
  model::CauseCondition busy;
  busy.series = "load.1";
  busy.statistic = "max";
  busy.above = 1;
  model::CauseRule rule;
  rule.id = "busy";
  rule.of = "node";
  rule.when = {busy};
  rule.say = "load above {limit}";
  scene.book().append(journal::Causes{{"digest", {rule}}});
  recorder_begins(scene);
  const double began = scene.clock.now();
  scene.attempt(0, "a", 1, 1);
  scene.attempt(0, "b");
  recorder_ends(scene, kByTheRun);
  scene.end();
  scene.close_all();
  const auto recordings = holding(recording(began - 5, began + 60, true));
  const auto report = assemble::assemble(scene.files(), recordings);
  CHECK(report.cause_table.digest == "digest");
  REQUIRE(verdict(report, "a").outcome == model::Outcome::kFail);
  for (const model::Cell& cell : report.cells) {
    INFO(cell.step);
    const std::vector<model::Cause> seen = {{"busy", "node0", "load above 1"}};
    CHECK(cell.causes == (cell.step == "a" ? seen : std::vector<model::Cause>()));
  }
  const auto dark = assemble::assemble(scene.files());
  CHECK(dark.cells[0].causes.at(0).rule == model::kNotRecorded);
  // A run that is continued brings its own rules.
  scene.begin(2);
  CHECK(assemble::assemble(scene.files(), recordings).cause_table.rules.empty());
}

TEST_CASE("a recording of another boot of the host says nothing of these attempts") {
  Scene scene;
  const double began = play_recorded(scene, kByTheRun);
  auto report =
      assemble::assemble(scene.files(), holding(recording(began - 5, began + 60, true, "another")));
  REQUIRE(findings(report, "not-recorded").size() == 1);
  CHECK(report.recordings.at(0).problem ==
        std::string(kFile) + ": is of another boot of the host than the journal");
  CHECK(report.attempts.at(0).recorded.empty());
  CHECK(report.acceptance == scene.report().acceptance);
  // Not known: nothing is said against it.
  report = assemble::assemble(scene.files(), holding(recording(began - 5, began + 60, true, "")));
  CHECK(findings(report, "not-recorded").empty());
}

TEST_CASE("a run without recorders says nothing of recordings") {
  Scene scene;
  scene.whole_run();
  CHECK(scene.report().recordings.empty());
}

}  // namespace rackproof::assemble_test
