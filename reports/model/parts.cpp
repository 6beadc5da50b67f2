#include "reports/model/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "reports/model/cell_text.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/reason_id.hpp"

namespace rackproof::model {
namespace {

const DeviceFacts* find_device(const Report& report, const std::string& host,
                               const std::string& uuid) {
  for (const NodeInventory& node : report.nodes) {
    if (node.host != host) continue;
    for (const DeviceFacts& device : node.devices) {
      if (device.uuid == uuid) return &device;
    }
  }
  return nullptr;
}

std::string fact_text(const DeviceFacts& device, const char* name) {
  const auto fact = device.facts.find(name);
  if (fact == device.facts.end() || !fact->second.value) return "";
  return to_text(*fact->second.value);
}

std::string with_place(const std::string& host, const DeviceFacts& device) {
  const std::string address = fact_text(device, model::fact_name::kGpuPciAddress);
  const std::string serial = fact_text(device, model::fact_name::kGpuSerial);
  const std::string slot = fact_text(device, model::fact_name::kGpuChassisSlot);
  return fmt::format("{} GPU {} ({}{}{}{})", host, device.index, address,
                     address.empty() ? "" : ", ", serial.empty() ? device.uuid : "S/N " + serial,
                     slot.empty() ? "" : ", slot " + slot);
}

/// "hgx-02 GPU 5", nothing for what is not in the inventory.
std::string short_name(const Report& report, const std::string& host, const std::string& uuid) {
  const DeviceFacts* const device = find_device(report, host, uuid);
  return device == nullptr ? "" : fmt::format("{} GPU {}", host, device->index);
}

/// What a reader calls a way to fail; other ids name themselves.
struct Kind {
  std::string_view one;
  std::string_view many;
};
constexpr Kind kWrong{"wrong answer", "wrong answers"};
constexpr Kind kSlow{"too slow", "too slow"};
constexpr Kind kOff{"out of limits", "out of limits"};
constexpr Kind kUndecided{"undecided", "undecided"};

bool is_speed(const Cell& cell) {
  constexpr std::array<std::string_view, 5> kSpeeds = {"B/s", "FLOP/s", "OP/s", "cells/s", "s"};
  return std::find(kSpeeds.begin(), kSpeeds.end(), unit_of(cell)) != kSpeeds.end();
}

Kind kind_of(const Cell& cell) {
  const std::string_view id = cell.verdict.reason_id;
  if (id == reason_id::kWrongAnswer || id == reason_id::kDigestMismatch) return kWrong;
  const bool limit = id == reason_id::kBelowLimit || id == reason_id::kAboveLimit ||
                     id == reason_id::kPeerOutlier || id == reason_id::kHistoryDrop;
  if (limit) return is_speed(cell) ? kSlow : kOff;
  if (id == reason_id::kStraddlesLimit) return kUndecided;
  return {id, id};
}

using Device = std::pair<std::string, std::string>;  // host and UUID

/// A link one of whose ends is bad by itself says little: it goes to that end.
std::vector<PartCells> with_links_of_devices(std::vector<PartCells> parts) {
  std::map<Device, std::size_t> devices;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Subject& subject = *parts[i].subject;
    if (subject.kind == contract::SubjectKind::kDevice)
      devices.emplace(Device{subject.host, subject.device}, i);
  }
  for (PartCells& part : parts) {
    const Subject& subject = *part.subject;
    if (subject.kind != contract::SubjectKind::kLink) continue;
    const auto from = devices.find({subject.host, subject.device});
    const auto to = devices.find({subject.peer_host, subject.peer_device});
    if ((from == devices.end()) == (to == devices.end())) continue;
    PartCells& end = parts[from == devices.end() ? to->second : from->second];
    end.on_links.insert(end.on_links.end(), part.cells.begin(), part.cells.end());
    ++end.links;
    part.cells.clear();
  }
  std::erase_if(parts, [](const PartCells& part) { return part.cells.empty(); });
  return parts;
}

struct Failures {
  Kind kind;
  std::size_t count = 0;
  std::vector<std::string> ids;
};

}  // namespace

