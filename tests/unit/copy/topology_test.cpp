#include "benches/copy/topology.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "benches/kit/errors.hpp"

using namespace rackproof;

TEST_CASE("the domain of a device is read from sysfs and unknown where that does not say") {
  std::string name = (std::filesystem::temp_directory_path() / "copy-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  const std::filesystem::path root = name;
  const auto folder = root / "sys/bus/pci/devices/0000:18:00.0";
  std::filesystem::create_directories(folder);
  CHECK(copy::pci_numa_node("0000:18:00.0", root) == -1);
  std::ofstream(folder / "numa_node") << "1\n";
  CHECK(copy::pci_numa_node("0000:18:00.0", root) == 1);
  CHECK(copy::pci_numa_node("0000:19:00.0", root) == -1);
  CHECK(copy::pci_numa_node("", root) == -1);
  std::ofstream(folder / "numa_node") << "-1\n";
  CHECK(copy::pci_numa_node("0000:18:00.0", root) == -1);
  std::filesystem::remove_all(root);
}

TEST_CASE("host memory that would starve the machine is refused with what is free") {
  CHECK_NOTHROW(copy::require_host_memory(1000, 4000));
  CHECK_THROWS_AS(copy::require_host_memory(1001, 4000), kit::UsageError);
  CHECK_THROWS_WITH(copy::require_host_memory(1001, 4000),
                    Catch::Contains("2002 B") && Catch::Contains("4000 B that are free"));
}
