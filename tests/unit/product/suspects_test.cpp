#include "benches/kit/product/suspects.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::product;

namespace {

Checksums sums() { return {{Words{1, 2, 3}, Words{10, 20, 30}}, {Words{5, 6}, Words{50, 60}}}; }

const std::vector<std::uint8_t> kWhole = {0, 0, 0};

}  // namespace

TEST_CASE("equal checksums raise no suspicion") {
  CHECK(find_suspects(sums(), sums(), kWhole).none());
}

TEST_CASE("a wrong row and a wrong column cross") {
  Checksums got = sums();
  got.rows[0][2] += 1;
  got.columns[1][0] -= 1;
  const Suspects found = find_suspects(got, sums(), kWhole);
  CHECK(found.rows == std::vector<std::int64_t>{2});
  CHECK(found.columns == std::vector<std::int64_t>{0});
  CHECK(found.detail == "1 of 3 rows and 1 of 2 columns have a wrong checksum");
}

TEST_CASE("rows alone make every column a suspect and columns alone every row") {
  Checksums got = sums();
  got.rows[1][0] += 7;
  CHECK(find_suspects(got, sums(), kWhole).columns.size() == 2);
  got = sums();
  got.columns[0][1] += 7;
  CHECK(find_suspects(got, sums(), kWhole).rows.size() == 3);
}

TEST_CASE("a row with something that is no integer is a suspect with all its columns") {
  Checksums got = sums();
  got.rows[0][1] += 7;
  got.columns[0][1] += 7;
  const Suspects found = find_suspects(got, sums(), {1, 1, 0});
  CHECK(found.rows == std::vector<std::int64_t>{0, 1});
  CHECK(found.columns.size() == 2);
}

TEST_CASE("as many rows are computed again as the budget allows and one at least") {
  Suspects suspects;
  suspects.rows.resize(1000);
  suspects.columns.resize(1U << 13U);
  CHECK(affordable_rows(suspects, 1 << 10) == 1000);
  CHECK(affordable_rows(suspects, 1 << 13) == 128);
  CHECK(affordable_rows(suspects, 1 << 24) == 1);
}
