#include <dlfcn.h>

#include <cmath>

#include "harness/inventory/collectors.hpp"
#include "reports/json/report_json.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/nasty_nvml.hpp"

using namespace rackproof;

namespace {

using Answers = decltype(&nasty_nvml_answers);

Answers answers() {
  void* const library = dlopen(RACKPROOF_NASTY_NVML, RTLD_NOW | RTLD_LOCAL);
  fuzz::expect(library != nullptr, "the library that is to be nasty");
  return reinterpret_cast<Answers>(dlsym(library, "nasty_nvml_answers"));
}

}  // namespace

// Whatever NVML answers, the devices and facts are such that a journal and a report can hold.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Answers give = answers();
  give(data, size);
  inventory::FactSheet sheet;
  model::NodeInventory node;
  node.host = "node";
  node.devices = inventory::collect_devices(RACKPROOF_NASTY_NVML, sheet);
  node.facts = sheet.facts();
  const std::string line = model::to_json_line(node);
  fuzz::expect(model::to_json_line(model::node_from_json(line)) == line,
               "an inventory is read back");
  for (const model::DeviceFacts& device : node.devices) {
    fuzz::expect(!device.uuid.empty(), "a device without a name is none");
    for (const auto& [name, fact] : device.facts) {
      const auto* number = fact.value ? std::get_if<double>(&*fact.value) : nullptr;
      const auto* whole = fact.value ? std::get_if<std::int64_t>(&*fact.value) : nullptr;
      fuzz::expect(number == nullptr || (std::isfinite(*number) && *number >= 0), "sound numbers");
      fuzz::expect(whole == nullptr || *whole >= 0, "no negative size, clock or width");
    }
  }
  return 0;
}
