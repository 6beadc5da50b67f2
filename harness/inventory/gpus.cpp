#include "harness/inventory/collectors.hpp"

namespace rackproof::inventory {
namespace {

const std::string kPci = "/sys/bus/pci/devices";

}  // namespace

void collect_gpus(const FileTree& tree, FactSheet& sheet) {
  std::size_t count = 0;
  std::string addresses;
  std::string ids;
  for (const std::string& address : tree.names(kPci)) {
    const std::string folder = kPci + "/" + address;
    const std::string vendor = tree.read(folder + "/vendor").text.value_or("");
    // 0x0300 is a display controller, 0x0302 a 3D controller: data-centre GPUs are the latter.
    if (vendor != "0x10de" ||
        tree.read(folder + "/class").text.value_or("").rfind("0x03", 0) != 0) {
      continue;
    }
    ++count;
    const std::string device = tree.read(folder + "/device").text.value_or("0x?");
    addresses += (addresses.empty() ? "" : " ") + address;
    ids += (ids.empty() ? "" : " ") + ("10de:" + device.substr(device.rfind("0x", 0) == 0 ? 2 : 0));
  }
  if (tree.exists(kPci)) {
    sheet.put_count("gpu.count", count, kPci);
  } else {
    sheet.missing("gpu.count", kPci, "no PCI bus is visible");
  }
  if (count > 0) {
    sheet.put("gpu.pci_addresses", addresses, kPci);
    sheet.put("gpu.pci_ids", ids, kPci);
  }
  const Reading driver = tree.read("/proc/driver/nvidia/version");
  const auto version = line_value(driver.text.value_or(""), "NVRM version", ':');
  if (version) {
    sheet.put("gpu.driver", *version, driver.path);
  } else {
    sheet.missing("gpu.driver", driver.path, driver.text ? "no NVRM line" : driver.why);
  }
}

}  // namespace rackproof::inventory
