#include "benches/pairs/kinds.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::pairs;

TEST_CASE("one of two leads and one way has one sender") {
  for (const Kind kind : {Kind::kLatency, Kind::kForward, Kind::kBackward, Kind::kBoth}) {
    CHECK(leads(kind, true) != leads(kind, false));
    const bool one_way = exchange_of(kind) == Exchange::kOneWay;
    for (const bool lower : {true, false}) {
      CHECK(sends(kind, lower) == (!one_way || leads(kind, lower)));
      CHECK(receives(kind, lower) == (!one_way || !leads(kind, lower)));
    }
  }
  CHECK(sends(Kind::kForward, true));
  CHECK(sends(Kind::kBackward, false));
}

TEST_CASE("a batch is long enough to time and small enough to keep") {
  CHECK(batch_of({Kind::kLatency, 8}).slots == 64);
  CHECK(batch_of({Kind::kLatency, 4096}).slots == 4);
  CHECK(batch_of({Kind::kLatency, 1 << 20}).slots == 1);
  CHECK(batch_of({Kind::kForward, 8}).slots == 64);
  CHECK(batch_of({Kind::kBoth, 1 << 20}).slots == 8);
  CHECK(batch_of({Kind::kBoth, std::int64_t{1} << 30}).slots == 1);
  CHECK(batch_of({Kind::kBoth, 16 << 20, kDeviceWindow}).slots == 16);
  CHECK(batch_of({Kind::kForward, 4 << 20, kDeviceWindow}).slots == 64);
  CHECK(batch_of({Kind::kLatency, 8, kDeviceWindow}).slots == 64);
  CHECK(batch_of({Kind::kLatency, 4096, kDeviceWindow}).slots == 64);
  CHECK(batch_of({Kind::kLatency, 64 << 10, kDeviceWindow}).slots == 8);
  CHECK(batch_of({Kind::kLatency, 4 << 20, kDeviceWindow}).slots == 1);
  for (const std::int64_t bytes : {8, 72, 4096}) {
    const Batch batch = batch_of({Kind::kForward, bytes});
    CHECK(batch.stride() % 64 == 0);
    CHECK(batch.stride() >= bytes);
    CHECK(batch.words() * 8 == bytes);
    CHECK(batch.span() == batch.slots * batch.stride());
  }
}

TEST_CASE("a value is one way of a round trip, or the bytes that arrived over time") {
  const Batch batch{1000, 10};
  CHECK(value_of({Kind::kLatency, 1000}, batch, 40e-6) == Approx(2e-6));
  CHECK(value_of({Kind::kForward, 1000}, batch, 1e-6) == Approx(1e10));
  CHECK(value_of({Kind::kBackward, 1000}, batch, 1e-6) == Approx(1e10));
  CHECK(value_of({Kind::kBoth, 1000}, batch, 1e-6) == Approx(2e10));
}
