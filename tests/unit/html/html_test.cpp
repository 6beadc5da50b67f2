#include "reports/html/html.hpp"

#include "reports/json/report_json.hpp"
#include "tests/unit/rendered.hpp"

namespace rackproof::html {

using namespace rendered;
using model::Outcome;

namespace {

model::Report rack(int hosts, int devices) {
  model::Report report;
  report.run.id = "r1";
  for (int host = 0; host < hosts; ++host) {
    model::NodeInventory& node = report.nodes.emplace_back();
    node.host = "node" + std::to_string(host);
    node.facts["driver"] = {contract::Scalar(std::string(host == 3 ? "560" : "550")), "NVML", ""};
    node.facts["kernel"] = {contract::Scalar(std::string("6.1")), "uname", ""};
    for (int device = 0; device < devices; ++device) {
      const std::string uuid = "GPU-" + std::to_string(host) + "-" + std::to_string(device);
      node.devices.push_back({uuid, device, {}});
      model::Cell cell = cell_of(node.host, Outcome::kPass);
      cell.subject.kind = contract::SubjectKind::kDevice;
      cell.subject.device = uuid;
      report.cells.push_back(cell);
    }
  }
  return report;
}

}  // namespace

TEST_CASE("the sample report as a page is the golden one") {
  golden::check("report/sample.html",
                render(model::report_from_json(golden::read("report/sample.report.json"))));
}

TEST_CASE("the verdict is the first thing on the page") {
  model::Report report;
  report.acceptance = model::Acceptance::kAccepted;
  report.acceptance_reason = "all is well";
  const std::string text = render(report);
  CHECK(has(text, "<header class=\"verdict pass\">"));
  CHECK(has(
      text,
      "<span aria-hidden=\"true\">✓</span> Accepted</h1>\n<p>0 hosts, 0 GPUs: all is well</p>"));
  CHECK(has(render({}), "Incomplete</h1>"));
}

TEST_CASE("the page can run nothing and load nothing") {
  for (const model::Report& report : {rack(2, 2), hostile()}) {
    const std::string text = render(report);
    CHECK(has(text, "content=\"default-src 'none'; style-src 'unsafe-inline'\""));
    CHECK_FALSE(has(text, "<script"));
    CHECK_FALSE(has(text, "src="));
    CHECK_FALSE(has(text, "url("));
    CHECK_FALSE(has(text, "@import"));
    CHECK(occurrences(text, "href=\"") == occurrences(text, "href=\"#"));
  }
}

TEST_CASE("hostile text stays text") {
  const std::string text = render(hostile());
  CHECK(has(text, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;;|`"));
  CHECK_FALSE(has(text, "\x1b"));
  CHECK_FALSE(has(text, "\xE2\x80\xAE"));
  CHECK_FALSE(has(text, "\xff"));
}

TEST_CASE("the foot of a printed page says the verdict and the run, whatever that is called") {
  model::Report report;
  report.acceptance = model::Acceptance::kRejected;
  report.run.id = "a-1\"; } body { display: none; } \\ </style><b>\xC3\xA9";
  const std::string text = render(report);
  CHECK(has(
      text,
      "@bottom-left { content: \"rackproof\\20 rejected\\2c \\20 run\\20 a\\2d 1\\22 \\3b \\20 "));
  CHECK(has(text, "\\5c \\20 \\3c \\2f style\\3e \\3c b\\3e ??\"; font:"));
  CHECK(occurrences(text, "</style>") == 1);
  CHECK(occurrences(text, "class=\"signed\"") == 1);
}

TEST_CASE("hosts of the job that were left out are not covered") {
  model::Report report = rack(2, 0);
  report.run.left_out_hosts = {"node2", "node3", "node4"};
  CHECK(has(render(report), "<p class=\"coverage\">2 of 5 hosts, "));
}

TEST_CASE(
    "the title of a page is the verdict and the rack, as tabs and files are told apart by it") {
  model::Report report = rack(1, 0);
  report.acceptance = model::Acceptance::kRejected;
  CHECK(has(render(report), "<title>rejected: node0 - rackproof</title>"));
  report.run.labels["rack"] = "A<7";
  CHECK(has(render(report), "<title>rejected: A&lt;7 - rackproof</title>"));
}

TEST_CASE("every box of the rack says what it is in words") {
  model::Report report = rack(4, 2);
  report.cells[3].verdict.outcome = Outcome::kFail;
  report.cells[4].verdict.outcome = Outcome::kUntested;
  const std::string text = render(report);
  CHECK(has(
      text,
      "title=\"node1 GPU 1 (GPU-1-1): 1 of 1 cells fail\"><a href=\"#failed\" data-cell=\"0-3\">"));
  CHECK(has(text,
            "title=\"node2 GPU 0 (GPU-2-0): 1 of 1 cells untested\"><a href=\"#unproven\" "
            "data-cell=\"0-4\">"));
  CHECK(has(text, "title=\"node0 GPU 0 (GPU-0-0): 1 of 1 cells pass\" data-cell=\"0-0\">"));
  CHECK(occurrences(text, "class=\"box pass\"") == 6);
  CHECK(has(text, "Worst problems (fail)</h2>"));
  CHECK(has(text, "<strong data-cell=\"0-3\">node1 GPU 1 ("));
}

TEST_CASE("what is missing of the rack is drawn, and what was not asked of a part") {
  model::Report report = rack(3, 2);
  report.nodes.push_back({"node9", {}, {{"GPU-9-0", 0, {}}}});
  report.nodes.back().facts["gpu.silent"] = {contract::Scalar(std::string("1: GPU is lost")), "",
                                             ""};
  report.run.left_out_hosts = {"node7"};
  report.run.extent.hosts = 8;
  report.run.extent.assets = {{"node8", {}, ""}};
  const std::string text = render(report);
  CHECK(has(text, "<td class=\"box missing\" title=\"node9: a GPU is missing: 1: GPU is lost\">"));
  CHECK(has(text,
            "<td class=\"box quiet\" title=\"node9 GPU 0 (GPU-9-0): nothing of it was required"));
  CHECK(has(text,
            "<tr class=\"off\"><th scope=\"row\">node7</th><td class=\"why\" "
            "colspan=\"3\">left out of this run</td>"));
  CHECK(has(text, "node8</th><td class=\"why\" colspan=\"3\">expected, gave no inventory</td>"));
  CHECK(has(text, ">2 hosts more</th>"));
}

TEST_CASE("a missing GPU is drawn however many others there are") {
  model::Report report = rack(1, 40);
  report.nodes[0].facts["gpu.unmanaged"] = {contract::Scalar(std::string("0000:18:00.0")), "", ""};
  const std::string text = render(report);
  CHECK(occurrences(text, "class=\"box pass\"") == 15);
  CHECK(occurrences(text, "class=\"box missing\"") == 1);
  CHECK(has(text, "<td class=\"more\">and 25 more</td>"));
  CHECK(has(text, "<p class=\"coverage\">1 host, 40 of 41 GPUs, "));
}

TEST_CASE("hosts of one NVLink domain stand together under its name") {
  model::Report report = rack(3, 1);
  for (const auto& [node, domain] :
       {std::pair(0, "b.1"), std::pair(1, "a.<1>"), std::pair(2, "b.1")}) {
    report.nodes[static_cast<std::size_t>(node)].devices[0].facts["nvlink.domain"] = {
        contract::Scalar(std::string(domain)), "NVML", ""};
  }
  const std::string text = render(report);
  CHECK(has(text, ">NVLink domain a.&lt;1&gt;</th>"));
  CHECK(occurrences(text, ">NVLink domain b.1</th>") == 1);
  CHECK(text.find("<th scope=\"row\">node1</th>") < text.find("<th scope=\"row\">node0</th>"));
  // One domain is the rack.
  CHECK_FALSE(has(render(rack(3, 1)), "NVLink domain"));
}

TEST_CASE("what was seen beside a failed cell stands with it and with the worst problems") {
  model::Report report;
  report.cells.push_back(cell_of("node1", Outcome::kFail));
  report.cells.back().causes = {{"power-cap", "node1/GPU-1", "power cap <600 W>"}};
  CHECK(occurrences(render(report), "een: node1/GPU-1: power cap &lt;600 W&gt;") == 2);
}

TEST_CASE("what differs among hosts comes before what they share") {
  const std::string text = render(rack(4, 1));
  const std::size_t unlike = text.find("Facts of hosts that differ");
  REQUIRE(unlike != std::string::npos);
  CHECK(unlike < text.find("Facts that all hosts share"));
  CHECK(has(text, "550 <small>(3)</small><br>560 <small>(1: node3)</small>"));
}

TEST_CASE("a cluster of ten thousand devices is a page of a few thousand elements") {
  model::Report report = rack(1250, 8);
  report.cells[4321].verdict.outcome = Outcome::kFail;
  const std::string text = render(report);
  CHECK(occurrences(text, "<") - occurrences(text, "</") < 3000);
  CHECK(has(text, "1249 more hosts"));
  CHECK(has(text, "node540 GPU 1 (GPU-540-1): 1 of 1 cells fail"));
}

TEST_CASE("long lists are cut, and what is left out is counted") {
  model::Report report;
  report.cells.assign(300, cell_of("node1", Outcome::kFail));
  const std::string text = render(report);
  CHECK(has(text, "Failed (300)"));
  CHECK(has(text, "and 250 more"));
}

TEST_CASE("the files of evidence stand with their digests and their damage") {
  model::Report report;
  // The damaged one is the last, and stands although not all do.
  report.journals.resize(29, {"journals/1.jsonl", 1, 1, 800, 11, "ab", "cd", {}});
  report.journals.push_back({"journals/<0>.jsonl", 1, 0, 900, 12, "ab12", "cd34", {7}});
  model::RecordingInfo& recording = report.recordings.emplace_back();
  recording.file = "journals/0.recording";
  recording.problem = "cut off";
  const std::string text = render(report);
  CHECK(has(text, "journals/&lt;0&gt;.jsonl"));
  CHECK(has(text, "<td class=\"n\">12 (1 damaged)</td><td class=\"n\">900</td>"));
  CHECK(has(text, "<code>cd34</code>"));
  CHECK(has(text, "and 20 more"));
  CHECK(has(text, "cut off"));
}

TEST_CASE("a report without anything is a page") {
  const std::string text = render({});
  CHECK(text.starts_with("<!DOCTYPE html>"));
  CHECK(text.ends_with("</html>\n"));
  CHECK_FALSE(has(text, "id=\"failed\""));
  CHECK_FALSE(has(text, "id=\"rack\""));
}

}  // namespace rackproof::html
