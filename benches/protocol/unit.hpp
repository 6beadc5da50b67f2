#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::protocol {

/// A unit of measurement: `value * factor` is the value in the base unit of its dimension.
struct Unit {
  std::string_view name;  ///< as written in tables, for example "TB/s"
  std::string_view base;  ///< the base unit of the dimension, for example "B/s"
  double factor;          ///< exact multiple of the base unit
};

/// The unit called `name`, or nothing when no unit of that name is known. Case matters: MB is not
/// mb.
std::optional<Unit> find_unit(std::string_view name);

/// True when `name` is a base unit. Records may carry base units only.
bool is_base_unit(std::string_view name);

/// Every known unit name, in table order: for error messages and completion.
std::vector<std::string_view> unit_names();

}  // namespace rackproof::protocol
