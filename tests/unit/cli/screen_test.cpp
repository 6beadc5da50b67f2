#include "harness/cli/screen.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::cli;

namespace {

std::size_t columns(const std::map<std::string, std::string>& environment) {
  Program program;
  program.environment = environment;
  return screen_columns(program, -1);
}

}  // namespace

TEST_CASE("where there is no terminal lines are as long as COLUMNS says, or good to read") {
  CHECK(columns({}) == 100);
  CHECK(columns({{"COLUMNS", "132"}}) == 132);
  CHECK(columns({{"COLUMNS", "20"}}) == 60);
  CHECK(columns({{"COLUMNS", "9999"}}) == 200);
  for (const char* wrong : {"", "wide", "120x", "-5", "0", "99999999999999999999"}) {
    CHECK(columns({{"COLUMNS", wrong}}) == 100);
  }
}

TEST_CASE("a rank of a launcher is narrow: its lines end in a terminal mostly") {
  const std::map<std::string, std::string> rank = {{"OMPI_COMM_WORLD_SIZE", "2"},
                                                   {"OMPI_COMM_WORLD_RANK", "0"}};
  CHECK(columns(rank) == 80);
  auto wide = rank;
  wide["COLUMNS"] = "120";
  CHECK(columns(wide) == 120);
}
