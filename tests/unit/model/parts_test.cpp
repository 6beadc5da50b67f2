#include "reports/model/parts.hpp"

#include <catch2/catch.hpp>

#include "reports/model/reason_id.hpp"

namespace rackproof::model {
namespace {

Report report_of() {
  Report report;
  NodeInventory node;
  node.host = "gb-07";
  for (const int index : {0, 1, 2}) {
    DeviceFacts device;
    device.uuid = "GPU-" + std::to_string(index);
    device.index = index;
    node.devices.push_back(device);
  }
  node.devices[1].facts["gpu.pci_address"] = {contract::Scalar(std::string("0008:01:00.0")), "NVML",
                                              ""};
  node.devices[2].facts = node.devices[1].facts;
  node.devices[2].facts["gpu.serial"] = {contract::Scalar(std::string("1653")), "NVML", ""};
  report.nodes.push_back(node);
  return report;
}

Subject gpu(const std::string& uuid) {
  Subject subject;
  subject.kind = contract::SubjectKind::kDevice;
  subject.host = "gb-07";
  subject.device = uuid;
  return subject;
}

Subject link(const std::string& from, const std::string& to) {
  Subject subject = gpu(from);
  subject.kind = contract::SubjectKind::kLink;
  subject.peer_host = "gb-07";
  subject.peer_device = to;
  return subject;
}

Cell failed(const Subject& subject, const char* reason, const char* unit = "B/s") {
  Cell cell;
  cell.subject = subject;
  cell.verdict.outcome = Outcome::kFail;
  cell.verdict.reason_id = reason;
  cell.measurements.emplace_back().unit = unit;
  return cell;
}

std::vector<const Cell*> pointers(const std::vector<Cell>& cells) {
  std::vector<const Cell*> all;
  for (const Cell& cell : cells) all.push_back(&cell);
  return all;
}

}  // namespace

TEST_CASE("a part has a short name where the inventory knows it") {
  const Report report = report_of();
  CHECK(short_name(report, gpu("GPU-1")) == "gb-07 GPU 1");
  CHECK(short_name(report, gpu("GPU-9")).empty());
  CHECK(short_name(report, link("GPU-0", "GPU-1")).empty());
  Subject node = gpu("");
  node.kind = contract::SubjectKind::kNode;
  CHECK(short_name(report, node) == "gb-07");
}

TEST_CASE("a GPU is named by its place, and by its serial number where that is known") {
  const Report report = report_of();
  CHECK(part_name(report, gpu("GPU-0")) == "gb-07 GPU 0 (GPU-0)");
  CHECK(part_name(report, gpu("GPU-1")) == "gb-07 GPU 1 (0008:01:00.0, GPU-1)");
  CHECK(part_name(report, gpu("GPU-2")) == "gb-07 GPU 2 (0008:01:00.0, S/N 1653)");
  CHECK(part_name(report, gpu("GPU-9")) == "gb-07/GPU-9");
  CHECK(part_name(report, link("GPU-0", "GPU-2")) == "gb-07 GPU 0 - gb-07 GPU 2");
  CHECK(part_name(report, link("GPU-0", "GPU-9")) == "gb-07/GPU-0 - gb-07/GPU-9");
  const auto names = device_names(report);
  CHECK(names.size() == 3);
  CHECK(names.at("gb-07/GPU-2") == "gb-07 GPU 2 (0008:01:00.0, S/N 1653)");
}

TEST_CASE("cells of a part stay together, in the order in which they come") {
  const std::vector<Cell> cells = {failed(gpu("GPU-1"), reason_id::kBelowLimit),
                                   failed(gpu("GPU-0"), reason_id::kBelowLimit),
                                   failed(gpu("GPU-1"), reason_id::kWrongAnswer)};
  const auto parts = by_part(pointers(cells));
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].subject->device == "GPU-1");
  CHECK(parts[0].cells == std::vector<const Cell*>{&cells[0], &cells[2]});
  CHECK(parts[1].cells == std::vector<const Cell*>{&cells[1]});
}

TEST_CASE("a link goes to the one end that is bad by itself") {
  const std::vector<Cell> cells = {failed(link("GPU-0", "GPU-1"), reason_id::kBelowLimit),
                                   failed(gpu("GPU-1"), reason_id::kBelowLimit),
                                   failed(link("GPU-1", "GPU-2"), reason_id::kPeerOutlier),
                                   failed(link("GPU-0", "GPU-2"), reason_id::kBelowLimit)};
  const auto parts = by_part(pointers(cells));
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].subject->device == "GPU-1");
  CHECK(parts[0].links == 2);
  CHECK(failures_of(parts[0]) ==
        "1 too slow (below-limit), on 2 of its links 2 too slow (below-limit, peer-outlier)");
  // Of two bad ends nobody knows whose the link is; nor where neither is bad.
  CHECK(parts[1].subject->peer_device == "GPU-2");
  const std::vector<Cell> both = {failed(gpu("GPU-0"), reason_id::kBelowLimit),
                                  failed(gpu("GPU-1"), reason_id::kBelowLimit),
                                  failed(link("GPU-0", "GPU-1"), reason_id::kBelowLimit)};
  CHECK(by_part(pointers(both)).size() == 3);
}

TEST_CASE("failures are told by kind, most first, with what decided") {
  const std::vector<Cell> cells = {
      failed(gpu("a"), reason_id::kWrongAnswer),     failed(gpu("a"), reason_id::kBelowLimit),
      failed(gpu("a"), reason_id::kPeerOutlier),     failed(gpu("a"), reason_id::kBelowLimit, "W"),
      failed(gpu("a"), reason_id::kAboveLimit, "s"), failed(gpu("a"), reason_id::kHardwareFault),
      failed(gpu("a"), reason_id::kConditionDiffers)};
  CHECK(failures_of(pointers(cells)) ==
        "3 too slow (below-limit, peer-outlier, above-limit), 1 wrong answer (wrong-answer), 1 out "
        "of limits (below-limit), 1 hardware-fault, 1 condition-differs");
  CHECK(failures_of(pointers(cells), Ids::kLeftOut) ==
        "3 too slow, 1 wrong answer, 1 out of limits, 1 hardware-fault, 1 condition-differs");
}

TEST_CASE("how far a cell is from what is expected") {
  Cell cell;
  CHECK(distance_of(cell).empty());
  for (const auto& [ratio, text] : {std::pair{0.288, "71.2 % below what is expected"},
                                    std::pair{1.25, "25 % above what is expected"},
                                    std::pair{3.4, "3.4 times what is expected"}}) {
    cell.verdict.ratio = ratio;
    CHECK(distance_of(cell) == text);
  }
  // It fails by its peers, whatever was expected of it.
  cell.verdict.ratio = 0.99;
  cell.verdict.deficit = 0.1634;
  CHECK(distance_of(cell) == "16 % worse than its peers");
  cell.verdict.reason_id = reason_id::kHistoryDrop;
  CHECK(distance_of(cell) == "16 % worse than in its earlier runs");
}

}  // namespace rackproof::model
