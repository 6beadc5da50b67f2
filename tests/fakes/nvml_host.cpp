#include "tests/fakes/nvml_host.hpp"

#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

namespace rackproof::fakes {
namespace {

using nlohmann::json;

std::string own_host() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

std::string bus_id(int bus) {
  char text[32];
  std::snprintf(text, sizeof text, "00000000:%02X:00.0", static_cast<unsigned>(bus) & 0xffU);
  return text;
}

std::array<unsigned char, 16> bytes_of(const std::string& uuid) {
  std::string digits;
  for (const char letter : uuid) {
    if (letter != '-') digits += letter;
  }
  std::array<unsigned char, 16> bytes{};
  if (digits.size() != 2 * bytes.size()) throw std::runtime_error(uuid + ": is no UUID");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<unsigned char>(std::stoul(digits.substr(2 * i, 2), nullptr, 16));
  }
  return bytes;
}

std::string filled_in(std::string text, const std::string& host, int index) {
  // The number at the end of a host's name: "nvl-07" is 7. Of a long one its last digits.
  constexpr std::size_t kMostDigits = 9;
  const std::size_t digits = std::max(host.find_last_not_of("0123456789") + 1,
                                      host.size() - std::min(host.size(), kMostDigits));
  const std::string number =
      digits == host.size() ? "0" : std::to_string(std::stoul(host.substr(digits)));
  for (const auto& [word, value] : {std::pair{std::string("{host}"), host},
                                    {"{index}", std::to_string(index)},
                                    {"{number}", number}}) {
    const std::size_t at = text.find(word);
    if (at != std::string::npos) text.replace(at, word.size(), value);
  }
  return text;
}

void refuse_unknown(const json& object, const std::set<std::string>& known) {
  for (const auto& [key, value] : object.items()) {
    if (!known.contains(key)) throw std::runtime_error("unknown field " + key);
  }
}

template <class T>
void read(const json& from, const char* key, std::optional<T>& to) {
  if (from.contains(key)) to = from.at(key).get<T>();
}

// What only inventories ask for: the names are those of the fields.
const std::set<std::string> kNumbers = {"ecc_pending",
                                        "compute_mode",
                                        "pcie_generation_now",
                                        "pcie_width_now",
                                        "power_limit_set_watts",
                                        "power_limit_default_watts",
                                        "power_limit_min_watts",
                                        "power_limit_max_watts",
                                        "sm_clock_application_mhz",
                                        "memory_clock_application_mhz",
                                        "nvlinks",
                                        "retired_pages_single",
                                        "retired_pages_double",
                                        "rows_remapped_corrected",
                                        "rows_remapped_uncorrected",
                                        "row_remap_pending",
                                        "row_remap_failed",
                                        "module_id",
                                        "chassis_slot",
                                        "chassis_tray",
                                        "chassis_host"};
const std::set<std::string> kTexts = {"serial", "part_number", "inforom", "gsp_firmware",
                                      "chassis_serial"};

// Takes them out of the fields. A link is as wide as it can be unless it is said to be narrower.
json without_details(json fields, const std::string& host, int index, NvmlGpu& gpu) {
  for (const std::string& name : kNumbers) {
    if (fields.contains(name)) {
      const json& given = fields.at(name);
      gpu.numbers[name] = given.is_string()
                              ? std::stod(filled_in(given.get<std::string>(), host, index))
                              : given.get<double>();
    }
    fields.erase(name);
  }
  for (const std::string& name : kTexts) {
    if (fields.contains(name)) {
      gpu.texts[name] = filled_in(fields.at(name).get<std::string>(), host, index);
    }
    fields.erase(name);
  }
  gpu.nvlinks_down = fields.value("nvlinks_down", std::set<int>());
  fields.erase("nvlinks_down");
  for (const char* name : {"pcie_width", "pcie_generation"}) {
    if (fields.contains(name)) {
      gpu.numbers.try_emplace(std::string(name) + "_now", fields.at(name).get<double>());
    }
  }
  return fields;
}

NvmlGpu gpu_from(const json& given, const std::string& host, int index) {
  NvmlGpu gpu;
  const json fields = without_details(given, host, index, gpu);
  refuse_unknown(fields, {"uuid",
                          "name",
                          "pci_id",
                          "pci_address",
                          "compute_capability",
                          "memory_bytes",
                          "memory_bus_bits",
                          "memory_clock_mhz",
                          "sm_clock_mhz",
                          "cores",
                          "power_limit_watts",
                          "pcie_generation",
                          "pcie_width",
                          "ecc",
                          "persistence",
                          "vbios",
                          "nvlink_cluster",
                          "nvlink_clique",
                          "mig",
                          "lost",
                          "errors",
                          "state",
                          "changes"});
  gpu.index = index;
  gpu.uuid = filled_in(fields.value("uuid", "GPU-{host}-{index}"), host, index);
  gpu.name = fields.at("name").get<std::string>();
  gpu.bus_id = fields.value("pci_address", bus_id(7 + index));
  const std::string id = fields.value("pci_id", "10de:0000");
  gpu.pci_id = static_cast<unsigned>(std::stoul(id.substr(5), nullptr, 16) << 16U |
                                     std::stoul(id.substr(0, 4), nullptr, 16));
  const std::string capability = fields.value("compute_capability", "9.0");
  gpu.major = std::stoi(capability);
  gpu.minor = std::stoi(capability.substr(capability.find('.') + 1));
  read(fields, "memory_bytes", gpu.memory_bytes);
  read(fields, "memory_bus_bits", gpu.memory_bus_bits);
  read(fields, "memory_clock_mhz", gpu.memory_clock_mhz);
  read(fields, "sm_clock_mhz", gpu.sm_clock_mhz);
  read(fields, "cores", gpu.cores);
  read(fields, "pcie_generation", gpu.pcie_generation);
  read(fields, "pcie_width", gpu.pcie_width);
  read(fields, "ecc", gpu.ecc);
  read(fields, "persistence", gpu.persistence);
  read(fields, "vbios", gpu.vbios);
  read(fields, "mig", gpu.instances);
  if (fields.contains("power_limit_watts")) {
    gpu.power_limit_milliwatts =
        static_cast<unsigned>(fields.at("power_limit_watts").get<double>() * 1000);
  }
  if (fields.contains("nvlink_cluster")) {
    gpu.cluster = bytes_of(fields.at("nvlink_cluster").get<std::string>());
  }
  gpu.clique = fields.value("nvlink_clique", 0U);
  gpu.lost = fields.value("lost", 0);
  gpu.errors = fields.value("errors", std::map<std::string, int>());
  gpu.state = fields.value("state", std::map<std::string, double>());
  for (const json& change : fields.value("changes", json::array())) {
    refuse_unknown(change, {"after_ms", "state", "xid", "when"});
    gpu.changes.push_back({change.value("after_ms", 0.0),
                           change.value("state", std::map<std::string, double>()),
                           change.value("xid", 0), change.value("when", "")});
  }
  return gpu;
}

NvmlHost host_from(const json& fields, const std::string& name) {
  refuse_unknown(fields, {"match", "driver", "cuda", "gpus", "device", "devices", "missing",
                          "errors", "delays_ms"});
  NvmlHost host;
  host.driver = fields.value("driver", host.driver);
  host.cuda = fields.value("cuda", host.cuda);
  host.errors = fields.value("errors", host.errors);
  host.delays_ms = fields.value("delays_ms", host.delays_ms);
  const auto missing = fields.value("missing", std::set<int>());
  for (int i = 0; i < fields.at("gpus").get<int>(); ++i) {
    if (missing.contains(i)) continue;
    json device = fields.at("device");
    const json own = fields.value("devices", json::object());
    if (own.contains(std::to_string(i))) device.update(own.at(std::to_string(i)));
    host.gpus.push_back(gpu_from(device, name, i));
  }
  return host;
}

NvmlHost from_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot be read");
  const std::string name = own_host();
  const json document = json::parse(file);
  for (const json& host : document.at("hosts")) {
    const auto pattern = host.at("match").get<std::string>();
    if (fnmatch(pattern.c_str(), name.c_str(), 0) == 0) return host_from(host, name);
  }
  throw std::runtime_error("it plays no host " + name);
}

