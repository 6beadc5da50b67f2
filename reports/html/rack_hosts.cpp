#include "reports/html/rack_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "reports/model/fact_name.hpp"
#include "reports/model/words.hpp"

namespace rackproof::html {
namespace {

namespace fact_name = model::fact_name;

using model::Outcome;

std::string fact_of(const model::DeviceFacts& device, const char* name) {
  const auto fact = device.facts.find(name);
  if (fact == device.facts.end() || !fact->second.value) return "";
  return model::to_text(*fact->second.value);
}

std::string domain_of(const model::NodeInventory& node) {
  for (const model::DeviceFacts& device : node.devices) {
    if (std::string domain = fact_of(device, fact_name::kNvlinkDomain); !domain.empty())
      return domain;
  }
  return "";
}

std::optional<std::int64_t> number_of(const model::DeviceFacts& device, const char* name) {
  const auto fact = device.facts.find(name);
  if (fact == device.facts.end() || !fact->second.value) return std::nullopt;
  const auto* const number = std::get_if<std::int64_t>(&*fact->second.value);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

RackPlace place_of(const model::NodeInventory& node) {
  for (const model::DeviceFacts& device : node.devices) {
    const std::string chassis = fact_of(device, fact_name::kGpuChassisSerial);
    if (chassis.empty()) continue;
    return {chassis, number_of(device, fact_name::kGpuChassisSlot),
            number_of(device, fact_name::kGpuChassisTray),
            number_of(device, fact_name::kGpuChassisHost)};
  }
  return {};
}

void split_into(std::vector<std::string>& parts, std::string_view text, char by) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(by), text.size());
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// What the bus or the driver has and nobody can use.
std::vector<std::string> unusable(const model::NodeInventory& node) {
  std::vector<std::string> gpus;
  split_into(gpus, model::text_of(node, fact_name::kGpuUnmanaged).value_or(""), ' ');
  for (std::string& address : gpus) address += ": on the bus, not with the driver";
  split_into(gpus, model::text_of(node, fact_name::kGpuSilent).value_or(""), ';');
  return gpus;
}

/// What was ordered with the host, by serial number or UUID, and is not in it.
std::vector<std::string> not_delivered(const model::Asset& asset,
                                       const model::NodeInventory& node) {
  std::set<std::string> here;
  for (const model::DeviceFacts& device : node.devices) {
    here.insert(device.uuid);
    here.insert(fact_of(device, fact_name::kGpuSerial));
  }
  std::vector<std::string> gpus;
  for (const std::string& gpu : asset.gpus) {
    if (here.count(gpu) == 0) gpus.push_back(gpu + ": expected, not in this host");
  }
  return gpus;
}

/// How many GPUs most hosts of each platform have; of equally many the larger number.
std::map<std::string, std::size_t> usual_gpus(const model::Report& report) {
  std::map<std::string, std::map<std::size_t, std::size_t>> hosts;
  for (const model::NodeInventory& node : report.nodes) {
    const auto platform = report.platform_of_host.find(node.host);
    if (platform != report.platform_of_host.end()) ++hosts[platform->second][model::gpus_of(node)];
  }
  std::map<std::string, std::size_t> usual;
  for (const auto& [platform, counts] : hosts) {
    std::size_t most = 0;
    for (const auto& [gpus, count] : counts) {
      if (count < most) continue;
      most = count;
      usual[platform] = gpus;
    }
  }
  return usual;
}

class Collect {
 public:
  explicit Collect(const model::Report& report, bool cells = true) : report_(report) {
    for (const model::NodeInventory& node : report.nodes) add_node(node);
    const model::Extent& meant =
        report.run.extent.assets.empty() ? report.suite.extent : report.run.extent;
    for (const model::Asset& asset : meant.assets) at(asset.host, Presence::kAbsent);
    for (const std::string& host : report.run.left_out_hosts) at(host, Presence::kLeftOut);
    for (const model::RankInfo& rank : report.ranks) at(rank.host, Presence::kAbsent);
    if (cells) {
      for (const model::Cell& cell : report.cells) add_cell(cell);
    }
    add_missing(meant);
  }

  std::vector<RackHost> take() {
    std::vector<RackHost> all;
    for (auto& [name, known] : hosts_) {
      if (!name.empty()) all.push_back(std::move(known.host));
    }
    std::stable_sort(all.begin(), all.end(), [](const RackHost& a, const RackHost& b) {
      // Of what is in no domain, or not known to be, the place is not known either.
      const auto order = [](const RackHost& host) {
        const auto last = [](const std::optional<std::int64_t>& number) {
          return number.value_or(std::numeric_limits<std::int64_t>::max());
        };
        const RackPlace& place = host.place;
        return std::tuple(host.domain.empty(), host.domain, place.chassis.empty(), place.chassis,
                          last(place.slot), last(place.tray), last(place.host));
      };
      const auto left = order(a);
      const auto right = order(b);
      return left != right ? left < right : natural_less(a.name, b.name);
    });
    return all;
  }

 private:
  struct Known {
    RackHost host;
    std::map<std::string, std::size_t> places;  ///< of its GPUs by UUID
  };

  Known& at(const std::string& name, Presence presence) {
    const auto [found, fresh] = hosts_.try_emplace(name);
    if (fresh) {
      found->second.host.name = name;
      found->second.host.presence = presence;
    }
    return found->second;
  }

