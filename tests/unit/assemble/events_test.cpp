#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "harness/ingest/transcript.hpp"
#include "harness/journal/entry_json.hpp"
#include "tests/unit/assemble/scene.hpp"

namespace rackproof::assemble_test {
namespace {

constexpr const char* kNonce = "r/1/recorder/node0";
constexpr const char* kGpu = "GPU-7";

void say(Scene& scene, const nlohmann::json& record) {
  nlohmann::json line = record;
  line["nonce"] = kNonce;
  const nlohmann::json out = {{"attempt", kNonce}, {"j", "out"}, {"t", 0}, {"text", line.dump()}};
  scene.warden(0).note(out.dump(), false);
}

// What a recorder says of an event now.
void tell(Scene& scene, const std::string& kind, const std::string& severity,
          const std::string& device, const std::string& text, std::int64_t code = 0,
          const std::string& source = "kernel") {
  nlohmann::json facts = {{"event", kind},
                          {"severity", severity},
                          {"source", source},
                          {"monotonic_s", scene.clock.now()},
                          {"within_s", 0.1}};
  if (!device.empty()) facts["device"] = device;
  if (code != 0) facts["code"] = code;
  say(scene, {{"kind", "note"}, {"text", text}, {"facts", facts}});
}

// A run of one host with a GPU on bus 41, whose recorder listens.
void begin(Scene& scene) {
  scene.clock.sleep(100);  // the host is not new
  scene.begin();
  model::NodeInventory node{host_of(0), {}, {{kGpu, 0, {}}}};
  node.devices[0].facts["gpu.pci_address"] = {contract::Scalar(std::string("0000:41:00.0")), "",
                                              ""};
  scene.book().append(journal::Node{node});
  journal::Head head;
  head.host = host_of(0);
  head.bench = "recorder";
  head.backend = "host";
  scene.warden(0).note(std::string(R"({"attempt":")") + kNonce + R"(","deadline_s":10,"head":)" +
                           journal::to_json(head) + R"(,"j":"begin","pid":7,"t":0})",
                       false);
  say(scene, {{"kind", "hello"},
              {"protocol", 1},
              {"bench", "recorder"},
              {"backend", "host"},
              {"version", "1"},
              {"commit", "1"},
              {"build", nlohmann::json::object()},
              {"libraries", nlohmann::json::object()},
              {"arguments", nlohmann::json::array()}});
}

model::Report finish(Scene& scene) {
  // No end of the recorder: what it told is there all the same.
  scene.end();
  scene.close_all();
  return scene.report();
}

const model::Attempt& attempt_at(const model::Report& report, const std::string& step) {
  for (const model::Attempt& attempt : report.attempts) {
    if (attempt.step == step) return attempt;
  }
  throw std::out_of_range(step);
}

}  // namespace

TEST_CASE("an event belongs to the attempt in whose time it fell") {
  Scene scene;
  begin(scene);
  scene.start(0, "a");
  scene.clock.sleep(0.5);
  tell(scene, "link", "warning", "eth0", "mlx5_core 0000:98:00.0 eth0: Link down");
  const auto report = finish(scene);
  REQUIRE(report.events.size() == 1);
  const model::Event& event = report.events[0];
  CHECK(event.host == "node0");
  CHECK(event.kind == "link");
  CHECK(event.severity == model::Severity::kWarning);
  CHECK(event.device == "eth0");
  CHECK(event.text == "mlx5_core 0000:98:00.0 eth0: Link down");
  // That attempt never ended: its time did not either.
  CHECK(event.attempts == std::vector<std::string>{attempt_at(report, "a").nonce});
  CHECK(findings(report, "hardware-event").empty());
}

TEST_CASE("an event that is noticed just after an attempt belongs to it") {
  Scene scene;
  begin(scene);
  scene.attempt(0, "a");
  scene.clock.sleep(0.05);
  tell(scene, "thermal", "warning", "cpu3", "too hot");
  scene.clock.sleep(5);
  tell(scene, "thermal", "warning", "cpu3", "too hot again");
  scene.clock.sleep(5);
  scene.attempt(0, "b");
  const auto report = finish(scene);
  REQUIRE(report.events.size() == 2);
  CHECK(report.events[0].attempts == std::vector<std::string>{attempt_at(report, "a").nonce});
  CHECK(report.events[1].attempts.empty());
  CHECK(report.events[0].utc < report.events[1].utc);
  CHECK(verdict(report, "a").outcome == model::Outcome::kPass);
}

TEST_CASE("an error of memory is a finding and fails what was measured meanwhile") {
  Scene scene;
  begin(scene);
  scene.attempt(0, "a");
  tell(scene, "edac", "error", "mc0", "EDAC MC0: 1 UE memory read error");
  tell(scene, "edac", "error", "mc0", "EDAC MC0: 1 UE memory read error");
  scene.clock.sleep(5);
  scene.attempt(0, "b");
  const auto report = finish(scene);
  REQUIRE(findings(report, "hardware-event").size() == 1);
  const model::Finding finding = findings(report, "hardware-event")[0];
  CHECK(finding.severity == model::Severity::kIsolate);
  CHECK(finding.subject == "node0/mc0");
  CHECK(finding.step == "a");
  CHECK(finding.text.find("2 times") != std::string::npos);
  CHECK(finding.text.find("EDAC MC0: 1 UE memory read error") != std::string::npos);
  CHECK(verdict(report, "a").outcome == model::Outcome::kFail);
  CHECK(verdict(report, "a").reason_id == "hardware-fault");
  CHECK(verdict(report, "b").outcome == model::Outcome::kPass);
  CHECK(report.acceptance == model::Acceptance::kRejected);
}

TEST_CASE("a GPU is called by its UUID and an Xid that NVML tells too is told once") {
  Scene scene;
  begin(scene);
  scene.attempt(0, "a");
  tell(scene, "xid", "error", kGpu, "NVML: Xid 79", 79, "nvml");
  scene.clock.sleep(1);
  tell(scene, "xid", "error", "0000:41:00", "NVRM: Xid (PCI:0000:41:00): 79, off the bus", 79);
  tell(scene, "xid", "error", kGpu, "NVML: Xid 48", 48, "nvml");
  tell(scene, "xid", "error", "0000:42:00", "NVRM: Xid (PCI:0000:42:00): 48, of nobody", 48);
  scene.clock.sleep(10);
  tell(scene, "xid", "error", kGpu, "NVML: Xid 79", 79, "nvml");
  const auto report = finish(scene);
  std::vector<std::string> told;
  for (const model::Event& event : report.events) told.push_back(event.device + " " + event.text);
  CHECK(told == std::vector<std::string>{
                    "GPU-7 NVRM: Xid (PCI:0000:41:00): 79, off the bus", "GPU-7 NVML: Xid 48",
                    "0000:42:00 NVRM: Xid (PCI:0000:42:00): 48, of nobody", "GPU-7 NVML: Xid 79"});
  CHECK(findings(report, "hardware-event").size() == 3);
  // What ran on the host alone has nothing to do with a GPU.
  CHECK(report.events[0].attempts.empty());
  CHECK(verdict(report, "a").outcome == model::Outcome::kPass);
  CHECK(report.acceptance == model::Acceptance::kRejected);
}

TEST_CASE("what is no event is passed over") {
  Scene scene;
  begin(scene);
  tell(scene, "xid", "grave", kGpu, "no such severity");
  say(scene, {{"kind", "note"},
              {"text", "no time"},
              {"facts", {{"event", "xid"}, {"severity", "error"}}}});
  say(scene, {{"kind", "note"}, {"text", "no event"}, {"facts", nlohmann::json::object()}});
  scene.attempt(0, "a");
  scene.attempt(0, "b");
  const auto report = finish(scene);
  CHECK(report.events.empty());
  CHECK(report.acceptance == model::Acceptance::kAccepted);
}

}  // namespace rackproof::assemble_test
