#include "benches/protocol/unit.hpp"

#include <array>

namespace rackproof::protocol {
namespace {

constexpr double kKi = 1024.0;

// The only table of unit names. A row whose name equals its base is a base unit.
constexpr std::array kUnits = {
    Unit{"B/s", "B/s", 1},
    Unit{"kB/s", "B/s", 1e3},
    Unit{"MB/s", "B/s", 1e6},
    Unit{"GB/s", "B/s", 1e9},
    Unit{"TB/s", "B/s", 1e12},
    Unit{"KiB/s", "B/s", kKi},
    Unit{"MiB/s", "B/s", kKi* kKi},
    Unit{"GiB/s", "B/s", kKi* kKi* kKi},
    Unit{"TiB/s", "B/s", kKi* kKi* kKi* kKi},
    Unit{"Gb/s", "B/s", 1e9 / 8},
    Unit{"FLOP/s", "FLOP/s", 1},
    Unit{"MFLOP/s", "FLOP/s", 1e6},
    Unit{"GFLOP/s", "FLOP/s", 1e9},
    Unit{"TFLOP/s", "FLOP/s", 1e12},
    Unit{"PFLOP/s", "FLOP/s", 1e15},
    Unit{"OP/s", "OP/s", 1},
    Unit{"GOP/s", "OP/s", 1e9},
    Unit{"TOP/s", "OP/s", 1e12},
    Unit{"POP/s", "OP/s", 1e15},
    Unit{"cells/s", "cells/s", 1},
    Unit{"GCUPS", "cells/s", 1e9},
    Unit{"TCUPS", "cells/s", 1e12},
    Unit{"s", "s", 1},
    Unit{"ms", "s", 1e-3},
    Unit{"us", "s", 1e-6},
    Unit{"ns", "s", 1e-9},
    Unit{"min", "s", 60},
    Unit{"h", "s", 3600},
    Unit{"B", "B", 1},
    Unit{"kB", "B", 1e3},
    Unit{"MB", "B", 1e6},
    Unit{"GB", "B", 1e9},
    Unit{"TB", "B", 1e12},
    Unit{"KiB", "B", kKi},
    Unit{"MiB", "B", kKi* kKi},
    Unit{"GiB", "B", kKi* kKi* kKi},
    Unit{"TiB", "B", kKi* kKi* kKi* kKi},
    Unit{"W", "W", 1},
    Unit{"kW", "W", 1e3},
    Unit{"Hz", "Hz", 1},
    Unit{"MHz", "Hz", 1e6},
    Unit{"GHz", "Hz", 1e9},
    Unit{"degC", "degC", 1},
    Unit{"J", "J", 1},
    Unit{"count", "count", 1},
    Unit{"ratio", "ratio", 1},
    Unit{"percent", "ratio", 0.01},
};

}  // namespace

std::optional<Unit> find_unit(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return unit;
  }
  return std::nullopt;
}

bool is_base_unit(std::string_view name) {
  const auto unit = find_unit(name);
  return unit && unit->name == unit->base;
}

std::vector<std::string_view> unit_names() {
  std::vector<std::string_view> names;
  for (const Unit& unit : kUnits) names.push_back(unit.name);
  return names;
}

}  // namespace rackproof::protocol
