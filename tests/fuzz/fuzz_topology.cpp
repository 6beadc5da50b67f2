#include "harness/topology/topology.hpp"
#include "tests/fuzz/attached.hpp"

using namespace rackproof;

// Any bytes are of one of the formats and read as that, or refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::check_reader(data, size, [](std::string_view text) {
    return topology::read_topology("gb-01.json", text);
  });
  return 0;
}
