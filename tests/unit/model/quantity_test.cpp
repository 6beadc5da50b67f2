#include "reports/model/quantity.hpp"

#include <catch2/catch.hpp>
#include <limits>

namespace rackproof::model {

TEST_CASE("numbers are scaled to what people read") {
  CHECK(quantity(41.234e9, "B/s") == "41.23 GB/s");
  CHECK(quantity(104.4e9, "FLOP/s") == "104.4 GFLOP/s");
  CHECK(quantity(12.5e-6, "s") == "12.5 us");
  CHECK(quantity(3.35e12, "B/s") == "3.35 TB/s");
  CHECK(quantity(1e15, "FLOP/s") == "1 PFLOP/s");
  CHECK(quantity(5.5e12, "cells/s") == "5.5 Tcells/s");
  CHECK(quantity(2.45e9, "Hz") == "2.45 GHz");
  CHECK(quantity(700, "W") == "700 W");
  CHECK(quantity(0.25, "W") == "250 mW");
  CHECK(quantity(0.5, "B/s") == "0.5 B/s");
  CHECK(quantity(-2e9, "B/s") == "-2 GB/s");
  CHECK(quantity(0, "FLOP/s") == "0 FLOP/s");
  CHECK(quantity(65.25, "degC") == "65.25 degC");
}

TEST_CASE("rounding never leaves four digits before the point") {
  CHECK(quantity(999.94e9, "B/s") == "999.9 GB/s");
  CHECK(quantity(999.96e9, "B/s") == "1 TB/s");
  CHECK(quantity(999.96e-9, "s") == "1 us");
  CHECK(quantity(1e9, "B/s") == "1 GB/s");
  CHECK(quantity(1e3, "B/s") == "1 kB/s");
}

TEST_CASE("message sizes are written as nccl-tests takes them") {
  CHECK(size(0) == "0");
  CHECK(size(8) == "8");
  CHECK(size(1000) == "1000");
  CHECK(size(1024) == "1K");
  CHECK(size(1536 * 1024) == "1536K");
  CHECK(size(536870912) == "512M");
  CHECK(size(std::int64_t{8} << 30) == "8G");
  CHECK(size(std::int64_t{3} << 50) == "3072T");
}

TEST_CASE("bytes that are whole multiples of a power of 1024 say so") {
  CHECK(quantity(67108864, "B") == "64 MiB");
  CHECK(quantity(1024, "B") == "1 KiB");
  CHECK(quantity(1572864, "B") == "1536 KiB");
  CHECK(quantity(1000000, "B") == "1 MB");
  CHECK(quantity(8, "B") == "8 B");
  CHECK(quantity(0, "B") == "0 B");
  CHECK(quantity(67430215680.0, "B") == "67.43 GB");
  CHECK(quantity(1024.5, "B") == "1.024 kB");
}

TEST_CASE("times grow into minutes and hours") {
  CHECK(quantity(0, "s") == "0 s");
  CHECK(quantity(3e-10, "s") == "0.3 ns");
  CHECK(quantity(1.5, "s") == "1.5 s");
  CHECK(quantity(90, "s") == "90 s");
  CHECK(quantity(150, "s") == "2.5 min");
  CHECK(quantity(86400, "s") == "24 h");
}

TEST_CASE("ratios are percentages, counts are whole, the unknown keeps its name") {
  CHECK(quantity(0.951234, "ratio") == "95.12 %");
  CHECK(quantity(1, "ratio") == "100 %");
  CHECK(quantity(123456, "count") == "123456 count");
  CHECK(quantity(0.5, "count") == "0.5 count");
  CHECK(quantity(3, "furlong") == "3 furlong");
  CHECK(quantity(3, "") == "3 (no unit)");
  CHECK(quantity(std::numeric_limits<double>::infinity(), "B/s") == "inf B/s");
  CHECK(quantity(std::numeric_limits<double>::quiet_NaN(), "s") == "nan s");
  CHECK(quantity(std::numeric_limits<double>::denorm_min(), "s").ends_with(" ns"));
  CHECK(quantity(std::numeric_limits<double>::max(), "B/s").ends_with(" EB/s"));
}

TEST_CASE("durations have at most two units") {
  CHECK(duration(0) == "0 s");
  CHECK(duration(0.0125) == "12.5 ms");
  CHECK(duration(0.4) == "0.4 s");
  CHECK(duration(9.96) == "10 s");
  CHECK(duration(30.2) == "30 s");
  CHECK(duration(59.7) == "1 min");
  CHECK(duration(95) == "1 min 35 s");
  CHECK(duration(3600) == "1 h");
  CHECK(duration(3725) == "1 h 2 min");
  CHECK(duration(93600) == "1 d 2 h");
  CHECK(duration(-95) == "-1 min 35 s");
  CHECK(duration(std::numeric_limits<double>::infinity()) == "inf s");
  CHECK(duration(1e300).ends_with(" s"));
}

}  // namespace rackproof::model
