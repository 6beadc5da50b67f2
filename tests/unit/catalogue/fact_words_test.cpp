#include "reports/catalogue/fact_words.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;

TEST_CASE("a fact tells its unit by its name") {
  CHECK(catalogue::fact_in_words("cpu.max_clock_hertz", std::int64_t{3'800'000'000}) == "3.8 GHz");
  CHECK(catalogue::fact_in_words("memory.total_bytes", std::int64_t{17'179'869'184}) == "16 GiB");
  CHECK(catalogue::fact_in_words("nic.e.speed_bits_per_second", std::int64_t{100'000'000'000}) ==
        "100 Gbit/s");
  CHECK(catalogue::fact_in_words("gpu.nvlink_bytes_per_second", 25e9) == "25 GB/s");
  CHECK(catalogue::fact_in_words("gpu.nvlinks", std::int64_t{18}) == "18");
  CHECK(catalogue::fact_in_words("limit.open_files", std::int64_t{1'048'576}) == "1048576");
  CHECK(catalogue::fact_in_words("gpu.ecc", true) == "true");
  CHECK(catalogue::fact_in_words("gpu.memory_bytes", std::string("8 x 80 GiB")) == "8 x 80 GiB");
  CHECK(catalogue::fact_in_words("site.figure", 0.25) == "0.25");
}