  void add_node(const model::NodeInventory& node) {
    Known& known = at(node.host, Presence::kHere);
    known.host.domain = domain_of(node);
    known.host.place = place_of(node);
    std::vector<const model::DeviceFacts*> devices;
    for (const model::DeviceFacts& device : node.devices) devices.push_back(&device);
    std::stable_sort(devices.begin(), devices.end(),
                     [](const auto* a, const auto* b) { return a->index < b->index; });
    for (const model::DeviceFacts* device : devices) {
      // One that the driver lists twice is one; one without a UUID is known by its number.
      const std::string code =
          device->uuid.empty() ? fmt::format("#{}", device->index) : device->uuid;
      if (!known.places.try_emplace(code, known.host.gpus.size()).second) continue;
      known.host.gpus.push_back(
          {fmt::format("{} GPU {} ({})", node.host, device->index, code), {}});
    }
  }

  // A GPU that the inventory lacks comes last, under the name that its cells have.
  static Tally& gpu_of(Known& known, const model::Subject& subject) {
    const auto [place, fresh] = known.places.try_emplace(subject.device, known.host.gpus.size());
    if (fresh) known.host.gpus.push_back({subject.host + "/" + subject.device, {}});
    return known.host.gpus[place->second].tally;
  }

  void add_cell(const model::Cell& cell) {
    const model::Subject& subject = cell.subject;
    if (!cell.required || subject.kind == contract::SubjectKind::kGroup || subject.host.empty()) {
      return;
    }
    // Mostly it is the host of the cell before.
    if (last_ == nullptr || last_->host.name != subject.host) {
      last_ = &at(subject.host, Presence::kAbsent);
    }
    (subject.device.empty() ? last_->host.node : gpu_of(*last_, subject)).add(cell);
  }

  void add_missing(const model::Extent& meant) {
    std::map<std::string, const model::Asset*> assets;
    for (const model::Asset& asset : meant.assets) assets.emplace(asset.host, &asset);
    const std::map<std::string, std::size_t> usual = usual_gpus(report_);
    for (const model::NodeInventory& node : report_.nodes) {
      RackHost& host = hosts_.at(node.host).host;
      host.missing = unusable(node);
      if (const auto asset = assets.find(node.host); asset != assets.end()) {
        // Two names of one GPU would be two: the longer list has them all.
        std::vector<std::string> ordered = not_delivered(*asset->second, node);
        if (ordered.size() >= host.missing.size()) host.missing = std::move(ordered);
      }
      const auto platform = report_.platform_of_host.find(node.host);
      if (platform == report_.platform_of_host.end()) continue;
      const std::size_t expected = usual.at(platform->second);
      while (host.gpus.size() + host.missing.size() < expected) {
        host.missing.push_back(fmt::format("most hosts of {} have {}", platform->second, expected));
      }
    }
  }

  const model::Report& report_;
  std::map<std::string, Known> hosts_;
  Known* last_ = nullptr;
};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The number at `at`, without leading zeros, which are no part of it; `at` moves behind it.
std::string_view number_at(std::string_view text, std::size_t& at) {
  while (at < text.size() && text[at] == '0') ++at;
  const std::size_t begin = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  return text.substr(begin, at - begin);
}

}  // namespace

std::string RackPlace::text() const {
  std::string text = slot ? fmt::format("slot {}", *slot) : "";
  if (tray) text += fmt::format("{}tray {}", text.empty() ? "" : ", ", *tray);
  return text;
}

void Tally::add(const model::Cell& cell) {
  ++counts_[cell.verdict.outcome];
  first_.try_emplace(cell.verdict.outcome, &cell);
}

std::size_t Tally::all() const {
  std::size_t sum = 0;
  for (const auto& [outcome, count] : counts_) sum += count;
  return sum;
}

std::size_t Tally::count(Outcome outcome) const {
  const auto found = counts_.find(outcome);
  return found == counts_.end() ? 0 : found->second;
}

Outcome Tally::worst() const {
  for (const Outcome outcome : {Outcome::kFail, Outcome::kUntested, Outcome::kUnjudged,
                                Outcome::kVerified, Outcome::kPass, Outcome::kWaived}) {
    if (count(outcome) > 0) return outcome;
  }
  return Outcome::kUntested;
}

bool Tally::is_well() const {
  const Outcome outcome = worst();
  return all() == 0 || model::is_right(outcome) || outcome == Outcome::kWaived;
}

bool RackHost::is_well() const {
  return presence == Presence::kHere && missing.empty() && node.is_well() &&
         std::all_of(gpus.begin(), gpus.end(),
                     [](const RackGpu& gpu) { return gpu.tally.is_well(); });
}

std::vector<RackHost> rack_hosts(const model::Report& report) { return Collect(report).take(); }

std::size_t missing_gpus(const model::Report& report) {
  std::size_t missing = 0;
  for (const RackHost& host : Collect(report, false).take()) missing += host.missing.size();
  return missing;
}

std::size_t unnamed_hosts(const model::Report& report, const std::vector<RackHost>& hosts) {
  const auto meant = report.run.extent.hosts ? report.run.extent.hosts : report.suite.extent.hosts;
  if (!meant || *meant <= static_cast<std::int64_t>(hosts.size())) return 0;
  return static_cast<std::size_t>(*meant) - hosts.size();
}

bool natural_less(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string_view left = number_at(a, i);
      const std::string_view right = number_at(b, j);
      if (left != right) return std::tuple(left.size(), left) < std::tuple(right.size(), right);
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

}  // namespace rackproof::html
