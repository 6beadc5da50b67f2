#include "harness/inventory/collectors.hpp"

#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

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
    sheet.put_count(fact_name::kGpuCount, count, kPci);
  } else {
    sheet.missing(fact_name::kGpuCount, kPci, "no PCI bus is visible");
  }
  if (count > 0) {
    sheet.put(fact_name::kGpuPciAddresses, addresses, kPci);
    sheet.put(fact_name::kGpuPciIds, ids, kPci);
  }
  const Reading driver = tree.read("/proc/driver/nvidia/version");
  const auto version = line_value(driver.text.value_or(""), "NVRM version", ':');
  if (version) {
    sheet.put(fact_name::kGpuDriver, *version, driver.path);
  } else {
    sheet.missing(fact_name::kGpuDriver, driver.path, driver.text ? "no NVRM line" : driver.why);
  }
}

}  // namespace rackproof::inventory
