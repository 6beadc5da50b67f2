#include "benches/kit/nccl/local_progress.hpp"

#include <catch2/catch.hpp>
#include <set>

namespace rackproof::kit::nccl {
namespace {

using contract::Place;
using contract::ProgressPage;
using contract::unpacked;

struct Device {
  ProgressPage page;
  ProgressWriter writer{&page};
  LocalProgress progress{writer};
  std::set<std::size_t> reached;

  Device() {
    progress.begin("all_reduce 8 B", 8);
    progress.ask([this](std::size_t event) { return reached.contains(event); });
  }
  Place entered() const { return unpacked(page.entered); }
  Place completed() const { return unpacked(page.completed); }
};

}  // namespace

TEST_CASE("a device stands in the first of what was queued and is not over") {
  Device device;
  device.progress.exchange(0);
  device.progress.operations(1, 1);
  device.progress.operations(1, 2);
  CHECK(device.entered() == Place{1, 0, 1});
  CHECK_FALSE(device.progress.look());
  device.reached = {0, 1};
  CHECK_FALSE(device.progress.look());
  CHECK(device.entered() == Place{1, 1, 0});
  CHECK(device.completed() == Place{1, 0, 0});
  device.reached.insert(2);
  CHECK(device.progress.look());
  CHECK(device.completed() == Place{1, 1, 0});
}

TEST_CASE("operations that are over at once are told with how many they are") {
  Device device;
  device.progress.operations(8, 8);
  device.progress.operations(24, 32);
  CHECK(device.page.span == 8);
  device.reached = {8};
  CHECK_FALSE(device.progress.look());
  CHECK(device.entered() == Place{1, 8, 0});
  CHECK(device.page.span == 24);
  CHECK(device.completed() == Place{1, 7, 0});
  device.reached = {8, 32};
  CHECK(device.progress.look());
  CHECK(device.completed() == Place{1, 31, 0});
}

TEST_CASE("of a batch those operations are told together between which there is no event") {
  Device device;
  device.progress.batch(6, [](int number) { return number == 2 || number >= 5; });
  CHECK(device.page.span == 2);
  device.reached = {2};
  CHECK_FALSE(device.progress.look());
  CHECK(device.entered() == Place{1, 2, 0});
  CHECK(device.page.span == 3);
  device.reached = {2, 5};
  CHECK_FALSE(device.progress.look());
  CHECK(device.entered() == Place{1, 5, 0});
  CHECK(device.page.span == 1);
}

TEST_CASE("what has no event is over when everything is") {
  Device device;
  device.progress.operations(1, 1);
  device.progress.exchange();
  device.reached = {1};
  CHECK(device.progress.look());
  CHECK(device.entered() == Place{1, 1, 1});
  CHECK(device.completed() == Place{1, 0, 0});
  device.progress.all_over();
  CHECK(device.completed() == Place{1, 1, 1});
  // Nothing was queued since: nothing changes.
  device.progress.all_over();
  CHECK(device.entered() == device.completed());
}

TEST_CASE("without anybody to ask, all is over when it is said so") {
  Device device;
  device.progress.exchange(0);
  device.progress.begin("all_reduce 16 B", 16);
  device.progress.operations(4, 0);
  CHECK(device.entered() == Place{2, 0, 0});
  CHECK(device.progress.look());
  CHECK(device.completed() == Place{});
  device.progress.all_over();
  CHECK(device.completed() == Place{2, 3, 0});
}

}  // namespace rackproof::kit::nccl
