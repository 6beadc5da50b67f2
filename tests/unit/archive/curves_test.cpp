#include "harness/archive/curves.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "harness/support/digest.hpp"
#include "harness/telemetry/ring_writer.hpp"
#include "tests/unit/folder.hpp"

namespace rackproof::archive {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A run folder whose recording has a sample each second from 100 s to 140 s of node1's clock. The
// journal of rank 3 was opened at 110 s; its attempt ran from 120 s to 130 s, under a power cap.
struct Run {
  test::Folder folder;
  model::Report report;

  Run() {
    std::filesystem::create_directory(folder.path() + "/journals");
    telemetry::About about;
    about.host = "node1";
    about.interval_ns = kSecond;
    about.start_monotonic_ns = 100 * kSecond;
    about.columns = {{"gpu.power", "GPU-1", "W", telemetry::Kind::kGauge, ""},
                     {"gpu.energy", "GPU-1", "J", telemetry::Kind::kCounter, ""},
                     {"gpu.errors", "GPU-1", "1", telemetry::Kind::kCounter, ""},
                     {"gpu.throttle", "GPU-1", "1", telemetry::Kind::kMask, ""},
                     {"gpu.power", "GPU-2", "W", telemetry::Kind::kGauge, ""},
                     {"load.1", "", "1", telemetry::Kind::kGauge, ""}};
    const std::string file = "journals/0001-rank-00000.recording";
    {
      telemetry::RingWriter writer(folder.path() + "/" + file, about, 1 << 20);
      for (std::uint64_t at = 100; at <= 140; ++at) {
        const bool busy = at >= 120 && at <= 130;
        const std::vector<double> values = {
            busy ? 700.0 : 100.0, static_cast<double>(at) * 50, 0, busy ? 4.0 : 1.0, 1, 2};
        writer.add(at * kSecond, values);
      }
      writer.close(141 * kSecond);
    }
    model::RecordingInfo& recording = report.recordings.emplace_back();
    recording.host = "node1";
    recording.file = file;
    recording.sha256 = support::sha256_hex(content_of(folder.path() + "/" + file));
    std::ofstream(folder.path() + "/journals/0001-rank-00003.jsonl")
        << "{\"j\":\"open\",\"monotonic_s\":110.0}\n{\"j\":\"run\"}\n";
    model::Attempt& attempt = report.attempts.emplace_back();
    attempt.nonce = "n1";
    attempt.rank = 3;
    attempt.host = "node1";
    attempt.subject.kind = contract::SubjectKind::kDevice;
    attempt.subject.host = "node1";
    attempt.subject.device = "GPU-1";
    attempt.began_seconds = 10;
    attempt.seconds = 10;
    for (const char* metric : {"gemm.rate", "burn.rate"}) {
      model::Cell& cell = report.cells.emplace_back();
      cell.metric = metric;
      cell.subject = attempt.subject;
      cell.verdict.outcome = model::Outcome::kFail;
      cell.measurements.emplace_back().attempt = "n1";
    }
  }
};

const html::Curve* find(const html::CellCurves& all, const std::string& name) {
  for (const html::Curve& curve : all.curves) {
    if (curve.name == name) return &curve;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("what failed has the series of its device from five seconds before until after") {
  const Run run;
  const auto all = curves_of(run.report, run.folder.path());
  REQUIRE(all.size() == 1);
  CHECK(all[0].cells.size() == 2);
  CHECK(all[0].seconds == 10);
  const html::Curve* power = find(all[0], "gpu.power");
  REQUIRE(power != nullptr);
  CHECK(power->subject == "GPU-1");
  CHECK(power->seconds.front() == Approx(-5));
  CHECK(power->seconds.back() == Approx(15));
  CHECK(power->values.front() == 100);
  CHECK(power->values[10] == 700);
  CHECK(find(all[0], "load.1") == nullptr);
}

TEST_CASE("counters are told by what they grow in a second and masks by their reasons") {
  const Run run;
  const auto all = curves_of(run.report, run.folder.path());
  REQUIRE(all.size() == 1);
  const html::Curve* energy = find(all[0], "gpu.energy");
  REQUIRE(energy != nullptr);
  CHECK(energy->unit == "J/s");
  CHECK(energy->values.front() == Approx(50));
  CHECK(find(all[0], "gpu.errors") == nullptr);
  const html::Curve* cap = find(all[0], "throttled: power-cap");
  REQUIRE(cap != nullptr);
  CHECK(cap->values.front() == 0);
  CHECK(cap->values[10] == 1);
}

TEST_CASE("a recording that is not that of the report tells nothing") {
  Run run;
  run.report.recordings[0].sha256[0] = run.report.recordings[0].sha256[0] == '0' ? '1' : '0';
  CHECK(curves_of(run.report, run.folder.path()).empty());
  CHECK(curves_of(run.report, run.folder.path() + "/nowhere").empty());
  Run other;
  other.report.recordings[0].problem = "is of another boot";
  CHECK(curves_of(other.report, other.folder.path()).empty());
}

TEST_CASE("a report cannot make other files be read") {
  Run run;
  const std::string other = run.folder.path() + "/journals/0001-rank-0.recording";
  std::filesystem::rename(run.folder.path() + "/" + run.report.recordings[0].file, other);
  for (const char* file : {"journals/0001-rank-/../0001-rank-0.recording", "../x.recording",
                           "/dev/zero", "journals/0001-rank-0/0.recording"}) {
    run.report.recordings[0].file = file;
    CHECK(curves_of(run.report, run.folder.path()).empty());
  }
  run.report.recordings[0].file = "journals/0001-rank-0.recording";
  CHECK(curves_of(run.report, run.folder.path()).size() == 1);
}

TEST_CASE("a journal that does not begin as one gives no time and no curves") {
  const Run run;
  const std::string journal = run.folder.path() + "/journals/0001-rank-00003.jsonl";
  for (const char* text :
       {"", "[]", "{\"j\":1}", "{\"j\":\"open\"}", "{\"j\":\"open\",\"monotonic_s\":\"110\"}"}) {
    std::ofstream(journal, std::ios::trunc) << text;
    CHECK(curves_of(run.report, run.folder.path()).empty());
  }
}

}  // namespace rackproof::archive
