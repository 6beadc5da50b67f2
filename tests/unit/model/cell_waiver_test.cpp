#include "reports/model/cell_waiver.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::model;
namespace contract = rackproof::contract;

TEST_CASE("a waiver fits a host, a device, and a link at either of its ends") {
  Subject node;
  node.host = "gb-07";
  CHECK(fits_subject("gb-07", node));
  CHECK(fits_subject("gb-*", node));
  CHECK_FALSE(fits_subject("gb-08", node));
  Subject device;
  device.kind = contract::SubjectKind::kDevice;
  device.host = "gb-07";
  device.device = "GPU-1a2b";
  for (const char* pattern : {"gb-07", "GPU-1a2b", "gb-07/GPU-1a2b", "gb-07/*"}) {
    INFO(pattern);
    CHECK(fits_subject(pattern, device));
  }
  CHECK_FALSE(fits_subject("GPU-1a2c", device));
  Subject link;
  link.kind = contract::SubjectKind::kLink;
  link.host = "gb-01";
  link.peer_host = "gb-07";
  CHECK(fits_subject("gb-07", link));
  CHECK(fits_subject("gb-01", link));
}

TEST_CASE("who excuses a host does not excuse a group that it is in") {
  Subject group;
  group.kind = contract::SubjectKind::kGroup;
  group.group = "world";
  group.members = {"gb-06", "gb-07"};
  group.host = "gb-07";
  CHECK_FALSE(fits_subject("gb-07", group));
  CHECK(fits_subject(label(group), group));
}

TEST_CASE("a waiver holds through its last day") {
  CellWaiver waiver;
  waiver.until = "2026-12-31";
  CHECK_FALSE(is_over(waiver, "2026-12-31T23:59:59Z"));
  CHECK(is_over(waiver, "2027-01-01T00:00:00Z"));
  waiver.approved_by = "J. Doe";
  waiver.reason = "a fan";
  CHECK(terms_of(waiver) == "until 2026-12-31 by J. Doe: a fan");
  waiver.ticket = "OPS-17";
  CHECK(terms_of(waiver) == "until 2026-12-31 by J. Doe (OPS-17): a fan");
}