NvmlHost from_words(const std::string& text) {
  std::map<std::string, std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    words[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  const auto number = [&](const char* key, int otherwise) {
    return words.contains(key) ? std::stoi(words[key]) : otherwise;
  };
  NvmlHost host;
  if (const int code = number("init", 0); code != 0) host.errors["nvmlInit_v2"] = code;
  std::string name = words.contains("name") ? words["name"] : "Fake_H200";
  for (char& letter : name) letter = letter == '_' ? ' ' : letter;
  const std::string owner = words.contains("host") ? words["host"] : "node0";
  const std::string mig = words["mig"];
  for (int i = 0; i < number("gpus", 0); ++i) {
    json fields = {{"name", name},
                   {"pci_id", "10de:2335"},
                   {"pci_address", bus_id(number("first", 7) + i)},
                   {"memory_bytes", 150'754'820'096LL},
                   {"memory_bus_bits", 6144},
                   {"memory_clock_mhz", 3201},
                   {"sm_clock_mhz", 1980},
                   {"cores", 16896},
                   {"ecc", true}};
    if (!mig.empty() && std::stoi(mig) == i) {
      fields["mig"] = std::stoi(mig.substr(mig.find(':') + 1));
    }
    if (number("lost", -1) == i) fields["lost"] = 15;
    host.gpus.push_back(gpu_from(fields, owner, i));
  }
  return host;
}

}  // namespace

NvmlHost read_nvml_host() {
  const char* const file = std::getenv("FAKE_NVML_FILE");
  if (file == nullptr) {
    const char* const words = std::getenv("FAKE_NVML");
    return from_words(words == nullptr ? "" : words);
  }
  try {
    return from_file(file);
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string(file) + ": " + error.what());
  }
}

}  // namespace rackproof::fakes
