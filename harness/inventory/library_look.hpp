#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/inventory/fact_sheet.hpp"

namespace rackproof::inventory {

/// What a library says of itself. Loading one runs its code, which may crash, or hang for want of
/// memory (OpenBLAS where `ulimit -v` is low): a process of its own loads it and asks it.
struct LibraryLook {
  const char* name;  ///< of the fact
  std::vector<const char*> files;
  std::vector<const char*> symbols;  ///< the first that the library has counts
  /// In the other process: what the symbol says, empty when the call failed.
  std::function<std::string(void* symbol, const std::string& which)> ask;
};

/// Puts the fact, or why it cannot be had: not installed, without the symbol, a failed call, a
/// crash, or no answer within `seconds`.
void put_library(const LibraryLook& look, FactSheet& sheet, double seconds);

}  // namespace rackproof::inventory
