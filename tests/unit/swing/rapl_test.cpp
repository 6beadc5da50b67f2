#include "benches/swing/rapl.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/unit/folder.hpp"

namespace rackproof::swing {
namespace {

void package(const test::Folder& root, const std::string& zone, const std::string& name,
             const std::string& microjoules) {
  const std::string folder = "sys/class/powercap/" + zone + "/";
  root.write(folder + "name", name + "\n");
  root.write(folder + "energy_uj", microjoules + "\n");
  root.write(folder + "max_energy_range_uj", "1000000000\n");
}

void limit(const test::Folder& root, const std::string& zone, const std::string& microwatts) {
  root.write("sys/class/powercap/" + zone + "/constraint_0_name", "long_term\n");
  root.write("sys/class/powercap/" + zone + "/constraint_0_power_limit_uw", microwatts + "\n");
}

}  // namespace

TEST_CASE(
    "joules of all packages are counted from the beginning, around the end of a counter too") {
  const test::Folder root;
  package(root, "intel-rapl:0", "package-0", "999000000");
  package(root, "intel-rapl:1", "package-1", "5000000");
  package(root, "intel-rapl:0:0", "dram", "7000000");
  package(root, "intel-rapl:2", "psys", "7000000");
  Rapl rapl(root.path());
  REQUIRE(rapl.lack() == Lack::kNothing);
  CHECK(rapl.joules() == 0.0);
  root.write("sys/class/powercap/intel-rapl:0/energy_uj", "2000000\n");
  root.write("sys/class/powercap/intel-rapl:1/energy_uj", "6500000\n");
  root.write("sys/class/powercap/intel-rapl:0:0/energy_uj", "90000000\n");
  CHECK(rapl.joules().value() == Approx(3 + 1.5));
  root.write("sys/class/powercap/intel-rapl:1/energy_uj", "7500000\n");
  CHECK(rapl.joules().value() == Approx(3 + 2.5));
}

TEST_CASE("a limit is that of all packages, or there is none") {
  const test::Folder root;
  package(root, "intel-rapl:0", "package-0", "1");
  package(root, "intel-rapl:1", "package-1", "1");
  limit(root, "intel-rapl:0", "205000000");
  CHECK_FALSE(Rapl(root.path()).limit_watts());
  limit(root, "intel-rapl:1", "195000000");
  CHECK(Rapl(root.path()).limit_watts().value() == Approx(400));
}

TEST_CASE("a sensor that is not there, or that cannot be read, gives no value") {
  const test::Folder root;
  CHECK(Rapl(root.path()).lack() == Lack::kNoCounter);
  CHECK_FALSE(Rapl(root.path()).joules());
  package(root, "intel-rapl:0", "package-0", "1000");
  // A folder where a file is wanted cannot be read by anybody, root included.
  package(root, "intel-rapl:1", "package-1", "1000");
  std::filesystem::remove(root.path("sys/class/powercap/intel-rapl:1/energy_uj"));
  std::filesystem::create_directory(root.path("sys/class/powercap/intel-rapl:1/energy_uj"));
  Rapl part(root.path());
  CHECK(part.lack() == Lack::kNotReadable);
  CHECK_FALSE(part.joules());
  CHECK_FALSE(part.limit_watts());
}

TEST_CASE("a counter that turns into something else ends the measurement") {
  const test::Folder root;
  package(root, "intel-rapl:0", "package-0", "1000");
  Rapl rapl(root.path());
  CHECK(rapl.joules());
  root.write("sys/class/powercap/intel-rapl:0/energy_uj", "no number\n");
  CHECK_FALSE(rapl.joules());
}

}  // namespace rackproof::swing
