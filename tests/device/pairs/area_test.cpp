#include <catch2/catch.hpp>

#include "benches/pairs/device_area.hpp"

using namespace rackproof;
using namespace rackproof::pairs;

namespace {

// What a partner would do.
void deliver(DeviceArea& area, const Batch& batch) {
  for (std::int64_t slot = 0; slot < batch.slots; ++slot) {
    kit::cuda::copy(area.received(slot, batch), area.sent(slot, batch),
                    static_cast<std::size_t>(batch.bytes));
  }
}

}  // namespace

TEST_CASE("messages that arrive are right and those that do not are wrong in every word") {
  for (const Batch& batch : {Batch{8, 64}, Batch{4096, 5}, Batch{1 << 20, 8}}) {
    DeviceArea area(batch.span());
    CHECK(area.holds(batch.span()));
    CHECK_FALSE(area.holds(batch.span() + 1));
    area.write(17, batch);
    area.poison(17, batch);
    const Found nothing = area.compare(17, batch);
    CHECK(nothing.words.wrong == batch.slots * batch.words());
    CHECK(nothing.slot == 0);
    deliver(area, batch);
    CHECK(area.compare(17, batch).words.wrong == 0);
    CHECK(area.compare(17, batch).words.compared == batch.slots * batch.words());
    CHECK(area.compare(18, batch).words.wrong == batch.slots * batch.words());
  }
}

TEST_CASE("one wrong bit is found in its message and word") {
  const Batch batch{4096, 64};
  DeviceArea area(batch.span());
  area.write(1, batch);
  for (const std::int64_t element :
       {std::int64_t{0}, std::int64_t{513}, 64 * 512 - std::int64_t{1}}) {
    area.poison(1, batch);
    deliver(area, batch);
    area.spoil({element, 40}, batch);
    const Found found = area.compare(1, batch);
    CHECK(found.words.wrong == 1);
    CHECK(found.slot == element / 512);
    CHECK(found.words.first == element % 512);
    CHECK((found.words.got ^ found.words.want) == std::uint64_t{1} << 40);
  }
}

TEST_CASE("too much memory is not had and nothing is thrown") {
  const DeviceArea area(std::int64_t{1} << 46);
  CHECK_FALSE(area.holds(8));
}
