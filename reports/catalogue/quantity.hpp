#pragma once

#include <span>
#include <string_view>

namespace rackproof::catalogue {

/// What a fact of an inventory is, or a column of a recording.
struct Quantity {
  std::string_view name;     ///< "gpu.pcie_width"; a '*' stands for a part: "nic.*.mtu_bytes"
  std::string_view unit;     ///< base unit, "count" or "1"; empty: a text, or yes and no
  std::string_view meaning;  ///< in one line
};

/// Every fact that an inventory gives: of hosts, then of GPUs.
std::span<const Quantity> facts();

/// Every column that a recording can have.
std::span<const Quantity> columns();

/// The fact, or the column, of that name, by itself or by what a '*' stands for; nullptr where
/// there is none.
const Quantity* find_fact(std::string_view name);
const Quantity* find_column(std::string_view name);

}  // namespace rackproof::catalogue