std::string short_name(const Report& report, const Subject& subject) {
  switch (subject.kind) {
    case contract::SubjectKind::kDevice:
      return short_name(report, subject.host, subject.device);
    case contract::SubjectKind::kNode:
      return subject.host;
    case contract::SubjectKind::kLink:
    case contract::SubjectKind::kGroup:
      return "";
  }
  return "";
}

std::string part_name(const Report& report, const Subject& subject) {
  if (subject.kind == contract::SubjectKind::kDevice) {
    const DeviceFacts* const device = find_device(report, subject.host, subject.device);
    return device == nullptr ? label(subject) : with_place(subject.host, *device);
  }
  if (subject.kind == contract::SubjectKind::kLink) {
    const std::string from = short_name(report, subject.host, subject.device);
    const std::string to = short_name(report, subject.peer_host, subject.peer_device);
    if (!from.empty() && !to.empty()) return from + " - " + to;
  }
  return label(subject);
}

std::map<std::string, std::string> device_names(const Report& report) {
  std::map<std::string, std::string> names;
  for (const NodeInventory& node : report.nodes) {
    for (const DeviceFacts& device : node.devices) {
      names.emplace(node.host + "/" + device.uuid, with_place(node.host, device));
    }
  }
  return names;
}

std::vector<PartCells> by_part(const std::vector<const Cell*>& cells) {
  std::vector<PartCells> parts;
  std::map<Subject, std::size_t> places;
  std::size_t last = 0;
  for (const Cell* cell : cells) {
    // Cells of one part mostly come one after the other.
    if (parts.empty() || *parts[last].subject != cell->subject) {
      const auto [place, fresh] = places.try_emplace(cell->subject, parts.size());
      if (fresh) parts.push_back({&cell->subject, {}, {}, 0});
      last = place->second;
    }
    parts[last].cells.push_back(cell);
  }
  return with_links_of_devices(std::move(parts));
}

std::string failures_of(const PartCells& part, Ids ids) {
  std::string text = failures_of(part.cells, ids);
  if (part.links > 0) {
    text += fmt::format(
        ", on {} {}",
        part.links == 1 ? "one of its links" : fmt::format("{} of its links", part.links),
        failures_of(part.on_links, ids));
  }
  return text;
}

std::string failures_of(const std::vector<const Cell*>& cells, Ids ids) {
  std::vector<Failures> all;
  for (const Cell* cell : cells) {
    const Kind kind = kind_of(*cell);
    auto same = std::find_if(all.begin(), all.end(),
                             [&](const Failures& one) { return one.kind.many == kind.many; });
    if (same == all.end()) same = all.insert(all.end(), {kind, 0, {}});
    ++same->count;
    const std::string& id = cell->verdict.reason_id;
    if (std::find(same->ids.begin(), same->ids.end(), id) == same->ids.end()) {
      same->ids.push_back(id);
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Failures& a, const Failures& b) { return a.count > b.count; });
  std::string text;
  for (const Failures& one : all) {
    const bool itself = one.ids.front() == one.kind.one;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", one.count,
                        one.count == 1 ? one.kind.one : one.kind.many);
    if (!itself && ids == Ids::kTold) text += fmt::format(" ({})", fmt::join(one.ids, ", "));
  }
  return text;
}

std::string distance_of(const Cell& cell) {
  const auto& ratio = cell.verdict.ratio;
  if (cell.verdict.deficit) {
    const bool history = cell.verdict.reason_id == reason_id::kHistoryDrop;
    return fmt::format("{:.2g} % worse than {}", *cell.verdict.deficit * 100,
                       history ? "in its earlier runs" : "its peers");
  }
  if (!ratio || !(*ratio > 0)) return "";
  if (*ratio < 1) return fmt::format("{:.3g} % below what is expected", (1 - *ratio) * 100);
  if (*ratio < 2) return fmt::format("{:.3g} % above what is expected", (*ratio - 1) * 100);
  return fmt::format("{:.2g} times what is expected", *ratio);
}

}  // namespace rackproof::model
