#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/inventory/fact_sheet.hpp"
#include "reports/model/inventory.hpp"

namespace rackproof::inventory {

/// A folder with the files of a machine, removed at the end.
class Machine {
 public:
  Machine();  ///< an empty one
  /// tests/data/inventory/<name>.tree, unpacked.
  explicit Machine(const std::string& name);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  std::string root() const { return root_.string(); }
  void write(const std::string& path, const std::string& text) const;
  void link(const std::string& path, const std::string& target) const;
  void remove(const std::string& path) const;

 private:
  void unpack(const std::string& name) const;
  std::filesystem::path root_;
};

/// Reads of facts that fail the test instead of crashing it.
std::string text_in(const FactSheet& sheet, const std::string& name);
double number_in(const FactSheet& sheet, const std::string& name);
bool flag_in(const FactSheet& sheet, const std::string& name);
std::string why_in(const FactSheet& sheet, const std::string& name);

}  // namespace rackproof::inventory
