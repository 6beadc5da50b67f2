#include "harness/topology/formats.hpp"
#include "tests/fuzz/attached.hpp"

using namespace rackproof;

// Any bytes are no output of iblinkinfo, or attachments.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::check_reader(data, size,
                     [](std::string_view text) { return topology::read_iblinkinfo("f", text); });
  return 0;
}
