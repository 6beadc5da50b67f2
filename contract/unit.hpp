#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace rackproof::contract {

/// How people read numbers of a unit.
enum class Scaling {
  kNone,       ///< as they are: 65.2 degC
  kCount,      ///< the same, whole numbers in full
  kPercent,    ///< 0.95 as 95 %
  kThousands,  ///< large ones with a prefix: 3.35 TB/s
  kBothWays,   ///< small ones too: 250 mW
  kBytes,      ///< whole multiples of a power of 1024 as such: 64 MiB
  kTime,       ///< ns to h
};

/// A unit in which records and reports hold numbers.
struct BaseUnit {
  std::string_view name;   ///< "B/s"
  std::string_view words;  ///< as names end with it, "bytes_per_second"; empty for what is counted
  Scaling scaling;
};

inline constexpr std::array kBaseUnits = {
    BaseUnit{"B/s", "bytes_per_second", Scaling::kThousands},
    BaseUnit{"FLOP/s", "flops_per_second", Scaling::kThousands},
    BaseUnit{"OP/s", "operations_per_second", Scaling::kThousands},
    BaseUnit{"cells/s", "cells_per_second", Scaling::kThousands},
    BaseUnit{"cells/J", "cells_per_joule", Scaling::kThousands},
    BaseUnit{"s", "seconds", Scaling::kTime},
    BaseUnit{"B", "bytes", Scaling::kBytes},
    BaseUnit{"W", "watts", Scaling::kBothWays},
    BaseUnit{"Hz", "hertz", Scaling::kThousands},
    BaseUnit{"degC", "celsius", Scaling::kNone},
    BaseUnit{"J", "joules", Scaling::kBothWays},
    BaseUnit{"count", "", Scaling::kCount},
    BaseUnit{"ratio", "ratio", Scaling::kPercent}};

/// A unit of measurement: `value * factor` is the value in the base unit of its dimension.
struct Unit {
  std::string_view name;  ///< as written in tables, for example "TB/s"
  std::string_view base;  ///< the base unit of the dimension, for example "B/s"
  double factor;          ///< exact multiple of the base unit
};

inline constexpr double kKi = 1024.0;

/// Every unit that tables may name. A row whose name equals its base is a base unit.
inline constexpr std::array kUnits = {
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
    Unit{"cells/J", "cells/J", 1},
    Unit{"GCUPS/W", "cells/J", 1e9},
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

/// The unit called `name`, or nothing when no unit of that name is known. Case matters: MB is not
/// mb.
constexpr std::optional<Unit> find_unit(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return unit;
  }
  return std::nullopt;
}

/// The base unit called `name`, or nothing when `name` is none.
constexpr std::optional<BaseUnit> find_base_unit(std::string_view name) {
  for (const BaseUnit& unit : kBaseUnits) {
    if (unit.name == name) return unit;
  }
  return std::nullopt;
}

/// True when `name` is a base unit. Records may carry base units only.
constexpr bool is_base_unit(std::string_view name) { return find_base_unit(name).has_value(); }

}  // namespace rackproof::contract
